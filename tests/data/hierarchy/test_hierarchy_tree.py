from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.hierarchy.tree import Hierarchy, from_leaf_paths
from papilio.errors import InternalError

JOBS = [
    ["nurse", "care", "health", "*"],
    ["smith", "metal", "*"],
    ["doctor", "cure", "health", "*"],
    ["welder", "metal", "*"],
    ["surgeon", "cure", "health", "*"],
    ["retired", "*"],
]


def grow(paths):
    return from_leaf_paths(paths, {"paths": True})


@st.composite
def path_sets(draw, padded=True):
    """Paths of a random tree in random order, with labels repeated here and there."""
    inner = draw(st.integers(0, 6))
    parents = [draw(st.integers(0, node)) for node in range(inner)]
    owners = [*range(1, inner + 1), *draw(st.lists(st.integers(0, inner), min_size=1, max_size=8))]
    paths = []
    for number, owner in enumerate(owners):
        path, node = [f"leaf{number}"], owner
        while node:
            path.append(f"group{node}")
            node = parents[node - 1]
        path.append("*")
        if padded:
            path = [label for label in path for _ in range(draw(st.sampled_from([1, 1, 1, 2])))]
        paths.append(path)
    return draw(st.permutations(paths))


def leaves_below(paths, label):
    return {path[0] for path in paths if label in path}


def lowest_common(paths, leaves):
    """Label of the smallest group that holds all leaves; of equal ones the lowest."""
    ways = [path for path in paths if path[0] in leaves]
    return next(label for label in ways[0] if all(label in way for way in ways))


@given(path_sets())
def test_a_node_covers_exactly_the_leaves_below_it(paths):
    tree = grow(paths)
    assert sorted(tree.leaves) == sorted(path[0] for path in paths)
    assert set(tree.labels) == {label for path in paths for label in path}
    for node, label in enumerate(tree.labels):
        run = tree.leaves[tree.first[node] : tree.last[node] + 1]
        assert set(run) == leaves_below(paths, label)


@given(path_sets(), st.data())
def test_common_ancestor_of_a_set_is_that_of_its_smallest_and_largest_rank(paths, data):
    tree = grow(paths)
    ranks = data.draw(st.sets(st.integers(0, len(tree.leaves) - 1), min_size=1))
    expected = lowest_common(paths, {tree.leaves[rank] for rank in ranks})
    assert tree.labels[tree.common_ancestor(min(ranks), max(ranks))] == expected


@given(path_sets())
def test_vectorised_common_ancestors_agree_with_brute_force(paths):
    tree = grow(paths)
    lo, hi = np.meshgrid(*[np.arange(len(tree.leaves))] * 2)
    nodes = tree.common_ancestors(lo.ravel(), hi.ravel())
    assert nodes.dtype == np.int32
    for a, b, node in zip(lo.ravel(), hi.ravel(), nodes, strict=True):
        assert tree.labels[node] == lowest_common(paths, {tree.leaves[a], tree.leaves[b]})


def test_common_ancestors_leave_the_tree_as_it_was():
    tree = grow(JOBS)
    before = tree.leaf_node.copy()
    tree.common_ancestors([0, 1], [5, 5])
    assert np.array_equal(tree.leaf_node, before)


def test_common_ancestors_of_nothing():
    assert grow(JOBS).common_ancestors(np.array([], int), np.array([], int)).size == 0


@given(path_sets())
def test_levels_climb_and_coarsen(paths):
    tree = grow(paths)
    way = {path[0]: path for path in paths}
    assert tree.height == max(map(len, paths)) - 1
    for rank, leaf in enumerate(tree.leaves):
        column = [tree.labels[node] for node in tree.levels[:, rank]]
        assert column[0] == leaf
        assert column[-1] == "*"
        places = [way[leaf].index(label) for label in column]
        assert places == sorted(places)
    for below, level in pairwise(tree.levels):
        assert len(set(zip(below, level, strict=True))) == len(set(below))


@given(path_sets(padded=False))
def test_levels_without_padding_are_the_cells_of_the_path(paths):
    tree = grow(paths)
    for rank, leaf in enumerate(tree.leaves):
        path = next(path for path in paths if path[0] == leaf)
        for level in range(tree.height):
            expected = path[level] if level < len(path) - 1 else path[-2]
            assert tree.labels[tree.levels[level, rank]] == expected


