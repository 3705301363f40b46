"""Disguised distributions, on one machine and in the engine."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from both_engines import check_same, collected, mixed, publish_family
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from many_rows import (
    TARGETS,
    TREE,
    order_by_file_of_weights,
    order_of_marks,
    order_of_pay,
    pay,
    ranges_of_pay,
)
from papilio import Policy
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.families.disguise import spark_plan as disguised_classes
from papilio.families.engines.spark import cells, people
from papilio.workflow.publish import publish_to
from sizes import some

CASES = TARGETS | {
    "fakes": ({"distribution": "uniform", "tree": TREE}, {"fakes": 0.05}),
    "classes": ({"distribution": "uniform", "mode": "per-class", "by": ["sex"], "tree": TREE}, {}),
    "classes and fakes": (
        {"distribution": "uniform", "mode": "per-class", "tree": TREE},
        {"fakes": 0.1},
    ),
}


@pytest.mark.parametrize("case", some(CASES, "uniform", "classes and fakes", "personal by part"))
def test_targets(tmp_path, embedded, case):
    target, privacy = CASES[case]
    frame = pay(900)
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=250)
    policy = order_of_pay(tmp_path / "people.parquet", target, **privacy)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert pair.spark.release.manifest.tables == pair.local.release.manifest.tables
    assert pair.spark.notes == pair.local.notes
    assert ranges_of_pay(pair.spark).equals(ranges_of_pay(pair.local))
    shown = pair.spark.release.frames["people"].drop("group")
    assert mixed(shown).equals(mixed(frame.select(shown.columns)))


def test_files_of_weights_and_text_sources(tmp_path, embedded):
    policy = order_by_file_of_weights(tmp_path)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert ranges_of_pay(pair.spark).equals(ranges_of_pay(pair.local))


def test_labels_in_order_and_in_a_hierarchy(tmp_path, embedded):
    policy = order_of_marks(tmp_path)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert len(pair.spark.release.manifest.tables) == 2


@pytest.mark.long
def test_a_randomised_allocation(tmp_path, embedded):
    pay(200).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "allocation": "randomised", "tree": TREE}
    policy = order_of_pay(tmp_path / "people.parquet", target)
    check_same(publish_family(tmp_path, policy, embedded), policy)
    small = order_of_pay(tmp_path / "people.parquet", {**target, "mode": "per-class"})
    folder = tmp_path / "classes"
    folder.mkdir()
    check_same(publish_family(folder, small, embedded), small)


@pytest.mark.parametrize("mode", some(["whole", "per-class"]))
def test_groups_larger_than_a_file(tmp_path, embedded, monkeypatch, mode):
    for module in (people, cells, disguised_classes):
        monkeypatch.setattr(module, "PIECE_ROWS", 200)
    pay(1300).write_parquet(tmp_path / "people.parquet", row_group_size=300)
    target = {"distribution": "uniform", "tree": TREE, "mode": mode}
    policy = order_of_pay(tmp_path / "people.parquet", target, fakes=0.02)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert ranges_of_pay(pair.spark).equals(ranges_of_pay(pair.local))
    tables = [file.table for file in pair.spark.release.manifest.files]
    assert tables.count("people") > 3
    assert tables.count("people_values") > 3
    assert tables.count("people_help") > 3


@pytest.mark.parametrize(
    ("change", "target", "privacy"),
    [
        (pl.col("pay").replace(50, None), "uniform", {}),
        (pl.col("pay") * 2, {"distribution": "uniform", "tree": TREE}, {}),
        (pl.col("level").replace("0", "x"), "uniform", {"personal": "level"}),
        (pl.col("level").replace("0", "[0, 9]"), {"distribution": "uniform", "tree": TREE},
         {"personal": "level"}),
    ],
    ids=["missing", "outside", "no level", "not in the level"],
)  # fmt: skip
def test_faults_of_the_data_are_told_as_on_one_machine(tmp_path, embedded, change, target, privacy):
    frame = pay(400).with_columns(change)
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=150)
    target = {"distribution": target} if isinstance(target, str) else target
    policy = order_of_pay(tmp_path / "people.parquet", target, **privacy)
    said = []
    for engine in ({}, {"engine": "spark", "remote": embedded}):
        with pytest.raises(DataError) as caught:
            publish_to(tmp_path / "out", policy, **engine)
        said.append((str(caught.value), caught.value.reason))
    assert said[0] == said[1]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["people.parquet"]


def test_too_many_rows_for_a_randomised_allocation(tmp_path, embedded):
    pay(30_000).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "allocation": "randomised", "tree": TREE}
    policy = order_of_pay(tmp_path / "people.parquet", target)
    with pytest.raises(InfeasibleError, match="too many for a randomised allocation"):
        publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)


@pytest.mark.long
def test_what_is_collected_does_not_grow_with_the_rows(tmp_path, embedded):
    tallies = []
    # So many that each value occurs in each part.
    for rows in (6000, 24_000):
        pay(rows).write_parquet(tmp_path / f"{rows}.parquet", row_group_size=1000)
        target = {"distribution": "uniform", "by": ["sex"], "tree": TREE}
        policy = order_of_pay(tmp_path / f"{rows}.parquet", target, personal="level")
        tallies.append(collected(tmp_path / f"out {rows}", policy, embedded))
    assert tallies[1].rows <= tallies[0].rows * 1.05 + 20
    assert tallies[1].rows < 1000


def test_personal_levels_in_classes_are_refused(tmp_path):
    pay(50).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "mode": "per-class", "tree": TREE}
    policy = order_of_pay(tmp_path / "people.parquet", target, personal="level")
    with pytest.raises(PolicyError, match="use local, or mode: whole"):
        publish_to(tmp_path / "out", policy, engine="spark", remote="sc://127.0.0.1:1")


@pytest.mark.long
@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3)), min_size=4, max_size=25),
    st.sampled_from(["uniform", "same", "zipf"]),
    st.booleans(),
)
def test_tiny_tables(tmp_path_factory, embedded, rows, distribution, personal):
    folder = tmp_path_factory.mktemp("tiny")
    frame = pl.DataFrame(
        {
            "age": range(len(rows)),
            "pay": [value for value, _ in rows],
            "level": [str(level) for _, level in rows],
        }
    )
    frame.write_parquet(folder / "people.parquet", row_group_size=5)
    tree = {"lowest": 0, "highest": 7}
    privacy = {"target": {"pay": {"distribution": distribution, "tree": tree}}}
    policy = Policy(
        source=str(folder / "people.parquet"),
        columns={"age": "quasi", "pay": "sensitive"},
        privacy={**privacy, "personal": "level"} if personal else privacy,
    )
    pair = publish_family(folder, policy, embedded)
    # Who of those who demand the same joins a wider pool is drawn, and with that how many pools.
    check_same(pair, policy, without_groups if personal else list)
    assert personal or ranges_of_pay(pair.spark).equals(ranges_of_pay(pair.local))
    assert ranges_of_pay(pair.spark).get_column("n").sum() == len(rows)


def without_groups(claims):
    """Claims without the numbers of their groups."""
    return [
        replace(
            claim, parameters={**claim.parameters, "parts": [part["weights"] for part in parts]}
        )
        for claim in claims
        for parts in [claim.parameters["parts"]]
    ]
