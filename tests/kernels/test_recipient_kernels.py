"""Kernels of the methods for several recipients, against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grouping import encoded_of, kinds_of, rows_of
from oracles import butterfly as oracle
from oracles.mondrian import width
from papilio.data.encode import attributes_of
from papilio.kernels.boxes import shape_of
from papilio.kernels.class_tree import mondrian_tree, run_widths
from papilio.kernels.components import components, forbid_cuts
from papilio.kernels.demand import Demand
from papilio.kernels.even_units import even_units, middle_codes
from papilio.kernels.nearest import STEPS, least_nearest, nearest_sum
from papilio.randomness import Randomness
from sizes import examples
from tables import quasi_tables


def lines_of(encoded):
    codes = encoded.codes.copy()
    words = codes.view(np.int64)
    rows = np.arange(encoded.height, dtype=np.int32)
    return codes, words, rows, np.empty_like(words), np.empty_like(rows)


@examples(100)
@given(quasi_tables(), st.integers(1, 4), st.sampled_from([1.0, 3.0]))
def test_the_tree_is_that_of_the_cuts(made, k, weight):
    encoded = encoded_of(made)
    weights = np.ones(len(encoded.columns))
    weights[0] = weight
    lines = lines_of(encoded)
    nodes = mondrian_tree(*lines, attributes_of(encoded), weights, Demand(k))

    def read(node):
        begin, end, left, right = nodes[node]
        if left < 0:
            return sorted(lines[2][begin:end].tolist())
        assert nodes[left, 0] == begin
        assert nodes[left, 1] == nodes[right, 0]
        assert nodes[right, 1] == end
        assert min(left, right) > node
        return read(left), read(right)

    members = list(range(encoded.height))
    expected = oracle.tree(rows_of(encoded), kinds_of(encoded), k, weights, members)
    assert read(0) == expected


@examples(100)
@given(quasi_tables(), st.data())
def test_widths_of_runs(made, data):
    encoded = encoded_of(made)
    begin = data.draw(st.integers(0, encoded.height - 1))
    end = data.draw(st.integers(begin + 1, encoded.height))
    found = run_widths(encoded.codes, np.array([begin]), np.array([end]), attributes_of(encoded))
    for place, kind in enumerate(kinds_of(encoded)):
        codes = encoded.codes[begin:end, place].tolist()
        assert found[0, place] == pytest.approx(width(kind, codes))


@examples(100)
@given(quasi_tables(), st.integers(1, 5))
def test_units_are_as_small_as_can_be(made, least):
    encoded = encoded_of(made)
    least = min(least, encoded.height)
    lines, keys = lines_of(encoded), Randomness(3).keys(encoded.height)
    none = np.empty(0, np.int64)
    starts = even_units(
        *lines, attributes_of(encoded), least, none, lines[0][:0], lines[0][:0], keys
    )
    sizes = np.diff(starts)
    assert sorted(lines[2].tolist()) == list(range(encoded.height))
    assert (lines[0] == encoded.codes[lines[2]]).all()
    assert sizes.min() >= least
    for begin, size in zip(starts, sizes, strict=False):
        rows = encoded.codes[lines[2][begin : begin + size]]
        assert size < 2 * least or (rows == rows[0]).all()
    middles = middle_codes(lines[0], starts)
    for begin, end in zip(starts, starts[1:], strict=False):
        box = lines[0][begin:end]
        assert (middles[begin:end] == (box.min(axis=0) + box.max(axis=0)) // 2).all()


def test_units_are_put_together_by_weight():
    """Five units of 3, 3, 4, 2 and 2 rows; at least 5 rows a part leaves at most two parts."""
    codes = np.zeros((5, 4), np.int16)
    codes[:, 0] = range(5)
    encoded = encoded_of_numbers([0, 1, 2, 8, 9])
    weights = np.array([3, 3, 4, 2, 2])
    units = np.arange(5, dtype=np.int32)
    words = codes.view(np.int64)
    starts = even_units(
        codes, words, units, np.empty_like(words), np.empty_like(units),
        attributes_of(encoded), 5, weights, codes.copy(), codes.copy(), Randomness(1).keys(5),
    )  # fmt: skip
    parts = [units[a:b] for a, b in zip(starts, starts[1:], strict=False)]
    assert len(parts) == 2
    assert all(weights[part].sum() >= 5 for part in parts)


def encoded_of_numbers(values):
    import polars as pl

    from papilio.data.table import ColumnType
    from tables import column, table

    return encoded_of(table(age=(pl.Series(values), column("age", ColumnType.NUMERIC))))


@examples(100)
@given(quasi_tables(min_rows=3, max_rows=20), st.integers(1, 3))
def test_nearest_rows_are_never_further_than_they_are(made, k):
    encoded = encoded_of(made)
    rows, kinds, columns = rows_of(encoded), kinds_of(encoded), range(len(encoded.columns))
    shape = shape_of(attributes_of(encoded))[:4]
    expected = sum(oracle.nearest(rows, kinds, columns, range(len(rows)), k))
    words = encoded.codes.view(np.int64)
    found = nearest_sum(encoded.codes, words, 0, len(rows), k, *shape)
    assert expected - len(rows) / STEPS - 1e-9 <= found <= expected + 1e-9
    ends = np.array([len(rows)])
    least = least_nearest(encoded.codes, words, np.array([0]), ends, k, *shape)[0]
    for i in range(k):
        exact = min(oracle.nearest(rows, kinds, columns, range(len(rows)), i + 1))
        assert exact - 1 / STEPS - 1e-9 <= least[i] <= exact + 1e-9


@examples(60)
@given(quasi_tables(min_rows=4, max_rows=7), st.integers(2, 3))
def test_bounds_are_sound(made, k):
    """No division into classes of k loses less than either bound on a wing."""
    encoded = encoded_of(made)
    rows, kinds, columns = rows_of(encoded), kinds_of(encoded), range(len(encoded.columns))
    optimum = oracle.best_division(rows, kinds, columns, range(len(rows)), k)
    shape = shape_of(attributes_of(encoded))[:4]
    words = encoded.codes.view(np.int64)
    per_row = nearest_sum(encoded.codes, words, 0, len(rows), k, *shape)
    middle = len(rows) // 2
    runs = np.array([0, middle]), np.array([middle, len(rows)])
    table = least_nearest(encoded.codes, words, *runs, k, *shape)
    per_class = len(rows) * table[:, -(-k // 2) - 1].min()
    assert max(per_row, per_class) <= optimum + 1e-9


def test_too_many_distinct_rows_bound_nothing():
    encoded = encoded_of_numbers(list(range(500)))
    shape = shape_of(attributes_of(encoded))[:4]
    words = encoded.codes.view(np.int64)
    assert nearest_sum(encoded.codes, words, 0, 500, 5, *shape) == 0
    runs = np.array([0]), np.array([500])
    assert (least_nearest(encoded.codes, words, *runs, 5, *shape) == 0).all()


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_components_are_what_classes_connect(pairs):
    classes = np.array(pairs).T.astype(np.int64).copy()
    found = components(classes, np.array([5, 5]))
    reach = [{place} for place in range(len(pairs))]
    for _ in pairs:
        for one in range(len(pairs)):
            for other in range(len(pairs)):
                if any(a == b for a, b in zip(pairs[one], pairs[other], strict=True)):
                    reach[one] |= reach[other]
    for one in range(len(pairs)):
        for other in range(len(pairs)):
            assert (found[one] == found[other]) == (other in reach[one])


@examples(150)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6)), min_size=1), st.integers(1, 3))
def test_cuts_are_forbidden_where_a_side_would_be_too_small(pairs, least):
    ordered = sorted(pairs)
    classes, codes = (np.array(side, np.int64) for side in zip(*ordered, strict=True))
    forbidden = np.zeros(7, np.int64)
    forbid_cuts(codes, classes, least, forbidden)
    for cut in range(6):
        legal = True
        for each in set(classes.tolist()):
            mine = [code for number, code in ordered if number == each]
            left = sum(code <= cut for code in mine)
            right = len(mine) - left
            legal &= left == 0 or right == 0 or min(left, right) >= least
        assert (np.cumsum(forbidden)[cut] == 0) == legal
