"""Entity k-anonymity: k people with the same tree (Nergiz, Clifton, Nergiz, ICDE 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from papilio.privacy.l_diversity import Diversity


@dataclass(frozen=True)
class EntityK:
    """Every person's tree of quasi-identifier cells is that of at least ``k`` people.

    The tree of a person has their row of the person table as root and below each row the rows that
    refer to it; its labels are the quasi-identifier cells. Trees are the same if one becomes the
    other by reordering siblings. Rows without children are leaves like any other.

    Contract
    --------
    Guarantees
        Whatever someone knows about the quasi-identifiers of a person's rows, of however many
        tables, and about how many rows there are: it fits at least ``k`` published people or none.
        The same holds for every row: any question by labels and structure that selects a sensitive
        value selects at least ``k`` of them. This is at least as strong as definition 4 of the
        paper with views that use labels, structure and (in)equality of keys; with views that cannot
        say "no further row" it is strictly stronger.
    Monotone
        A union of clusters whose members are generalised to the same tree satisfies it again.
    Assumes about the attacker
        Knows quasi-identifiers only, of any tables; one release only; nothing about the order of
        rows or about keys, which are drawn at random.
    Does not protect against
        Learning a sensitive value that all rows at one place of the tree share (demand l for that),
        and the joining of two releases of the same people.

    Attributes
    ----------
    k
        Least number of people; at least 1, and 1 demands nothing.
    """

    name: ClassVar[str] = "entity-k-anonymity"
    k: int

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise ValueError("k must be a whole number of at least 1")

    def parameters(self) -> dict[str, int]:
        """What is demanded, as a release's manifest states it."""
        return {"k": self.k}


@dataclass(frozen=True)
class EntityDiversity:
    """l-diversity of a sensitive column of linked tables.

    Rows stand at the same place if their trees are the same, and so are, step by step, those of the
    rows above them up to the person. At every place the values satisfy the l-diversity.

    Contract
    --------
    Guarantees
        Someone who knows the quasi-identifiers of all rows of a person cannot narrow down the value
        of any one row further than the l-diversity says.
    Monotone
        Generalising clusters to the same tree joins their places; the values of joined places
        satisfy what each of them does.
    Does not protect against
        What the l-diversity of its kind does not; and counting one person's rows at one place
        together: a class of k people with two rows each has 2 k rows there.

    Attributes
    ----------
    table
        The table of the column.
    diversity
        Which kind, and how much.
    """

    table: str
    diversity: Diversity

    @property
    def name(self) -> str:
        """Name of the claim."""
        return f"entity-{self.diversity.name}"

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return self.diversity.parameters()
