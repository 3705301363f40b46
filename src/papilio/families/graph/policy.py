"""What does not go with a graph, and what a graph needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from papilio.data.table import Role
from papilio.errors import Fault
from papilio.policy.meanings import KNOWN_DEGREE
from papilio.policy.recipients import EVERY
from papilio.policy.remedy import Remedy
from papilio.policy.words import FamilyWords, Meaning, Words
from papilio.privacy.safe_grouping import SafeGrouping

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.graph_policy import EntitiesPolicy, Order
    from papilio.policy.policy import Policy


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
_DROPPED = Meaning(
    title="suppress: links that may be left out",
    stops="Nobody by itself. It is what `known: degree` may cost.",
    does_not_stop="Someone who knows a link and sees that it may be missing.",
    example="With 1%, at most one of a hundred links is left out; the release says how many were.",
    usual="0.1% to 1% for graphs with few links a node; dense ones need far more.",
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
        "known": Words(
            "What an attacker knows",
            "known-degree: who knows how many links both ends of a link have believes in it no "
            "more strongly than who does not.",
            "degree",
            choices={"degree": "how many links somebody has"},
            widget="choice",
            start="degree",
            usual="nothing besides",
            meaning=KNOWN_DEGREE,
        ),
        "suppress": Words(
            "Share of the links",
            "At most this share of the links, such as `1%`, is left out by `order: level`.",
            "1%",
            start="1%",
            widget="percent",
            meaning=_DROPPED,
        ),
    },
    lacks=_lacks,
)
GROUPING = "grouping"


def graph_faults(policy: Policy) -> Iterator[Fault]:
    """Find what does not fit between ``graph`` and the other keys."""
    yield from _sizes(policy)
    if policy.privacy.known not in (None, "degree"):
        yield policy.fault("a graph takes known: degree, or nothing", "privacy", "known")
    yield from _levels(policy)
    if policy.graph is not None:
        for side, entities in (("left", policy.graph.left), ("right", policy.graph.right)):
            yield from _columns(policy, side, entities)


def grouping_of(policy: Policy) -> SafeGrouping:
    """What is demanded of a graph."""
    known: Literal["degree"] | None = "degree" if policy.privacy.known == "degree" else None
    return SafeGrouping(policy.privacy.k or 1, bare_l(policy) or 1, known)


def order_of_nodes(policy: Policy) -> Order:
    """Order in which nodes choose their group: what the policy says, or what it needs."""
    said = None if policy.graph is None else policy.graph.order
    return said or ("level" if policy.privacy.known == "degree" else "degree")


#: Groups that a remedy asks for at least, and links that it lets go.
_USUAL, _SHARE = 5, 0.01


def even_groups(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Groups of one size on both sides; whoever is learnt about keeps as many candidates."""
    del exposed
    demanded = grouping_of(policy)
    size = max(demanded.k, demanded.l, _USUAL)
    if demanded.k == demanded.l == size:
        return None
    return Remedy(
        ((("privacy", "k"), size), (("privacy", "l"), size)),
        f"Any link is then believed with at most 1 in {size}, also by who has learnt another link "
        "of one of its ends.",
    )


def level_degrees(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Nodes of like degree in one group; if they are already, links are left out."""
    del exposed
    order = order_of_nodes(policy)
    if order == "random":
        return Remedy(
            ((("graph", "order"), "degree"),),
            "Nodes with equally many links then come into one group where that is possible, so "
            "that their number tells little.",
        )
    if policy.privacy.known == "degree":
        return None
    levelled = () if policy.graph is None or policy.graph.order is None else _LEVELLED
    share = max(policy.privacy.suppress, _SHARE)
    return Remedy(
        ((("privacy", "known"), "degree"), (("privacy", "suppress"), share), *levelled),
        f"Up to {share:.0%} of the links are left out, so that all nodes of a group of one side "
        "have equally many; if that is not enough, the run says how many it takes.",
    )


_LEVELLED = ((("graph", "order"), "level"),)


def _levels(policy: Policy) -> Iterator[Fault]:
    """Links are dropped by one order only, and only that keeps degrees from telling."""
    order = order_of_nodes(policy)
    if order == "level":
        return
    if policy.privacy.known is not None:
        message = f"known: {policy.privacy.known} needs 'order: level'; leave order out, or say so"
        yield policy.fault(message, "graph", "order")
    if policy.privacy.suppress:
        message = "only 'order: level' leaves links out, in graph; say so, or leave suppress out"
        yield policy.fault(message, "privacy", "suppress")


def _sizes(policy: Policy) -> list[Fault]:
    """Both k and l as bare numbers, and not both 1."""
    faults = []
    if policy.privacy.k is None:
        message = "a graph needs k, the least size of a group of left nodes; 1 hides none of them"
        faults.append(policy.fault(message, "privacy"))
    if bare_l(policy) is None:
        message = (
            "a graph needs l as a bare number, the least size of a group of right nodes; 1 hides "
            "none of them"
        )
        where = ("privacy", "l") if policy.privacy.l else ("privacy",)
        faults.append(policy.fault(message, *where))
    if policy.privacy.k == 1 and bare_l(policy) == 1:
        message = "k and l are both 1, which would publish every link; raise one of them"
        faults.append(policy.fault(message, "privacy"))
    return faults


def bare_l(policy: Policy) -> int | None:
    """The bare number of ``privacy.l``, if that is what it is."""
    said = policy.privacy.l.get(EVERY, ())
    return said[0].distinct if len(policy.privacy.l) == 1 == len(said) else None


def _columns(policy: Policy, side: str, entities: EntitiesPolicy) -> list[Fault]:
    faults, seen = [], {"group": "group"}
    for name, column in entities.columns.items():
        message = _column_fault(name, column.role, entities.key, seen)
        if message is not None:
            faults.append(policy.fault(message, "graph", side, "columns", name))
    return faults


def _column_fault(name: str, role: Role, key: str, seen: dict[str, str]) -> str | None:
    if role is Role.IDENTIFIER:
        return None
    if name == key:
        return "the key is never published; leave it out"
    other = seen.setdefault(name.casefold(), name)
    if name.casefold() == "group":
        return "a published column is called group already; rename this one in the source"
    if other != name:
        return f"differs from '{other}' in letter case only; rename one of them"
    return None
