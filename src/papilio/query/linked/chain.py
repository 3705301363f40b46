"""Which tables a query over linked tables joins, and the same query over their join as one table.

Joins follow references, from some table down to another, so that the join has one row for each row
of the lowest table. Keys are random numbers: they are there to join by, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NoReturn

import sqlglot
from sqlglot import errors, exp

from papilio.query.refusal import QueryError
from papilio.query.sql import DIALECTS
from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable

#: Name of the joined table in the rewritten query.
JOINED = "joined"


@dataclass(frozen=True, eq=False)
class Chain:
    """A query over a chain of tables.

    Attributes
    ----------
    tables
        From the highest to the lowest; each hangs off the one before.
    select
        The query with ``FROM joined`` and the names of its columns.
    names
        Name in the joined table of each column, by its table and its own name.
    """

    tables: tuple[PublishedTable, ...]
    select: exp.Select
    names: dict[tuple[str, str], str]

    @property
    def lowest(self) -> PublishedTable:
        """The table whose rows the join has."""
        return self.tables[-1]

    def owner(self, name: str) -> PublishedTable | None:
        """Table that a column of the joined table comes from."""
        for (table, _), joined in self.names.items():
            if joined.casefold() == name.casefold():
                return next(each for each in self.tables if each.name == table)
        return None


def columns_of(table: PublishedTable) -> list[PublishedColumn]:
    """Columns of a table without its keys."""
    return [column for column in table.columns if column.role not in ("key", "parent")]


def read_chain(text: str, manifest: Manifest, dialect: str) -> Chain:
    """Read a query.

    Raises
    ------
    QueryError
        If it does not parse, or its joins do not follow references.
    """
    if dialect not in DIALECTS:
        raise QueryError(
            f"unknown dialect '{dialect}'; use one of {', '.join(DIALECTS)}",
            reason="unknown-dialect",
        )
    select = _select(text, dialect)
    tables = _tables(text, select, manifest)
    chain = _in_order(text, tables, manifest)
    _check_joins(text, select, tables)
    names = _names(chain)
    return Chain(tuple(chain), _rewritten(text, select, tables, names), names)


def _refuse(text: str, message: str, reason: str) -> NoReturn:
    raise QueryError(message, reason=reason, sql=text)


def _select(text: str, dialect: str) -> exp.Select:
    try:
        statements = sqlglot.parse(text, read=dialect)
    except errors.SqlglotError:
        _refuse(text, "the query has a syntax error", "sql-syntax")
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        _refuse(text, "a query is one SELECT statement", "not-a-select")
    return statements[0]


def _tables(text: str, select: exp.Select, manifest: Manifest) -> dict[str, PublishedTable]:
    """Tables of the query by the names its columns use for them."""
    source = select.args.get("from_")
    joins = select.args.get("joins") or []
    parts = [source.this if source is not None else None, *(join.this for join in joins)]
    known = {table.name.casefold(): table for table in manifest.tables}
    found: dict[str, PublishedTable] = {}
    for part in parts:
        table = known.get(part.name.casefold()) if isinstance(part, exp.Table) else None
        if table is None or part.alias_or_name.casefold() in found:
            listed = ", ".join(sorted(each.name for each in manifest.tables))
            _refuse(text, f"a query asks tables of the release, each once: {listed}", "no-table")
        found[part.alias_or_name.casefold()] = table
    if len({table.name for table in found.values()}) < len(found):
        _refuse(text, "a table is joined with itself; each may stand once", "self-join")
    return found


def _in_order(
    text: str, tables: dict[str, PublishedTable], manifest: Manifest
) -> list[PublishedTable]:
    """Tables from the highest to the lowest, if they are a chain."""
    wanted = {table.name: table for table in tables.values()}
    above = {
        next(iter(table.parent))
        for table in wanted.values()
        if table.parent is not None and next(iter(table.parent)) in wanted
    }
    lowest = [table for name, table in wanted.items() if name not in above]
    chain = [lowest[0]]
    while len(chain) < len(wanted):
        parent = chain[0].parent
        if parent is None or next(iter(parent)) not in wanted:
            break
        chain.insert(0, manifest.table(next(iter(parent))))
    if len(lowest) != 1 or len(chain) < len(wanted):
        _refuse(
            text,
            "tables are joined along references, each with the one it hangs off; two tables that "
            "hang off the same one cannot be joined",
            "not-a-chain",
        )
    return chain


def _check_joins(text: str, select: exp.Select, tables: dict[str, PublishedTable]) -> None:
    """Every join must be an inner one on a reference and the key it leads to."""
    for join in select.args.get("joins") or []:
        kinds = {str(join.args.get(name) or "").upper() for name in ("side", "method", "kind")}
        using = [each.name for each in join.args.get("using") or []]
        condition = join.args.get("on")
        if kinds - {"", "INNER"} or not _follows(condition, using, tables):
            _refuse(
                text,
                "tables are joined by JOIN … ON reference = key, as the release links them",
                "join-condition",
            )


def _follows(
    condition: exp.Expr | None, using: list[str], tables: dict[str, PublishedTable]
) -> bool:
    links = [
        (table, table.parent, other)
        for table in tables.values()
        for other in tables.values()
        if table.parent is not None and other.name in table.parent
    ]
    if using:
        return any(
            parent is not None and using == [parent[other.name]] == [other.key]
            for _, parent, other in links
        )
    if not isinstance(condition, exp.EQ):
        return False
    sides = {_side(each, tables) for each in (condition.left, condition.right)}
    return any(
        parent is not None
        and sides
        == {(table.name, parent[other.name].casefold()), (other.name, str(other.key).casefold())}
        for table, parent, other in links
    )


def _side(node: exp.Expr, tables: dict[str, PublishedTable]) -> tuple[str, str] | None:
    if not isinstance(node, exp.Column) or node.table.casefold() not in tables:
        return None
    return tables[node.table.casefold()].name, node.name.casefold()


def _names(chain: list[PublishedTable]) -> dict[tuple[str, str], str]:
    """Names in the joined table: as they are, with the table before them where two are alike."""
    every = Counter(c.name.casefold() for table in chain for c in columns_of(table))
    return {
        (table.name, c.name): c.name if every[c.name.casefold()] == 1 else f"{table.name}_{c.name}"
        for table in chain
        for c in columns_of(table)
    }


def _rewritten(
    text: str,
    select: exp.Select,
    tables: dict[str, PublishedTable],
    names: dict[tuple[str, str], str],
) -> exp.Select:
    asked = select.copy()
    asked.set("joins", None)
    asked.set("from_", exp.From(this=exp.to_table(JOINED)))
    for column in list(asked.find_all(exp.Column)):
        table = tables.get(column.table.casefold()) if column.table else None
        if column.table and table is None:
            _refuse(text, f"no table of the query is called '{column.table}'", "no-table")
        found = [
            joined
            for (owner, name), joined in names.items()
            if name.casefold() == column.name.casefold() and table in (None, _named(tables, owner))
        ]
        if len(found) != 1:
            keys = {str(k).casefold() for t in tables.values() for k in _keys(t)}
            what = (
                "a key, which is a random number"
                if column.name.casefold() in keys
                else (
                    "in more than one table; write table.column"
                    if found
                    else "in none of the tables"
                )
            )
            _refuse(text, f"the column '{column.name}' is {what}", "unknown-column")
        column.replace(exp.column(exp.to_identifier(found[0], quoted=True)))
    return asked


def _named(tables: dict[str, PublishedTable], name: str) -> PublishedTable:
    return next(table for table in tables.values() if table.name == name)


def _keys(table: PublishedTable) -> tuple[str | None, ...]:
    return (table.key, *(table.parent or {}).values())
