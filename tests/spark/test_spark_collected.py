"""What comes here are counts: as large as the domains and the regions, not as the rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from papilio import Policy
from papilio.engines.spark.write import tallied
from papilio.families.generalising import spark as generalised
from papilio.workflow.publish import publish_to

QUASI = {"age": 60, "town": 30, "job": 12, "kind": 5}
PIECES = 8


def write(path, rows):
    """A table whose domains do not depend on its rows."""
    random = np.random.default_rng(3)
    columns = {name: random.integers(0, size, rows) for name, size in QUASI.items()}
    frame = pl.DataFrame(columns | {"ill": random.integers(0, 9, rows), "person": np.arange(rows)})
    labels = [pl.format("{} {}", pl.lit(name), name).alias(name) for name in ("town", "job", "ill")]
    frame.with_columns(labels).write_parquet(path, row_group_size=rows // 7)


def collected(monkeypatch, folder, remote, rows, method):
    """Everything collected when a table of so many rows is published."""
    monkeypatch.setattr(generalised, "rows_of_piece", lambda *_: rows * 3 // (2 * PIECES))
    write(folder / f"people{rows}.parquet", rows)
    policy = Policy(
        source=str(folder / f"people{rows}.parquet"),
        columns=dict.fromkeys(QUASI, "quasi") | {"ill": "sensitive", "person": "plain"},
        recipients={}
        if method == "mondrian"
        else {"a": ["age", "town"], "b": ["town", "job", "kind"]},
        privacy={"k": 10, "l": {"ill": 2}},
        method=method,
    )
    with tallied() as tally:
        publish_to(folder / f"out{rows}", policy, engine="spark", remote=remote)
    return tally.entries


@pytest.mark.long
@pytest.mark.parametrize("method", ["mondrian", "butterfly"])
def test_ten_times_the_rows_are_the_same_collection(monkeypatch, tmp_path, embedded, method):
    few, many = (
        collected(monkeypatch, tmp_path, embedded, rows, method) for rows in (20_000, 200_000)
    )
    domain = sum(QUASI.values()) + 9
    assert len(few) == pytest.approx(len(many), abs=2)
    for entries in (few, many):
        assert all(each.rows <= 2 * PIECES * (domain + 1) for each in entries), entries
        assert sum(each.bytes for each in entries) < 200_000
    sizes = [sum(each.bytes for each in entries) for entries in (few, many)]
    assert sizes[1] <= 1.2 * sizes[0]
