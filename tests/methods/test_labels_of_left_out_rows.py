"""No label of a release names a value that only rows have which are left out."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papilio import Policy
from papilio.data.hierarchy.build import build
from papilio.data.hierarchy.published_labels import nodes_of_labels, published_labels
from papilio.data.hierarchy.rules import AutomaticRule
from papilio.data.table import ColumnType
from papilio.errors import DataError
from papilio.measure.possible_values import possible_values
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_of
from papilio.workflow.publish import publish
from papilio.workflow.report import document
from papilio.workflow.risk import attack
from papilio.workflow.verify import verify

#: The last person is left out: nobody else of that sex. Their age and town are nobody else's.
PEOPLE = pl.DataFrame(
    {
        "age": [20, 21, 51, 51, 117],
        "town": ["a", "b", "c", "c", "zz"],
        "sex": ["m", "m", "m", "m", "f"],
        "ill": ["x", "y", "x", "y", "x"],
    }
)
AUTOMATIC = {"role": "quasi", "hierarchy": "automatic"}
ORDERS = {
    "one table": {"method": "incognito"},
    "recipients": {"method": "union", "generalise": "incognito", "recipients": {}},
    "projections": {"method": "projections", "generalise": "incognito"},
}


def _texts(release):
    """Every text of the release: its cells, its hierarchies, its manifest."""
    frames = [frame.cast(pl.String).rows() for frame in release.frames.values()]
    return json.dumps([frames, asdict(release.manifest), dict(release.hierarchies)], default=str)


@pytest.mark.parametrize("column", ["age", "town"])
@pytest.mark.parametrize("more", ORDERS.values(), ids=ORDERS)
def test_full_domain_labels(column, more):
    columns = {column: AUTOMATIC, "sex": "quasi", "ill": "sensitive"}
    if "recipients" in more:
        more = more | {"recipients": {"one": [column], "two": [column, "sex"]}}
    policy = Policy(columns=columns, privacy={"k": 2, "suppress": "20%"}, **more)
    frame = PEOPLE.select(list(columns))
    release = publish(frame, policy, seed=1)
    (published,) = release.frames.values()
    labels = {"age": {"[20, 21]", "51"}, "town": {'["a","b"]', "c"}}
    assert set(published.get_column(column)) == labels[column]
    assert not re.search(r"117|zz", _texts(release))
    assert verify(release, original=policy, data=frame).holds
    document(release, original=policy, data=frame)


def test_measures_find_such_labels():
    columns = {"age": AUTOMATIC, "town": AUTOMATIC, "sex": "quasi", "ill": "sensitive"}
    policy = Policy(columns=columns, privacy={"k": 2, "suppress": "20%"}, method="incognito")
    release = publish(PEOPLE, policy, name="people", seed=1)
    table = order_of(PEOPLE, policy, "people")[0].table
    classes, values = published_classes(release, table), possible_values(release, table)
    assert classes.sizes.sum() == values.rows == 4
    assert set(classes.loss["age"]) == {0.0, 1 / 3}
    assert attack(release, original=policy, data=PEOPLE)


@pytest.mark.parametrize("as_text", [False, True])
def test_linked_rows_that_are_removed(as_text):
    """A row that finds no partner leaves no trace in the label of those that do."""
    policy = Policy(
        tables={
            "student": {"key": "sid", "columns": {"year": "quasi"}},
            "takes": {
                "parent": {"student": "sid"},
                "columns": {"grade": AUTOMATIC, "town": "quasi"},
            },
        },
        person="student",
        privacy={"k": 2},
    )
    # The tree over eight grades has the node [51, 117], the smallest over 51 and 53.
    first, second = [1, 2, 3, 4, 52, 51, 117], [1, 2, 3, 4, 52, 53]
    grades = pl.Series("grade", first + second)
    if as_text:
        grades = pl.Series("grade", [f"g{each:03}" for each in grades])
    data = {
        "student": pl.DataFrame({"sid": [1, 2], "year": [2000, 2000]}),
        "takes": pl.DataFrame(
            {
                "sid": [1] * len(first) + [2] * len(second),
                "grade": grades,
                "town": ["a"] * 6 + ["zz"] + ["a"] * 6,
            }
        ),
    }
    release = publish(data, policy, seed=1)
    labels = set(release.frames["takes"].get_column("grade"))
    assert ('["g051","g052","g053"]' if as_text else "[51, 53]") in labels
    assert not re.search(r"117|zz", _texts(release))
    assert verify(release, original=policy, data=data).holds


def test_nothing_tells_of_missing_values_of_removed_rows():
    policy = Policy(
        tables={
            "student": {"key": "sid", "columns": {"year": "quasi"}},
            "takes": {"parent": {"student": "sid"}, "columns": {"grade": "quasi"}},
        },
        person="student",
        privacy={"k": 2},
    )
    data = {
        "student": pl.DataFrame({"sid": [1, 2], "year": [2000, 2000]}),
        "takes": pl.DataFrame({"sid": [1, 1, 1, 2, 2], "grade": [1, 2, None, 1, 2]}),
    }
    release = publish(data, policy, seed=1)
    assert release.frames["takes"].columns == ["sid", "grade_min", "grade_max"]
    assert verify(release, original=policy, data=data).holds


def test_a_value_like_the_label_of_published_ones_is_refused():
    towns = pl.Series("town", ["A", "AA", "B", "D", "E", '["A","B"]'])
    tree = build(AutomaticRule(), towns, ColumnType.CATEGORY, "town")
    codes = [tree.leaves.index(town) for town in ["A", "B", '["A","B"]']]
    with pytest.raises(DataError) as caught:
        published_labels(tree, np.array(codes), "town", ordered=False)
    assert caught.value.reason == "value-like-label"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_labels_name_what_is_published_and_are_found_again(data):
    ordered = data.draw(st.booleans())
    count = data.draw(st.integers(1, 12))
    values = pl.Series("x", range(count) if ordered else [f"v{i:02}" for i in range(count)])
    kind = ColumnType.NUMERIC if ordered else ColumnType.CATEGORY
    tree = build(AutomaticRule(), values, kind, "x")
    kept = data.draw(st.lists(st.integers(0, count - 1), min_size=1, unique=True))
    labels = published_labels(tree, np.array(kept), "x", ordered=ordered)
    level = data.draw(st.integers(0, tree.height))
    used = {rank: labels[tree.levels[level][rank]] for rank in kept}
    gone = {tree.leaves[rank] for rank in range(count)} - {tree.leaves[rank] for rank in kept}
    for rank, label in used.items():
        named = set(re.findall(r"v\d\d|\d+", label))
        assert not named & gone
        (node,) = nodes_of_labels(tree, [label])
        assert tree.first[node] <= rank <= tree.last[node]
        below = tree.levels[level][rank]
        assert tree.first[below] <= tree.first[node] <= tree.last[node] <= tree.last[below]
    same = [(a, b) for a in kept for b in kept if used[a] == used[b]]
    assert all(tree.levels[level][a] == tree.levels[level][b] for a, b in same)


def test_a_label_of_another_hierarchy_is_not_found():
    tree = build(AutomaticRule(), pl.Series("x", [1, 2, 3]), ColumnType.NUMERIC, "x")
    assert nodes_of_labels(tree, ["[1, 9]", '["a"]', '["', None, "2"]).tolist() == [
        -1, -1, -1, -1, tree.labels.index("2"),
    ]  # fmt: skip
