"""Several sensitive columns of more rows than memory: the same plan as in memory, and true."""

from __future__ import annotations

import re

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from many_rows import (
    binned_patients,
    check_shuffled,
    order_of_patients,
    order_of_two_secrets,
    patients,
)
from on_disk import left_behind, ordered, publish_both, publish_on_disk
from papilio import Policy
from papilio.errors import DataError, InfeasibleError, PapilioError, PolicyError, VerificationError
from papilio.families.engines.disk.run import Run
from papilio.families.projections import pieces as module
from papilio.families.projections import plan as planning
from papilio.families.projections.make import dependencies_of
from papilio.policy.apply import order_from_source
from papilio.workflow.publish import publish_to
from papilio.workflow.publish_pieces import out_of_core
from projected_releases import JOINED, JOINED_COLUMNS
from sizes import some


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 190)
    monkeypatch.setattr("papilio.data.io.stream.BLOCK_BYTES", 3000)
    monkeypatch.setattr("papilio.families.engines.disk.original.WINDOW", 70)


@pytest.mark.parametrize(
    ("privacy", "plan"),
    some(
        [
            ({"k": 5, "exposure": 0.4}, "exact"),
            ({"k": 5, "exposure": 0.3, "t": {"disease": 0.5}}, "greedy"),
            ({"k": 4, "association_loss": 0.05, "l": {"vote": 2}}, None),
            ({"k": 4, "exposure": 0.5, "l": 2, "t": 0.7}, None),
        ]
    ),
    ids=["exact", "greedy and t", "association loss and l", "l and t of every column"],
)
@pytest.mark.parametrize("kind", some(["csv", "parquet"]))
def test_mondrian_makes_the_tables_of_memory(tmp_path, kind, privacy, plan):
    frame, source = patients(1500), tmp_path / f"patients.{kind}"
    frame.write_csv(source) if kind == "csv" else frame.write_parquet(source, row_group_size=400)
    pieces, memory = publish_both(
        tmp_path, order_of_patients(source, privacy=privacy, plan=plan), piece_rows=300
    )
    assert len(memory.release.frames) > 1
    for name, table in memory.release.frames.items():
        assert ordered(pieces.release.frames[name]).equals(ordered(table)), name
        assert sum(file.table == name for file in pieces.release.manifest.files) > 4
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    ("generalise", "more"),
    some([("hybrid", {}), ("incognito", {}), ("incognito", {"suppress": 0.1})]),
)
def test_other_methods_keep_the_sensitive_values(tmp_path, generalise, more):
    patients(900).with_columns(pl.col("age") // 10).write_parquet(tmp_path / "patients.parquet")
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": [2, 4]}},
        "zip": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [2, 1]}},
        **dict.fromkeys(("disease", "drug", "cost", "vote"), "sensitive"),
    }
    policy = order_of_patients(
        tmp_path / "patients.parquet",
        columns=columns,
        privacy={"k": 5, "exposure": 0.4, **more},
        generalise=generalise,
    )
    pieces, memory = publish_both(tmp_path, policy, piece_rows=300)
    for name, table in memory.release.frames.items():
        kept = [column for column in table.columns if columns.get(column) == "sensitive"]
        mine, other = pieces.release.frames[name].select(kept), table.select(kept)
        assert mine.sort(pl.all()).equals(other.sort(pl.all()))


@pytest.mark.parametrize("bins", [{}, {"cost": 4}], ids=["values", "bins"])
def test_sums_from_disk_are_those_of_the_rows(tmp_path, monkeypatch, bins):
    patients(1500).write_csv(tmp_path / "patients.csv")
    policy = binned_patients(tmp_path / "patients.csv", bins)
    found = []
    true = planning.dependencies_from
    monkeypatch.setattr(
        planning, "dependencies_from", lambda *told: found.append(true(*told)) or found[0]
    )
    publish_on_disk(tmp_path / "out", policy)
    expected = dependencies_of(order_from_source(policy), policy)
    assert found[0].names == expected.names
    assert found[0].entropy == pytest.approx(expected.entropy)
    assert found[0].information == pytest.approx(expected.information, rel=1e-9, abs=1e-15)
    assert found[0].exposable == pytest.approx(expected.exposable)


