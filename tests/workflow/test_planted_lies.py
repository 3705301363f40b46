"""Publishing with a method that lies is refused, and nothing is written."""

from __future__ import annotations

import re

import polars as pl
import pytest

import planted_lies as lies
import seven_families
from papilio.errors import VerificationError
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish, publish_to
from sizes import some, spread

TEXT = {"cells": "text"}
NODES = {"columns": {**lies.ROLES, "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}}}}

#: Lies about one table, and what else the policy says.
ONE_TABLE = {
    "ranges of one code less": (lies.off_by_one, {}),
    "text ranges of one code less": (lies.off_by_one, TEXT),
    "intervals of siblings": (lies.sibling_labels, NODES),
    "labels of siblings": (lies.sibling_labels, {}),
    "sets lack a value": (lies.smaller_sets, {}),
    "text sets lack a value": (lies.smaller_sets, TEXT),
    "NULL where none is said": (lies.unsaid_null, {}),
    "smallest number too large": (lies.moved_bound("height_min", 1e-9), {}),
    "largest number too small": (lies.moved_bound("age_max", -1), {}),
    "moments of others": (lies.moved_bound("seen_max", pl.duration(microseconds=-1)), {}),
    "sensitive texts of others": (lies.rotated("ill"), {}),
    "sensitive numbers of others": (lies.rotated("pay"), {}),
    "sensitive booleans of others": (lies.rotated("smokes"), {}),
    "plain moments of others": (lies.rotated("last"), {}),
    "a value for NULL": (lies.filled("note", "n1"), {}),
    "NULL for a value": (lies.changed("ill", pl.lit(None)), {}),
    "a value nobody has": (lies.changed("ill", pl.lit("i9")), {}),
    "a number one bit off": (lies.changed("pay", pl.col("pay") + 2.0**-40), {}),
    "another zero": (lies.absolute("pay"), {}),
    "a row twice": (lies.repeated_row, {}),
    "a row twice, silently": (lies.silently_repeated_row, {}),
    "a row lost": (lies.dropped_row, {"privacy": {"k": 2}}),
    "rows that there are not": (lies.invented_witness, {}),
    "nothing said": (lies.no_witness, {}),
}


def policy(**more):
    said = {"columns": lies.ROLES, "privacy": {"k": 3}, "method": "mondrian"}
    return Policy(**(said | more))


@pytest.mark.parametrize("more", [{}, TEXT, NODES], ids=["bounds", "text", "nodes"])
@pytest.mark.parametrize("form", some(["parquet", "csv"]))
def test_the_truth_is_published(more, form, tmp_path):
    lies.PEOPLE.write_parquet(tmp_path / "people.parquet")
    made = publish_to(
        tmp_path / "out", policy(source=str(tmp_path / "people.parquet"), **more), format=form
    )
    assert [f.measured for f in made.verdict.findings if f.claim == "truthfulness"] == [
        f"all {lies.ROWS} lines are"
    ]


@pytest.mark.parametrize("lie", spread(ONE_TABLE, 6))
def test_lies_about_one_table(lie, monkeypatch):
    plant, more = ONE_TABLE[lie]
    plant(monkeypatch)
    with pytest.raises(VerificationError, match=r"not written: (truthfulness|promised rows)"):
        publish(lies.PEOPLE, policy(**more))


@pytest.mark.parametrize("form", some(["parquet", "csv"]))
@pytest.mark.parametrize(
    "lie", ["sensitive numbers of others", "sets lack a value", "ranges of one code less"]
)
def test_lies_are_found_in_what_was_written(lie, form, monkeypatch, tmp_path):
    lies.PEOPLE.write_parquet(tmp_path / "people.parquet")
    ONE_TABLE[lie][0](monkeypatch)
    with pytest.raises(VerificationError, match=r"not written: (truthfulness|promised rows)"):
        publish_to(tmp_path / "out", policy(source=str(tmp_path / "people.parquet")), format=form)
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]


FAMILIES = [
    ("recipients", lies.other_peoples_cells, "truthfulness"),
    ("permutation", lies.values_of_other_groups, "truthfulness of groups"),
    ("permutation", lies.values_changed, "truthfulness of people_values"),
    ("disguise", lies.other_values_disguised, "truthfulness of groups"),
    ("projections", lies.rotated("drug"), "truthfulness of people_"),
    ("linked", lies.other_peoples_grades, "truthfulness of student"),
    ("graph", lies.other_edges, "truthfulness of edges"),
    ("graph", lies.other_entities, "groups of left"),
    ("graph", lies.other_towns, "truthfulness of left"),
]


@pytest.mark.parametrize(("family", "lie", "claim"), spread(FAMILIES, 2))
def test_lies_of_other_families(family, lie, claim, monkeypatch, tmp_path):
    file, _ = seven_families.write_family(tmp_path, family)
    lie(monkeypatch)
    with pytest.raises(VerificationError, match=re.escape(f"not written: {claim}")):
        publish_to(tmp_path / "out", Policy.load(file))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", some(["parquet", "csv"]))
@pytest.mark.parametrize("family", seven_families.FAMILIES)
def test_every_family_publishes_the_truth(family, form, tmp_path):
    file, _ = seven_families.write_family(tmp_path, family)
    made = publish_to(tmp_path / "out", Policy.load(file), format=form)
    assert any(finding.claim.startswith("truthfulness") for finding in made.verdict.findings)
    assert made.verdict.holds


def test_children_of_others(monkeypatch):
    """All people look alike, so that nobody sees who whose children are."""
    frames = {
        "parent": pl.DataFrame({"id": range(6), "town": ["t"] * 6}),
        "child": pl.DataFrame({"of": range(6), "sex": ["f"] * 6, "ill": list("abcdef")}),
    }
    tables = {
        "parent": {"key": "id", "columns": {"town": "quasi"}},
        "child": {"parent": {"parent": "of"}, "columns": {"sex": "quasi", "ill": "sensitive"}},
    }
    order = Policy(tables=tables, person="parent", privacy={"k": 2})
    publish(frames, order)
    lies.other_parents(monkeypatch)
    with pytest.raises(VerificationError, match="not written: parents of child"):
        publish(frames, order)


def test_people_of_other_groups_are_not_disguised(monkeypatch):
    frame = pl.DataFrame({
        "town": [f"t{row}" for row in range(8)],
        "area": ["a"] * 4 + ["b"] * 4,
        "pay": [10, 20, 10, 20, 30, 40, 30, 40],
    })  # fmt: skip
    said = {"town": "quasi", "area": "quasi", "pay": "sensitive"}
    target = {"pay": {"distribution": "same", "by": ["area"]}}
    order = Policy(columns=said, privacy={"target": target})
    publish(frame, order)
    lies.people_of_other_groups(monkeypatch)
    with pytest.raises(VerificationError, match="truthfulness"):
        publish(frame, order)
