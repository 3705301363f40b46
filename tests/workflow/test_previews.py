"""Looks at data before anything is published: values, hierarchies, targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from papilio.data.source import FileSource
from papilio.data.table import ColumnType
from papilio.errors import DataError, PolicyError
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.workflow import previews
from papilio.workflow.previews import preview_hierarchy, preview_target
from papilio.workflow.publish import choice_of
from papilio.workflow.value_counts import MOST_LABELS, count_values

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def table(tmp_path: Path) -> FileSource:
    rows = [("17", "a", "2020-01-05", "3.5")] * 3 + [("40", "b", "2021-07-09", "4.0")] * 2
    rows += [("", "", "", "")]
    lines = ["age,town,day,price", *(",".join(row) for row in rows)]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    return FileSource(tmp_path / "t.csv")


def test_every_row_is_counted_once(table: FileSource) -> None:
    counted = {each.column: each for each in count_values(table)}
    for each in counted.values():
        assert sum(each.rows) + each.others + each.missing == 6
        assert each.missing == 1
        assert each.distinct == 2
    age = counted["age"]
    assert (age.type, age.lowest, age.highest) == (ColumnType.NUMERIC, 17, 40)
    assert age.rows[0] == 3
    assert age.rows[-1] == 2
    assert counted["town"].labels == ("a", "b")
    assert counted["town"].lowest is None
    assert counted["day"].to_dict()["type"] == "date"


def test_rare_labels_are_put_together(tmp_path: Path) -> None:
    values = [f"v{number}" for number in range(MOST_LABELS + 5)]
    (tmp_path / "t.csv").write_text("town\n" + "\n".join([*values, values[-1]]))
    (counts,) = count_values(FileSource(tmp_path / "t.csv"))
    assert counts.labels[0] == values[-1]
    assert counts.others == 5
    assert counts.longest == 3


def test_a_column_without_values(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,\n2,\n")
    counted = count_values(FileSource(tmp_path / "t.csv"))
    assert (counted[1].rows, counted[1].missing, counted[1].distinct) == ((), 2, 0)


def preview(table: FileSource, column: str, said: object) -> previews.HierarchyPreview:
    policy = ColumnPolicy.model_validate(said)
    return preview_hierarchy(table, column, policy, table.path.parent)


def test_rules_are_built_over_the_values(table: FileSource) -> None:
    found = preview(table, "age", {"role": "quasi", "hierarchy": {"intervals": [10, 50]}})
    assert found.paths == (("17", "[10, 20)", "[0, 50)", "*"), ("40", "[40, 50)", "[0, 50)", "*"))
    assert found.rows == (3, 2)
    assert found.losses == (0, 0, 1, 1)
    assert found.groups == (2, 2, 1, 1)
    assert found.missing == 1
    flat = preview(table, "town", "quasi")
    assert flat.paths == (("a", "*"), ("b", "*"))
    assert flat.new == ()


def test_values_a_file_lacks_are_told_not_refused(table: FileSource) -> None:
    (table.path.parent / "town.csv").write_text("a,north,*\nz,north,*\n")
    found = preview(table, "town", {"role": "quasi", "hierarchy": "town.csv"})
    assert found.new == ("b",)
    assert dict(zip([path[0] for path in found.paths], found.rows, strict=True)) == {
        "a": 3, "z": 0, "b": 2,
    }  # fmt: skip
    (table.path.parent / "other.csv").write_text("y,north,*\nz,north,*\n")
    assert preview(table, "town", {"role": "quasi", "hierarchy": "other.csv"}).new == ("a", "b")
    (table.path.parent / "price.csv").write_text("3.5,low,*\n4,high,*\n")
    numbers = preview(table, "price", {"role": "quasi", "hierarchy": "price.csv"})
    assert numbers.new == ()
    assert numbers.rows == (3, 2)


def test_a_group_called_like_a_new_value_is_refused_without_it(table: FileSource) -> None:
    (table.path.parent / "town.csv").write_text("a,b,*\n")
    with pytest.raises(DataError) as caught:
        preview(table, "town", {"role": "quasi", "hierarchy": "town.csv"})
    assert caught.value.reason == "ambiguous-label"


def test_too_many_values_are_only_counted(
    table: FileSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "MOST_VALUES", 1)
    found = preview(table, "town", "quasi")
    assert (found.paths, found.rows, found.values) == ((), (), 2)
    assert found.losses == (0, 1)


@pytest.mark.parametrize("name", ["policy.yaml", "personal.yaml"])
def test_a_target_beside_the_data(name: str) -> None:
    policy = Policy.load(EXAMPLES / "disguise" / name)
    found = preview_target(policy)
    assert sum(found.data) == pytest.approx(1)
    assert sum(found.target) == pytest.approx(1)
    assert found.parts is (name == "policy.yaml")
    assert len(found.labels) == len(found.data) == len(found.target)
    if name == "personal.yaml":
        assert max(found.target) == pytest.approx(min(found.target))
    assert 0 < found.distance < 1


def test_the_same_distribution_is_no_way_off() -> None:
    policy = Policy.load(EXAMPLES / "disguise" / "policy.yaml")
    said = {"salary": {"distribution": "same", "by": ["region"]}}
    same = Policy(
        source=str(EXAMPLES / "disguise" / "staff.csv"),
        person="rows",
        columns={name: column.role for name, column in policy.columns.items()},
        privacy={"target": said},
    )
    assert preview_target(same).distance == pytest.approx(0, abs=1e-9)


def test_no_target_no_picture() -> None:
    with pytest.raises(PolicyError):
        preview_target(Policy.load(EXAMPLES / "one-table" / "policy.yaml"))


def test_the_choice_is_that_of_a_run() -> None:
    policy = Policy.load(EXAMPLES / "one-table" / "policy.yaml")
    assert choice_of(policy, 200).method == "hybrid"
    assert choice_of(policy, 2_000_000).method == "mondrian"
