"""The improve step never raises the loss, keeps every requirement, and repeats."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grouping import as_sets, encoded_of, kinds_of, rows_of
from oracles.hybrid import box_width
from papilio.data.encode import attributes_of
from papilio.data.table import ColumnType
from papilio.families.classes import Classes
from papilio.families.generalising import improve as module
from papilio.families.generalising.improve import Budget, improve
from papilio.families.generalising.top_down import strict_mondrian
from papilio.kernels.boxes import shape_of
from papilio.kernels.demand import Demand
from papilio.kernels.improve import exchange_rows, merge_and_divide
from sizes import examples
from tables import column, quasi_tables, table


def cost(classes, encoded):
    rows, kinds = rows_of(encoded), kinds_of(encoded)
    return sum(len(each) * box_width(rows, kinds, sorted(each)) for each in as_sets(classes))


@st.composite
def groupings(draw):
    """A table and a random division of its rows into classes of at least k."""
    made = draw(quasi_tables(min_rows=6, max_rows=30))
    k = draw(st.integers(1, 3))
    order = draw(st.permutations(range(made.height)))
    starts = [0]
    while made.height - starts[-1] >= 2 * k:
        step = draw(st.integers(k, min(made.height - starts[-1] - k, 4 * k)))
        starts.append(starts[-1] + step)
    starts.append(made.height)
    classes = Classes(np.array(order, np.int32), np.array(starts, np.int64))
    return encoded_of(made), classes, k


@examples(150)
@given(groupings())
def test_the_loss_falls_by_the_gain_and_every_class_keeps_k(drawn):
    encoded, classes, k = drawn
    better = improve(encoded, classes, Demand(k))
    assert sorted(better.classes.rows.tolist()) == list(range(encoded.height))
    assert better.classes.sizes.min() >= k
    before, after = cost(classes, encoded), cost(better.classes, encoded)
    assert before - after == pytest.approx(better.gain, abs=1e-7)
    assert better.gain >= 0


@examples(60)
@given(groupings(), st.integers(1, 12))
def test_the_same_steps_give_the_same_classes(drawn, steps):
    encoded, classes, k = drawn
    once, again = (improve(encoded, classes, Demand(k), Budget(steps=steps)) for _ in range(2))
    assert once.steps <= steps
    assert as_sets(once.classes) == as_sets(again.classes)
    assert cost(once.classes, encoded) <= cost(classes, encoded) + 1e-9


@examples(60)
@given(groupings())
def test_each_kind_of_step_reports_what_it_gains(drawn):
    encoded, classes, k = drawn
    shape = shape_of(attributes_of(encoded))
    parts = [classes.rows[a:b] for a, b in zip(classes.starts, classes.starts[1:], strict=False)]
    for step in (exchange_rows, merge_and_divide):
        groups = module._groups(encoded.codes, parts, 64, shape, Demand(k))
        before = (groups.size * groups.width).sum()
        gain = step(encoded.codes, groups, np.arange(len(parts)), shape, Demand(k))
        assert before - (groups.size * groups.width).sum() == pytest.approx(gain, abs=1e-7)
        used = groups.size[groups.size > 0]
        assert used.min() >= k
        assert used.sum() == encoded.height


def test_two_rows_that_stand_in_each_others_class_change_places():
    """Classes {1, 1, 9} and {9, 9, 1}: one exchange makes both exact."""
    made = table(age=(pl.Series([1, 1, 9, 9, 9, 1]), column("age", ColumnType.NUMERIC)))
    classes = Classes(np.arange(6, dtype=np.int32), np.array([0, 3, 6]))
    better = improve(encoded_of(made), classes, Demand(3))
    assert as_sets(better.classes) == {frozenset({0, 1, 5}), frozenset({2, 3, 4})}


def test_a_row_moves_to_the_class_it_is_like():
    """Class {1, 1, 9} may lose its odd row at k = 2; {9, 9} takes it."""
    made = table(age=(pl.Series([1, 1, 9, 9, 9]), column("age", ColumnType.NUMERIC)))
    classes = Classes(np.arange(5, dtype=np.int32), np.array([0, 3, 5]))
    better = improve(encoded_of(made), classes, Demand(2))
    assert as_sets(better.classes) == {frozenset({0, 1}), frozenset({2, 3, 4})}


@pytest.mark.compiled
def test_blocks_change_nothing_but_how_far_rows_can_go(monkeypatch):
    random = np.random.default_rng(2)
    made = table(
        age=(pl.Series(random.integers(0, 60, 900)), column("age", ColumnType.NUMERIC)),
        job=(pl.Series(random.choice(list("abcdefgh"), 900)), column("job")),
    )
    encoded = encoded_of(made)
    classes = strict_mondrian(encoded, Demand(4))
    monkeypatch.setattr(module, "_BLOCK", 16)
    better = improve(encoded, classes, Demand(4))
    assert sorted(better.classes.rows.tolist()) == list(range(900))
    assert better.classes.sizes.min() >= 4
    assert cost(better.classes, encoded) < cost(classes, encoded)


@pytest.mark.compiled
@pytest.mark.parametrize("distinct", [60, 90])
def test_large_sets_are_handled(distinct):
    random = np.random.default_rng(4)
    values = [f"{v:03}" for v in random.integers(0, distinct, 120)]
    made = table(job=(pl.Series(values), column("job")))
    encoded = encoded_of(made)
    classes = Classes(np.arange(120, dtype=np.int32), np.arange(0, 121, 4))
    better = improve(encoded, classes, Demand(4))
    assert cost(classes, encoded) - cost(better.classes, encoded) == pytest.approx(better.gain)
    assert better.gain > 0
