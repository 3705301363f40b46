"""What a condition can be on generalised cells: true, false, NULL, or several of these.

The condition is tried, by DuckDB itself, on values that stand for all the cells may be. Where there
are too many of them it is taken apart at AND, OR and NOT, and the outcomes of the parts are put
together as if they were independent. What cannot be tried may be anything. So an outcome that is
possible is never missed; one that is not may be listed if parts had to be taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlglot import exp

from papilio.engines.names import quoted
from papilio.query.cells.candidates import MOST, Comparisons, candidates
from papilio.query.cells.read import Domain, Reading

_ORDERING = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_EQUALITY = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)


@dataclass(frozen=True)
class Use:
    """How a condition uses a column.

    Attributes
    ----------
    constants
        What the column is compared with, as expressions without columns.
    beginnings
        Texts that LIKE wants at the beginning, anything after them.
    ordered
        Whether any comparison is by size.
    simple
        Whether nothing but comparisons with constants, such LIKE, and IS NULL occurs.
    """

    constants: tuple[exp.Expr, ...]
    beginnings: tuple[str, ...]
    ordered: bool
    simple: bool


def use_of(condition: exp.Expr, name: str) -> Use:
    """Find out how a condition uses the column with a name."""
    constants: list[exp.Expr] = []
    beginnings: list[str] = []
    ordered, simple = False, True
    for column in condition.find_all(exp.Column):
        if column.name != name:
            continue
        found = _compared(column)
        if found is None:
            simple = False
            continue
        constants += found.constants
        beginnings += found.beginnings
        ordered |= found.ordered
    return Use(tuple(constants), tuple(beginnings), ordered, simple)


def _compared(column: exp.Column) -> Use | None:
    """What one occurrence is compared with; ``None`` if it is used in another way."""
    inner: exp.Expr = column
    while isinstance(inner.parent, exp.Paren):
        inner = inner.parent
    parent = inner.parent
    others = [] if parent is None else [e for e in parent.iter_expressions() if e is not inner]
    if any(each.find(exp.Column) for each in others):
        return None
    if isinstance(parent, _EQUALITY):
        return Use(tuple(others), (), False, True)
    if isinstance(parent, _ORDERING):
        return Use(tuple(others), (), True, True)
    if isinstance(parent, exp.Between) and parent.this is inner:
        return Use(tuple(others), (), True, True)
    if isinstance(parent, exp.In) and parent.this is inner:
        return Use(tuple(others), (), False, True)
    if isinstance(parent, exp.Is) and isinstance(parent.expression, exp.Null):
        return Use((), (), False, True)
    if isinstance(parent, exp.Like) and parent.this is inner:
        beginning = _beginning(parent)
        return None if beginning is None else Use((), (beginning,), False, True)
    return None


def _beginning(like: exp.Like) -> str | None:
    """``010`` of ``LIKE '010%'``."""
    pattern = like.expression
    if not isinstance(pattern, exp.Literal) or not pattern.is_string:
        return None
    text = str(pattern.this)
    bare = text.removesuffix("%")
    if bare == text or set(bare) & set("%_\\") or isinstance(like.parent, exp.Escape):
        return None
    return bare


#: Most combinations that are tried at once.
_TRIED = 20_000_000
_TRUE, _FALSE, _NULL = 0, 1, 2
_TYPES: Mapping[str, pl.DataType] = {
    "BIGINT": pl.Int64(),
    "DOUBLE": pl.Float64(),
    "DATE": pl.Date(),
    "TIMESTAMP": pl.Datetime("us"),
    "VARCHAR": pl.String(),
    "BOOLEAN": pl.Boolean(),
}
#: One row per tuple of cells: can the condition be true, false, NULL?
Outcomes = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Tuples:
    """Different tuples of cells of the columns a condition uses.

    Attributes
    ----------
    connection
        Where conditions are tried.
    vague
        What the cells of each generalised column may be, by its name.
    exact
        Names of the columns whose values are known.
    frame
        One row per tuple: for a generalised column the number of its cell, else the value.
    """

    connection: duckdb.DuckDBPyConnection
    vague: Mapping[str, Reading]
    exact: Sequence[str]
    frame: pl.DataFrame


def outcomes(tuples: Tuples, condition: exp.Expr) -> Outcomes:
    """What a condition can be on each tuple."""
    return _outcomes(tuples, condition, np.arange(tuples.frame.height))


def _outcomes(tuples: Tuples, condition: exp.Expr, rows: NDArray[np.int64]) -> Outcomes:
    names = list(dict.fromkeys(column.name for column in condition.find_all(exp.Column)))
    if not names or not len(rows):
        found, known = _tried(tuples, condition, pl.DataFrame({"papilio tuple": [0]}), {})
        return np.repeat(found if known.all() else np.ones((1, 3), bool), len(rows), axis=0)
    # Tuples that agree in the columns of this condition have the same outcomes.
    part = tuples.frame[rows].select(names)
    distinct = part.unique(maintain_order=True).with_row_index("papilio tuple")
    lists = {name: _lists(tuples, condition, name) for name in names if name in tuples.vague}
    found, known = _tried(tuples, condition, distinct, lists)
    place = (
        part.join(distinct, on=names, how="left", nulls_equal=True, maintain_order="left")
        .get_column("papilio tuple")
        .to_numpy()
    )
    result: Outcomes = found[place]
    unknown = ~known[place]
    if unknown.any():
        result[unknown] = _taken_apart(tuples, condition, rows[unknown])
    return result


def _lists(tuples: Tuples, condition: exp.Expr, name: str) -> list[list[object] | None]:
    """Values to try for each cell of a column."""
    reading = tuples.vague[name]
    use = use_of(condition, name)
    constants = tuple(_constant(tuples, each, reading.domain) for each in use.constants)
    usable = all(ok for ok, _ in constants)
    compared = Comparisons(
        tuple(value for _, value in constants), use.beginnings, use.ordered, use.simple and usable
    )
    return [candidates(cell, reading.domain, compared) for cell in reading.cells]


def _constant(tuples: Tuples, node: exp.Expr, domain: Domain) -> tuple[bool, object]:
    """Value of a constant as the column's type compares it, and whether it has one."""
    sql = node.sql("duckdb", comments=False)
    cast = sql if domain.type == "BIGINT" else f"CAST({sql} AS {domain.type})"
    ((value,),) = tuples.connection.execute(f"SELECT {cast}").fetchall()
    return not isinstance(value, str) or domain.type == "VARCHAR" or _is_number(value), value


