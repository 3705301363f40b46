"""Answers over linked tables with bounds that hold whatever rows were removed.

The join of a chain of tables is one table with generalised cells; it is asked as such. Nobody is
missing among people, so a question about them is answered as it is. Of every other table rows may
be missing: of ``n`` published rows at most ``n s / (1 - s)`` if the release states a share ``s``,
else any number. Each missing row may match, so

* a count is at least the lower bound over the published rows, and at most the upper one plus the
  missing rows;
* a missing row belongs to somebody who is there, so a column of the person table has one of the
  values that people have. Sums gain or lose that much for each missing row; the smallest, largest
  and mean value lie within those of all people and what the published rows surely have;
* about other columns of missing rows nothing is known, and their sums cannot be bounded.

Which tables a query over linked tables joins, and the same query over their join as one table.

Joins follow references, from some table down to another, so that the join has one row for each row
of the lowest table. Keys are random numbers: they are there to join by, and nothing else.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NoReturn

import polars as pl
import sqlglot
from sqlglot import errors, exp

from papilio.query.answer import Answer, AnswerRow, Bounds
from papilio.query.ask import ask_table
from papilio.query.refusal import QueryError
from papilio.query.sql import DIALECTS
from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release

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


_OVER_PEOPLE = (exp.Sum, exp.Avg, exp.Min, exp.Max)


def ask_linked(release: Release, sql: str, dialect: str = "duckdb") -> Answer:
    """Answer a query about linked tables with bounds.

    Raises
    ------
    QueryError
        If the query cannot be bounded.
    """
    chain = read_chain(sql, release.manifest, dialect)
    joined = _joined(release, chain)
    text = chain.select.sql(dialect)
    if chain.lowest.parent is None:
        return ask_table(joined, text, dialect)
    columns = _aggregates(sql, chain)
    answer = ask_table(joined, text, dialect)
    missing = _missing(chain.lowest)
    asked = [(kind, *_range(release, chain, column)) for kind, column in columns]
    rows = tuple(_widened(row, asked, missing) for row in answer.rows)
    return Answer(rows, (*answer.notes, _note(chain.lowest, missing)))


def _missing(table: PublishedTable) -> float:
    """Most rows that may be missing."""
    share = Fraction(str(table.left_out_at_most))
    return math.inf if share >= 1 else math.floor(table.rows * share / (1 - share))


def _note(table: PublishedTable, missing: float) -> str:
    most = "any number of" if math.isinf(missing) else f"up to {missing:,}"
    return (
        f"{most} rows of '{table.name}' may be missing from the release; they are part of the "
        "bounds, and may form groups that are not listed"
    )


def _joined(release: Release, chain: Chain) -> Release:
    """The join of the tables of a chain as a release of one table."""
    frame, columns = pl.DataFrame(), []
    for place, table in enumerate(chain.tables):
        own = release.frames[table.name]
        cells: dict[str, str] = {}
        for column in columns_of(table):
            name = chain.names[table.name, column.name]
            published = tuple(name + cell.removeprefix(column.name) for cell in column.published)
            cells |= dict(zip(column.published, published, strict=True))
            columns.append(replace(column, name=name, published=published))
        picked = own.select(
            *(pl.col(old).alias(new) for old, new in cells.items()),
            *([pl.col(table.key).alias(f"papilio key {place}")] if table.key else []),
        )
        if place == 0:
            frame = picked
        else:
            ((_, reference),) = (table.parent or {}).items()
            picked = picked.with_columns(own.get_column(reference).alias("papilio up"))
            key = f"papilio key {place - 1}"
            frame = picked.join(frame, left_on="papilio up", right_on=key, how="inner")
    frame = frame.select(cell for column in columns for cell in column.published)
    described = PublishedTable(JOINED, tuple(columns), frame.height)
    manifest = Manifest(release.manifest.kind, release.manifest.method, (), (described,))
    return Release(manifest, {JOINED: frame}, release.hierarchies)


def _aggregates(text: str, chain: Chain) -> list[tuple[type[exp.Expr], str | None]]:
    """Aggregates in the order of the query: which, and over which column of people."""
    for clause in ("having", "limit"):
        if chain.select.args.get(clause) is not None:
            raise QueryError(
                f"{clause.upper()} cannot be decided where rows may be missing; ask for all groups",
                reason="rows-missing",
                sql=text,
            )
    found: list[tuple[type[exp.Expr], str | None]] = []
    for item in chain.select.expressions:
        inner = item.this if isinstance(item, exp.Alias) else item
        if inner.find(exp.AggFunc) is not None:
            found.append((type(inner), _column(text, inner, chain)))
    return found


def _column(text: str, node: exp.Expr, chain: Chain) -> str | None:
    """The column of people that an aggregate is over; ``None`` for a count."""
    if isinstance(node, exp.Count) and not isinstance(node.this, exp.Distinct):
        return None
    if isinstance(node, _OVER_PEOPLE) and isinstance(node.this, exp.Column):
        owner = chain.owner(node.this.name)
        if owner is not None and owner.parent is None and _is_number(owner, chain, node.this.name):
            return node.this.name
    raise QueryError(
        f"rows of '{chain.lowest.name}' may be missing, so only COUNT, and SUM, AVG, MIN and MAX "
        "of a numeric column of the person table can be bounded here",
        reason="rows-missing",
        sql=text,
    )


def _is_number(table: PublishedTable, chain: Chain, name: str) -> bool:
    return any(
        column.type == "numeric" and chain.names[table.name, column.name] == name
        for column in columns_of(table)
    )


def _range(release: Release, chain: Chain, column: str | None) -> tuple[float, float]:
    """Smallest and largest value that people may have in a column."""
    if column is None:
        return 0.0, 1.0
    person = chain.owner(column)
    assert person is not None  # noqa: S101 - the column was found there before
    own = next(n for (t, n), j in chain.names.items() if j == column and t == person.name)
    quoted = exp.to_identifier(own, quoted=True).sql("duckdb")
    names = {(person.name, c.name): c.name for c in columns_of(person)}
    alone = _joined(release, Chain((person,), chain.select, names))
    answer = ask_table(alone, f"SELECT min({quoted}) AS a, max({quoted}) AS b FROM {JOINED}")
    low, high = answer["a"].lo, answer["b"].hi
    return float(low or 0), float(high or 0)  # type: ignore[arg-type]


def _widened(
    row: AnswerRow, asked: list[tuple[type[exp.Expr], float, float]], missing: float
) -> AnswerRow:
    answers = {
        name: _wider(bounds, *each, missing)
        for (name, bounds), each in zip(row.answers.items(), asked, strict=True)
    }
    return replace(row, answers=answers)


def _wider(bounds: Bounds, kind: type[exp.Expr], low: float, high: float, missing: float) -> Bounds:
    """Bounds with up to ``missing`` more rows, whose values lie from ``low`` to ``high``."""
    if missing == 0:
        return bounds
    unknown = bounds.lo is None or bounds.hi is None
    least = 0.0 if unknown else float(bounds.lo)  # type: ignore[arg-type]
    most = 0.0 if unknown else float(bounds.hi)  # type: ignore[arg-type]
    if kind in (exp.Count, exp.Sum):
        less = _times(missing, min(low, 0.0))
        more = _times(missing, max(high, 0.0))
        null = bounds.null or unknown
        return Bounds(_tidy(least + less), _tidy(most + more), None, None, exact=False, null=null)
    if kind is exp.Min and not unknown and not bounds.null:
        return Bounds(min(least, low), most, None, None, exact=False)
    if kind is exp.Max and not unknown and not bounds.null:
        return Bounds(least, max(most, high), None, None, exact=False)
    return Bounds(low, high, None, None, exact=False, null=bounds.null or unknown)


def _times(count: float, value: float) -> float:
    return 0.0 if value == 0 else count * value


def _tidy(number: float) -> int | float:
    return int(number) if math.isfinite(number) and number == int(number) else number
