"""Whole columns generalised and rows left out, of more rows than memory: as in memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from on_disk import left_behind, publish_on_disk, table_of
from papilio import Policy
from papilio.data.encode import EncodedTable
from papilio.errors import DataError, InfeasibleError, VerificationError
from papilio.families.generalising import pieces as module
from papilio.families.generalising import plan as planning
from papilio.privacy.requirement import demand_of
from papilio.workflow.publish import publish_to
from papilio.workflow.verify import verify
from sizes import some

COLUMNS = {
    "age": {"role": "quasi", "hierarchy": {"intervals": [5, 20]}},
    "postcode": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [3, 2, 1]}},
    "tax": {"role": "quasi", "hierarchy": "automatic"},
    "job": "quasi",
    "ill": "quasi",
    "disease": "sensitive",
    "salary": "sensitive",
    "remark": "plain",
}


def people(rows=900, seed=5):
    chance = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "name": [f"person {n}" for n in range(rows)],
            "age": chance.integers(17, 80, rows),
            "postcode": [str(1000 + 7 * n) for n in chance.integers(0, 60, rows)],
            "tax": chance.integers(0, 12, rows),
            "job": chance.choice(["clerk", "line\nbreak", "nurse, head"], rows),
            "ill": chance.random(rows) < 0.3,
            "disease": chance.choice(["flu", "hiv", "none", "ulcer"], rows),
            "salary": chance.integers(900, 950, rows) / 2,
            "remark": [f"remark\n{n}" for n in range(rows)],
        }
    )
    holes = {name: chance.random(rows) < 0.03 for name in frame.columns if name != "name"}
    return frame.with_columns(
        pl.when(pl.Series(hole)).then(None).otherwise(pl.col(name)).alias(name)
        for name, hole in holes.items()
    )


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 190)
    monkeypatch.setattr("papilio.data.io.stream.BLOCK_BYTES", 3000)
    monkeypatch.setattr("papilio.families.engines.disk.rows_on_disk.WINDOW", 170)


def order(path, privacy, **more):
    return Policy(source=str(path), columns=COLUMNS, privacy=privacy, **more)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", some(["parquet", "csv"]))
@pytest.mark.parametrize(
    ("privacy", "more"),
    some(
        [
            ({"k": 4}, {"method": "incognito"}),
            ({"k": 4, "suppress": "5%"}, {}),
            ({"k": 4, "suppress": "8%"}, {"metric": "height"}),
            (
                {"k": 3, "suppress": "5%", "l": {"disease": 3}},
                {"metric": "dm", "method": "incognito"},
            ),
            ({"k": 3, "suppress": "4%", "l": {"disease": {"entropy": 2}, "salary": 2}}, {}),
            ({"k": 3, "t": {"salary": 0.3}, "l": {"disease": 2}}, {"method": "incognito"}),
        ],
        first=3,
    ),
)
def test_levels_and_rows_are_those_of_memory(tmp_path, kind, privacy, more):
    source = tmp_path / f"people.{kind}"
    getattr(people(), f"write_{kind}")(source)
    policy = order(source, privacy, **more)
    pieces = publish_on_disk(tmp_path / "pieces", policy)
    memory = publish_to(tmp_path / "memory", policy)
    assert table_of(pieces).equals(table_of(memory))
    assert pieces.release.manifest.claims == memory.release.manifest.claims
    assert pieces.release.manifest.tables == memory.release.manifest.tables
    assert pieces.release.hierarchies == memory.release.hierarchies
    assert pieces.choice == memory.choice
    found = [
        {f.claim: f.measured for f in each.verdict.findings}["truthfulness"]
        for each in (pieces, memory)
    ]
    assert found[0] == found[1]
    assert ("left out" in found[0]) == ("suppress" in privacy)
    assert len(list((tmp_path / "pieces").glob("people.*"))) > 3
    assert verify(tmp_path / "pieces", original=policy).holds
    assert left_behind(tmp_path) == []


def test_several_recipients(tmp_path):
    people().write_parquet(tmp_path / "people.parquet")
    policy = order(
        tmp_path / "people.parquet",
        {"k": 3, "collusion_k": 2, "suppress": "5%"},
        method="union",
        generalise="incognito",
        recipients={"one": ["age", "job"], "two": ["age", "postcode", "tax", "ill"]},
    )
    pieces = publish_on_disk(tmp_path / "pieces", policy)
    memory = publish_to(tmp_path / "memory", policy)
    assert table_of(pieces).equals(table_of(memory))
    assert pieces.release.manifest.claims == memory.release.manifest.claims


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)), min_size=4, max_size=40
    ),
    st.sampled_from([{}, {"l": {"s": 2}}, {"l": {"s": {"entropy": 2}}}, {"t": {"s": 0.4}}]),
    st.sampled_from(["0%", "10%", "30%"]),
    st.integers(1, 3),
)
def test_lines_with_weights_are_rows(rows, more, share, k):
    """What is found for combinations and their counts is what is found for the rows."""
    if "t" in more:
        share = "0%"
    frame = pl.DataFrame(rows, schema=["a", "b", "s"], orient="row").cast(pl.String)
    columns = {"a": "quasi", "b": "quasi", "s": "sensitive"}
    policy = Policy(columns=columns, privacy={"k": k, "suppress": share, **more})
    from papilio.data.encode import encode
    from papilio.data.table import Role
    from papilio.families.generalising.grouping import find_levels
    from papilio.policy.apply import order_of

    try:
        table = order_of(frame, policy, "people")[0].table
        encoded = encode(table, table.with_role(Role.QUASI))
        demand = demand_of(policy.requirements, table)
        whole = find_levels(encoded, demand, policy)
    except (InfeasibleError, DataError):
        return
    about = demand.sensitive if len(demand.rules) else np.empty((len(rows), 0), np.int32)
    _, first, counts = np.unique(
        np.column_stack([encoded.codes[:, :2], about]),
        axis=0, return_index=True, return_counts=True,
    )  # fmt: skip
    some = EncodedTable(encoded.codes[first], encoded.columns)
    fewer = demand._replace(sensitive=about[first], total=len(rows))
    found = find_levels(some, fewer, policy, counts.astype(np.int64))
    assert (found.levels, found.minimal) == (whole.levels, whole.minimal)
    assert found.suppressed == whole.suppressed
    kept = {tuple(encoded.codes[first][row, :2]) for row in found.classes.rows}
    assert kept == {tuple(encoded.codes[row, :2]) for row in whole.classes.rows}


def test_what_cannot_be_met_is_said_as_in_memory(tmp_path):
    people(60).write_parquet(tmp_path / "people.parquet")
    privacy = {"k": 2, "l": {"disease": {"recursive": [0.1, 4]}}}
    policy = order(tmp_path / "people.parquet", privacy, method="incognito")
    said = []
    for publish in (publish_on_disk, publish_to):
        with pytest.raises(InfeasibleError) as refused:
            publish(tmp_path / "out", policy)
        said.append((str(refused.value), refused.value.nearest))
    assert said[0] == said[1]
    assert left_behind(tmp_path) == []


def test_too_many_combinations_are_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_PLAN_SHARE", 1e-5)
    people().write_parquet(tmp_path / "people.parquet")
    policy = order(tmp_path / "people.parquet", {"k": 2, "suppress": "1%"})
    with pytest.raises(DataError, match="more than 67 different combinations") as refused:
        publish_on_disk(tmp_path / "out", policy)
    assert "the method mondrian" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert left_behind(tmp_path) == []


def test_too_many_values_are_refused_in_one_line(tmp_path):
    people().write_parquet(tmp_path / "people.parquet")
    policy = order(tmp_path / "people.parquet", {"k": 2, "suppress": "1%"})
    with pytest.raises(DataError, match="'age' has too many different values to choose levels"):
        publish_on_disk(tmp_path / "out", policy, values=30)


# Lies.


@pytest.fixture
def refused(tmp_path):
    people(400).write_parquet(tmp_path / "people.parquet")

    def run(message):
        policy = order(tmp_path / "people.parquet", {"k": 3, "suppress": "5%"})
        with pytest.raises(VerificationError, match=f"not written: {message}"):
            publish_on_disk(tmp_path / "out", policy, piece_rows=150)
        assert not (tmp_path / "out").exists()
        assert left_behind(tmp_path) == []

    return run


def finishing(monkeypatch, bend):
    true = module.finish_at_levels
    monkeypatch.setattr(module, "finish_at_levels", lambda *a: bend(true(*a)))


def test_values_of_others(refused, monkeypatch):
    def bend(made):
        return replace(made, frame=made.frame.with_columns(pl.col("remark").reverse()))

    finishing(monkeypatch, bend)
    refused("truthfulness: in 3 of 3 files not")


def test_a_row_twice(refused, monkeypatch):
    def bend(made):
        rows = made.rows.copy()
        rows[1] = rows[0]
        frame = made.frame[[0, 0, *range(2, made.frame.height)]]
        return replace(made, frame=frame, rows=rows)

    finishing(monkeypatch, bend)
    refused("(k-anonymity|truthfulness): ")


def test_more_rows_left_out_than_is_said(refused, monkeypatch):
    """Whole classes are lost, and the number of rows told accordingly."""
    true = module.plan_levels

    def fewer(counted, meanings, policy):
        plan = true(counted, meanings, policy)
        codes = counted.select(f"q{n}" for n in range(len(plan.levels))).to_numpy()
        nodes = planning.nodes_at(plan.levels, meanings, codes)
        classes, which = np.unique(nodes, axis=0, return_inverse=True)
        sizes = np.bincount(which.ravel(), counted.get_column("rows").to_numpy())
        lost = classes[sizes == sizes.max()]
        left_out = np.unique(np.concatenate([plan.left_out, lost]), axis=0)
        more = int(sizes.max()) * len(lost)
        return replace(plan, left_out=left_out, suppressed=plan.suppressed + more)

    monkeypatch.setattr(module, "plan_levels", fewer)
    refused("(promised rows|truthfulness)")


def test_lines_as_they_came(refused, monkeypatch):
    def bend(made):
        order = np.argsort(made.rows)
        return replace(made, frame=made.frame[order], rows=made.rows[order])

    finishing(monkeypatch, bend)
    refused("(order of lines|order of the source): ")


def test_records_that_changed_on_their_way(refused, monkeypatch):
    true = module.pack

    def bent(*arguments):
        records, texts = true(*arguments)
        records["codes"][[0, -1]] = records["codes"][[-1, 0]]
        return records, texts

    monkeypatch.setattr(module, "pack", bent)
    refused("truthfulness: ")


@pytest.mark.long
def test_levels_do_not_depend_on_who_counted_first(tmp_path):
    people(300).write_parquet(tmp_path / "people.parquet")
    policy = order(tmp_path / "people.parquet", {"k": 3, "suppress": "5%"})
    one = publish_on_disk(tmp_path / "one", policy, piece_rows=40)
    two = publish_on_disk(tmp_path / "two", policy, piece_rows=90)
    assert table_of(one).equals(table_of(two))
