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
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import polars as pl
from sqlglot import exp

from papilio.query.answer import Answer, AnswerRow
from papilio.query.ask import ask_table
from papilio.query.bounds import Bounds
from papilio.query.linked.chain import JOINED, Chain, columns_of, read_chain
from papilio.query.refusal import QueryError
from papilio.release.manifest import Manifest, PublishedTable
from papilio.release.release import Release

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
