"""Disguised distributions, on one machine and in the engine."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from both_engines import check_same, collected, mixed, publish_family
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papilio import Policy
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.families.disguise import spark_classes as disguised_classes
from papilio.workflow.publish import publish_to
from papilio.workflow.spark import cells, people

TREE = {"lowest": 0, "highest": 99, "width": 10}


def pay(rows, seed=2):
    chance = np.random.default_rng(seed)
    levels = ("0", "1", "2", None, "3", "[0, 99]")
    return pl.DataFrame(
        {
            "age": chance.integers(18, 24, rows),
            "sex": pl.Series([("f", "m", None)[n] for n in chance.integers(0, 3, rows)]),
            "job": [f"job {n}" for n in chance.integers(0, 5, rows)],
            "pay": np.clip(chance.normal(50, 18, rows), 0, 99).astype(np.int64),
            "level": pl.Series([levels[n] for n in chance.integers(0, 6, rows)]),
        }
    )


def order(path, target, columns=None, **privacy):
    known = {"age": "quasi", "sex": "quasi", "job": "plain", "pay": "sensitive"}
    said = {"target": {"pay": target}, **privacy}
    return Policy(source=str(path), columns={**known, **(columns or {})}, privacy=said)


def ranges(publication):
    """How often each range is published in groups of each size."""
    tables = [table.name for table in publication.release.manifest.tables]
    people_, values = (publication.release.frames[name] for name in tables[:2])
    sizes = people_.group_by("group").len("people")
    joined = values.join(sizes, on="group")
    return mixed(joined.group_by("people", "pay_min", "pay_max").len("n"))


CASES = {
    "uniform": ({"distribution": "uniform"}, {}),
    "same by part": ({"distribution": "same", "by": ["sex"]}, {}),
    "normal over a range": ({"distribution": "normal", "tree": TREE}, {}),
    "zipf and shift": ({"distribution": "zipf", "tree": TREE}, {"shift": 0.05}),
    "fakes": ({"distribution": "uniform", "tree": TREE}, {"fakes": 0.05}),
    "classes": ({"distribution": "uniform", "mode": "per-class", "by": ["sex"], "tree": TREE}, {}),
    "classes and fakes": (
        {"distribution": "uniform", "mode": "per-class", "tree": TREE},
        {"fakes": 0.1},
    ),
    "personal": ({"distribution": "uniform", "tree": TREE}, {"personal": "level"}),
    "personal by part": (
        {"distribution": "same", "by": ["sex"], "tree": TREE},
        {"personal": "level"},
    ),
}


@pytest.mark.parametrize("case", list(CASES))
def test_targets(tmp_path, embedded, case):
    target, privacy = CASES[case]
    frame = pay(900)
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=250)
    policy = order(tmp_path / "people.parquet", target, **privacy)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert pair.spark.release.manifest.tables == pair.local.release.manifest.tables
    assert pair.spark.notes == pair.local.notes
    assert ranges(pair.spark).equals(ranges(pair.local))
    shown = pair.spark.release.frames["people"].drop("group")
    assert mixed(shown).equals(mixed(frame.select(shown.columns)))


def test_files_of_weights_and_text_sources(tmp_path, embedded):
    pay(600).write_csv(tmp_path / "people.csv")
    weights = [(sex, 10 * cell, cell + 1) for sex in ("f", "m", None) for cell in range(10)]
    weights = pl.DataFrame(weights, schema=["sex", "value", "weight"], orient="row")
    weights.write_csv(tmp_path / "weights.csv")
    target = {
        "file": str(tmp_path / "weights.csv"),
        "column": "value",
        "weight": "weight",
        "by": ["sex"],
        "tree": TREE,
    }
    policy = order(tmp_path / "people.csv", target)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert ranges(pair.spark).equals(ranges(pair.local))


def test_labels_in_order_and_in_a_hierarchy(tmp_path, embedded):
    grades = ["bad", "fair", "good", "very good", "best"]
    chance = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": chance.integers(18, 30, 500),
            "mark": [grades[n] for n in chance.integers(0, 5, 500)],
        }
    )
    frame.write_parquet(tmp_path / "people.parquet")
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"age": "quasi", "mark": {"role": "sensitive", "domain": grades}},
        privacy={"target": {"mark": "uniform"}},
    )
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert len(pair.spark.release.manifest.tables) == 2


def test_a_randomised_allocation(tmp_path, embedded):
    pay(200).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "allocation": "randomised", "tree": TREE}
    policy = order(tmp_path / "people.parquet", target)
    check_same(publish_family(tmp_path, policy, embedded), policy)
    small = order(tmp_path / "people.parquet", {**target, "mode": "per-class"})
    folder = tmp_path / "classes"
    folder.mkdir()
    check_same(publish_family(folder, small, embedded), small)


@pytest.mark.parametrize("mode", ["whole", "per-class"])
def test_groups_larger_than_a_file(tmp_path, embedded, monkeypatch, mode):
    for module in (people, cells, disguised_classes):
        monkeypatch.setattr(module, "PIECE_ROWS", 200)
    pay(1300).write_parquet(tmp_path / "people.parquet", row_group_size=300)
    target = {"distribution": "uniform", "tree": TREE, "mode": mode}
    policy = order(tmp_path / "people.parquet", target, fakes=0.02)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert ranges(pair.spark).equals(ranges(pair.local))
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
    policy = order(tmp_path / "people.parquet", target, **privacy)
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
    policy = order(tmp_path / "people.parquet", target)
    with pytest.raises(InfeasibleError, match="too many for a randomised allocation"):
        publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)


def test_what_is_collected_does_not_grow_with_the_rows(tmp_path, embedded):
    tallies = []
    # So many that each value occurs in each part.
    for rows in (6000, 24_000):
        pay(rows).write_parquet(tmp_path / f"{rows}.parquet", row_group_size=1000)
        target = {"distribution": "uniform", "by": ["sex"], "tree": TREE}
        policy = order(tmp_path / f"{rows}.parquet", target, personal="level")
        tallies.append(collected(tmp_path / f"out {rows}", policy, embedded))
    assert tallies[1].rows <= tallies[0].rows * 1.05 + 20
    assert tallies[1].rows < 1000


def test_personal_levels_in_classes_are_refused(tmp_path):
    pay(50).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "mode": "per-class", "tree": TREE}
    policy = order(tmp_path / "people.parquet", target, personal="level")
    with pytest.raises(PolicyError, match="use local, or mode: whole"):
        publish_to(tmp_path / "out", policy, engine="spark", remote="sc://127.0.0.1:1")


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
    check_same(pair, policy)
    assert ranges(pair.spark).equals(ranges(pair.local))
