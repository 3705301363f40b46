"""Mutual information, entropy and both ratios against their definitions."""

import math
import random
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import projections as oracle
from papilio.measure.dependencies import (
    binned,
    conditional_entropy,
    cuts_of,
    dependencies,
    entropy,
    sensitive_share,
)
from papilio.measure.losses import association_loss, exposure
from papilio.measure.mutual_information import (
    Sizes,
    chance_information,
    code_values,
    contingency,
    mutual_information,
)
from papilio.verify.promise.projected import expected_information
from sizes import examples

#: Table 1 (a) of Fang, Ashrafi and Ng.
PAPER = pl.DataFrame(
    {
        "diagnosis": ["HT", "HT", "DB", "AS"],
        "family_history": ["HT", "DB", "HT", "AS"],
        "job": ["teacher", "lawyer", "farmer", "teacher"],
    }
)
NEAR = 1e-12


def measured(frame, harmless=None):
    return dependencies(frame, frame.columns, harmless)


def frame_of(columns):
    return pl.DataFrame({f"c{i}": pl.Series(each) for i, each in enumerate(columns)})


@st.composite
def several_columns(draw, most=5):
    rows = draw(st.integers(1, 30))
    cell = st.one_of(st.none(), st.sampled_from("abcd"))
    column = st.lists(cell, min_size=rows, max_size=rows)
    return draw(st.lists(column, min_size=1, max_size=most))


def test_the_table_of_the_paper():
    known = measured(PAPER)
    half = math.log(2) / 2
    # Each column has one value twice and two once; each pair of values occurs once.
    assert known.entropy == pytest.approx([3 * half] * 3, abs=1e-15)
    # That is log 2 of information, and the least there can be: chance shows a twelfth more.
    shared = contingency(*(code_values(PAPER[name]) for name in ("diagnosis", "job")))
    assert mutual_information(shared) == pytest.approx(2 * half, abs=1e-15)
    chance = chance_information(*[Sizes((1, 2), (2, 1))] * 2)
    assert chance == pytest.approx(13 / 12 * math.log(2), abs=1e-15)
    assert not known.information.any()
    # One of the three pairs is kept, and its table is two thirds of the columns.
    plan = ((0, 1), (2,))
    assert association_loss(known, plan) == 0
    assert exposure(known, plan) == pytest.approx(1 / 3 * 2 / 3, abs=NEAR)


@given(several_columns())
def test_pairs_are_as_defined(columns):
    known = measured(frame_of(columns))
    for i, first in enumerate(columns):
        assert known.entropy[i] == pytest.approx(oracle.entropy(first), abs=NEAR)
        for j, second in enumerate(columns):
            if i != j:
                expected = oracle.shared_information(first, second)
                assert known.information[i, j] == pytest.approx(expected, abs=NEAR)
                assert known.exposable[i, j] == pytest.approx(
                    oracle.exposable(first, second), abs=NEAR
                )


@given(several_columns(), st.randoms(use_true_random=False), st.sets(st.sampled_from("abcd")))
def test_ratios_are_as_defined(columns, chance, safe):
    texts = [str(each) for each in safe]
    names = [f"c{i}" for i in range(len(columns))]
    known = measured(frame_of(columns), dict.fromkeys(names, texts))
    plan = chance.choice(list(oracle.plans(list(range(len(columns))))))
    loss, exposed = association_loss(known, plan), exposure(known, plan)
    assert loss == pytest.approx(oracle.association_loss(columns, plan), abs=NEAR)
    harmless = [tuple(safe)] * len(columns)
    assert exposed == pytest.approx(oracle.exposure(columns, plan, harmless), abs=NEAR)
    assert 0 <= loss <= 1 + NEAR
    assert 0 <= exposed <= 1 + NEAR


@given(several_columns(), st.randoms(use_true_random=False))
def test_merging_never_raises_loss_nor_lowers_exposure(columns, chance):
    known = measured(frame_of(columns))
    plan = chance.choice(list(oracle.plans(list(range(len(columns))))))
    if len(plan) > 1:
        merged = (plan[0] + plan[1], *plan[2:])
        assert association_loss(known, merged) <= association_loss(known, plan) + NEAR
        assert exposure(known, merged) >= exposure(known, plan) - NEAR