def _is_number(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def _tried(
    tuples: Tuples,
    condition: exp.Expr,
    distinct: pl.DataFrame,
    lists: Mapping[str, list[list[object] | None]],
) -> tuple[Outcomes, NDArray[np.bool_]]:
    """Outcomes where all values can be tried, and where that is."""
    sizes = np.ones(distinct.height)
    for name, values in lists.items():
        counts = np.array([np.inf if each is None else len(each) for each in values])
        sizes *= counts[distinct.get_column(name).to_numpy()]
    known = sizes <= MOST
    if sizes[known].sum() > _TRIED:
        known &= False
    found = np.ones((distinct.height, 3), bool)
    if known.any():
        _try(tuples, condition, distinct.filter(pl.Series(known)), lists, found)
    return found, known


def _try(
    tuples: Tuples,
    condition: exp.Expr,
    distinct: pl.DataFrame,
    lists: Mapping[str, list[list[object] | None]],
    found: Outcomes,
) -> None:
    connection = tuples.connection
    connection.register("papilio_tuples", distinct.to_arrow())
    joins = []
    for number, (name, values) in enumerate(lists.items()):
        frame = _frame(values, _TYPES[tuples.vague[name].domain.type])
        connection.register(f"papilio_list_{number}", frame.to_arrow())
        joins.append(
            f"JOIN papilio_list_{number} AS l{number} ON l{number}.cell = t.{quoted(name)}"
        )
    places = {name: f"l{number}" for number, name in enumerate(lists)}
    written = _with_places(condition, places).sql("duckdb", comments=False)
    # A value that is tried but does not occur must not make the query fail.
    tried = connection.execute(
        "SELECT n, BOOL_OR(p IS TRUE), BOOL_OR(p IS FALSE), BOOL_OR(p IS NULL) FROM (SELECT "
        f't."papilio tuple" AS n, TRY(CAST(({written}) AS BOOLEAN)) AS p FROM papilio_tuples AS t '
        f"{' '.join(joins)}) AS c GROUP BY n"
    ).fetchnumpy()
    which, *bits = tried.values()
    found[np.asarray(which)] = np.stack([np.asarray(bit, bool) for bit in bits], axis=1)


def _frame(values: Sequence[list[object] | None], dtype: pl.DataType) -> pl.DataFrame:
    listed = [(cell, value) for cell, each in enumerate(values) for value in each or ()]
    return pl.DataFrame(
        {
            "cell": pl.Series([cell for cell, _ in listed], dtype=pl.Int64),
            "value": pl.Series([value for _, value in listed], dtype=dtype),
        }
    )


def _with_places(condition: exp.Expr, places: Mapping[str, str]) -> exp.Expr:
    """Read vague columns from the values that are tried, others from the tuple."""

    def place(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        if node.name in places:
            return exp.column("value", table=places[node.name])
        return exp.column(exp.to_identifier(node.name, quoted=True), table="t")

    return condition.copy().transform(place, copy=False)


def _taken_apart(tuples: Tuples, condition: exp.Expr, rows: NDArray[np.int64]) -> Outcomes:
    """Outcomes of a condition from those of its parts."""
    if isinstance(condition, exp.Paren):
        return _taken_apart(tuples, condition.this, rows)
    if isinstance(condition, exp.Not):
        inner = _outcomes(tuples, condition.this, rows)
        return inner[:, [_FALSE, _TRUE, _NULL]]
    if isinstance(condition, exp.And | exp.Or):
        parts = list(condition.flatten(unnest=False))
        half = len(parts) // 2
        together: Callable[..., exp.Expr] = exp.and_
        if isinstance(condition, exp.Or):
            together = exp.or_
        one, other = (
            _outcomes(tuples, _joined(each, together), rows)
            for each in (parts[:half], parts[half:])
        )
        return _both(one, other) if isinstance(condition, exp.And) else _either(one, other)
    return np.ones((len(rows), 3), bool)


def _joined(parts: Sequence[exp.Expr], together: Callable[..., exp.Expr]) -> exp.Expr:
    return parts[0] if len(parts) == 1 else together(*parts, wrap=False)


def _both(one: Outcomes, other: Outcomes) -> Outcomes:
    true = one[:, _TRUE] & other[:, _TRUE]
    false = one[:, _FALSE] | other[:, _FALSE]
    null = (one[:, _NULL] & (other[:, _TRUE] | other[:, _NULL])) | (other[:, _NULL] & one[:, _TRUE])
    return np.stack([true, false, null], axis=1)


def _either(one: Outcomes, other: Outcomes) -> Outcomes:
    swapped = _both(one[:, [_FALSE, _TRUE, _NULL]], other[:, [_FALSE, _TRUE, _NULL]])
    return swapped[:, [_FALSE, _TRUE, _NULL]]
