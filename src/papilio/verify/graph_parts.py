"""Which table of a released graph is what.

The claim ``safe-grouping`` says it: it is about the table of edges, its ``columns`` are the left
and the right end of an edge, and its parameters ``left`` and ``right`` name the tables of entities.
Each of these has a table of nodes beside it, called like it with ``_nodes`` at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

from papilio.release.manifest import Claim, Manifest
from papilio.verify import sql

_NODES = {"node", "group"}


@dataclass(frozen=True)
class Side:
    """One side of a released graph; every name is ready for SQL.

    Attributes
    ----------
    entities, nodes
        Tables of entities and of nodes.
    end
        Column of the table of edges that holds this side's nodes.
    other
        The column with the other side's.
    size
        Least size of a group.
    label
        ``k`` or ``l``.
    attributes
        Columns of the table of entities besides the group, not quoted.
    """

    entities: str
    nodes: str
    end: str
    other: str
    size: int
    label: str
    attributes: tuple[str, ...]


@dataclass(frozen=True)
class Parts:
    """The tables of a released graph.

    Attributes
    ----------
    edges
        The table of edges, ready for SQL.
    left, right
        The sides.
    strict
        Whether groups are claimed to be at most one larger than demanded.
    """

    edges: str
    left: Side
    right: Side
    strict: bool


def parts_of(manifest: Manifest, claim: Claim) -> Parts | None:
    """Read the claim; ``None`` if it does not say which table is what, or not of these tables."""
    said = claim.parameters
    left, right = said.get("left"), said.get("right")
    if not isinstance(left, str) or not isinstance(right, str) or len(claim.columns) != 2:
        return None
    named = (left, right, claim.table, f"{left}_nodes", f"{right}_nodes")
    columns = {t.name: tuple(n for c in t.columns for n in c.published) for t in manifest.tables}
    if len(set(named)) < 5 or set(named) != set(columns):
        return None
    if not (_size(said.get("k")) and _size(said.get("l"))) or not isinstance(
        said.get("strict"), bool
    ):
        return None
    fits = (
        columns[claim.table] == claim.columns
        and set(columns[named[3]]) == set(columns[named[4]]) == _NODES
        and "group" in columns[left]
        and "group" in columns[right]
    )
    if not fits:
        return None
    ends = [sql.name(each) for each in claim.columns]
    return Parts(
        sql.name(claim.table),
        _side(left, columns[left], ends[0], ends[1], said["k"], "k"),
        _side(right, columns[right], ends[1], ends[0], said["l"], "l"),
        said["strict"],
    )


def _size(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1


def _side(name: str, columns: tuple[str, ...], end: str, other: str, size: int, label: str) -> Side:
    attributes = tuple(each for each in columns if each != "group")
    nodes = sql.name(f"{name}_nodes")
    return Side(sql.name(name), nodes, end, other, size, label, attributes)
