"""Weights of targets, what normalising them changes, and what people demand."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disguise_cases import node_over, target_over, tree_over
from oracles import disguise as oracle
from papilio.data.domain_tree import locate, tree_over_range, weigh
from papilio.errors import DataError
from papilio.families.disguise.methods.publish import subdomain_moments
from papilio.privacy.personal import demanded_nodes
from papilio.privacy.target_distribution import TargetDistribution
from papilio.privacy.target_weights import (
    normal_weights,
    normalise_weights,
    uniform_weights,
    zipf_weights,
)
from sizes import examples


def first_two_levels(weights, size=4096):
    """Shares of the first two levels in percent, as Table 3.5 has them."""
    mass = np.asarray(weights, dtype=float)
    halves = [mass[: size // 2], mass[size // 2 :]]
    quarters = [half[: size // 4].sum() / half.sum() for half in halves]
    return [round(100 * share) for share in (halves[0].sum() / mass.sum(), *quarters)]


def test_rows_of_table_3_5_that_follow_from_the_text():
    tree = tree_over(range(4096))
    assert first_two_levels(uniform_weights(tree)) == [50, 50, 50]
    # 28.5 % left of one standard deviation; the table rounds it up to 29:71.
    assert first_two_levels(normal_weights(tree)) == [50, 28, 72]
    assert first_two_levels(normal_weights(tree, std=4095 / 20)) == [50, 0, 100]


def test_the_zipf_row_of_table_3_5_is_another_one():
    # papers D3.20: k^s with s = 1 gives 25:75 at the root, the table has 8:92.
    assert first_two_levels(zipf_weights(tree_over(range(4096)), -1.0))[0] == 25
    weights = zipf_weights(tree_over(range(4)), 1.0)
    assert weights.tolist() == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])


def test_far_cells_of_a_normal_target_keep_a_weight():
    weights = normal_weights(tree_over(range(200)), std=8.0)
    assert (weights > 0).all()
    assert weights[:100].tolist() == pytest.approx(weights[::-1][:100].tolist())
    assert weights.sum() == pytest.approx(2 * 0.999, rel=0.02)


@pytest.mark.parametrize(
    ("mean", "std"), [(1e308, None), (-1e308, 1e-300), (None, 1.7e308), (1e308, 1e308), (1e9, 1.0)]
)
@pytest.mark.filterwarnings("error")
def test_a_normal_target_far_from_all_values_is_refused(mean, std):
    with pytest.raises(DataError, match="gives no value of the column a weight"):
        normal_weights(tree_over(range(10)), mean, std)


@examples(200)
@given(st.lists(st.integers(0, 2000), min_size=1, max_size=12), st.integers(1, 30))
def test_normalised_weights_keep_the_bound_and_the_support(weights, largest):
    weights = [*weights, 1]
    tree = tree_over(range(len(weights)))
    made, change = normalise_weights(tree, np.array(weights, dtype=np.int64), largest)
    exact = weigh(tree, np.array(weights, dtype=np.int64))
    assert made.weight.max() <= max(largest, 1)
    assert ((made.weight > 0) == (exact.weight > 0)).all()
    shifts = [
        abs(
            Fraction(int(made.weight[c]), max(int(made.total[n]), 1))
            - Fraction(int(exact.weight[c]), max(int(exact.total[n]), 1))
        )
        for n in range(tree.nodes)
        for c in tree.children(n)
    ]
    assert change.largest_shift == pytest.approx(float(max(shifts, default=0)), abs=1e-9)
    assert (change.nodes == 0) == (max(shifts, default=0) == 0)
    apart = sum(abs(made.chance[leaf] - exact.chance[leaf]) for leaf in tree.leaf_node)
    assert change.distance == pytest.approx(apart / 2, abs=1e-9)


def test_a_thousand_to_a_thousand_and_one_becomes_one_to_one():
    tree = tree_over([1, 2])
    made, change = normalise_weights(tree, np.array([1000, 1001]), 10)
    assert made.weight.tolist() == [1, 1, 1]
    assert change.nodes == 1
    assert change.largest_shift == pytest.approx(0.5 / 2001)


def test_weights_that_sum_to_nothing_in_particular():
    tree = tree_over([1, 2, 3, 4])
    thirds, _ = normalise_weights(tree, np.array([0.2, 0.4, 0.1, 0.1]), 100)
    assert thirds.weight.tolist() == [1, 3, 1, 2, 1, 1, 1]


def test_probabilities_are_exact():
    target = target_over([1, 2, 3], [1, 2, 4])
    assert target.probabilities()[0] == 1
    assert [target.probabilities()[n] for n in target.tree.leaf_node] == [
        Fraction(1, 7),
        Fraction(2, 7),
        Fraction(4, 7),
    ]


def test_moments_inside_subdomains():
    target = target_over([1, 2, 4], [1, 1, 2])
    mean, variance = subdomain_moments(target)
    assert mean[0] == pytest.approx((1 + 2 + 4 + 4) / 4)
    assert variance[0] == pytest.approx(np.var([1, 2, 4, 4]))
    wide = tree_over_range(pl.Series("a", [1.0]), 0, 10, 10)
    mean, variance = subdomain_moments(weigh(wide, np.array([1])))
    assert (mean[0], variance[0]) == (5, pytest.approx(100 / 12))
    whole = tree_over_range(pl.Series("a", [1]), 1, 6, 6)
    mean, variance = subdomain_moments(weigh(whole, np.array([1])))
    assert (mean[0], variance[0]) == (3.5, pytest.approx(35 / 12))


def test_cells_hold_their_values():
    whole = tree_over_range(pl.Series("a", [1]), 0, 11, 5)
    assert list(zip(whole.lows, whole.highs, strict=False)) == [(0, 4), (5, 9), (10, 11)]
    assert locate(whole, pl.Series([0, 4, 5, 11, 12, -1])).tolist() == [0, 0, 1, 2, -1, -1]
    real = tree_over_range(pl.Series("a", [1.0]), 0, 1, 0.25)
    assert locate(real, pl.Series([0.0, 0.25, 0.3, 1.0, 1.1])).tolist() == [0, 1, 1, 3, -1]


def levels(said, codes=(0, 1, 2, 3)):
    tree = tree_over([10, 20, 30, 40])
    return tree, demanded_nodes(tree, np.array(codes, np.int32), pl.Series("level", said))


def test_levels_and_subdomains_people_name():
    tree, nodes = levels(["0", "1", "[10, 40]", None])
    expected = [(10, 10), (10, 20), (10, 40), (10, 40)]
    assert nodes.tolist() == [node_over(tree, *ends) for ends in expected]
    _, numbers = levels([0, 1, 2, 0])
    assert numbers.tolist() == [tree.leaf_node[0], node_over(tree, 10, 20), 0, tree.leaf_node[3]]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (["3", "0", "0", "0"], "unknown-level"),  # above the root
        (["-1", "0", "0", "0"], "unknown-level"),
        (["1.5", "0", "0", "0"], "unknown-level"),
        (["[10,30]", "0", "0", "0"], "unknown-level"),
        (["[30,40]", "0", "0", "0"], "value-outside-level"),
    ],
)
def test_levels_that_cannot_be(said, reason):
    with pytest.raises(DataError) as caught:
        levels(said)
    assert caught.value.reason == reason
    assert "1 rows" in str(caught.value)


@pytest.mark.parametrize("share", [-0.1, 1.5, "much"])
def test_shares_are_from_0_to_1(share):
    with pytest.raises(ValueError, match="shift"):
        TargetDistribution("pay", share)


def test_trees_of_any_arity_are_the_oracles():
    for size in range(1, 20):
        for arity in (2, 3, 5):
            tree = tree_over(range(size), arity)
            found = [tuple(range(a, b + 1)) for a, b in zip(tree.first, tree.last, strict=False)]
            assert found == oracle.nodes(oracle.balanced(list(range(size)), arity))