@given(path_sets())
def test_null_leaf_meets_values_only_at_the_root(paths):
    plain = grow(paths)
    tree = plain.with_null_leaf()
    n = len(tree.leaves)
    assert tree.leaves == (None, *plain.leaves)
    assert tree.labels[tree.common_ancestor(0, 0)] is None
    assert np.all(tree.common_ancestors(np.zeros(n - 1, int), np.arange(1, n)) == 0)
    assert tree.has_null
    assert not plain.has_null
    for lo in range(n - 1):
        for hi in range(lo, n - 1):
            before = plain.labels[plain.common_ancestor(lo, hi)]
            assert tree.labels[tree.common_ancestor(lo + 1, hi + 1)] == before
    shifted = [[tree.labels[node] for node in level[1:]] for level in tree.levels]
    assert shifted == [[plain.labels[node] for node in level] for level in plain.levels]
    assert [tree.labels[node] for node in tree.levels[:, 0]] == [None] * tree.height + ["*"]


@given(path_sets(), st.booleans())
def test_loss_is_the_share_of_other_leaves(paths, null):
    tree = grow(paths).with_null_leaf() if null else grow(paths)
    others = len(tree.leaves) - 1
    for node, label in enumerate(tree.labels):
        covered = tree.last[node] - tree.first[node] + 1
        assert tree.loss[node] == (0 if others == 0 else (covered - 1) / others), label


def test_known_tree():
    tree = grow(JOBS)
    expected = ["*", "health", "care", "nurse", "cure", "doctor", "surgeon", "metal"]
    assert list(tree.labels) == [*expected, "smith", "welder", "retired"]
    assert tree.leaves == ("nurse", "doctor", "surgeon", "smith", "welder", "retired")
    assert tree.parent.tolist() == [-1, 0, 1, 2, 1, 4, 4, 0, 7, 7, 0]
    assert tree.first.tolist() == [0, 0, 0, 0, 1, 1, 2, 3, 3, 4, 5]
    assert tree.last.tolist() == [5, 2, 0, 0, 2, 1, 2, 4, 3, 4, 5]
    levels = [[tree.labels[node] for node in level] for level in tree.levels]
    assert levels == [
        list(tree.leaves),
        ["care", "cure", "cure", "metal", "metal", "retired"],
        ["health", "health", "health", "metal", "metal", "retired"],
        ["*"] * 6,
    ]
    assert tree.loss[tree.labels.index("health")] == 2 / 5
    assert tree.reading == {"paths": True}


def test_padding_holds_a_node_on_its_level():
    tree = grow([["a", "a", "A", "*"], ["b", "B", "A", "*"]])
    assert tree.labels == ("*", "A", "a", "B", "b")
    assert [[tree.labels[node] for node in level] for level in tree.levels] == [
        ["a", "b"],
        ["a", "B"],
        ["A", "A"],
        ["*", "*"],
    ]


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_levels_that_would_part_what_was_joined_are_raised(order):
    paths = {"a": ["a", "A", "A", "*"], "b": ["b", "A", "*", "*"]}
    tree = grow([paths[leaf] for leaf in order])
    assert [[tree.labels[node] for node in level] for level in tree.levels] == [
        list(order),
        ["A", "A"],
        ["*", "*"],
        ["*", "*"],
    ]


def test_one_leaf_costs_nothing():
    tree = grow([["a", "A", "*"]])
    assert tree.loss.tolist() == [0, 0, 0]
    assert tree.with_null_leaf().loss.tolist() == [1, 0, 0, 0]


def test_no_paths_make_a_root_that_can_take_null():
    tree = grow([])
    assert (tree.labels, tree.leaves, tree.levels.shape) == (("*",), (), (2, 0))
    assert tree.loss.tolist() == [0]
    null = tree.with_null_leaf()
    assert (null.labels, null.leaves) == (("*", None), (None,))
    assert null.levels.tolist() == [[1], [0]]
    assert null.common_ancestor(0, 0) == 1


def test_a_second_null_leaf_is_a_defect():
    with pytest.raises(InternalError) as caught:
        grow(JOBS).with_null_leaf().with_null_leaf()
    assert caught.value.reason == "second-null-leaf"


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param([["a"]], id="leaf is root"),
        pytest.param([["*", "*"]], id="leaf is root, padded"),
        pytest.param([["a", "*"], ["b", "+"]], id="two roots"),
        pytest.param([["a", "*"], ["a", "*"]], id="leaf twice"),
        pytest.param([["a", "A", "*"], ["b", "A", "B", "*"]], id="two parents"),
        pytest.param([["a", "*"], ["b", "a", "*"]], id="leaf with children"),
        pytest.param([["a", "*", "A", "*"]], id="root below a group"),
    ],
)
def test_paths_that_form_no_tree_are_a_defect(paths):
    with pytest.raises(InternalError) as caught:
        grow(paths)
    assert caught.value.reason == "not-a-tree"


def test_a_hierarchy_is_frozen():
    tree = grow(JOBS)
    with pytest.raises(AttributeError):
        tree.labels = ()
    assert isinstance(tree, Hierarchy)
