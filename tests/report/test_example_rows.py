from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from releases import HOSTILE, calendar_table, hostile_table, release_of

from papilio.data.hierarchy.build import build
from papilio.data.hierarchy.rules import AutomaticRule
from papilio.data.table import ColumnType, Role
from papilio.document.text import range_text, set_text, value_text
from papilio.families.generalising.example_rows import example_rows
from tables import column, quasi_tables, table


def covers(text, value, described, source):
    """Oracle: whether the words for a cell allow the words for a value."""
    if described.role is not Role.QUASI:
        return text == value
    options = text.removesuffix(" or missing")
    if value == "missing":
        return text in ("missing", "any value") or text != options or "missing" in text.split(", ")
    if text == "any value" or value in options.split(", ") or text == value:
        return True
    if described.type is ColumnType.NUMERIC and not text.startswith("["):
        dash = " to " if " to " in options else "–"
        low, high = map(float, options.split(dash))
        return low <= float(value) <= high
    # The label of a node: it must stand above the value.
    tree = build(described.hierarchy, source, described.type, described.name)
    node = int(tree.leaf_node[tree.leaves.index(value)])
    above = []
    while node >= 0:
        above.append(tree.labels[node])
        node = int(tree.parent[node])
    return text in above


@given(quasi_tables(), st.integers(1, 5), st.booleans())
@settings(max_examples=100, deadline=None)
def test_cover(original, k, text):
    release = release_of(original, k, text=text)
    described = {each.name: each for each in original.columns}
    examples = example_rows(release, original, 5)
    assert len(examples) == min(5, original.height)
    originals = {tuple(value_text(value) for value in row) for row in original.frame.iter_rows()}
    for example in examples:
        assert tuple(example.before.values()) in originals
        assert list(example.after) == list(example.before) == original.frame.columns
        for name, value in example.before.items():
            source = original.frame.get_column(name)
            assert covers(example.after[name], value, described[name], source), name


@given(quasi_tables(min_rows=6))
@settings(max_examples=25, deadline=None)
def test_do_not_depend_on_the_shuffling(original):
    first, second = (release_of(original, 2, seed=seed) for seed in (1, 2))
    assert example_rows(first, original, 3) == example_rows(second, original, 3)


def test_do_not_depend_on_the_order_of_rows_where_classes_overlap():
    original = table(age=(pl.Series([3, 3]), column("age", ColumnType.NUMERIC)))
    release = release_of(original)
    cells = pl.DataFrame({"age_min": [3, 1, 2], "age_max": [8, 9, 3]})
    for frame in (cells, cells.reverse()):
        (example,) = example_rows(replace(release, frames={"people": frame}), original, 1)
        assert example.after == {"age": "1–9"}


def test_words_of_ranges_and_sets():
    assert range_text(30, 40, null=False) == "30–40"
    assert range_text(30, 30, null=False) == "30"
    assert range_text(0.5, 2.0, null=True) == "0.5–2 or missing"
    assert range_text(-5, 3, null=False) == "-5 to 3"
    assert range_text(None, None, null=True) == "missing"
    assert set_text(["a", "b"]) == "a, b"
    assert set_text([None, "b"]) == "missing, b"
    assert set_text(["x" * 30] * 9) == f"{'x' * 30}, {'x' * 30} and 7 more"


@pytest.mark.parametrize("text", [False, True])
def test_words_of_dates(text):
    original = calendar_table()
    example = example_rows(release_of(original, 12, text=text), original, 1)[0]
    assert example.before["born"] == "2008-07-13"
    assert example.after["born"] == "1990-01-01 to 2023-12-23"
    assert example.before["seen"] == "2020-01-02 12:30:00"
    assert example.after["seen"] == "2020-01-01 00:30:00 to 2020-01-03 18:30:00"
    assert example.after["left"] == "any value"
    assert example.before["visits"] == example.after["visits"] == "6"


def test_words_of_automatic_hierarchies():
    original = table(
        age=(
            pl.Series([1, 2, 7, 8]),
            column("age", ColumnType.NUMERIC, hierarchy=AutomaticRule()),
        ),
        job=(pl.Series(["a", "b", "y", "z"]), column("job", hierarchy=AutomaticRule())),
    )
    example = example_rows(release_of(original, 2), original, 1)[0]
    assert example.before == {"age": "7", "job": "y"}
    assert example.after == {"age": "7–8", "job": "y, z"}


def test_values_from_files_are_compared_by_value(tmp_path):
    from papilio.release.release import Release

    original = table(
        age=(pl.Series([1, 2, 3, 4]), column("age", ColumnType.NUMERIC)),
        pay=(pl.Series([0.1, 2.0, None, 1e6]), column("pay", ColumnType.NUMERIC, Role.SENSITIVE)),
        code=(pl.Series(["007", "1", "", None]), column("code", role=Role.PLAIN)),
        well=(pl.Series([True, None, False, True]), column("well", ColumnType.BOOLEAN, Role.PLAIN)),
    )
    release_of(original, 2).save(tmp_path / "out", format="csv")
    examples = example_rows(Release.open(tmp_path / "out"), original, 4)
    assert [each.after["code"] for each in examples] == ["007", "1", "(empty)", "missing"]
    assert [each.after["pay"] for each in examples] == ["0.1", "2", "missing", "1000000"]
    assert [each.after["well"] for each in examples] == ["true", "missing", "false", "true"]


def test_another_original_gives_no_examples():
    made = table(age=(pl.Series([1, 2]), column("age", ColumnType.NUMERIC)))
    other = table(age=(pl.Series([8, 9]), column("age", ColumnType.NUMERIC)))
    assert example_rows(release_of(made), other, 2) == []
    assert example_rows(release_of(made), made, 0) == []
    made = table(job=(pl.Series(["a", "b"]), column("job")))
    other = table(job=(pl.Series(["c", None]), column("job")))
    assert example_rows(release_of(made), other, 2) == []


def test_no_control_characters_reach_a_terminal():
    original = hostile_table()
    examples = example_rows(release_of(original, 2), original, 16)
    words = [word for each in examples for word in (*each.before.values(), *each.after.values())]
    assert any(HOSTILE in word for word in words), "the rest of the text is kept as it is"
    assert not any(ord(letter) < 32 or letter == "\u202e" for word in words for letter in word)


def test_cells_that_no_value_of_the_original_can_have():
    original = table(
        "people",
        age=(pl.Series([1, 2, 3, 4]), column("age", ColumnType.NUMERIC)),
        days=(pl.Series([5, 6, 7, 8]), column("days", ColumnType.NUMERIC, role=Role.SENSITIVE)),
    )
    release = release_of(original, 2)
    frame = release.frames["people"].with_columns(pl.lit(float("nan")).alias("days"))
    assert example_rows(replace(release, frames={"people": frame}), original, 2) == []