def pairs_of(first, second):
    return contingency(code_values(pl.Series(first)), code_values(pl.Series(second)))


@pytest.mark.parametrize("sizes", [(2, 3), (7, 5), (1, 4)])
def test_independent_columns_share_exactly_nothing(sizes):
    a, b = (range(each) for each in sizes)
    both = [(x, y) for x in a for y in b] * 3
    pairs = pairs_of([x for x, _ in both], [y for _, y in both])
    assert mutual_information(pairs) == 0.0
    known = measured(pl.DataFrame({"a": [x for x, _ in both], "b": [y for _, y in both]}))
    assert association_loss(known, ((0,), (1,))) == 0.0


def test_a_weak_dependency_is_not_lost_in_rounding():
    # One row of a million moved: x = 4e-6 in every cell, so I = x^2 / 2 up to higher terms.
    n = 10**6
    first = [0] * (n // 2) + [1] * (n // 2)
    second = ([0] * (n // 4) + [1] * (n // 4)) * 2
    second[0], second[-1] = 1, 0
    found = mutual_information(pairs_of(first, second))
    assert found == pytest.approx(8e-12, rel=1e-9)


def test_columns_that_determine_each_other_expose_what_chance_would_show_too():
    one = [1, 2, 3, 4] * 500
    frame = pl.DataFrame({"a": one, "b": [f"v{each}" for each in one]})
    known = measured(frame)
    # (4 - 1)² / 2n of log 4, nearly.
    assert known.information[0, 1] == pytest.approx(math.log(4), abs=0.003)
    assert known.exposable[0, 1] == pytest.approx(9 / 2000, rel=0.01)
    assert association_loss(known, ((0,), (1,))) == 1


def test_columns_that_number_the_rows_say_nothing_of_each_other():
    frame = pl.DataFrame({"a": range(300), "b": range(300, 0, -1), "c": [1, 2, 3] * 100})
    known = measured(frame)
    assert not known.information.any()
    assert known.exposable[0, 1] == pytest.approx(2 * math.log(300))
    assert known.exposable[0, 2] == pytest.approx(math.log(300) + math.log(3))
    assert association_loss(known, ((0,), (1,), (2,))) == 0.0


# -- chance --------------------------------------------------------------------------------------


def sizes(values):
    return Sizes.of(np.unique(np.array(values), return_counts=True)[1])


def both_chances(first, second):
    """What the planner says and what the verifier says."""
    told = [sizes(values) for values in (first, second)]
    numbers = [np.array(part, float) for each in told for part in (each.counts, each.times)]
    return chance_information(*told), expected_information(*numbers)


@given(st.data(), st.integers(1, 6))
def test_chance_is_the_mean_over_all_permutations(data, rows):
    column = st.lists(st.integers(0, 3), min_size=rows, max_size=rows)
    first, second = data.draw(column), data.draw(column)
    every = [oracle.mutual_information(first, each) for each in permutations(second)]
    expected = math.fsum(every) / len(every)
    for found in (*both_chances(first, second), oracle.chance_information(first, second)):
        assert found == pytest.approx(expected, abs=1e-13)


@given(st.integers(0, 10**6))
@examples(30)
def test_chance_of_longer_columns(seed):
    chance = random.Random(seed)
    rows, most = chance.randrange(1, 400), chance.choice([2, 5, 40, 400])
    first = [chance.randrange(most) for _ in range(rows)]
    second = [int(most / (1 + chance.randrange(most))) for _ in range(rows)]
    expected = oracle.chance_information(first, second)
    assert both_chances(first, second) == pytest.approx([expected] * 2, rel=1e-11, abs=1e-14)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Sizes((500_000,), (2,)), Sizes((250_000, 500_000), (2, 1))),
        (Sizes((1,), (1_000_000,)), Sizes((1000,), (1000,))),
        (Sizes((1, 999_999), (1, 1)), Sizes((999_999, 1)[::-1], (1, 1))),
        (Sizes(tuple(range(1, 201)), (45,) * 200), Sizes((15_075,), (60,))),
    ],
)
def test_planner_and_verifier_agree_on_many_rows(first, second):
    rows = min(first.rows, second.rows)
    assert first.rows == second.rows == rows
    numbers = [np.array(p, float) for each in (first, second) for p in (each.counts, each.times)]
    found = chance_information(first, second)
    assert found == pytest.approx(expected_information(*numbers), rel=1e-11)
    if 1 in first.counts and first.times[0] == rows:
        # Whatever the permutation, a number of the row says the other value.
        assert found == pytest.approx(math.log(1000))


