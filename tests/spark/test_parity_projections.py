"""Several sensitive columns, on one machine and in the engine."""

from __future__ import annotations

import polars as pl
import pytest
from both_engines import check_same, collected, publish_family

from many_rows import (
    binned_patients,
    check_shuffled,
    order_of_patients,
    order_of_two_secrets,
    patients,
)
from papilio import Policy
from papilio.errors import DataError, InfeasibleError, PolicyError, VerificationError
from papilio.families.engines.spark import verify
from papilio.families.engines.spark.source_rows import open_rows
from papilio.families.generalising import spark as generalised
from papilio.families.projections import plan as planning
from papilio.families.projections import spark as pair_counts
from papilio.families.projections.make import dependencies_of
from papilio.measure.association_loss import association_loss
from papilio.measure.exposure import exposure
from papilio.policy.apply import order_from_source
from papilio.workflow.publish import publish_to
from projected_releases import JOINED, JOINED_COLUMNS
from sizes import some


def ratios(publication, policy):
    """Association loss and exposure of the plan that was published."""
    known = dependencies_of(order_from_source(policy), policy)
    plan = [
        [known.names.index(column.name) for column in table.columns if column.role == "sensitive"]
        for table in publication.release.manifest.tables
    ]
    return association_loss(known, plan), exposure(known, plan)


@pytest.mark.parametrize(
    ("privacy", "plan", "generalise"),
    some(
        [
            ({"k": 5, "exposure": 0.4}, "exact", "mondrian"),
            ({"k": 5, "exposure": 0.3, "t": {"disease": 0.5}}, "greedy", "mondrian"),
            ({"k": 4, "association_loss": 0.05, "l": {"vote": 2}}, None, "mondrian"),
            ({"k": 5, "exposure": 0.5}, None, "hybrid"),
            ({"k": 4, "exposure": 0.5, "l": 2, "t": 0.7}, None, "mondrian"),
        ],
    ),
    ids=["exact", "greedy and t", "association loss and l", "hybrid", "l and t of every column"],
)
def test_plans(tmp_path, embedded, monkeypatch, privacy, plan, generalise):
    monkeypatch.setattr(generalised, "rows_of_piece", lambda *_: 900)
    patients(2000).write_parquet(tmp_path / "patients.parquet", row_group_size=600)
    policy = order_of_patients(
        tmp_path / "patients.parquet", privacy=privacy, plan=plan, generalise=generalise
    )
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert pair.spark.release.manifest.tables == pair.local.release.manifest.tables
    assert pair.spark.notes == pair.local.notes
    local, spark = (ratios(each, policy) for each in (pair.local, pair.spark))
    assert spark == pytest.approx(local, rel=0.02)


def test_columns_by_bins_are_verified_in_the_engine(tmp_path, embedded):
    patients(900).write_parquet(tmp_path / "patients.parquet", row_group_size=300)
    policy = binned_patients(tmp_path / "patients.parquet", {"cost": 4})
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert pair.spark.notes == pair.local.notes


@pytest.mark.parametrize("bins", [{}, {"cost": 4}], ids=["values", "bins"])
def test_sums_from_the_engine_are_those_of_the_rows(tmp_path, session, bins):
    patients(1500).write_csv(tmp_path / "patients.csv")
    policy = binned_patients(tmp_path / "patients.csv", bins)
    rows = open_rows(session, policy)
    names = ["disease", "drug", "cost", "vote", "ward"]
    counter = pair_counts.SparkPairs(rows, names)
    sums = counter.sums(names, planning.pairs_of(policy), policy.bins)
    found = planning.dependencies_from(policy, counter, sums)
    expected = dependencies_of(order_from_source(policy), policy)
    assert found.names == expected.names
    assert found.entropy == pytest.approx(expected.entropy)
    assert found.information == pytest.approx(expected.information, rel=1e-9, abs=1e-15)
    assert found.exposable == pytest.approx(expected.exposable)


