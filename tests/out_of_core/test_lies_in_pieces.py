"""Publishing piece by piece with a method that lies is refused, and so are rows that changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import yaml

import planted_lies as lies
from on_disk import left_behind, publish_on_disk
from papilio.errors import VerificationError
from papilio.families.generalising import pieces as module
from papilio.policy.policy import Policy
from papilio.verify.witness.values import RowSum, keys_needed, sum_rows
from papilio.workflow import publish_pieces as publishing
from sizes import some, spread

NODES = {**lies.ROLES, "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}}}


@pytest.fixture
def policy(tmp_path):
    lies.PEOPLE.write_parquet(tmp_path / "people.parquet")
    (tmp_path / "towns.csv").write_text(
        "".join(f"t{town},{'north' if town < 6 else 'south'},all\n" for town in range(30))
    )

    def make(columns=lies.ROLES, **more):
        said = {"privacy": {"k": 3}, "method": "mondrian"} | more
        text = yaml.safe_dump({"source": "people.parquet", "columns": columns, **said})
        (tmp_path / "policy.yaml").write_text(text)
        return Policy.load(tmp_path / "policy.yaml")

    return make


#: Columns that may have any number of values; the others must be known beforehand.
WIDE = {name: role for name, role in lies.ROLES.items() if isinstance(role, str)}


@pytest.mark.parametrize("form", some(["parquet", "csv"]))
@pytest.mark.parametrize(
    ("columns", "cells", "values"),
    [(lies.ROLES, "bounds", 100_000), (NODES, "text", 100_000), (WIDE, "bounds", 14)],
)
def test_the_truth_is_published(policy, tmp_path, values, form, columns, cells):
    order = policy(columns, cells=cells)
    made = publish_on_disk(tmp_path / "out", order, piece_rows=8, values=values, format=form)
    assert len(list((tmp_path / "out").glob("people.*"))) > 1
    (found,) = [f for f in made.verdict.findings if f.claim == "truthfulness"]
    assert found.measured == f"all {lies.ROWS} lines are"


LIES = {
    "ranges of one code less": lies.off_by_one,
    "labels of siblings": lies.sibling_labels,
    "sets lack a value": lies.smaller_sets,
    "NULL where none is said": lies.unsaid_null,
    "values of others": lies.rotated("ill"),
    "moments of others": lies.rotated("last"),
    "a value for NULL": lies.filled("note", "n1"),
    "a row twice": lies.silently_repeated_row,
}


@pytest.mark.parametrize("lie", spread(LIES, 2))
def test_lies_of_methods(policy, tmp_path, monkeypatch, lie):
    LIES[lie](monkeypatch)
    with pytest.raises(VerificationError, match="not written: truthfulness: in "):
        publish_on_disk(tmp_path / "out", policy(), piece_rows=8)
    assert left_behind(tmp_path) == []
    assert not (tmp_path / "out").exists()


def changed_records(change):
    """Records that are not those of the rows that were read."""

    def plant(monkeypatch):
        def bend(found):
            records, texts = found
            change(records)
            return records, texts

        lies.bent(monkeypatch, module, "pack", bend)

    return plant


def swap_codes(records):
    records["codes"][[0, -1]] = records["codes"][[-1, 0]]


def repeat_first(records):
    records[-1] = records[0]


def raise_one(records):
    name = next(name for name in records.dtype.names if records.dtype[name] == np.float64)
    records[name][0] += 1


@pytest.mark.parametrize("change", [swap_codes, repeat_first, raise_one])
def test_rows_that_changed_on_their_way(policy, tmp_path, monkeypatch, change):
    columns = {name: role for name, role in WIDE.items() if name != "note"}
    changed_records(change)(monkeypatch)
    with pytest.raises(VerificationError, match="made of other rows than the original's"):
        publish_on_disk(tmp_path / "out", policy(columns), piece_rows=8)


def test_a_row_that_gets_lost_between_pieces(policy, tmp_path, monkeypatch):
    true = module._divide

    def without_one(*arguments):
        parts, boxes = true(*arguments)
        return parts[1:], boxes

    monkeypatch.setattr(module, "_divide", without_one)
    with pytest.raises(VerificationError, match="rows of people"):
        publish_on_disk(tmp_path / "out", policy(), piece_rows=8)


def test_labels_that_mean_something_else_in_the_release(policy, tmp_path, monkeypatch):
    columns = lies.ROLES | {"town": {"role": "quasi", "hierarchy": "towns.csv"}}
    publish_on_disk(tmp_path / "right", policy(columns), piece_rows=8)

    def fewer(paths):
        return {
            name: "".join(line for line in text.splitlines(True) if not line.startswith("t20"))
            for name, text in paths.items()
        }

    lies.bent(monkeypatch, publishing, "needed_paths", fewer)
    with pytest.raises(VerificationError, match="labels of 'town' mean something else"):
        publish_on_disk(tmp_path / "out", policy(columns), piece_rows=8)


class TestSums:
    KEYS = np.arange(1, 40, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)

    def total(self, frame, **more):
        return sum_rows(frame, self.KEYS[: keys_needed(frame.width)], **more)

    def test_order_and_parts_and_dictionaries_do_not_matter(self):
        frame = lies.PEOPLE
        texts = [name for name, kind in frame.schema.items() if kind == pl.String]
        coded = frame.with_columns(
            pl.col(name).cast(pl.Enum(frame[name].drop_nulls().unique().sort(descending=True)))
            for name in texts
        )
        assert self.total(frame) == self.total(coded) == self.total(frame[::-1])
        assert self.total(frame) == self.total(frame[:7]) + self.total(coded[7:])
        assert self.total(frame[:0]) == RowSum()

    @pytest.mark.parametrize("name", lies.PEOPLE.columns)
    def test_one_cell_matters(self, name):
        frame = lies.PEOPLE
        other = frame[name].shift(1)
        swapped = frame.with_columns(other.alias(name))
        assert self.total(swapped) != self.total(frame)
        rotated = frame.with_columns(frame[name].gather(np.roll(np.arange(frame.height), 1)))
        assert self.total(rotated) != self.total(frame)

    def test_minus_zero_is_zero_only_where_said(self):
        frames = [pl.DataFrame({"a": [number, 1.0]}) for number in (0.0, -0.0)]
        assert self.total(frames[0]) != self.total(frames[1])
        assert len({self.total(frame, unsigned_zero=["a"]) for frame in frames}) == 1

    def test_null_is_neither_nothing_nor_zero(self):
        frames = [pl.DataFrame({"a": [value]}, {"a": pl.Int64}) for value in (None, 0)]
        assert self.total(frames[0]) != self.total(frames[1])
        frames = [pl.DataFrame({"a": [value]}, {"a": pl.String}) for value in (None, "")]
        assert self.total(frames[0]) != self.total(frames[1])


def test_a_finished_piece_does_not_show_whose_rows_are_whose(policy, tmp_path, monkeypatch):
    shown = []
    true = module.finish

    def seen(*arguments, **options):
        made = true(*arguments, **options)
        shown.append(repr(replace(made, frame=pl.DataFrame())))
        return made

    monkeypatch.setattr(module, "finish", seen)
    publish_on_disk(tmp_path / "out", policy(), piece_rows=8)
    assert shown
    assert all("array" not in text for text in shown)
