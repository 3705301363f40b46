"""The pure parts of the benchmark of disguised distributions."""

import numpy as np
import pytest

from disguise import figure_3_6, synthetic, tree_over
from disguise_queries import Bounds, made, mean_error
from papilio.data.domain_tree import weigh
from papilio.privacy.target_weights import counted_weights, uniform_weights


@pytest.fixture(scope="module")
def people():
    tree = tree_over(0, 63)
    return synthetic(True, tree), tree


def test_exact_values_of_whole_groups_have_no_error(people):
    table, tree = people
    own = weigh(tree, counted_weights(table.codes, tree))
    bounds = Bounds(made(table, own, per_class=False), table)
    assert bounds.error(0, 200) == pytest.approx(0)
    assert bounds.error(17, 17) > 0
    assert bounds.error(300, 400) is None


def test_a_target_far_away_has_a_larger_error(people):
    table, tree = people
    own = weigh(tree, counted_weights(table.codes, tree))
    flat = weigh(tree, uniform_weights(tree))
    near, far = (mean_error(made(table, each, per_class=False), table, 40) for each in (own, flat))
    assert 0 < near < far


def test_older_people_have_larger_values(people):
    table, _ = people
    assert np.corrcoef(table.age, table.value)[0, 1] > 0.9


def test_tolerance_lowers_the_sum(people, capsys):
    table, tree = people
    figure_3_6(table, tree)
    assert "DIFFERS" not in capsys.readouterr().out
