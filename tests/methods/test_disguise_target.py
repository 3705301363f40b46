"""The optimal generalisation for a target against exhaustive search and the paper's tables."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disguise_cases import codes_of, named, target_over
from oracles import disguise as oracle
from papilio.families.disguise.methods.target_of import follow_target
from sizes import examples

SALARIES = [30, 40, 50, 60]


def follow(values, target, starts=None):
    codes = codes_of(values, target.tree)
    return follow_target(codes, np.array(starts or [0, len(values)]), target)


@st.composite
def problems(draw, most=4):
    domain = list(range(1, draw(st.integers(1, 4)) + 1))
    weights = draw(st.lists(st.integers(0, 3), min_size=len(domain), max_size=len(domain)))
    if not sum(weights):
        weights[0] = 1
    values = draw(st.lists(st.sampled_from(domain), min_size=1, max_size=most))
    return domain, weights, values, draw(st.sampled_from([2, 2, 3]))


@examples(600)
@given(problems())
def test_costs_what_exhaustive_search_finds(problem):
    domain, weights, values, arity = problem
    target = target_over(domain, weights, arity)
    tree, shares = oracle.balanced(domain, arity), dict(zip(domain, weights, strict=False))
    found = follow(values, target)
    multiset = named(target.tree, found.of(0))
    assert multiset == oracle.maximal(values, tree, shares)
    assert oracle.is_private(multiset, shares, tuple(domain))
    assert oracle.has_matching(values, multiset)
    assert found.cost(target.tree) == oracle.least_cost(values, tree, shares)


@pytest.mark.compiled
def test_thousands_of_tiny_inputs_cost_what_exhaustive_search_finds():
    chance = random.Random(11)
    for _ in range(1500):
        domain = list(range(1, chance.randint(1, 4) + 1))
        weights = [chance.randint(0, 3) for _ in domain]
        weights[chance.randrange(len(domain))] += 1
        values = [chance.choice(domain) for _ in range(chance.randint(1, 4))]
        target = target_over(domain, weights)
        shares = dict(zip(domain, weights, strict=True))
        expected = oracle.least_cost(values, oracle.balanced(domain), shares)
        assert follow(values, target).cost(target.tree) == expected


@examples(200)
@given(problems(most=30), st.integers(1, 5))
def test_groups_are_generalised_each_by_itself(problem, groups):
    domain, weights, values, arity = problem
    target = target_over(domain, weights, arity)
    cuts = sorted({0, len(values), *(len(values) * g // groups for g in range(groups))})
    found = follow(values, target, cuts)
    for number, (start, stop) in enumerate(zip(cuts, cuts[1:], strict=False)):
        assert found.of(number) == follow(values[start:stop], target).of(0)
        assert found.sizes[number] == stop - start


def test_many_rows_and_few_are_counted_alike():
    chance = np.random.default_rng(3)
    target = target_over(range(64), chance.integers(0, 4, 64).tolist())
    values = chance.integers(0, 64, 3000).tolist()
    few = [values[start : start + 20] for start in range(0, 3000, 20)]
    found = follow(values, target, [*range(0, 3001, 20)])
    tree = oracle.balanced(list(range(64)))
    shares = dict(enumerate(np.diff(_weights(target)).tolist()))
    for number in range(0, 150, 30):
        expected = oracle.maximal(few[number], tree, shares)
        assert named(target.tree, found.of(number)) == expected
    whole = named(target.tree, follow(values, target).of(0))
    assert whole == oracle.maximal(values, tree, shares)


def _weights(target):
    chances = [float(c) for c in np.array(target.probabilities())[target.tree.leaf_node]]
    smallest = min(c for c in chances if c)
    return np.concatenate([[0], np.cumsum(np.rint(np.array(chances) / smallest * 60))]).astype(int)


def test_table_3_2_each_group_of_the_example():
    target = target_over(SALARIES)
    tree = target.tree
    expected = [
        ([30, 40, 50, 60], {(30,): 1, (40,): 1, (50,): 1, (60,): 1}),
        ([40, 30, 50], {(30, 40, 50, 60): 1, (30, 40): 1, (50, 60): 1}),
        ([40, 60, 60, 60], {(30, 40, 50, 60): 2, (30, 40): 1, (50, 60): 1}),
    ]
    for values, multiset in expected:
        assert named(tree, follow(values, target).of(0)) == multiset
        # Not only the first and third group are U-private (papers D3.14).
        assert oracle.is_private(multiset, dict.fromkeys(SALARIES, 1), tuple(SALARIES))


def test_table_3_3_is_private_too_but_costs_more():
    shares = dict.fromkeys(SALARIES, 1)
    whole = tuple(SALARIES)
    table = [
        ([30, 40, 50, 60], {(30, 40): 2, (50,): 1, (60,): 1}),
        ([40, 30, 50], {(50, 60): 1, (30, 40): 1, whole: 1}),
        ([40, 60, 60, 60], {whole: 4}),
    ]
    best = 0
    for values, multiset in table:
        assert oracle.is_private(multiset, shares, whole)
        assert oracle.has_matching(values, multiset) or values[1] == 40
        best += follow(values, target_over(SALARIES)).cost(target_over(SALARIES).tree)
    assert best < sum(oracle.cost(multiset) for _, multiset in table)


def test_the_example_after_algorithm_3_keeps_two_at_the_root():
    target = target_over(SALARIES)
    found = named(target.tree, follow([30, 30, 40, 40, 50, 60], target).of(0))
    assert found[tuple(SALARIES)] == 2


def test_the_examples_of_definition_3_3_2():
    shares, exact = dict.fromkeys(SALARIES, 1), {(v,): 1 for v in SALARIES}
    wide = {(30, 40): 2, (50,): 1, (60,): 1}
    assert oracle.is_private(exact, shares, tuple(SALARIES))
    assert oracle.is_private(wide, shares, tuple(SALARIES))
    assert not oracle.has_matching([30, 30, 50, 60], exact)
    assert oracle.has_matching([30, 30, 50, 60], wide)


def test_arbitrary_segments_could_cost_less_than_nodes():
    # papers D3.1: {[1-3] x 3, [4]} costs 6 and is private, nodes cost 8.
    shares = dict.fromkeys([1, 2, 3, 4], 1)
    segments = {(1, 2, 3): 3, (4,): 1}
    assert oracle.is_private(segments, shares, (1, 2, 3, 4))
    assert oracle.has_matching([2, 2, 2, 4], segments)
    target = target_over([1, 2, 3, 4])
    assert (oracle.cost(segments), follow([2, 2, 2, 4], target).cost(target.tree)) == (6, 8)


def test_a_value_of_weight_zero_hides_in_a_wider_range():
    target = target_over([1, 2, 3, 4], [1, 0, 1, 1])
    found = named(target.tree, follow([2, 1, 3, 4], target).of(0))
    assert oracle.is_private(found, {1: 1, 2: 0, 3: 1, 4: 1}, (1, 2, 3, 4))
    assert oracle.has_matching([2, 1, 3, 4], found)
    assert (2,) not in found


def test_one_value_in_the_domain():
    target = target_over([7])
    found = follow([7, 7, 7], target)
    assert found.of(0) == {0: 3}
    assert found.cost(target.tree) == 0
