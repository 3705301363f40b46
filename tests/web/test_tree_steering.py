"""Walking through a tree by keys and clicks, and how it is drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from papilio.web.forms.edits import Place
from papilio.web.forms.tree import PAGE, levels_of, tree_html, tree_of_paths
from papilio.web.forms.tree_edits import (
    Steering,
    at_first,
    dissolve,
    file_name,
    go_to,
    make_group,
    press,
    save_tree,
    select_range,
    settled,
    toggle_open,
    toggle_selected,
)
from papilio.web.pictures import levels_table
from papilio.web.project import Project

PATHS = [(f"{letter}{n}", letter, "*") for letter in "ab" for n in range(3)]
TREE = tree_of_paths(PATHS, [2] * 6)
LONG = tree_of_paths([(f"v{n}", "*") for n in range(3 * PAGE)])
ONE = Place("", (), "t.csv", ())


def walk(steering: Steering, *keys: str) -> Steering:
    for key in keys:
        steering = press(steering, TREE, key)
    return steering


def label(steering: Steering) -> str:
    return steering.lines(TREE)[steering.current].label


def test_arrows_walk_open_and_close() -> None:
    start = Steering(frozenset({"*"}))
    assert [line.label for line in start.lines(TREE)] == ["*", "a", "b"]
    assert label(walk(start, "ArrowDown")) == "a"
    assert label(walk(start, "ArrowDown", "ArrowRight", "ArrowRight")) == "a0"
    assert label(walk(start, "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft")) == "a"
    closed = walk(start, "ArrowDown", "ArrowRight", "ArrowLeft")
    assert "a" not in closed.opened
    assert label(walk(start, "End")) == "b"
    assert label(walk(start, "ArrowUp")) == "*"
    assert label(walk(start, "End", "Home")) == "*"
    assert "b" in walk(start, "End", "Enter").opened
    assert walk(start, "x") is start


def test_blanks_select_all_but_the_root() -> None:
    start = at_first(TREE)
    assert start.opened == {"*", "a", "b"}
    assert walk(start, " ").selected == ()
    chosen = walk(start, "ArrowDown", " ", "ArrowDown", " ")
    assert chosen.selected == ("a", "a0")
    assert walk(chosen, " ").selected == ("a",)
    assert select_range(replace(start, current=1), TREE, 3).selected == ("a", "a0", "a1")


def test_long_groups_are_shown_in_parts() -> None:
    start = at_first(LONG)
    assert len(start.lines(LONG)) == PAGE + 2
    more = toggle_selected(start, LONG, PAGE + 1)
    assert len(more.lines(LONG)) == 2 * PAGE + 2
    there = go_to(start, LONG, f"v{3 * PAGE - 1}")
    assert there.lines(LONG)[there.current].label == f"v{3 * PAGE - 1}"
    assert toggle_open(start, LONG, 1).opened == start.opened


def test_what_is_gone_is_not_selected() -> None:
    chosen = Steering(frozenset({"*", "a"}), selected=("a", "a1"), current=6)
    settled_there = settled(chosen, dissolve(TREE, "a"))
    assert settled_there.selected == ("a1",)
    assert settled_there.opened == {"*"}
    assert settled_there.current < len(settled_there.lines(dissolve(TREE, "a")))


def test_labels_are_only_text() -> None:
    bad = '<b onclick="x">'
    tree = make_group(tree_of_paths([("</i>", "*")]), bad)
    html = tree_html(at_first(tree).lines(tree), (bad,), 0)
    assert "<b" not in html
    assert "</i></span>" in html.replace("&lt;/i&gt;", "")
    assert 'aria-selected="true"' in html
    assert "empty, not saved" in html
    assert "<b" not in levels_table(levels_of(tree_of_paths([(bad, "*")])))


def test_each_column_has_a_file_of_its_own(tmp_path: Path) -> None:
    columns = ["town", "to/wn", "to-wn", "..", "Ort ä", "x" * 300, "x" * 301]
    names = [file_name(ONE, column) for column in columns]
    assert len(set(names)) == len(names)
    assert names[0] == "hierarchies/town.csv"
    project = Project("p", tmp_path)
    project.hierarchies.mkdir()
    for name in names:
        save_tree(project, name, TREE)
    assert len(list(project.hierarchies.iterdir())) == len(names)
    linked = Place("takes", ("tables", "takes"), "t.csv", ())
    assert file_name(linked, "grade") == "hierarchies/takes-grade.csv"