def test_independent_columns_of_many_values_share_nothing_worth_mentioning():
    """2,000 rows, 1,000 values a column: 5.7 nats by chance, where Miller-Madow takes off 250."""
    chance = np.random.default_rng(2)
    frame = pl.DataFrame({name: chance.integers(0, 1000, 2000) for name in "ab"})
    raw = mutual_information(contingency(*map(code_values, frame)))
    assert 5.6 < raw < 5.8
    assert measured(frame).information[0, 1] < 0.005


# -- bins ----------------------------------------------------------------------------------------


@given(st.lists(st.one_of(st.none(), st.integers(-5, 5)), min_size=1, max_size=25))
def test_bins_are_as_defined(values):
    series = pl.Series("a", values, dtype=pl.Int64)
    for bins in (2, 3, 7):
        counted = series.drop_nulls().to_frame("value").group_by("value").len("n")
        found = binned(series, cuts_of(counted, bins)).to_list()
        known = [each for each in values if each is not None]
        asked = [v if v is None else bins * sum(o < v for o in known) // len(known) for v in values]
        # Numbers without gaps, in the same order.
        different = sorted({b for b in asked if b is not None})
        place = {number: at for at, number in enumerate(different, 1)}
        assert found == [None if b is None else place[b] for b in asked]


def test_bins_find_what_single_values_hide():
    chance = np.random.default_rng(5)
    pay = chance.normal(0, 1, 1500)
    frame = pl.DataFrame({"pay": pay, "rent": pay / 3 + chance.normal(0, 0.1, 1500)})
    assert measured(frame).information[0, 1] == 0
    halves = dependencies(frame, frame.columns, bins={"pay": 10, "rent": 10})
    assert halves.information[0, 1] > 0.8
    assert halves.entropy == pytest.approx([math.log(10)] * 2, abs=1e-6)


def test_one_column_loses_and_exposes_nothing():
    known = measured(pl.DataFrame({"a": [1, 2, 2]}))
    assert association_loss(known, ((0,),)) == exposure(known, ((0,),)) == 0.0


def test_a_column_with_one_value_takes_no_part():
    with_it = measured(PAPER.with_columns(same=pl.lit("x")))
    assert with_it.entropy[3] == 0.0
    assert not with_it.information[3].any()
    # What others expose of it is nothing, what it exposes of them is all they hold.
    assert with_it.exposable[0, 3] == pytest.approx(with_it.entropy[0], abs=NEAR)


def test_only_harmless_values_expose_nothing():
    harmless = {name: PAPER[name].to_list() for name in PAPER.columns}
    known = measured(PAPER, harmless)
    assert exposure(known, ((0, 1, 2),)) == 0.0


@pytest.mark.parametrize(
    ("values", "harmless", "share"),
    [
        ([1, 2, None, 2], ["2"], 0.5),
        ([1, 2, None, 2], ["2.0", None], 0.25),
        ([1.5, 0.0], ["0"], 0.5),
        (["a", "", None], [None], 2 / 3),
        ([True, False, False], ["false"], 1 / 3),
        (["a", "b"], [], 1.0),
        (["a", "b"], ["z"], 1.0),
    ],
)
def test_share_that_is_not_harmless(values, harmless, share):
    assert sensitive_share(pl.Series(values), harmless) == pytest.approx(share)


def test_many_values_are_counted_alike():
    chance = random.Random(3)
    first = [chance.randrange(2000) for _ in range(3000)]
    second = [chance.random() for _ in range(2990)] + [None] * 10
    pairs = pairs_of(first, second)
    assert mutual_information(pairs) == pytest.approx(
        oracle.mutual_information(first, second), abs=NEAR
    )
    assert conditional_entropy(pairs) == pytest.approx(
        oracle.entropy(first) - oracle.mutual_information(first, second), abs=NEAR
    )
    assert entropy(code_values(pl.Series(second)).counts) == pytest.approx(
        oracle.entropy(second), abs=NEAR
    )
