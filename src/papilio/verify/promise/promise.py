"""The promise: what a release of a policy and its original must look like and claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from papilio.release.manifest import Claim
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding

#: Compares a release with its original, of which a view has the name given.
Check: TypeAlias = Callable[[Opened, str], Iterable[Finding]]


@dataclass(frozen=True)
class TableFacts:
    """What is known of a table of the original.

    Attributes
    ----------
    name
        Its name; ``None`` for a frame, which has none.
    types
        Column -> ``numeric``, ``date``, ``category`` or ``boolean``, of all columns that may leave.
    rows
        Number of rows.
    key
        Column that identifies rows, of a linked table that has one.
    parent
        Table that a linked table hangs off, and the column that holds its keys.
    """

    name: str | None
    types: Mapping[str, str]
    rows: int
    key: str | None = None
    parent: Mapping[str, str] | None = None


@dataclass(frozen=True)
class WeightFacts:
    """A file with the weights of a target, as the owner wrote it.

    Attributes
    ----------
    values
        The values, one a line.
    weights
        Their weights.
    keys
        Column by which parts are told -> what each line has there, as text.
    """

    values: Sequence[Any]
    weights: Sequence[int | float]
    keys: Mapping[str, Sequence[str | None]]


@dataclass(frozen=True)
class Facts:
    """What is known of an original without looking at its rows again.

    Attributes
    ----------
    tables
        Its tables: one; people first for linked tables; left, right, edges for a graph.
    several
        Names of the boolean columns that each column with several values became.
    weights
        The file of the target, if the policy names one.
    divided
        Whether its linked tables are one table of the owner's that was taken apart.
    """

    tables: tuple[TableFacts, ...]
    several: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weights: WeightFacts | None = None
    divided: bool = False

    @property
    def table(self) -> TableFacts:
        """The only table, or the first."""
        return self.tables[0]


@dataclass(frozen=True)
class OwnedTree:
    """How the owner's policy says that the values of a column generalise.

    Attributes
    ----------
    reading
        The rule, as a manifest states it; empty for a file.
    file
        The owner's file of paths.
    """

    reading: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None


@dataclass(frozen=True)
class PromisedColumn:
    """How a column must appear.

    Attributes
    ----------
    name, role, type
        As in the policy and the original.
    cells
        Kinds of cells that are allowed.
    text
        Whether ranges and sets are one readable text; ``None`` where there are none.
    tree
        Tree that labels are read by, or distances of a sensitive column are measured in.
    """

    name: str
    role: str
    type: str
    cells: frozenset[str]
    text: bool | None = None
    tree: OwnedTree | None = None


@dataclass(frozen=True)
class PromisedTable:
    """How a table must appear.

    Attributes
    ----------
    name
        Its name.
    columns
        Its columns, in any order.
    helping
        Kinds of cells of further columns that a method may add, such as ``group``.
    rows
        Fewest and most rows; ``None`` if their number follows from something else.
    left_out_at_most
        Largest share of rows that the manifest may call missing.
    key, parent
        As :class:`~papilio.release.manifest.PublishedTable` has them.
    at_most
        Most rows below one row of the table above.
    """

    name: str
    columns: tuple[PromisedColumn, ...]
    rows: tuple[int, int] | None
    helping: frozenset[str] = frozenset()
    left_out_at_most: float = 0.0
    key: str | None = None
    parent: Mapping[str, str] | None = None
    at_most: int | None = None


@dataclass(frozen=True)
class Promise:
    """Everything that a release must have and claim.

    Attributes
    ----------
    kind
        Kind of the release.
    tables
        Its tables, in any order.
    claims
        What it must claim at least; more, or stronger, is welcome.
    checks
        What else is promised, which only the original can show.
    released
        What else is promised, which the release shows by itself.
    """

    kind: str
    tables: tuple[PromisedTable, ...]
    claims: tuple[Claim, ...]
    checks: tuple[Check, ...] = ()
    released: tuple[Callable[[Opened], Iterable[Finding]], ...] = ()
