"""Words about safe grouping."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="k and l: nobody can tell who is linked to what",
    demands=(
        "Left entities hide in groups of at least k, right ones in groups of at least l, and no "
        "two of a group are linked to the same entity."
    ),
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
