"""Safe (k,l)-groupings of bipartite graphs (Zhang, Definitions 4.4.1 to 4.4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

#: What a manifest calls the promise to who knows degrees.
KNOWN_DEGREE = "known-degree"


@dataclass(frozen=True)
class SafeGrouping:
    """Every left node hides among at least ``k``, every right node among at least ``l``, safely.

    Nodes of a side are divided into groups; within a group nobody is told which entity is which
    node. A group is safe if no two of its nodes share a neighbour.

    Contract
    --------
    Guarantees
        Static attack: whether two entities are linked is believed with probability at most
        1/max(k, l) (Lemma 4.4.1; exactly e/(k l) for e edges between their groups). Learned
        links: with r links learnt, at most 1/max(k - r, l - r) for a pair the attacker learnt
        nothing about, as long as r < min(k, l) (Theorem 7).
    Monotone
        A safe grouping cut into smaller groups stays safe; sizes shrink.
    Assumes about the attacker
        Knows the whole release and how it was made, and some links; no degree, no neighbourhood
        and no other property of an entity in the graph. One release of the graph only.
    Does not protect against
        Someone who knows how many links an entity has, unless ``known`` says so. Learning that an
        entity is in the graph.
        max(k, l) - 1 learnt links: then the bound of Theorem 7 is 1. A second release of the same
        graph. Attributes that tell the structure, such as a number of links.

    Attributes
    ----------
    k, l
        Least sizes of the groups of left and of right nodes. With 1 the nodes of that side are
        known by name: who is linked to the same node is then public.
    known
        ``"degree"``: the same bound holds for who knows how many links both ends of a link have.
        With n nodes of one degree in the group of the left end, m of another in that of the right
        end, and c edges between them, c max(k, l) <= n m. It is enough that all nodes of a group of
        one side, that with the larger groups, have equally many links. About the links that are
        published, and the degrees they make; links that were left out are told by their number.

    Examples
    --------
    >>> import papilio as pp
    >>> graph = {
    ...     "left": {"source": "customers.csv", "key": "customer"},
    ...     "right": {"source": "products.csv", "key": "product"},
    ...     "edges": {"source": "bought.csv", "left": "customer", "right": "product"},
    ... }
    >>> policy = pp.Policy(graph=graph, privacy=pp.SafeGrouping(5, 4))
    >>> policy.requirements
    (SafeGrouping(k=5, l=4, known=None),)
    >>> policy.requirements[0].posterior(learnt=1)
    0.25
    """

    name: ClassVar[str] = "safe-grouping"
    k: int
    l: int  # noqa: E741 - its name in the literature
    known: Literal["degree"] | None = None

    def __post_init__(self) -> None:
        for letter, size in (("k", self.k), ("l", self.l)):
            if isinstance(size, bool) or not isinstance(size, int) or size < 1:
                raise ValueError(f"{letter} must be a whole number of at least 1")
        if self.known not in (None, "degree"):
            raise ValueError("known is degree, or left out")

    def parameters(self) -> dict[str, int]:
        """What is demanded, as a release's manifest states it."""
        return {"k": self.k, "l": self.l}

    def posterior(self, learnt: int = 0) -> float:
        """Largest belief in a link between two entities nothing was learnt about."""
        return 1 / max(self.k - learnt, self.l - learnt, 1)
