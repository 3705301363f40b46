"""Permuted and disguised releases of workers that lie: each proves its claims and is not true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from certain_lies import exchanged_groups, first_line_twice, first_value_twice
from papilio import Policy
from papilio.engines.spark.write import Inspected
from papilio.errors import VerificationError
from papilio.families.disguise import plan
from papilio.families.disguise import spark_plan as disguised_classes
from papilio.families.engines.spark import cells, people
from papilio.families.permutation import spark as permuted
from papilio.randomness import Randomness
from papilio.workflow.publish import publish_to
from sizes import some

ROWS = 600


def persons():
    chance = np.random.default_rng(4)
    return pl.DataFrame({
        "town": [f"t{n}" for n in chance.integers(0, 400, ROWS)],
        "age": chance.integers(20, 25, ROWS),
        "half": [(None, -0.0, n / 2)[min(n, 2)] for n in chance.integers(0, 90, ROWS)],
        # Every value as often as any other, so that groups are of one size.
        "pay": chance.permutation(np.arange(ROWS) % 60),
        "level": [("0", "1", None)[n] for n in chance.integers(0, 3, ROWS)],
    })  # fmt: skip


PERMUTED = {
    "columns": {"town": "quasi", "half": "plain", "pay": "sensitive"},
    "privacy": {"k": 3, "e": 2},
    "method": "permutation",
}
TREE = {"lowest": 0, "highest": 59, "width": 10}
DISGUISED = {
    "columns": {"age": "quasi", "half": "plain", "pay": "sensitive"},
    "privacy": {"target": {"pay": {"distribution": "uniform", "tree": TREE}}},
}
CLASSES = {
    "columns": DISGUISED["columns"],
    "privacy": {"target": {"pay": {**DISGUISED["privacy"]["target"]["pay"], "mode": "per-class"}}},
}
PERSONAL = {
    "columns": DISGUISED["columns"],
    "privacy": {**DISGUISED["privacy"], "personal": "level"},
}
FAMILIES = {
    "permuted": PERMUTED,
    "disguised": DISGUISED,
    "classes": CLASSES,
    "personal": PERSONAL,
}


@pytest.fixture
def publish(embedded, tmp_path):
    persons().write_parquet(tmp_path / "people.parquet", row_group_size=250)

    def run(said):
        policy = Policy(source=str(tmp_path / "people.parquet"), **said)
        return publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)

    return run


@pytest.fixture
def refused(publish, tmp_path):
    def run(said, message):
        with pytest.raises(VerificationError, match=f"not written: {message}"):
            publish(said)
        assert not (tmp_path / "out").exists()

    return run


@pytest.mark.long
@pytest.mark.parametrize("said", FAMILIES.values(), ids=FAMILIES)
def test_the_truth_is_published(publish, said):
    found = {each.claim: each.measured for each in publish(said).verdict.findings}
    assert found["truthfulness"] == f"all {ROWS} lines are"
    assert "truthfulness of groups" in found
    assert found["order of the source"] == "nothing in any of 1 files"


def writing(monkeypatch, module, bend):
    """Let ``bend`` change what is written to files of people."""
    true = module.write_pieces

    def write(rows, key, pieces, finish, draft, table, randomness):
        def bent(piece, part):
            made = finish(piece, part)
            assert isinstance(made, Inspected)
            return replace(made, frame=bend(made.frame))

        return true(rows, key, pieces, bent, draft, table, randomness)

    monkeypatch.setattr(module, "write_pieces", write)


def of_others(frame):
    return frame.with_columns(pl.col("half").reverse())


def first_twice(frame):
    return first_line_twice(frame, keep="group")


@pytest.mark.parametrize("said", FAMILIES.values(), ids=FAMILIES)
@pytest.mark.parametrize("lie", some([of_others, first_twice]))
def test_columns_of_others(refused, monkeypatch, said, lie):
    writing(monkeypatch, disguised_classes if said is CLASSES else people, lie)
    refused(said, "truthfulness: in 1 of 1 files not: ")


def other_groups(frame):
    return exchanged_groups(frame, persons(), ["town", "half"], "pay")


def test_people_in_groups_of_others(refused, monkeypatch):
    writing(monkeypatch, people, other_groups)
    refused(PERMUTED, "truthfulness of groups: some groups have other values")


def reversed_groups(frame):
    return frame.with_columns(pl.col("group").reverse())


def test_people_in_pools_of_others(refused, monkeypatch):
    writing(monkeypatch, people, reversed_groups)
    refused(PERSONAL, "truthfulness of groups: [0-9]+ values do not; personal levels: ")


SWAPPED = "cell, case when grp <= 2 then 3 - grp else grp end as grp, copies"
RAISED = "cell + case when grp = 1 then 1 else 0 end as cell, grp, copies"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (SWAPPED, "truthfulness of groups: some groups have other values"),
        (RAISED, "truthfulness of people_values: the files are made of other rows"),
    ],
)
def test_values_of_other_groups(refused, monkeypatch, change, message):
    """Values and help table agree with each other."""
    true = cells.GroupCells

    def bent(frame, *more):
        return true(frame.selectExpr(*(each.strip() for each in change.split(", "))), *more)

    monkeypatch.setattr(permuted, "GroupCells", bent)
    refused(PERMUTED, message)


def test_subdomains_of_other_values(refused, monkeypatch):
    """They follow the target, but are those of other values."""
    true = plan.plan_parts
    # Six leaves have a hundred rows each, which would be far from this target.
    leaves = np.array([245, 122, 82, 61, 49, 41])

    def bent(parts, *more):
        return true([replace(part, leaves=leaves) for part in parts], *more)

    monkeypatch.setattr(plan, "plan_parts", bent)
    target = {"pay": {"distribution": "zipf", "tree": TREE}}
    said = {**DISGUISED, "privacy": {"target": target}}
    refused(said, "truthfulness of groups: [0-9]+ values do not")


def rows_on_their_way(monkeypatch, module, change):
    true = module.map_rows

    def bent(rows, work, dtypes, *more, **options):
        def changed(frame):
            made = work(frame)
            # The second column that is shown; classes are told by the first alone.
            shown = [name for name in made.columns if name == "c1"]
            return made.with_columns(change(made.get_column(name)) for name in shown)

        return true(rows, changed, dtypes, *more, **options)

    monkeypatch.setattr(module, "map_rows", bent)


def exchanged(values):
    """Everybody gets the value of the next; one exchange might be of people who are alike."""
    return values.gather(np.roll(np.arange(len(values)), 1))


def repeated(values):
    return first_value_twice(values)


@pytest.mark.parametrize("said", FAMILIES.values(), ids=FAMILIES)
@pytest.mark.parametrize("change", [exchanged, repeated])
def test_rows_that_changed_on_their_way(refused, monkeypatch, said, change):
    rows_on_their_way(monkeypatch, disguised_classes if said is CLASSES else people, change)
    refused(said, f"truthfulness: the files are made of other rows than the original's {ROWS}")


class Unshuffled(Randomness):
    """Leaves everything in the order in which it came."""

    def permutation(self, count):
        return np.arange(count)


@pytest.mark.parametrize("said", [PERMUTED, DISGUISED, PERSONAL])
def test_lines_as_they_came(refused, monkeypatch, said):
    monkeypatch.setattr(people, "worker_randomness", lambda *_: Unshuffled())
    refused(said, "order of the source: in 1 of 1 files it follows the source inside groups")


def test_files_that_changed_after_they_were_looked_at(refused, monkeypatch):
    true = cells.write_pieces

    def written_again(*arguments):
        written = true(*arguments)
        # The help table is written last.
        for file in arguments[4].glob("people_values.*") if "help" in arguments[5] else ():
            pl.read_parquet(file).reverse().write_parquet(file, statistics=False)
        return written

    monkeypatch.setattr(cells, "write_pieces", written_again)
    refused(PERMUTED, "truthfulness of people_values: the files are not those")