def test_each_table_is_shuffled_by_itself(tmp_path):
    policy = order_of_two_secrets(tmp_path)
    release = publish_on_disk(tmp_path / "out", policy, piece_rows=500).release
    check_shuffled(release, tmp_path)


def test_a_query_is_run_once_for_all_tables(tmp_path):
    patients(600).write_parquet(tmp_path / "patients.parquet")
    sql = f"SELECT * FROM '{tmp_path}/patients.parquet' WHERE random() < 0.9"
    made = publish_on_disk(tmp_path / "out", order_of_patients({"sql": sql}))
    heights = {frame.height for frame in made.release.frames.values()}
    assert len(made.release.frames) > 1
    assert len(heights) == 1


@pytest.mark.long
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), *(st.sampled_from(["x", "y", "z", None]) for _ in range(3))),
        min_size=4,
        max_size=25,
    ),
    st.sampled_from([{"exposure": 0.0}, {"exposure": 0.5}, {"association_loss": 0.2}, {}]),
)
def test_tiny_tables(tmp_path_factory, rows, limits):
    folder = tmp_path_factory.mktemp("tiny")
    frame = pl.DataFrame(
        rows,
        schema={"age": pl.Int64, "a": pl.String, "b": pl.String, "c": pl.String},
        orient="row",
    )
    frame.write_parquet(folder / "people.parquet", row_group_size=5)
    policy = Policy(
        source=str(folder / "people.parquet"),
        columns={"age": "quasi", "a": "sensitive", "b": "sensitive", "c": "sensitive"},
        privacy={"k": 2, **limits},
        method="projections",
        generalise="mondrian",
    )
    try:
        publish_to(folder / "try", policy)
    except PapilioError as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            publish_on_disk(folder / "pieces", policy, piece_rows=5)
        return
    pieces, memory = publish_both(folder, policy, piece_rows=5)
    for name, table in memory.release.frames.items():
        assert ordered(pieces.release.frames[name]).equals(ordered(table))


# What is refused.


def test_keys_of_different_tables_are_refused(tmp_path):
    JOINED.write_parquet(tmp_path / "people.parquet", row_group_size=5)
    policy = order_of_patients(
        tmp_path / "people.parquet", columns=JOINED_COLUMNS, privacy={"k": 2, "exposure": 0.0}
    )
    said = []
    for publish in (publish_on_disk, publish_to):
        with pytest.raises(DataError) as caught:
            publish(tmp_path / "out", policy)
        said.append((str(caught.value), caught.value.reason))
    assert said[0] == said[1] == (said[0][0], "shared-key")
    # Shifted by one, they are not the same values any more.
    moved = JOINED.with_columns(pl.col("place") + 1)
    moved.write_parquet(tmp_path / "people.parquet", row_group_size=5)
    assert publish_on_disk(tmp_path / "out", policy).verdict.holds


