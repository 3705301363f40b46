"""Which tables and columns a release of a kind may have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable

_QUASI = frozenset(("quasi", "sensitive", "plain"))
_GENERALISED = frozenset(("value", "range", "set", "node"))
_GROUPED = frozenset(("value", "group", "hits", "bounds"))
_DIVERSITY = ("distinct-l-diversity", "entropy-l-diversity", "recursive-l-diversity")
_FOLLOWS = frozenset(("follows",))
_TABLE_CLAIMS = frozenset(("k-anonymity", *_DIVERSITY, "t-closeness", "nt-closeness"))
_LINKED_CLAIMS = frozenset(("entity-k-anonymity", *(f"entity-{name}" for name in _DIVERSITY)))
#: What the groups of a release must leave besides.
_FLOOR = "group-floor"
_TARGETS = frozenset(("target-distribution", "personal-levels", _FLOOR))

#: Columns with bounds of each aggregate of a help table.
_BOUNDS = {
    "count": ("count_lo", "count_hi"),
    "sum": ("sum_lo", "sum_hi", "sum_mean", "sum_var"),
    "min": ("min_lo", "min_hi"),
    "max": ("max_lo", "max_hi"),
    "avg": ("avg_lo", "avg_hi"),
}


@dataclass(frozen=True)
class Layout:
    """What a kind of release may consist of.

    Attributes
    ----------
    roles, cells, claims
        Roles and cells of its columns, and what it may claim.
    fault
        Says what is wrong with its tables as a whole, if something is.
    far
        Whether a claim may be about columns of other tables, as ``table.column``.
    """

    roles: frozenset[str]
    cells: frozenset[str]
    claims: frozenset[str]
    fault: Callable[[Manifest], str | None]
    far: bool = False


def _one_table(manifest: Manifest) -> str | None:
    return None if len(manifest.tables) == 1 else "it has not one table"


def _any_tables(manifest: Manifest) -> str | None:
    return None if manifest.tables else "it has no table"


def _grouped(cells: str, least: int) -> Callable[[Manifest], str | None]:
    """People, their values in ``cells``, and a help table; ``least`` is the number of tables."""

    def fault(manifest: Manifest) -> str | None:
        names = [table.name for table in manifest.tables]
        first = names[0] if names else ""
        if len(names) < least or names != [first, f"{first}_values", f"{first}_help"][: len(names)]:
            return "its tables are not people, values and help table"
        people, values, *helping = manifest.tables
        if len({_groups(table) for table in manifest.tables}) != 1 or len(_groups(people)) != 1:
            return "its tables have not one group each"
        columns = [column for table in manifest.tables for column in table.columns]
        if any(c.cells == "group" and c.name not in c.published for c in columns):
            return "its groups have two names"
        proper = _only(people, "value", ("quasi", "plain")) and _one_sensitive(values, cells)
        if not proper or not all(map(_helps, helping)):
            return "its tables have other columns than people, values and help table"
        return _about(manifest, values)

    return fault


def _groups(table: PublishedTable) -> tuple[str, ...]:
    return tuple(n for column in table.columns if column.cells == "group" for n in column.published)


def _others(table: PublishedTable) -> list[PublishedColumn]:
    return [column for column in table.columns if column.cells != "group"]


def _only(table: PublishedTable, cells: str, roles: tuple[str, ...]) -> bool:
    return all(
        column.cells == cells and column.role in roles and column.published == (column.name,)
        for column in _others(table)
    )


def _one_sensitive(table: PublishedTable, cells: str) -> bool:
    match _others(table):
        case [column]:
            wide = 2 if cells == "range" else 1
            fits = column.role == "sensitive" and column.cells == cells and not column.text
            return fits and len(column.published) == wide
    return False


def _helps(table: PublishedTable) -> bool:
    others = {column.name: column for column in _others(table)}
    bounds = {n: c.published for n, c in others.items() if c.cells == "bounds"}
    hits = [c.published for c in others.values() if c.cells == "hits"]
    return bounds == _BOUNDS and hits == [("hits",)] and len(others) == len(_BOUNDS) + 1


def _about(manifest: Manifest, values: PublishedTable) -> str | None:
    """Whether there is one claim, about people and the sensitive column, and at most one floor."""
    (column,) = _others(values)
    floors = [claim for claim in manifest.claims if claim.claim == _FLOOR]
    main = [claim for claim in manifest.claims if claim.claim != _FLOOR]
    about = all(
        claim.table == manifest.tables[0].name and claim.parameters.get("column") == column.name
        for claim in manifest.claims
    )
    if len(main) == 1 and len(floors) <= 1 and about:
        return None
    return "it does not claim one thing about its sensitive column"


def _linked(manifest: Manifest) -> str | None:
    """One person's table, and every other hangs off one by its key."""
    tables = {table.name: table for table in manifest.tables}
    if sum(table.parent is None for table in tables.values()) != 1:
        return "its tables do not hang off one of people"
    for table in tables.values():
        names = {column.name: column for column in table.columns}
        links = [] if table.key is None else [(table.key, "key")]
        for above, column in (table.parent or {}).items():
            links.append((column, "parent"))
            if above not in tables or tables[above].key is None or len(table.parent or {}) != 1:
                return "a table hangs off one without a key"
        if {(c.name, c.role) for c in table.columns if c.role in ("key", "parent")} != set(links):
            return "its keys are not those of its columns"
        if any(names[name].published != (name,) for name, _ in links):
            return "its keys are not those of its columns"
        if _circular(table, tables):
            return "its tables hang off each other"
    return None


def _circular(table: PublishedTable, tables: Mapping[str, PublishedTable]) -> bool:
    for _ in tables:
        if table.parent is None:
            return False
        table = tables[next(iter(table.parent))]
    return table.parent is not None


def _graph(manifest: Manifest) -> str | None:
    columns = {t.name: {n for c in t.columns for n in c.published} for t in manifest.tables}
    match [claim for claim in manifest.claims if claim.claim != "known-degree"]:
        case [Claim(parameters={"left": str(left), "right": str(right)}) as claim]:
            named = [left, right, claim.table, f"{left}_nodes", f"{right}_nodes"]
            if len(set(named)) == 5 and set(named) == columns.keys():
                nodes = columns[named[3]] == columns[named[4]] == {"node", "group"}
                ends = columns[claim.table] == set(claim.columns) and len(claim.columns) == 2
                grouped = all(len(_groups(manifest.table(side))) == 1 for side in (left, right))
                if nodes and ends and grouped and "group" in columns[left] & columns[right]:
                    return None
    return "its tables are not those of a graph"


_GRAPH_CLAIMS = frozenset(("safe-grouping", "known-degree"))
GENERALISED_LAYOUT = Layout(
    _QUASI, _GENERALISED, _TABLE_CLAIMS | _FOLLOWS | {"secret-column", "safe-cells"}, _one_table
)
PROJECTED_LAYOUT = Layout(
    _QUASI, _GENERALISED, _TABLE_CLAIMS | {"shared-classes", "safe-cells"}, _any_tables
)
PERMUTED_LAYOUT = Layout(_QUASI, _GROUPED, frozenset(("ke-anonymity",)), _grouped("value", 3))
DISGUISED_LAYOUT = Layout(_QUASI, _GROUPED | {"range"}, _TARGETS, _grouped("range", 2))
LINKED_LAYOUT = Layout(
    _QUASI | {"key", "parent"}, _GENERALISED, _LINKED_CLAIMS | _FOLLOWS, _linked, far=True
)
GRAPH_LAYOUT = Layout(frozenset(("plain",)), frozenset(("value", "group")), _GRAPH_CLAIMS, _graph)
