"""Mutual information, entropy and both ratios against their definitions."""

import math
import random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import projections as oracle
from papilio.measure.dependencies import conditional_entropy, dependencies, entropy, sensitive_share
from papilio.measure.losses import association_loss, exposure
from papilio.measure.mutual_information import code_values, contingency, mutual_information

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
    assert known.information[0, 1] == pytest.approx(2 * half, abs=1e-15)
    assert known.information[0, 2] == pytest.approx(2 * half, abs=1e-15)
    # One of the three pairs is kept, and its table is two thirds of the columns.
    plan = ((0, 1), (2,))
    assert association_loss(known, plan) == pytest.approx(2 / 3, abs=NEAR)
    assert exposure(known, plan) == pytest.approx(1 / 3 * 2 / 3, abs=NEAR)


@given(several_columns())
def test_pairs_are_as_defined(columns):
    known = measured(frame_of(columns))
    for i, first in enumerate(columns):
        assert known.entropy[i] == pytest.approx(oracle.entropy(first), abs=NEAR)
        for j, second in enumerate(columns):
            if i != j:
                expected = oracle.mutual_information(first, second)
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


def test_columns_that_determine_each_other_expose_nothing():
    frame = pl.DataFrame({"a": [1, 2, 3, 1], "b": ["x", "y", "z", "x"], "c": [0.5, 1.5, 2.5, 0.5]})
    known = measured(frame)
    assert not known.exposable.any()
    assert exposure(known, ((0, 1, 2),)) == 0.0
    assert association_loss(known, ((0,), (1, 2))) == pytest.approx(2 / 3, abs=NEAR)


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
    assert known.information[0, 1] > 0


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
