"""Workers that lie, or lose or change rows on their way, are found out before anything appears."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import planted_lies as lies
from papilio import Policy
from papilio.errors import VerificationError
from papilio.families.generalising import spark as module
from papilio.families.generalising import truth
from papilio.workflow.publish import publish_to


@pytest.fixture
def publish(embedded, tmp_path):
    lies.PEOPLE.write_parquet(tmp_path / "people.parquet", row_group_size=7)

    def run(**more):
        said = {"columns": lies.ROLES, "privacy": {"k": 3}, "method": "mondrian"} | more
        policy = Policy(source=str(tmp_path / "people.parquet"), **said)
        return publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)

    return run


def truths(publication):
    return {
        finding.measured
        for finding in publication.verdict.findings
        if finding.claim.startswith("truthfulness")
    }


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"cells": "text"},
        {"recipients": {"one": ["age", "town"], "two": ["height", "zip"]}, "method": "butterfly"},
    ],
    ids=["bounds", "text", "recipients"],
)
def test_the_truth_is_published(publish, more):
    if "recipients" in more:
        known = {"age", "town", "height", "zip"}
        columns = lies.ROLES.items()
        kept = {n: r for n, r in columns if n in known or r in ("sensitive", "plain")}
        more = {**more, "columns": kept}
    assert truths(publish(**more)) == {f"all {lies.ROWS} lines are"}


def test_projections_are_true(publish):
    columns = {"age": "quasi", "town": "quasi", "ill": "sensitive", "smokes": "sensitive"}
    privacy = {"k": 3, "exposure": 0.0}
    made = publish(columns=columns, privacy=privacy, method="projections")
    assert truths(made) == {f"all {lies.ROWS} lines are"}


def rotated(made):
    frame = made.frame
    return replace(made, frame=frame.with_columns(frame["ill"].gather(rolled(frame))))


def narrower(made):
    return replace(made, frame=made.frame.with_columns(pl.col("height_min") + 1e-9))


def unnamed(made):
    return replace(made, rows=np.zeros_like(made.rows))


def rolled(frame):
    return np.roll(np.arange(frame.height), 1)


@pytest.mark.parametrize("lie", [rotated, narrower, unnamed])
def test_lies_of_methods(publish, monkeypatch, tmp_path, lie):
    lies.bent(monkeypatch, module, "finish", lie)
    with pytest.raises(VerificationError, match="not written: truthfulness: in "):
        publish()
    assert not (tmp_path / "out").exists()


def as_they_came(made):
    order = np.argsort(made.rows)
    return replace(made, frame=made.frame[order], rows=made.rows[order])


def test_lines_in_the_order_of_the_source(publish, monkeypatch, tmp_path):
    many = pl.concat([lies.PEOPLE] * 20).sample(fraction=1.0, shuffle=True, seed=1)
    many.write_parquet(tmp_path / "people.parquet")
    lies.bent(monkeypatch, module, "finish", as_they_came)
    with pytest.raises(VerificationError, match="not written: order of the source: "):
        publish()
    assert not (tmp_path / "out").exists()


def test_files_that_changed_after_they_were_looked_at(publish, monkeypatch, tmp_path):
    """An engine that runs a task twice may leave another file than the one it reported."""
    true = module.write_pieces

    def written_again(*arguments):
        written = true(*arguments)
        (file,) = arguments[4].glob("*.parquet")
        pl.read_parquet(file).reverse().write_parquet(file, statistics=False)
        return written

    monkeypatch.setattr(module, "write_pieces", written_again)
    with pytest.raises(VerificationError, match="truthfulness: the files are not those"):
        publish()
    assert not (tmp_path / "out").exists()


def test_makers_that_look_at_nothing(publish, monkeypatch, tmp_path):
    monkeypatch.setattr(truth.GeneralisedTruth, "__call__", lambda *_: iter(()))
    with pytest.raises(VerificationError, match="not written: truthfulness: nobody looked"):
        publish()
    assert not (tmp_path / "out").exists()


def swapped(table):
    first = table.column("q0").to_numpy().copy()
    first[[0, -1]] = first[[-1, 0]]
    place = table.schema.get_field_index("q0")
    field = table.schema.field(place)
    return table.set_column(place, field, pa.array(first, field.type))


def repeated(table):
    return table.take([0, *range(table.num_rows - 1)])


@pytest.mark.parametrize("change", [swapped, repeated])
def test_rows_that_changed_on_their_way(publish, monkeypatch, change):
    lies.bent(monkeypatch, module, "packed_rows", change)
    with pytest.raises(VerificationError, match="made of other rows than the original's"):
        publish()
