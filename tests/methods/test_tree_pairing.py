"""The distance between people against trying all pairings of all rows."""

import numpy as np
import pytest

import linked
from oracles import trees as oracle
from papilio.families.linked.methods.forest import distance, forest_of
from sizes import tries


def compare(snowflake):
    forest, loss = forest_of(snowflake), linked.losses(snowflake)
    trees = [linked.tree(snowflake, 0, person) for person in range(snowflake.person.height)]
    worse = 0
    for one in range(len(trees)):
        for other in range(len(trees)):
            least = oracle.distance(trees[one], trees[other], loss)
            assert distance(forest, one, other) == pytest.approx(least)
            local = distance(forest, one, other, local=True)
            assert local >= least - 1e-9
            worse += local > least + 1e-9
    return worse


@pytest.mark.searches
@pytest.mark.compiled
def test_optimal_pairing_is_exhaustive_search(tmp_path):
    """Up to 3200 pairs of trees; the local pairing costs more for some of them."""
    generator = np.random.default_rng(3)
    worse = sum(
        compare(linked.random_snowflake(generator, tmp_path)) for _ in range(tries(40, 200))
    )
    assert worse > tries(10, 100)


@pytest.mark.parametrize("seed", range(3))
def test_optimal_pairing_of_few_trees(seed, tmp_path):
    generator = np.random.default_rng(seed)
    compare(linked.random_snowflake(generator, tmp_path, people=3, most=2))


def test_distance_is_symmetric_and_zero_for_equal_trees(tmp_path):
    forest = forest_of(linked.random_snowflake(np.random.default_rng(5), tmp_path, people=5))
    for one in range(5):
        assert distance(forest, one, one) == 0
        for other in range(5):
            assert distance(forest, one, other) == pytest.approx(distance(forest, other, one))


@pytest.mark.parametrize("seed", range(5))
def test_nodes_are_trees_up_to_the_order_of_children(seed, tmp_path):
    snowflake = linked.random_snowflake(np.random.default_rng(seed), tmp_path, people=8, most=2)
    forest = forest_of(snowflake)
    for place, table in enumerate(snowflake.tables):
        nodes = forest.row_node[forest.row_base[place] : forest.row_base[place + 1]]
        trees = [oracle.canonical(linked.tree(snowflake, place, r)) for r in range(table.height)]
        for one in range(table.height):
            for other in range(table.height):
                assert (nodes[one] == nodes[other]) == (trees[one] == trees[other])
