"""Random small tables and random conditions over them, as SQL text."""

from __future__ import annotations

from datetime import date, timedelta

import polars as pl
from hypothesis import strategies as st

JOBS = ["ash", "Ash", "beech", "it's", 'q"x', "elm%", "", "ä_"]
FIRST = date(1999, 12, 28)

NUMBERS = st.one_of(st.integers(-2, 12), st.sampled_from([2.5, 6.0, -0.5]))


def text(value):
    return "'" + value.replace("'", "''") + "'"


@st.composite
def frames(draw, values, *, rows=(2, 9)):
    """A table of quasi-identifiers of all types and a sensitive column."""
    height = draw(st.integers(*rows))

    def cells(strategy, nulls=True):
        cell = st.one_of(st.none(), strategy, strategy) if nulls else strategy
        return draw(st.lists(cell, min_size=height, max_size=height))

    return pl.DataFrame(
        {
            "age": pl.Series(cells(st.integers(0, 10)), dtype=pl.Int64),
            "size": pl.Series(cells(st.sampled_from([0.1, 0.5, 2.5, 7.25])), dtype=pl.Float64),
            "job": pl.Series(cells(st.sampled_from(JOBS)), dtype=pl.String),
            "born": pl.Series(
                cells(st.integers(0, 9).map(lambda n: FIRST + timedelta(days=n))), dtype=pl.Date
            ),
            "well": pl.Series(cells(st.booleans()), dtype=pl.Boolean),
            "s": cells(values, nulls=draw(st.booleans())),
        },
        strict=False,
    )


def numbers():
    """Expressions that are numbers."""
    return st.sampled_from(
        ["age", "size", "age + 1", "age * 2 - size", "abs(age - 5)", "age % 3", "round(size)",
         "length(job)", "extract(day FROM born)", "coalesce(age, 3)", "-age", "age / 3",
         "CASE WHEN well THEN age ELSE 1 END", "greatest(age, size)"]
    )  # fmt: skip


def atoms():
    compare = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])
    labels = st.sampled_from(JOBS).map(text)
    days = st.integers(-1, 10).map(lambda n: f"DATE '{FIRST + timedelta(days=n)}'")
    simple = st.sampled_from(["age", "size"])
    return st.one_of(
        st.builds("{} {} {}".format, simple, compare, NUMBERS),
        st.builds("{} {} {}".format, numbers(), compare, NUMBERS),
        st.builds("{} BETWEEN {} AND {}".format, simple, NUMBERS, NUMBERS),
        st.builds("{} IN ({}, {})".format, simple, NUMBERS, NUMBERS),
        st.builds("job {} {}".format, compare, labels),
        st.builds("job IN ({}, {})".format, labels, labels),
        st.builds("{} LIKE '{}'".format, st.sampled_from(["job", "upper(job)"]),
                  st.sampled_from(["a%", "%h", "_sh", "A%", "%''%", "%"])),
        st.builds("born {} {}".format, compare, days),
        st.builds("born BETWEEN {} AND {}".format, days, days),
        st.sampled_from(["well", "NOT well", "well IS NULL", "job IS NOT NULL", "age IS NULL",
                         "age = size", "TRUE", "FALSE", "NULL", "size > age OR well"]),
    )  # fmt: skip


def conditions():
    """Conditions with AND, OR and NOT."""
    return st.recursive(
        atoms(),
        lambda inner: st.one_of(
            st.builds("({} AND {})".format, inner, inner),
            st.builds("({} OR {})".format, inner, inner),
            st.builds("NOT ({})".format, inner),
        ),
        max_leaves=4,
    )


@st.composite
def groups(draw, height):
    """A group for each row; groups are numbered from 0 without gaps."""
    found = draw(st.lists(st.integers(0, 2), min_size=height, max_size=height))
    order = sorted(set(found))
    return [order.index(each) for each in found]
