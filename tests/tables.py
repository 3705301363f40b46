"""Small tables for tests: strategies for hypothesis, and short ways to build them."""

from __future__ import annotations

import polars as pl
from hypothesis import strategies as st

from papilio.data.hierarchy.rules import AutomaticRule, IntervalsRule, PrefixRule
from papilio.data.table import Column, ColumnType, Role, Table

LABELS = ["ash", "beech", "cedar", "elm", "fir", "larch"]
CODES = ["1010", "1011", "1020", "1101", "2000", "2001", "2100"]


def column(name, type_=ColumnType.CATEGORY, role=Role.QUASI, hierarchy=None, domain=None):
    return Column(name, role, type_, hierarchy, domain)


def table(name="people", **columns):
    """``table(age=(series, Column))``."""
    frame = pl.DataFrame([series.alias(key) for key, (series, _) in columns.items()])
    return Table(name, frame, tuple(described for _, described in columns.values()))


@st.composite
def quasi_tables(draw, *, min_rows=1, max_rows=40, nulls=True):
    """Tables with all kinds of quasi-identifiers and one sensitive column."""
    rows = draw(st.integers(min_rows, max_rows))
    maybe = (lambda s: st.one_of(st.none(), s)) if nulls and draw(st.booleans()) else (lambda s: s)

    def values(strategy, dtype):
        cells = draw(st.lists(maybe(strategy), min_size=rows, max_size=rows))
        return pl.Series(cells, dtype=dtype)

    made = {
        "age": (values(st.integers(0, 12), pl.Int64), column("age", ColumnType.NUMERIC)),
        "pay": (
            values(st.sampled_from([-1.5, 0.0, 0.25, 2.0, 1e6]), pl.Float64),
            column("pay", ColumnType.NUMERIC),
        ),
        "job": (values(st.sampled_from(LABELS), pl.String), column("job")),
        "zip": (
            values(st.sampled_from(CODES), pl.String),
            column("zip", hierarchy=PrefixRule((3, 2, 1))),
        ),
        "tax": (
            values(st.integers(0, 40), pl.Int64),
            column("tax", ColumnType.NUMERIC, hierarchy=IntervalsRule((5, 10, 20))),
        ),
        "pet": (
            values(st.sampled_from(LABELS), pl.String),
            column("pet", hierarchy=AutomaticRule()),
        ),
        "ill": (values(st.booleans(), pl.Boolean), column("ill", ColumnType.BOOLEAN)),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(made)), min_size=1, max_size=4, unique=True))
    sensitive = (
        values(st.sampled_from(["flu", "none"]), pl.String),
        column("disease", role=Role.SENSITIVE),
    )
    return table(**{name: made[name] for name in chosen}, disease=sensitive)
