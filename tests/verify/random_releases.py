"""Random small tables, released by Mondrian or by any division into classes, and random damage."""

from datetime import date, datetime

import numpy as np
import polars as pl
from hypothesis import strategies as st

from papilio.data.encode import encode
from papilio.data.hierarchy.rules import AutomaticRule, DatesRule, PathsRule
from papilio.data.table import ColumnType, Role, Table
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.families.generalising.top_down import strict_mondrian
from papilio.kernels.demand import Demand
from papilio.privacy.k_anonymity import KAnonymity
from papilio.randomness import Randomness
from tables import column, quasi_tables

PLACES = "Bern;Swiss;All\nZug;Swiss;All\nLyon;France;All\nMetz;France;All\nMalta;All\n"
DAYS = [date(1999, 12, 31), date(2000, 1, 1), date(2000, 3, 31), date(2004, 2, 29)]
MOMENTS = [datetime(2000, 1, 1), datetime(2000, 1, 1, 12), datetime(2000, 2, 3, 4, 5, 6, 7)]

#: Cells worth trying in place of others; those of another kind of column are not well formed.
TEXTS = [
    "3", "[2, 9]", "[9, 2]", "[0, 12] or NULL", "0.25", "[-1.5, 2.0]", "2000-01-01",
    "[1999-12-31, 2000-03-31]", '["ash"]', '["ash","fir"]', '["fir","ash"]', '[null,"elm"]',
    "[null]", "[]", "[true]", "[false,true]", "{ash, fir}", "{NULL, elm}", "{fir, ash}", "{true}",
    "{NULL}", "10*", "1*", "2*", "1010", "10", "*", "[0, 5)", "[0, 20)", "[3, 8)", "17", "2000",
    "2000-Q1", "2000s", "1900-1999", "2000-01", "Swiss", "France", "All", "Bern", "ash", "fir",
    '["ash","beech","cedar"]', "", "NULL", "x",
]  # fmt: skip


@st.composite
def mixed_tables(draw, folder):
    """Tables of :func:`tables.quasi_tables` with columns of dates and of a file of paths."""
    made = draw(quasi_tables(min_rows=2, max_rows=14))
    file = folder / "places.csv"
    file.write_text(PLACES, encoding="utf-8")
    levels = DatesRule(("month", "quarter", "year", "decade", "century"))
    leaves = [line.split(";")[0] for line in PLACES.splitlines()]
    more = {
        "born": (DAYS, pl.Date, column("born", ColumnType.DATE)),
        "seen": (MOMENTS, pl.Datetime("us"), column("seen", ColumnType.DATE)),
        "day": (DAYS, pl.Date, column("day", ColumnType.DATE, hierarchy=levels)),
        "hour": (MOMENTS, pl.Datetime("us"), column("hour", ColumnType.DATE, hierarchy=levels)),
        "term": (
            MOMENTS,
            pl.Datetime("us"),
            column("term", ColumnType.DATE, hierarchy=AutomaticRule()),
        ),
        "city": (leaves, pl.String, column("city", hierarchy=PathsRule(file))),
    }
    frame, columns = made.frame, made.columns
    for name in draw(st.lists(st.sampled_from(sorted(more)), max_size=2, unique=True)):
        values, dtype, described = more[name]
        cell = st.one_of(st.none(), st.sampled_from(values))
        cells = draw(st.lists(cell, min_size=made.height, max_size=made.height))
        frame = frame.with_columns(pl.Series(name, cells, dtype=dtype))
        columns = (*columns, described)
    return Table(made.name, frame, columns)


@st.composite
def divisions(draw, rows, k):
    """Any division of rows into classes of at least k."""
    order = draw(st.permutations(range(rows)))
    starts = [0]
    while rows - starts[-1] >= 2 * k and draw(st.integers(0, 3)):
        starts.append(draw(st.integers(starts[-1] + k, min(starts[-1] + k + 1, rows - k))))
    return Classes(np.array(order, np.int32), np.array([*starts, rows], np.int64))


@st.composite
def releases(draw, folder, *, k=2, overlapping=False):
    """A table and a release of it, if so wished with classes that cover each other's rows."""
    made = draw(quasi_tables(min_rows=6, max_rows=10) if overlapping else mixed_tables(folder))
    encoded = encode(made, made.with_role(Role.QUASI))
    by_mondrian = not overlapping and draw(st.booleans())
    classes = (
        strict_mondrian(encoded, Demand(k)) if by_mondrian else draw(divisions(made.height, k))
    )
    release = generalised_release(
        made,
        encoded,
        classes,
        (KAnonymity(k),),
        method="any",
        text=draw(st.booleans()),
        randomness=Randomness(draw(st.integers(0, 99))),
    ).release
    return made, release


@st.composite
def damages(draw, frame, columns):
    """The frame with a cell, a class or a row changed; it keeps its types."""
    rows = frame.rows(named=True)
    for _ in range(draw(st.integers(1, 2))):
        described = draw(st.sampled_from(columns))
        at = draw(st.integers(0, len(rows) - 1))
        match draw(st.sampled_from(["cell", "cell", "other", "swap", "drop", "repeat"])):
            case "drop" if len(rows) > 1:
                del rows[at]
            case "repeat":
                rows.append(rows[at])
            case "swap":
                other = draw(st.integers(0, len(rows) - 1))
                for name in described.published:
                    one, two = rows[at][name], rows[other][name]
                    rows[at], rows[other] = {**rows[at], name: two}, {**rows[other], name: one}
            case "other":
                other = draw(st.integers(0, len(rows) - 1))
                new = {name: rows[other][name] for name in described.published}
                rows = _changed(draw, rows, at, new, columns)
            case _:
                name = draw(st.sampled_from(described.published))
                new = {name: draw(_cells(frame.schema[name], rows[at][name]))}
                rows = _changed(draw, rows, at, new, columns)
    return pl.DataFrame(rows, schema=frame.schema)


def _changed(draw, rows, at, new, columns):
    """Change one row, or all that have the same quasi-identifiers."""
    names = [n for c in columns if c.role == "quasi" for n in c.published]
    alike = [i for i, row in enumerate(rows) if all(row[n] == rows[at][n] for n in names)]
    places = alike if draw(st.booleans()) else [at]
    return [{**row, **new} if i in places else row for i, row in enumerate(rows)]


def _cells(dtype, cell):
    if dtype == pl.String:
        return st.one_of(st.none(), st.sampled_from(TEXTS))
    if dtype == pl.Boolean:
        return st.sampled_from([None, True, False])
    if dtype == pl.Date:
        return st.one_of(st.none(), st.sampled_from(DAYS))
    if dtype == pl.Datetime:
        return st.one_of(st.none(), st.sampled_from(MOMENTS))
    near = [] if cell is None else [cell - 1, cell + 1]
    known = [0, 6, 12] if dtype == pl.Int64 else [-1.5, 0.25, 1e6, float("nan"), float("inf")]
    return st.sampled_from([None, *known, *near])
