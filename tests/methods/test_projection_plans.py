"""CODIP* and the exact plan against exhaustive search."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import projections as oracle
from papilio.families.projections.methods.codip import codip
from papilio.families.projections.methods.exact_plan import exact_plans, front_of_plans
from papilio.families.projections.methods.plan import UNIT, InfeasibleSets, Limits, PlanPoint, weigh
from sizes import examples

NEAR = 1e-12


def random_weights(seed, columns, zeros=0.0):
    chance = np.random.default_rng(seed)
    pairs = [np.triu(chance.exponential(size=(columns, columns)) ** 2, 1) for _ in range(2)]
    pairs = [np.where(chance.random(p.shape) < zeros, 0, p) for p in pairs]
    return weigh(*(p + p.T for p in pairs))


def every_point(weights, feasible=lambda _: True):
    """(loss, exposure) of all plans whose tables are feasible, from whole numbers."""
    found = {}
    for plan in oracle.plans(list(range(weights.columns))):
        if all(feasible(tuple(sorted(table))) for table in plan):
            masks = [sum(1 << c for c in table) for table in plan]
            point = weights.point(masks)
            found[point.association_loss, point.exposure] = plan
    return found


def check_plan(point, columns):
    assert sorted(c for table in point.plan for c in table) == list(range(columns))


@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([0.0, 0.5]))
@examples(60)
def test_front_is_that_of_all_plans(seed, columns, zeros):
    weights = random_weights(seed, columns, zeros)
    points = front_of_plans(weights)
    got = sorted((p.association_loss, p.exposure) for p in points)
    assert got == oracle.front(list(every_point(weights)))
    for point in points:
        check_plan(point, columns)


@given(
    st.integers(0, 10**6),
    st.integers(1, 6),
    st.floats(0, 1),
    st.sets(st.integers(3, 63), max_size=4),
)
@examples(60)
def test_best_plan_under_limit_and_infeasible_sets(seed, columns, limit, bad):
    weights = random_weights(seed, columns)

    def feasible(table):
        mask = sum(1 << c for c in table)
        return not any(each.bit_count() > 1 and mask & each == each for each in bad)

    points = every_point(weights, feasible)
    best = exact_plans(weights, Limits(exposure=limit), feasible)[-1]
    assert all(map(feasible, best.plan))
    assert best.exposure <= limit + NEAR
    assert best.association_loss == oracle.best_loss(points, limit + NEAR)
    greedy = codip(weights, Limits(exposure=limit), feasible)[-1]
    assert all(map(feasible, greedy.plan))
    assert greedy.exposure <= limit + NEAR
    check_plan(greedy, columns)
    assert greedy.association_loss >= best.association_loss


@given(st.integers(0, 10**6), st.integers(1, 6), st.floats(0, 1))
@examples(60)
def test_least_exposure_under_a_limit_on_loss(seed, columns, limit):
    weights = random_weights(seed, columns)
    best = exact_plans(weights, Limits(association_loss=limit))[-1]
    least = min(x for loss, x in every_point(weights) if loss <= limit + NEAR)
    assert best.association_loss <= limit + NEAR
    assert best.exposure == least
    greedy = codip(weights, Limits(association_loss=limit))[-1]
    assert greedy.association_loss <= limit + NEAR
    assert greedy.exposure >= least


@given(st.integers(0, 10**6), st.integers(1, 7), st.floats(0, 1), st.integers(1, 127))
@examples(60)
def test_greedy_merges_as_its_twin_does(seed, columns, limit, bad):
    weights = random_weights(seed, columns)

    def feasible(table):
        return len(table) == 1 or sum(1 << c for c in table) & bad != bad

    def exposed(tables):
        return weights.point([sum(1 << c for c in table) for table in tables]).exposure

    expected = oracle.codip(weights.kept.tolist(), exposed, limit + NEAR, feasible)
    got = codip(weights, Limits(exposure=limit), feasible)
    assert [point.plan for point in got] == expected


def test_after_a_failed_merge_the_next_pair_is_tried():
    # 0 and 1 say most of each other but must not meet; 2 and 3 still can.
    information = np.zeros((4, 4))
    information[0, 1] = information[1, 0] = 5
    information[2, 3] = information[3, 2] = 1
    weights = weigh(information, np.ones((4, 4)) - np.eye(4))
    last = codip(weights, Limits(), lambda table: not {0, 1} <= set(table))[-1]
    assert any({2, 3} <= set(table) for table in last.plan)


def test_merging_ends_at_one_table():
    weights = random_weights(1, 5)
    found = codip(weights, Limits())
    assert found[-1].plan == ((0, 1, 2, 3, 4),)
    assert [len(point.plan) for point in found] == [5, 4, 3, 2, 1]
    assert found[-1].association_loss == 0


def test_one_column():
    weights = random_weights(1, 1)
    expected = PlanPoint(((0,),), 0.0, 0.0)
    assert codip(weights, Limits()) == exact_plans(weights, Limits()) == [expected]


def test_independent_columns_lose_nothing_apart():
    weights = weigh(np.zeros((3, 3)), np.ones((3, 3)) - np.eye(3))
    best = exact_plans(weights, Limits(association_loss=0.0))[-1]
    assert best == PlanPoint(((0,), (1,), (2,)), 0.0, 0.0)


def test_columns_that_determine_each_other_go_together():
    weights = weigh(np.ones((3, 3)) - np.eye(3), np.zeros((3, 3)))
    for search in (codip, exact_plans):
        assert search(weights, Limits(exposure=0.0))[-1] == PlanPoint(((0, 1, 2),), 0.0, 0.0)


def test_a_column_nobody_can_publish():
    weights = random_weights(2, 3)
    for search in (codip, exact_plans):
        assert search(weights, Limits(), lambda table: 1 not in table) == []


def test_nobody_is_asked_about_a_set_with_an_infeasible_part():
    asked = []

    def feasible(table):
        asked.append(table)
        return not {0, 2} <= set(table)

    sets = InfeasibleSets(feasible)
    assert not sets.feasible(0b1101)
    sets.shrink(0b1101)
    assert sets.excluded(0b101)
    assert 0b101 in sets.smallest
    before = len(asked)
    assert not sets.feasible(0b111)
    assert sets.feasible(0b110)
    assert sets.feasible(0b110)
    assert len(asked) == before + 1


def test_a_limit_that_is_met_exactly_is_met():
    weights = random_weights(4, 5)
    for point in front_of_plans(weights):
        best = exact_plans(weights, Limits(exposure=point.exposure))[-1]
        assert best.association_loss == point.association_loss


@pytest.mark.compiled
def test_the_greedy_plan_is_often_not_the_best():
    chance, worse = random.Random(0), 0
    for seed in range(120):
        weights = random_weights(seed, 4)
        limits = Limits(exposure=chance.uniform(0.1, 0.9))
        greedy, best = codip(weights, limits)[-1], exact_plans(weights, limits)[-1]
        assert greedy.association_loss >= best.association_loss
        worse += greedy.association_loss > best.association_loss
    assert worse > 0


def test_units_are_fine_enough():
    weights = random_weights(5, 16)
    assert abs(weights.all_kept / UNIT - 1) < 1e-13