def test_limits_that_cannot_be_met_say_which_can(tmp_path):
    patients(500).write_parquet(tmp_path / "patients.parquet")
    privacy = {"k": 5, "exposure": 0.0, "association_loss": 0.01}
    policy = order_of_patients(tmp_path / "patients.parquet", privacy=privacy)
    said = []
    for publish in (publish_on_disk, publish_to):
        with pytest.raises(InfeasibleError) as caught:
            publish(tmp_path / "out", policy)
        said.append(str(caught.value))
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (5, "column 'disease' has too many different values to be counted within this memory"),
        (10, "columns 'disease' and 'drug' have too many different pairs of values to be counted"),
    ],
)
def test_too_many_pairs_are_refused(tmp_path, monkeypatch, pairs, message):
    monkeypatch.setattr(module, "_PAIR_BYTES", (1 << 28) // pairs)
    patients(800).write_parquet(tmp_path / "patients.parquet")
    with pytest.raises(DataError, match=message):
        publish_on_disk(tmp_path / "out", order_of_patients(tmp_path / "patients.parquet"))
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"privacy": {"k": 5, "generalisation_loss": 0.2}},
            "every plan that is tried, not counts; leave out the memory limit, or limit",
        ),
        (
            {"columns": {"age": "quasi", "disease": {"role": "sensitive", "values": "several"}}},
            "several values need the whole table in memory; leave out the memory limit",
        ),
    ],
)
def test_what_is_refused_before_anything_is_read(tmp_path, monkeypatch, change, message):
    monkeypatch.setattr("papilio.families.engines.disk.memory._PER_ROW", 1 << 30)
    patients(50).write_parquet(tmp_path / "patients.parquet")
    with pytest.raises(PolicyError, match=message):
        out_of_core(order_of_patients(tmp_path / "patients.parquet", **change), 1 << 30)


# Lies: each release proves its claims, and is not true or not as promised.


@pytest.fixture
def refused(tmp_path):
    patients(600).write_parquet(tmp_path / "patients.parquet")

    def run(message, **privacy):
        policy = order_of_patients(
            tmp_path / "patients.parquet", privacy={"k": 5, "exposure": 0.2, **privacy}
        )
        with pytest.raises(VerificationError, match=f"not written: {message}"):
            publish_on_disk(tmp_path / "out", policy, piece_rows=250)
        assert not (tmp_path / "out").exists()
        assert left_behind(tmp_path) == []

    return run


def test_a_plan_beyond_the_limits(refused, monkeypatch):
    true = planning.plan_from
    free = order_of_patients("nowhere", privacy={"k": 5})
    monkeypatch.setattr(planning, "plan_from", lambda known, _: true(known, free))
    refused("exposure: ")


def test_wrong_counts(refused, monkeypatch):
    """All but one pair of columns are counted as if they had nothing to expose."""
    true = planning.dependencies_from

    def less(*told):
        known = true(*told)
        exposable = known.exposable * 1e-6
        exposable[2, 3] = exposable[3, 2] = 1
        return module.replace(known, exposable=exposable)

    monkeypatch.setattr(planning, "dependencies_from", less)
    refused("exposure: ")


def test_nobody_may_leave_the_original_out(refused, monkeypatch):
    true = module.MadeInPieces
    monkeypatch.setattr(module, "MadeInPieces", lambda *told, **_: true(*told))
    refused("promised beside the original: nobody looked")


def test_columns_of_others(refused, monkeypatch):
    true = Run.write

    def write(run, frame, name, number):
        bent = frame.with_columns(pl.col("drug").reverse()) if "drug" in frame.columns else frame
        return true(run, bent, name, number)

    monkeypatch.setattr(Run, "write", write)
    refused("truthfulness of patients_[0-9]: in [0-9]+ of [0-9]+ files not: ")


def test_a_file_that_changed_after_it_was_looked_at(refused, monkeypatch):
    """Values of two people of a class are exchanged: the claims hold."""
    true = module._tables

    def written_again(run, *more):
        tables = true(run, *more)
        file = next(run.draft.glob("patients_1.*"))
        pl.read_parquet(file).reverse().write_parquet(file, statistics=False)
        return tables

    monkeypatch.setattr(module, "_tables", written_again)
    refused("truthfulness of patients_1: the files are not those that were compared")


def test_a_table_of_fewer_rows(refused, monkeypatch):
    true = module.encode_rows

    def fewer(run, choice, stream, counted):
        encoded = true(run, choice, stream, counted)
        rows = encoded.rows
        kept = rows.store.rows()
        kept.append(rows.read(0, rows.height - 10), [b"" for _ in rows.texts])
        return module.replace(encoded, rows=kept)

    monkeypatch.setattr(module, "encode_rows", fewer)
    refused("(rows of|promised rows|truthfulness of) ?patients_1|rows")