def test_independent_columns_share_nothing_at_all(tmp_path, session):
    pairs = [(a, b) for a in "abc" for b in "xy" for _ in range(7)]
    frame = pl.DataFrame(pairs, schema=["one", "other"], orient="row")
    frame = frame.with_columns(pl.int_range(pl.len()).alias("age"))
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=5)
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"age": "quasi", "one": "sensitive", "other": "sensitive"},
        privacy={"k": 2},
        method="projections",
    )
    rows = open_rows(session, policy)
    sums = pair_counts.sum_pairs(rows, ["one", "other"], [(0, 0), (1, 1), (0, 1)])
    assert sums[0, 1].information == 0
    assert sums[0, 0].pairs == 3


def test_each_table_is_shuffled_by_itself(tmp_path, embedded):
    policy = order_of_two_secrets(tmp_path)
    release = publish_to(tmp_path / "out", policy, engine="spark", remote=embedded).release
    check_shuffled(release, tmp_path)


def test_keys_of_different_tables_are_refused(tmp_path, embedded):
    JOINED.write_parquet(tmp_path / "people.parquet", row_group_size=5)
    policy = order_of_patients(
        tmp_path / "people.parquet",
        columns=JOINED_COLUMNS,
        privacy={"k": 2, "exposure": 0.0},
    )
    said = []
    for engine in ({}, {"engine": "spark", "remote": embedded}):
        with pytest.raises(DataError) as caught:
            publish_to(tmp_path / "out", policy, **engine)
        said.append((str(caught.value), caught.value.reason))
    assert said[0] == said[1] == (said[0][0], "shared-key")
    # Shifted by one, they are not the same values any more.
    moved = JOINED.with_columns(pl.col("place") + 1)
    moved.write_parquet(tmp_path / "people.parquet", row_group_size=5)
    assert publish_to(tmp_path / "out", policy, engine="spark", remote=embedded).verdict.holds


def test_limits_that_cannot_be_met_say_which_can(tmp_path, embedded):
    patients(500).write_parquet(tmp_path / "patients.parquet")
    privacy = {"k": 5, "exposure": 0.0, "association_loss": 0.01}
    policy = order_of_patients(tmp_path / "patients.parquet", privacy=privacy)
    said = []
    for engine in ({}, {"engine": "spark", "remote": embedded}):
        with pytest.raises(InfeasibleError) as caught:
            publish_to(tmp_path / "out", policy, **engine)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_a_plan_beyond_the_limits_is_not_published(tmp_path, embedded, monkeypatch):
    patients(800).write_parquet(tmp_path / "patients.parquet")
    policy = order_of_patients(tmp_path / "patients.parquet", privacy={"k": 5, "exposure": 0.2})
    free = policy.model_copy(
        update={"privacy": policy.privacy.model_copy(update={"exposure": None})}
    )
    planned = planning.plan_from
    monkeypatch.setattr(planning, "plan_from", lambda known, _: planned(known, free))
    with pytest.raises(VerificationError, match="exposure"):
        publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)
    assert not (tmp_path / "out").exists()


def test_more_pairs_than_can_be_verified_are_refused(tmp_path, embedded, monkeypatch):
    monkeypatch.setattr(verify, "MOST_ROWS", 10)
    patients(800).write_parquet(tmp_path / "patients.parquet")
    policy = order_of_patients(tmp_path / "patients.parquet")
    with pytest.raises(DataError, match="'disease' and 'drug' have 12 pairs of values"):
        publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)


def test_what_is_collected_does_not_grow_with_the_rows(tmp_path, embedded):
    tallies = []
    for rows in (1000, 8000):
        patients(rows).write_parquet(tmp_path / f"{rows}.parquet", row_group_size=1000)
        policy = order_of_patients(tmp_path / f"{rows}.parquet")
        tallies.append(collected(tmp_path / f"out {rows}", policy, embedded))
    assert tallies[1].rows <= tallies[0].rows * 1.2 + 60
    assert tallies[1].rows < 4000


def test_a_limit_on_generalisation_is_refused(tmp_path):
    patients(50).write_parquet(tmp_path / "patients.parquet")
    privacy = {"k": 5, "generalisation_loss": 0.5}
    policy = order_of_patients(tmp_path / "patients.parquet", privacy=privacy)
    with pytest.raises(PolicyError, match="that is tried, not counts; use local"):
        publish_to(tmp_path / "out", policy, engine="spark", remote="sc://127.0.0.1:1")
