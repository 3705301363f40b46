"""Groups that are told by counts are disguised as groups of rows are."""

from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disguise_cases import target_over
from papilio.errors import DataError
from papilio.families.disguise.methods import personal
from papilio.families.disguise.methods.disguise import Manner, Part, disguise, disguise_counts
from papilio.families.disguise.methods.personal import pool_counts, pool_people
from papilio.families.disguise.methods.pools import People, ancestors, pool_costs
from papilio.privacy.personal import demanded_nodes
from papilio.randomness import Randomness

MANNERS = [
    Manner(),
    Manner(shift=Fraction(1, 10)),
    Manner(fakes=Fraction(1, 10)),
    Manner(shift=Fraction(1, 10), fakes=Fraction(1, 5)),
    Manner(randomised=True),
]


@given(
    st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(any),
    st.lists(st.integers(1, 4), min_size=8, max_size=8),
    st.sampled_from(MANNERS),
)
def test_counts_give_the_subdomains_of_rows(leaves, weights, manner):
    target = target_over(range(8), weights)
    codes = np.repeat(np.arange(8), leaves).astype(np.int32)
    part = Part(target, np.arange(len(codes), dtype=np.int32), np.array([0, len(codes)]))
    expected = disguise([part], codes, manner, Randomness(3))
    found, searched = disguise_counts(np.array(leaves), target, manner, Randomness(3))
    assert found == expected.subdomains[0].of(0)
    assert searched == expected.searched


def crowd(seed, entries=12, size=8):
    """People told by counts, and the same people one by one."""
    chance = np.random.default_rng(seed)
    target = target_over(range(size))
    codes = chance.integers(0, size, entries).astype(np.int32)
    depth = chance.integers(0, target.tree.height + 1, entries)
    demanded = ancestors(target)[codes, depth]
    counts = chance.integers(1, 7, entries)
    each = People(target, np.repeat(codes, counts), np.repeat(demanded, counts))
    return People(target, codes, demanded, counts), each


@pytest.mark.compiled
@pytest.mark.parametrize("coarse", [False, True])
def test_pools_of_counted_people_are_those_of_people(coarse, monkeypatch):
    if coarse:
        monkeypatch.setattr(personal, "MOST_LEAVES", 4)
        monkeypatch.setattr(personal, "MOST_LEAVES", 4)
    for seed in range(4):
        counted, each = crowd(seed)
        found, expected = pool_counts(counted, 5), pool_people(each, 5)
        assert found.cost == pytest.approx(expected.cost)
        assert found.subdomains == expected.subdomains
        assert pool_costs(counted, found.joined) == found.cost


def test_shares_say_of_many_people_what_assign_says_of_each():
    for seed in range(20):
        counted, each = crowd(seed)
        joined = counted.need.copy()
        # Somebody volunteers for the pool above everything.
        leaf = int(counted.codes[0])
        lowest = int(np.flatnonzero(joined[leaf]).max())
        joined[leaf, lowest] -= 1
        joined[leaf, 0] += 1
        entry, depth, many = counted.shares(joined)
        nodes = ancestors(counted.target)[counted.codes[entry], depth]
        found = Counter()
        for code, demanded, pool, people in zip(
            counted.codes[entry], counted.demanded[entry], nodes, many, strict=True
        ):
            found[int(code), int(demanded), int(pool)] += int(people)
        pools = each.assign(joined)
        assert found == Counter(
            zip(each.codes.tolist(), each.demanded.tolist(), pools.tolist(), strict=True)
        )
        tree = counted.target.tree
        assert (tree.first[nodes] <= tree.first[counted.demanded[entry]]).all()
        assert many.sum() == counted.counts.sum()


def test_messages_about_levels_count_people():
    tree = target_over(range(4)).tree
    codes = np.array([0, 1], np.int32)
    with pytest.raises(DataError, match="7 rows name neither"):
        demanded_nodes(tree, codes, pl.Series("level", ["0", "x"]), np.array([3, 7]))
    with pytest.raises(DataError, match="3 rows name a subdomain"):
        demanded_nodes(tree, codes, pl.Series("level", ["[2, 3]", "1"]), np.array([3, 7]))
