"""How the family is offered, and what k and l mean in it."""

from __future__ import annotations

from papilio.policy.words import FamilyWords, Meaning, Words

_GROUPING = Meaning(
    title="k and l: nobody can tell who is linked to what",
    stops=(
        "Someone who has the release and wants to know whether Ann bought a medicine: they can "
        "believe it with at most 1 in max(k, l)."
    ),
    does_not_stop=(
        "Someone who has learnt about as many links as groups are large; someone who wants to know "
        "who is in the table."
    ),
    example=(
        "With k = 10 and l = 10, that Ann bought a certain medicine has a chance of at most one in "
        "ten."
    ),
    usual="5 to 10. 1 on one side hides the other side only.",
)
_SENTENCE = (
    "Left entities hide in groups of at least k, right ones in groups of at least l, and no two of "
    "a group are linked to the same entity."
)


def _lacks(tables: float, columns: int, types: frozenset[str]) -> str:
    del columns, types
    needed = "needs three tables: two kinds of entities, and the links; add them under Data"
    return needed if tables < 3 else ""


WORDS = FamilyWords(
    title="Bipartite graph",
    when=(
        "When who is linked to what is the secret: who bought what, who wrote what. Keeps the "
        "whole structure."
    ),
    icon="hub",
    demands={
        "k": Words("k, left side", _SENTENCE, "5", start=5, needed=True, meaning=_GROUPING),
        "l": Words(
            "l, right side",
            _SENTENCE,
            "5",
            widget="number",
            start=5,
            needed=True,
            meaning=_GROUPING,
        ),
    },
    lacks=_lacks,
)
