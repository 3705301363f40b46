"""Random tables with sensitive columns of every kind, and the distances between their values."""

from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
from hypothesis import strategies as st

from oracles import closeness
from papilio.data.hierarchy.build import build
from papilio.data.hierarchy.rules import AutomaticRule, DatesRule, PathsRule, PrefixRule
from papilio.data.table import ColumnType, Role
from tables import column, table

DISEASES = ["flu", "gastritis", "hiv", "none", "ulcer"]
#: A hierarchy whose leaves lie at different depths, with one that does not occur.
RAGGED = Path(__file__).parent / "ragged_hierarchy.csv"
CODES = ["1010", "1011", "1020", "2000", "2001"]
DAYS = [date(2020, 1, 31) + timedelta(days=20 * i) for i in range(6)]
MOMENTS = [datetime(2020, 1, 31, 23, 0) + timedelta(hours=5 * i) for i in range(6)]
SIZES = ("XL", "S", "L", "M")


def sensitive(type_=ColumnType.CATEGORY, hierarchy=None, domain=None):
    return column("s", type_, Role.SENSITIVE, hierarchy, domain)


NUMERIC, DATED = ColumnType.NUMERIC, ColumnType.DATE
#: Name -> (values, polars type, description of the column).
KINDS = {
    "label": (DISEASES, pl.String, sensitive()),
    "truth": ([True, False], pl.Boolean, sensitive(ColumnType.BOOLEAN)),
    "number": ([-3, 0, 4, 5, 900], pl.Int64, sensitive(NUMERIC)),
    "float": ([-0.5, 0.0, 0.25, 1e20], pl.Float64, sensitive(NUMERIC)),
    "day": (DAYS, pl.Date, sensitive(DATED)),
    "size": (["S", "M", "XL"], pl.String, sensitive(domain=SIZES)),
    "ragged": (DISEASES, pl.String, sensitive(hierarchy=PathsRule(RAGGED))),
    "prefix": (CODES, pl.String, sensitive(hierarchy=PrefixRule((3, 1)))),
    "halves": ([-3, 0, 4, 5, 900], pl.Int64, sensitive(NUMERIC, AutomaticRule())),
    "float halves": ([-0.5, 0.0, 0.25, 1e20], pl.Float64, sensitive(NUMERIC, AutomaticRule())),
    "month": (DAYS, pl.Date, sensitive(DATED, DatesRule(("month", "year")))),
    "moment": (
        MOMENTS,
        pl.Datetime("us", "UTC"),
        sensitive(DATED, DatesRule(("month", "year"))),
    ),
}


#: Kinds of columns each distance can be demanded of.
ALLOWED = {
    "equal": ["label", "truth", "number", "float", "day", "size", "ragged", "moment"],
    "ordered": ["number", "float", "day", "size", "halves", "month", "moment"],
    "hierarchical": ["ragged", "prefix", "halves", "float halves", "month", "moment"],
}


@st.composite
def sensitive_tables(draw, names, *, max_rows=24):
    """A table with one sensitive column ``s`` of one of the named kinds, and its values."""
    values, dtype, described = KINDS[draw(st.sampled_from(names))]
    cells = st.sampled_from([*values, None]) if draw(st.booleans()) else st.sampled_from(values)
    drawn = draw(st.lists(cells, min_size=1, max_size=max_rows))
    return one_column(drawn, dtype, described)


def one_column(values, dtype, described):
    series = pl.Series("s", values, dtype=dtype)
    groups = pl.Series("g", [0] * len(values))
    return table(g=(groups, column("g", ColumnType.NUMERIC)), s=(series, described))


def distance(made, rows, name):
    """Distance between some rows and the whole table, by the oracle."""
    values = made.frame["s"].to_list()
    described = made.columns[-1]
    chosen = [values[row] for row in rows]
    if name == "hierarchical":
        return _tree_distance(made, chosen, values)
    domain = sorted({v for v in values if v is not None})
    if name == "ordered" and described.domain is not None:
        domain = list(described.domain)
    if None in values:
        domain = [None, *domain]
    p, q = (closeness.shares(each, domain) for each in (chosen, values))
    return getattr(closeness, name)(p, q)


def _tree_distance(made, chosen, values):
    described = made.columns[-1]
    tree = build(described.hierarchy, made.frame["s"], described.type, "s")
    leaves = list(tree.leaves)
    paths = [_above(tree, leaf) for leaf in range(len(leaves))]
    p, q = (closeness.shares([_leaf(v) for v in each], leaves) for each in (chosen, values))
    return closeness.hierarchical(p, q, paths)


def _above(tree, leaf):
    node, path = int(tree.parent[tree.leaf_node[leaf]]), []
    while node >= 0:
        path.append(node)
        node = int(tree.parent[node])
    return path


def _leaf(value):
    if isinstance(value, datetime):
        value = value.date()
    return pl.Series([value]).cast(pl.String)[0]
