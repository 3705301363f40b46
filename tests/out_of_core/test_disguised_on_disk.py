"""Disguised values of more rows than memory: the same subdomains as in memory, true, by chance."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
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
from on_disk import left_behind, publish_both, publish_on_disk
from papilio import Policy
from papilio.errors import DataError, InfeasibleError, PolicyError, VerificationError
from papilio.families.disguise import pieces as module
from papilio.families.engines.disk import original
from papilio.families.engines.disk import people as dealing
from papilio.families.engines.disk.run import Run
from papilio.workflow.publish import publish_to
from papilio.workflow.publish_pieces import out_of_core
from papilio.workflow.verify import verify
from sizes import some
from work_cost import measured


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 190)
    monkeypatch.setattr("papilio.data.io.stream.BLOCK_BYTES", 3000)
    monkeypatch.setattr("papilio.families.engines.disk.original.WINDOW", 70)


CASES = TARGETS | {
    "fakes by parts": (
        {"distribution": "uniform", "tree": TREE, "by": ["age", "sex"]},
        {"fakes": 0.05},
    ),
}


@pytest.mark.parametrize("case", some(CASES, first=8))
@pytest.mark.parametrize("kind", some(["parquet", "csv"]))
def test_the_subdomains_of_a_table_in_memory(tmp_path, case, kind):
    target, privacy = CASES[case]
    frame, source = pay(900), tmp_path / f"people.{kind}"
    frame.write_csv(source) if kind == "csv" else frame.write_parquet(source, row_group_size=250)
    pieces, memory = publish_both(tmp_path, order_of_pay(source, target, **privacy), piece_rows=150)
    assert ranges_of_pay(pieces).equals(ranges_of_pay(memory))
    shown = pieces.release.frames["people"].drop("group")
    assert shown.sort(pl.all()).equals(frame.select(shown.columns).sort(pl.all()))
    files = [file.table for file in pieces.release.manifest.files]
    assert min(files.count(table.name) for table in pieces.release.manifest.tables) > 4
    assert left_behind(tmp_path) == []


def test_the_help_table_is_that_of_memory(tmp_path):
    pay(500).with_columns(pl.col("pay") / 8).write_parquet(tmp_path / "people.parquet")
    policy = order_of_pay(tmp_path / "people.parquet", {"distribution": "same", "by": ["sex"]})
    lines = []
    for each in publish_both(tmp_path, policy, piece_rows=90):
        helping = each.release.frames["people_help"]
        lines.append(helping.select(pl.all().round(6)).sort(pl.all()))
    assert lines[0].equals(lines[1])


def test_files_of_weights(tmp_path):
    pieces, memory = publish_both(tmp_path, order_by_file_of_weights(tmp_path), piece_rows=150)
    assert ranges_of_pay(pieces).equals(ranges_of_pay(memory))


def test_labels_in_order(tmp_path):
    pieces, _ = publish_both(tmp_path, order_of_marks(tmp_path), piece_rows=150)
    assert len(pieces.release.manifest.tables) == 2


def test_a_randomised_allocation(tmp_path):
    pay(200).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "allocation": "randomised", "tree": TREE}
    publish_both(tmp_path, order_of_pay(tmp_path / "people.parquet", target), piece_rows=150)


def test_people_of_one_kind_join_pools_by_chance(tmp_path):
    """Equal people, half of whom hide in a wide range because others demand it."""
    frame = pl.DataFrame(
        {"place": range(300), "pay": [0, 1, 2, 3] * 75, "level": ["0"] * 280 + ["2"] * 20}
    )
    frame.write_parquet(tmp_path / "people.parquet")
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"place": "quasi", "pay": "sensitive"},
        privacy={
            "target": {"pay": {"distribution": "uniform", "tree": {"lowest": 0, "highest": 3}}},
            "personal": "level",
        },
    )
    found = []
    for run in ("one", "two"):
        people = publish_on_disk(tmp_path / run, policy).release.frames["people"]
        assert not people.get_column("place").is_sorted()
        found.append(people.sort("place").get_column("group").to_list())
    assert found[0] != found[1]


@pytest.mark.long
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3)), min_size=4, max_size=25),
    st.sampled_from(["uniform", "same", "zipf"]),
    st.sampled_from([{}, {"personal": "level"}, {"fakes": 0.3}, {"shift": 0.1}]),
    st.booleans(),
)
def test_tiny_tables(tmp_path_factory, rows, distribution, privacy, by):
    folder = tmp_path_factory.mktemp("tiny")
    frame = pl.DataFrame(
        {
            "age": range(len(rows)),
            "half": [place % 2 == 0 for place in range(len(rows))],
            "pay": [value for value, _ in rows],
            "level": [str(level) for _, level in rows],
        }
    )
    frame.write_parquet(folder / "people.parquet", row_group_size=5)
    target = {"distribution": distribution, "tree": {"lowest": 0, "highest": 7}}
    policy = Policy(
        source=str(folder / "people.parquet"),
        columns={"age": "quasi", "half": "quasi", "pay": "sensitive"},
        privacy={"target": {"pay": {**target, "by": ["half"] if by else []}}, **privacy},
    )
    pieces, memory = publish_both(folder, policy, piece_rows=5)
    assert ranges_of_pay(pieces).equals(ranges_of_pay(memory))


# Memory.


def test_fewer_fake_values_are_tried_where_more_would_not_fit(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_room", lambda _: 4000)
    pay(900).write_parquet(tmp_path / "people.parquet")
    policy = order_of_pay(tmp_path / "people.parquet", {"distribution": "zipf"}, fakes=0.2)
    made = publish_on_disk(tmp_path / "out", policy)
    assert any("More fake values were allowed; up to" in note for note in made.notes)
    assert verify(made.directory, original=policy).holds


def test_no_more_than_a_piece_is_held(tmp_path, monkeypatch):
    """No frame that is read, kept, counted again or written has more rows than it may."""
    heights = {"read": [], "shown": [], "written": []}
    keep, frames, write = original.KeptRows.keep, original.KeptRows.frames, Run.write

    def kept(self, batch, skipped):
        heights["read"].append(batch.height)
        return keep(self, batch, skipped)

    def shown(self, names=None):
        for frame in frames(self, names):
            heights["shown"].append(frame.height)
            yield frame

    def written(run, frame, *more):
        heights["written"].append(frame.height)
        return write(run, frame, *more)

    monkeypatch.setattr(original.KeptRows, "keep", kept)
    monkeypatch.setattr(original.KeptRows, "frames", shown)
    monkeypatch.setattr(Run, "write", written)
    pay(3000).write_parquet(tmp_path / "people.parquet", row_group_size=1000)
    target = {"distribution": "same", "by": ["sex"], "tree": TREE}
    publish_on_disk(
        tmp_path / "out", order_of_pay(tmp_path / "people.parquet", target), piece_rows=400
    )
    assert max(heights["read"]) <= 190
    assert sum(heights["shown"]) % 3000 == 0
    assert max(heights["shown"]) <= 70
    # Rows go to files by chance, so that some have more than others.
    assert max(heights["written"]) < 600


@pytest.mark.long
def test_memory_does_not_grow_with_the_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 20_000)
    monkeypatch.setattr("papilio.families.engines.disk.original.WINDOW", 20_000)
    target, taken = {"distribution": "same", "by": ["sex"], "tree": TREE}, []
    for rows in (20_000, 40_000, 400_000):
        source = tmp_path / f"{rows}.parquet"
        pay(rows).drop("level").write_parquet(source, row_group_size=20_000)
        with measured() as cost:
            publish_on_disk(
                tmp_path / f"out {rows}", order_of_pay(source, target), piece_rows=20_000
            )
        taken.append(cost.memory())
    # The first run also loads what all need.
    assert taken[2] < max(taken[:2]) + (100 << 20)


# What is refused.


@pytest.mark.parametrize(
    ("change", "target", "privacy"),
    [
        (pl.col("pay").replace(50, None), "uniform", {}),
        (pl.col("pay") * 2, {"distribution": "uniform", "tree": TREE}, {}),
        (pl.col("level").replace("0", "x"), "uniform", {"personal": "level"}),
    ],
    ids=["missing", "outside", "no level"],
)
def test_faults_of_the_data_are_told_as_in_memory(tmp_path, change, target, privacy):
    pay(400).with_columns(change).write_parquet(tmp_path / "people.parquet", row_group_size=150)
    target = {"distribution": target} if isinstance(target, str) else target
    policy = order_of_pay(tmp_path / "people.parquet", target, **privacy)
    said = []
    for publish in (publish_on_disk, publish_to):
        with pytest.raises(DataError) as caught:
            publish(tmp_path / "out", policy)
        said.append((str(caught.value), caught.value.reason))
    assert said[0] == said[1]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["people.parquet"]


def test_too_many_rows_for_a_randomised_allocation(tmp_path, monkeypatch):
    monkeypatch.setattr("papilio.families.disguise.methods.disguise.MOST_VALUES", 100)
    pay(300).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "allocation": "randomised", "tree": TREE}
    with pytest.raises(InfeasibleError, match="too many for a randomised allocation"):
        publish_on_disk(tmp_path / "out", order_of_pay(tmp_path / "people.parquet", target))


@pytest.mark.parametrize(
    ("privacy", "message"),
    [
        ({}, "by who holds the class, not from counts; leave out the memory limit, use the engine"),
        ({"personal": "level"}, "from counts; leave out the memory limit, or mode: whole"),
    ],
)
def test_classes_are_refused_before_anything_is_read(tmp_path, monkeypatch, privacy, message):
    monkeypatch.setattr("papilio.families.engines.disk.memory._PER_ROW", 1 << 30)
    pay(50).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "mode": "per-class", "tree": TREE}
    policy = order_of_pay(tmp_path / "people.parquet", target, **privacy)
    with pytest.raises(PolicyError, match=message):
        out_of_core(policy, 1 << 30)


def test_too_many_values_are_refused_without_one_of_them(tmp_path):
    frame = pay(400).with_columns(pl.int_range(pl.len()).alias("pay") + 70_000)
    frame.write_parquet(tmp_path / "people.parquet")
    with pytest.raises(DataError, match="'pay' has too many different values to be") as refused:
        publish_on_disk(
            tmp_path / "out", order_of_pay(tmp_path / "people.parquet", {"distribution": "same"}),
            values=100,
        )  # fmt: skip
    assert "70" not in str(refused.value)
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("share", [1e-5, 2e-5])
def test_too_many_kinds_are_refused(tmp_path, monkeypatch, share):
    """Of values, or of nodes in all parts."""
    monkeypatch.setattr(module, "_COUNTS_SHARE", share)
    pay(900).write_parquet(tmp_path / "people.parquet")
    target = {"distribution": "uniform", "by": ["sex", "age"], "tree": TREE}
    with pytest.raises(DataError, match="'pay' has too many different values, part by part, to be"):
        publish_on_disk(tmp_path / "out", order_of_pay(tmp_path / "people.parquet", target))
    assert left_behind(tmp_path) == []


# Lies: each release proves its claims, and is not true or not as promised.


@pytest.fixture
def refused(tmp_path):
    pay(600).write_parquet(tmp_path / "people.parquet")

    def run(message, target=None, **privacy):
        target = target or {"distribution": "same", "by": ["sex"], "tree": TREE}
        policy = order_of_pay(tmp_path / "people.parquet", target, **privacy)
        with pytest.raises(VerificationError, match=f"not written: {message}"):
            publish_on_disk(tmp_path / "out", policy, piece_rows=250)
        assert not (tmp_path / "out").exists()
        assert left_behind(tmp_path) == []

    return run


def test_another_target_than_the_policy_orders(refused, monkeypatch):
    true = module.parts_from
    uniform = order_of_pay("nowhere", {"distribution": "uniform", "by": ["sex"], "tree": TREE})

    def other(counted, reading, said, file):
        del said
        return true(counted, reading, uniform.privacy.target["pay"], file)

    monkeypatch.setattr(module, "parts_from", other)
    refused("promised target: weights are not ")


def test_a_target_of_other_rows(refused, monkeypatch):
    """Weights are those of the data without some of its people."""
    true = module.parts_from

    def fewer(counted, *more):
        parts, others = true(counted, *more), true(counted.filter(pl.col("code") > 2), *more)
        pairs = zip(parts, others, strict=True)
        return [module.replace(part, target=other.target) for part, other in pairs]

    monkeypatch.setattr(module, "parts_from", fewer)
    refused("promised target: weights are not ")


def test_nobody_may_leave_the_original_out(refused, monkeypatch):
    true = module.MadeInPieces
    monkeypatch.setattr(
        module, "MadeInPieces", lambda *told, beside: true(*told, beside=beside and None)
    )
    refused("promised beside the original: nobody looked")


def writing(monkeypatch, bend, table="people"):
    """Let ``bend`` change what is written to files of a table."""
    true = Run.write

    def write(run, frame, name, number):
        return true(run, bend(frame) if name == table else frame, name, number)

    monkeypatch.setattr(Run, "write", write)


def test_columns_of_others(refused, monkeypatch):
    writing(monkeypatch, lambda frame: frame.with_columns(pl.col("job").reverse()))
    refused("truthfulness: in 3 of 3 files not: ")


def test_people_in_groups_that_cannot_hold_them(refused, monkeypatch):
    """People and subdomains are as many as planned, but people of two groups changed places."""
    true = module.number_kinds
    chance = np.random.default_rng(1)

    def others(seen, known):
        return pl.Series(chance.permutation(true(seen, known).to_numpy()))

    monkeypatch.setattr(module, "number_kinds", others)
    levels = {"distribution": "uniform", "tree": TREE}
    refused("(truthfulness of groups|personal levels): ", levels, personal="level")


def test_rows_that_changed_on_their_way(refused, monkeypatch):
    true = dealing.pack

    def bent(frame, *more):
        turned = frame.get_column("job").gather(np.roll(np.arange(frame.height), 1))
        return true(frame.with_columns(turned), *more)

    monkeypatch.setattr(dealing, "pack", bent)
    refused("truthfulness: the files are made of other rows than the original's 600")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("people", "truthfulness: the files are not those that were compared"),
        ("people_values", "fake values: 3 groups have another number"),
    ],
)
def test_a_file_that_changed_after_it_was_looked_at(refused, monkeypatch, table, message):
    true = module.write_help

    def written_again(run, *more, **options):
        true(run, *more, **options)
        file = next(run.draft.glob(f"{table}.*"))
        frame = pl.read_parquet(file)
        first = frame[[0] * frame.height] if table != "people" else frame.reverse()
        first.write_parquet(file, statistics=False)

    monkeypatch.setattr(module, "write_help", written_again)
    refused(message)


def test_a_file_that_gets_lost(refused, monkeypatch):
    true = module.write_people

    def fewer(run, people, *more):
        return true(run, module.replace(people, files=people.files[1:]), *more)

    monkeypatch.setattr(module, "write_people", fewer)
    refused("rows of people")
