"""Editing trees: what every operation keeps, and that files read back as the same tree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.hierarchy.paths import read_paths
from papilio.data.hierarchy.tree import Hierarchy, from_leaf_paths
from papilio.errors import DataError
from papilio.web.forms.tree import (
    PAGE,
    EditTree,
    levels_of,
    pick_examples,
    tree_of_paths,
    visible_lines,
    with_ways,
)
from papilio.web.forms.tree_edits import (
    History,
    changed,
    dissolve,
    make_group,
    move,
    paths_csv,
    redo,
    rename_group,
    undo,
)

FLAT = tree_of_paths([(value, "*") for value in "abcdef"], [6, 5, 4, 3, 2, 1])


def grouped() -> EditTree:
    tree = make_group(FLAT, "first", ["a", "b"])
    tree = make_group(tree, "second", ["c", "d"])
    return make_group(tree, "both", ["first", "second"])


def sound(tree: EditTree) -> None:
    """Every label but the root is in exactly the group that says it is above it."""
    inside = [(label, group) for group, labels in tree.children.items() for label in labels]
    assert dict(inside) == dict(tree.above)
    assert len(inside) == len(tree.above)
    assert set(tree.groups()) == set(tree.children)
    assert all(tree.way_up(label)[-1] == tree.root for label in tree.above)


def test_groups_are_made_around_labels() -> None:
    tree = grouped()
    sound(tree)
    assert tree.children["*"] == ("e", "f", "both")
    assert tree.path("c") == ("c", "second", "both", "*")
    assert tree.values() == ("e", "f", "a", "b", "c", "d")
    assert tree.groups() == ("*", "both", "first", "second")


def test_moving_takes_what_is_inside_along() -> None:
    tree = move(grouped(), ["first", "a", "e"], "second")
    sound(tree)
    assert tree.children["second"] == ("c", "d", "first", "e")
    assert tree.children["first"] == ("a", "b")
    assert move(tree, ["c"], "second") is tree


def test_renaming_and_dissolving() -> None:
    tree = rename_group(grouped(), "second", " 2nd ")
    assert tree.path("c") == ("c", "2nd", "both", "*")
    tree = dissolve(tree, "both")
    sound(tree)
    assert tree.children["*"] == ("e", "f", "first", "2nd")
    assert rename_group(tree, "first", "first") is tree


@pytest.mark.parametrize(
    ("do", "reason"),
    [
        (lambda tree: make_group(tree, " "), "no-name"),
        (lambda tree: make_group(tree, "a"), "name-taken"),
        (lambda tree: make_group(tree, "first"), "name-taken"),
        (lambda tree: make_group(tree, "x\ny"), "bad-name"),
        (lambda tree: rename_group(tree, "*", "all"), "no-group"),
        (lambda tree: rename_group(tree, "a", "b2"), "no-group"),
        (lambda tree: move(tree, ["both"], "first"), "group-in-itself"),
        (lambda tree: move(tree, ["*"], "first"), "no-label"),
        (lambda tree: move(tree, ["a"], "b"), "no-group"),
        (lambda tree: dissolve(tree, "*"), "no-group"),
    ],
)
def test_what_makes_no_sense_is_refused_without_labels(do, reason: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(DataError) as caught:
        do(grouped())
    assert caught.value.reason == reason
    assert not {"first", "both"} & set(str(caught.value).replace(",", "").split())


def test_undo_and_redo() -> None:
    history = changed(History(FLAT), grouped())
    assert changed(history, history.tree) is history
    assert undo(history).tree is FLAT
    assert undo(undo(history)).tree is FLAT
    assert redo(undo(history)) == history
    assert changed(undo(history), make_group(FLAT, "x")).after == ()


def test_only_what_is_open_is_shown() -> None:
    tree = grouped()
    lines = visible_lines(tree, {"*", "both"})
    assert [(line.label, line.depth) for line in lines] == [
        ("*", 0), ("e", 1), ("f", 1), ("both", 1), ("first", 2), ("second", 2),
    ]  # fmt: skip
    assert (lines[3].values, lines[3].rows) == (4, 18)
    long = tree_of_paths([(f"v{number}", "*") for number in range(PAGE + 7)])
    *shown, more = visible_lines(long, {"*"})
    assert len(shown) == PAGE + 1
    assert (more.label, more.hidden) == ("*", 7)
    assert len(visible_lines(long, {"*"}, {"*": PAGE + 50})) == PAGE + 8
    assert with_ways(tree, (), "c") == {"second", "both", "*"}


def test_examples_come_from_all_over() -> None:
    assert pick_examples(FLAT, 3) == ("a", "c", "e")
    assert pick_examples(FLAT, 9) == tuple("abcdef")


def test_levels_say_what_is_lost() -> None:
    levels = levels_of(grouped(), ["a", "e"])
    assert [level.labels for level in levels] == [
        ("a", "e"), ("first", "e"), ("both", "e"), ("*", "*"),
    ]  # fmt: skip
    assert levels[0].loss == 0
    assert levels[-1].loss == 1
    # 18 of 21 rows are in a group of four of six values, the others stand for themselves.
    assert levels[2].loss == pytest.approx(18 / 21 * 3 / 5)
    assert [level.groups for level in levels] == [6, 4, 3, 1]


LABELS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1).filter(
    lambda text: bool(text.strip())
)


@st.composite
def trees(draw: st.DrawFn) -> EditTree:
    values = draw(st.lists(LABELS, min_size=1, max_size=8, unique=True))
    values = [value for value in values if value != "*"] or ["a"]
    tree = tree_of_paths([(value, "*") for value in values], [3] * len(values))
    for number in range(draw(st.integers(0, 5))):
        labels = sorted(tree.above)
        members = draw(st.lists(st.sampled_from(labels), max_size=4, unique=True))
        name = f"group {number}"
        if not tree.knows(name):
            tree = make_group(tree, name, members[:1])
            movable = [each for each in members if each not in tree.way_up(name)]
            tree = move(tree, movable, name)
    return tree


def filled(tree: EditTree) -> EditTree:
    """Without groups that have no values, which no file can tell of."""
    for group in reversed(tree.groups()):
        if group != tree.root and not tree.values(group):
            tree = dissolve(tree, group)
    return tree


def compiled(tree: EditTree) -> Hierarchy:
    return from_leaf_paths([tree.path(value) for value in tree.values()], {})


@given(trees())
def test_files_read_back_as_the_same_tree(tmp_path_factory: pytest.TempPathFactory, tree) -> None:  # type: ignore[no-untyped-def]
    sound(tree)
    tree = filled(tree)
    file = tmp_path_factory.mktemp("tree") / "paths.csv"
    file.write_text(paths_csv(tree), encoding="utf-8")
    read, meant = read_paths(file), compiled(tree)
    assert read.labels == meant.labels
    assert read.leaves == meant.leaves
    np.testing.assert_array_equal(read.levels, meant.levels)


@given(trees())
def test_levels_are_those_of_the_hierarchy(tree: EditTree) -> None:
    tree = filled(tree)
    meant, values = compiled(tree), tree.values()
    levels = levels_of(tree, values)
    assert len(levels) == len(meant.levels)
    for level, nodes in zip(levels, meant.levels, strict=True):
        assert dict(zip(values, level.labels, strict=True)) == {
            meant.leaves[rank]: meant.labels[node] for rank, node in enumerate(nodes)
        }
        assert level.loss == pytest.approx(meant.loss[nodes].mean())


def test_levels_of_a_file_are_kept(tmp_path: Path) -> None:
    ragged = "a,a,x,*\nb,y,x,*\nc,z,*\nd,d,z,*\n"
    file = tmp_path / "ragged.csv"
    file.write_text(ragged, encoding="utf-8")
    meant = read_paths(file)
    labels = np.array(meant.labels, dtype=object)
    tree = tree_of_paths(labels[meant.levels.T].tolist())
    file.write_text(paths_csv(tree), encoding="utf-8")
    np.testing.assert_array_equal(read_paths(file).levels, meant.levels)


def test_blanks_and_signs_of_values_are_kept(tmp_path: Path) -> None:
    values = [" a", "a", 'say "b"', "c, d", "e; f", "\tg"]
    tree = tree_of_paths([(value, "group", "*") for value in values])
    file = tmp_path / "signs.csv"
    file.write_text(paths_csv(tree), encoding="utf-8")
    assert list(read_paths(file).leaves) == values


@pytest.mark.parametrize("turned", [False, True])
def test_what_one_level_joins_the_next_does_not_part(turned: bool) -> None:
    two = [("a", "G", "H", "*"), ("b", "G", "G", "H", "*")]
    tree = tree_of_paths([*(reversed(two) if turned else two), ("c", "*")])
    meant = compiled(tree)
    for level, nodes in zip(levels_of(tree, meant.leaves[:2]), meant.levels, strict=True):
        assert level.labels == tuple(meant.labels[node] for node in nodes[:2])
