from dataclasses import replace

import numpy as np
import pytest

from papilio.data.hierarchy.tree import from_leaf_paths
from papilio.errors import InternalError

TREE = from_leaf_paths(
    [["a", "A", "*"], ["b", "A", "*"], ["c", "C", "*"], ["d", "C", "*"]], {"paths": True}
)


def ints(*numbers):
    return np.array(numbers, dtype=np.int32)


def changed(name, place, number):
    array = getattr(TREE, name).copy()
    array[place] = number
    return {name: array}


def test_the_tree_under_test_is_sound():
    assert TREE.labels == ("*", "A", "a", "b", "C", "c", "d")
    replace(TREE)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"parent": TREE.parent.astype(np.int64)}, "int32"),
        ({"labels": ()}, "a root"),
        ({"labels": TREE.labels[:-1]}, "each node"),
        ({"first": TREE.first[:-1]}, "each node"),
        ({"leaves": TREE.leaves[:-1]}, "each leaf"),
        ({"levels": TREE.levels[:1]}, "height"),
        ({"levels": TREE.levels[:, :3]}, "height"),
        (changed("leaf_node", 0, 7), "exist"),
        (changed("levels", (1, 0), -1), "exist"),
        ({"labels": ("*", "A", "a", "b", "A", "c", "d")}, "labels must differ"),
        ({"leaves": ("a", "a", "c", "d")}, "leaves must differ"),
        ({"leaves": ("a", None, "c", "d")}, "leaf 0"),
        ({"leaves": (None, "b", "c", "d")}, "labelled NULL"),
        ({"labels": ("*", None, "a", "b", "C", "c", "d")}, "labelled NULL"),
        (changed("parent", 0, 0), "root"),
        (changed("parent", 1, 4), "parents before"),
        (changed("parent", 2, -1), "parents before"),
        (changed("parent", 2, 2), "parents before"),
        (changed("parent", 5, 3), "without children"),
        (changed("leaf_node", 0, 1), "without children"),
        (changed("first", 3, 0), "covers itself"),
        (changed("last", 2, 1), "covers itself"),
        (changed("last", 0, 2), "all leaves"),
        (changed("first", 0, 1), "all leaves"),
        (changed("parent", 6, 1), "contiguous"),
        (changed("last", 1, 0), "contiguous"),
        ({**changed("last", 1, 0), **changed("first", 4, 1)}, "children"),
        (changed("levels", (0, 0), 1), "level 0"),
        (changed("levels", (2, 3), 4), "last level"),
        (changed("levels", (1, 0), 4), "covers its leaf"),
        ({"levels": TREE.levels[[0, 1, 0, 2]]}, "go up"),
        (
            {"levels": np.array([TREE.levels[0], TREE.levels[1], [1, 0, 4, 4], [0] * 4], np.int32)},
            "coarsen",
        ),
    ],
)
def test_each_kind_of_damage_is_noticed(change, complaint):
    with pytest.raises(InternalError, match=complaint) as caught:
        replace(TREE, **change)
    assert caught.value.reason == "unsound-hierarchy"
