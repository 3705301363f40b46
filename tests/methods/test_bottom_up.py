"""The bottom-up method against its plain twin."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from grouping import as_sets, encoded_of, kinds_of, rows_of
from oracles import bottom_up as oracle
from oracles.hybrid import box_width
from papilio.data.encode import attributes_of
from papilio.families.generalising.bottom_up import bottom_up
from papilio.kernels.bottom_up import bottom_up as kernel
from papilio.kernels.boxes import shape_of
from papilio.kernels.demand import Demand
from sizes import examples
from tables import column, quasi_tables, table


def merged(encoded, k):
    """Groups after the merging rounds, before any is divided."""
    rows = np.arange(encoded.height, dtype=np.int32)
    _, group_of = np.unique(encoded.codes, axis=0, return_inverse=True)
    group_of = group_of.astype(np.int32)
    kernel(
        encoded.codes,
        rows,
        group_of,
        int(group_of.max()) + 1,
        shape_of(attributes_of(encoded)),
        Demand(k),
    )
    return {frozenset(np.flatnonzero(group_of == g).tolist()) for g in np.unique(group_of)}


def cost(groups, encoded):
    rows, kinds = rows_of(encoded), kinds_of(encoded)
    return sum(len(each) * box_width(rows, kinds, sorted(each)) for each in groups)


@examples(200)
@given(quasi_tables(max_rows=20), st.integers(1, 5))
def test_the_rounds_cost_what_those_of_the_plain_twin_cost(made, k):
    """Near-equal costs may be ordered differently by rounding, so sums are compared."""
    encoded = encoded_of(made)
    expected = oracle.merge_rounds(rows_of(encoded), kinds_of(encoded), lambda g: len(g) >= k)
    found = merged(encoded, k)
    assert sum(map(len, found)) == made.height
    assert abs(cost(found, encoded) - cost(map(frozenset, expected), encoded)) < 1e-9


@examples(100)
@given(quasi_tables(max_rows=30), st.integers(1, 5))
def test_classes_meet_the_demand_and_cover_all_rows(made, k):
    if made.height < k:
        return
    found = as_sets(bottom_up(encoded_of(made), Demand(k)))
    assert all(len(each) >= k for each in found)
    assert sorted(row for each in found for row in each) == list(range(made.height))


def test_large_sets_are_measured_row_by_row():
    values = [f"{v:03}" for v in range(80)] * 2
    encoded = encoded_of(table(job=(pl.Series(values), column("job"))))
    expected = oracle.merge_rounds(rows_of(encoded), kinds_of(encoded), lambda g: len(g) >= 4)
    assert abs(cost(merged(encoded, 4), encoded) - cost(map(frozenset, expected), encoded)) < 1e-9
