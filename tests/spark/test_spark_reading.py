"""Sources in the engine: the rows, types and faults that one machine finds."""

from __future__ import annotations

import gzip
from datetime import UTC, date, datetime, time
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from papilio import Policy
from papilio.data.source import FileSource
from papilio.data.types import as_text
from papilio.engines.spark import read as read_module
from papilio.engines.spark import splits as splits_module
from papilio.engines.spark.read import (
    from_engine,
    map_frames,
    open_scan,
    read_part,
    schema_of,
    to_engine,
)
from papilio.engines.spark.value_counts import count_values
from papilio.errors import DataError, PapilioError, PolicyError
from papilio.families.engines.meanings import typed_frame
from papilio.families.engines.spark.table import open_table
from papilio.policy.apply import order_from_source
from sizes import spread

ROWS = 60
MIXED = {
    "whole": [None if i == 7 else i % 11 for i in range(ROWS)],
    "real": [float("nan") if i == 3 else i / 4 for i in range(ROWS)],
    "label": [None if i == 5 else f"l{i % 6}" for i in range(ROWS)],
    "day": [date(2020, 1, 1 + i % 28) for i in range(ROWS)],
    "moment": [datetime(2020, 1, 1, i % 24, 5, 6, 700 * i) for i in range(ROWS)],
    "zoned": [datetime(2020, 1, 1, i % 24, tzinfo=UTC) for i in range(ROWS)],
    "flag": [i % 3 == 0 for i in range(ROWS)],
    "money": [Decimal(i) / 8 for i in range(ROWS)],
    "clock": [time(i % 24, 30) for i in range(ROWS)],
    "postcode": [f"0{i % 5}" for i in range(ROWS)],
}
FRAME = pl.DataFrame(
    MIXED, schema_overrides={"whole": pl.Int32, "money": pl.Decimal(10, 3)}
).with_columns(pl.col("whole").cast(pl.UInt64).alias("unsigned"))


def policy_for(source, columns, **more):
    described = dict.fromkeys(columns, "plain") | {columns[0]: "quasi"} | more
    return Policy(source=str(source), columns=described, privacy={"k": 2})


def rows_in_engine(session, policy):
    table = open_table(session, policy)
    # Workers get what the function needs, and a session does not travel.
    meanings = table.meanings
    types = dict(typed_frame(pl.DataFrame(schema=dict(table.scan.dtypes)), meanings).schema)

    def typed(frame):
        return to_engine(typed_frame(frame, meanings))

    found = map_frames(session, table.scan, typed, schema_of(types)).toArrow()
    names = [column.name for column in meanings.columns]
    return table, from_engine(found, types).select(names)


def check_as_local(session, policy):
    order = order_from_source(policy)
    table, rows = rows_in_engine(session, policy)
    assert table.meanings.columns == order.table.columns
    assert table.meanings.left_out == order.left_out
    assert table.meanings.rows == order.table.height
    assert table.meanings.name == order.table.name
    assert_frame_equal(rows, as_text(order.table.frame), check_row_order=False)


def test_parquet_of_all_types(session, tmp_path):
    FRAME.write_parquet(tmp_path / "people.parquet", row_group_size=7)
    check_as_local(session, policy_for(tmp_path / "people.parquet", FRAME.columns))


def test_several_tasks_read_every_row_once(session, tmp_path, monkeypatch):
    monkeypatch.setattr(splits_module, "_ROWS", 10)
    FRAME.write_parquet(tmp_path / "people.parquet", row_group_size=7)
    scan = open_scan(session, FileSource(tmp_path / "people.parquet"), ["whole"], {})
    assert len(scan.splits.parts) > 3
    check_as_local(session, policy_for(tmp_path / "people.parquet", FRAME.columns))


@pytest.mark.parametrize("kind", ["category", "numeric", "date", "boolean"])
def test_declared_types_are_those_of_one_machine(session, tmp_path, kind):
    names = {
        "category": ["whole", "real", "day", "moment", "zoned", "flag"],
        "numeric": ["whole", "real", "text"],
        "date": ["day", "moment", "written"],
        "boolean": ["flag", "bit", "said"],
    }[kind]
    frame = FRAME.with_columns(
        (pl.col("whole") % 2).fill_null(0).alias("bit"),
        pl.lit("+007.50").alias("text"),
        pl.lit("2020-02-03 04:05Z").alias("written"),
        pl.lit("yes").alias("said"),
    ).select(names)
    frame.write_parquet(tmp_path / "people.parquet")
    declared = {name: {"role": "plain", "type": kind} for name in names[1:]}
    first = {"role": "quasi", "type": kind}
    policy = policy_for(tmp_path / "people.parquet", names, **{names[0]: first}, **declared)
    check_as_local(session, policy)


TEXTS = FRAME.drop("zoned", "real", "clock").with_columns(
    pl.when(pl.col("whole") == 4).then(None).otherwise(pl.col("money")).alias("money")
)


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
def test_text_files(session, tmp_path, ending):
    path = tmp_path / f"people.{ending}"
    text = TEXTS.write_csv(separator="\t" if "tsv" in ending else ",").encode()
    path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    check_as_local(session, policy_for(path, TEXTS.columns))


@pytest.mark.parametrize("size", [1, 17, 400])
def test_text_files_cut_anywhere(session, tmp_path, monkeypatch, size):
    monkeypatch.setattr(splits_module, "_BYTES", max(size, len(TEXTS.write_csv()) // 12))
    path = tmp_path / "people.csv"
    path.write_text(TEXTS.write_csv().replace("\n", "\r\n" if size == 17 else "\n"))
    check_as_local(session, policy_for(path, TEXTS.columns))


def test_text_files_with_line_breaks_in_cells(session, tmp_path, monkeypatch):
    monkeypatch.setattr(splits_module, "_BYTES", 40)
    frame = pl.DataFrame({"a": [f"x\ny{i % 2}" for i in range(20)], "b": range(20)})
    path = tmp_path / "people.csv"
    path.write_text(frame.write_csv(quote_style="always"))
    scan = open_scan(session, FileSource(path), ["a"], {})
    assert len(scan.splits.parts) == 1
    check_as_local(session, policy_for(path, ["a", "b"]))


@pytest.mark.parametrize(
    "cells",
    spread(
        [
            ["1", "2", "3.5"],
            ["1", "99999999999999999999", "3"],
            ["1", "1e-5", "0"],
            ["01", "2", "3"],
            ["true", "FALSE", ""],
            ["2020-01-01", "2020-01-01T10:00", "2020-02-30"],
            ["2020-01-01", "2020-01-01T10:00", "2020-02-28"],
            ["2020-01-01T10:00Z", "2020-01-01T10:00+02:00", ""],
            ["2020-01-01T10:00Z", "2020-01-01T10:00", ""],
            ["1", "", "x"],
            ["", "", ""],
            [" 1", "2 ", "?"],
        ]
    ),
)
def test_types_of_text_follow_from_counts(session, tmp_path, cells):
    """For a column whose values are all taken, and for one of which only examples are."""
    frame = pl.DataFrame({"key": [1, 1, 1], "quasi": cells, "plain": cells})
    (tmp_path / "people.csv").write_text(frame.write_csv(quote_style="never"))
    source = {"file": str(tmp_path / "people.csv"), "null": ["?"]}
    columns = {"key": "quasi", "quasi": "quasi", "plain": "plain"}
    check_as_local(session, Policy(source=source, columns=columns, privacy={"k": 1}))


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("numeric", ["1", "x", "y"]),
        ("numeric", ["1", "2", "99999999999999999999"]),
        ("date", ["2020-01-01", "later", ""]),
        ("date", ["2020-01-01T10:00Z", "2020-01-01T10:00", ""]),
        ("boolean", ["yes", "no", "perhaps"]),
    ],
)
@pytest.mark.parametrize("role", ["quasi", "plain"])
def test_cells_that_do_not_fit_are_refused_alike(session, tmp_path, kind, cells, role):
    frame = pl.DataFrame({"key": [1, 1, 1], "cell": cells})
    frame.write_csv(tmp_path / "people.csv")
    columns = {"key": "quasi", "cell": {"role": role, "type": kind}}
    policy = Policy(source=str(tmp_path / "people.csv"), columns=columns, privacy={"k": 1})
    with pytest.raises(DataError) as local:
        order_from_source(policy)
    with pytest.raises(DataError) as spark:
        open_table(session, policy)
    assert spark.value.reason == local.value.reason
    # Rows have no numbers in the engine.
    assert str(spark.value) == str(local.value).partition(" (first in row")[0] + _rest(local)


def _rest(error):
    return str(error.value).partition(")")[2] if "too large" in str(error.value) else ""


def test_folders_with_numbers_of_several_widths(session, tmp_path):
    folder = tmp_path / "people"
    folder.mkdir()
    first = pl.DataFrame({"a": pl.Series([1, 2], dtype=pl.Int32), "b": ["x", "y"]})
    second = pl.DataFrame({"b": ["z"], "a": pl.Series([2**40], dtype=pl.Int64)})
    first.write_parquet(folder / "1.parquet")
    second.write_parquet(folder / "2.parquet")
    check_as_local(session, policy_for(folder, ["a", "b"]))


@pytest.mark.parametrize("fault", ["kinds", "columns", "types", "empty", "broken", "missing"])
def test_folders_that_cannot_be_read_are_refused_alike(session, tmp_path, fault):
    folder = tmp_path / "people"
    folder.mkdir()
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    if fault != "empty":
        frame.write_parquet(folder / "1.parquet")
    match fault:
        case "kinds":
            frame.write_csv(folder / "2.csv")
        case "columns":
            frame.rename({"b": "c"}).write_parquet(folder / "2.parquet")
        case "types":
            frame.with_columns(pl.col("b").alias("a")).write_parquet(folder / "2.parquet")
        case "broken":
            (folder / "2.parquet").write_bytes(b"PAR1")
    policy = policy_for(tmp_path / "nowhere.csv" if fault == "missing" else folder, ["a", "b"])
    with pytest.raises(PapilioError) as local:
        order_from_source(policy)
    with pytest.raises(PapilioError) as spark:
        open_table(session, policy)
    assert (type(spark.value), spark.value.reason) == (type(local.value), local.value.reason)


def test_an_empty_table_is_refused(session, tmp_path):
    (tmp_path / "people.csv").write_text("a,b\n")
    with pytest.raises(DataError, match="empty"):
        open_table(session, policy_for(tmp_path / "people.csv", ["a", "b"]))


def test_ragged_lines_are_refused_with_their_line(session, tmp_path, monkeypatch):
    monkeypatch.setattr(splits_module, "_BYTES", 20)
    (tmp_path / "people.csv").write_text("a,b\n" + "1,2\n" * 20 + "1\n")
    with pytest.raises(DataError, match="line 22 has 1 cells"):
        open_table(session, policy_for(tmp_path / "people.csv", ["a", "b"]))


def test_unknown_columns_are_refused_with_the_nearest(session, tmp_path):
    FRAME.write_parquet(tmp_path / "people.parquet")
    policy = policy_for(tmp_path / "people.parquet", ["whole", "lable"])
    with pytest.raises(PolicyError, match="did you mean 'label'"):
        open_table(session, policy)


def test_columns_that_are_not_published_are_not_read(tmp_path, session):
    FRAME.write_parquet(tmp_path / "people.parquet")
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"whole": "quasi", "label": "identifier", "day": "plain"},
        privacy={"k": 2},
    )
    table = open_table(session, policy)
    assert table.scan.splits.columns == ("whole", "day")
    assert read_part(table.scan, table.scan.splits.parts[0]).columns == ["whole", "day"]


def test_a_source_that_changes_meanwhile_is_refused(tmp_path, session):
    path = tmp_path / "people.parquet"
    FRAME.write_parquet(path)
    table = open_table(session, policy_for(path, ["whole", "label"]))
    FRAME.head(50).write_parquet(path)
    with pytest.raises(DataError, match="changed while it was read"):
        read_part(table.scan, table.scan.splits.parts[0])


def test_values_are_counted(session, tmp_path):
    FRAME.write_parquet(tmp_path / "people.parquet", row_group_size=9)
    names = [name for name in FRAME.columns if name != "clock"]
    scan = open_scan(session, FileSource(tmp_path / "people.parquet"), names, {})
    rows, counted = count_values(session, scan, names)
    assert rows == ROWS
    for name in names:
        found = counted[name]
        local = read_part(scan, scan.splits.parts[0]).get_column(name).cast(scan.dtypes[name])
        wanted = local.alias("value").value_counts()
        got = pl.DataFrame({"value": found.values, "count": found.counts})
        assert_frame_equal(
            got, wanted.with_columns(pl.col("count").cast(pl.Int64)), check_row_order=False
        )
        assert found.complete


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_many_numbers_are_sampled_with_their_ends(session, tmp_path, monkeypatch, ending):
    from papilio.engines.spark import value_counts

    monkeypatch.setattr(value_counts, "MOST_NUMBERS", 100)
    monkeypatch.setattr(value_counts, "_SAMPLE", 50)
    numbers = np.random.default_rng(1).normal(size=2000)
    frame = pl.DataFrame({"size": numbers, "few": range(2000)}).with_columns(pl.col("few") % 20)
    getattr(frame, f"write_{ending}")(tmp_path / f"people.{ending}")
    source = FileSource(tmp_path / f"people.{ending}")
    scan = open_scan(session, source, ["size", "few"], {})
    _, counted = count_values(session, scan, ["size", "few"])
    values = counted["size"].values.cast(pl.Float64)
    assert not counted["size"].complete
    assert 20 < len(values) < 120
    assert (values.min(), values.max()) == (numbers.min(), numbers.max())
    assert abs(int(counted["size"].counts.sum()) - 2000) < 100
    assert counted["few"].complete
    assert len(counted["few"].values) == 20


def test_much_text_is_not_taken(session, tmp_path, monkeypatch):
    from papilio.engines.spark import value_counts

    monkeypatch.setattr(value_counts, "MOST_TEXTS", 100)
    pl.DataFrame({"name": [f"n{i}" for i in range(300)]}).write_parquet(tmp_path / "p.parquet")
    scan = open_scan(session, FileSource(tmp_path / "p.parquet"), ["name"], {})
    _, counted = count_values(session, scan, ["name"])
    assert not counted["name"].complete
    assert len(counted["name"].values) == 1


def test_frames_survive_the_way_through_the_engine(session, tmp_path):
    frame = FRAME.with_columns(
        pl.col("whole").cast(pl.Int64),
        pl.col("unsigned").cast(pl.Int64),
        pl.col("money").cast(pl.Float64),
        pl.col("label").cast(pl.Enum([f"l{i}" for i in range(6)])),
        pl.lit(3, pl.Int16).alias("a `quoted` name, with.dots"),
    ).drop("clock")
    types = dict(as_text(frame).schema)
    made = session.range(1).mapInArrow(
        lambda batches: (b for _ in batches for b in to_engine(frame).to_batches()),
        schema_of(types),
    )
    assert_frame_equal(from_engine(made.toArrow(), types), as_text(frame))


def test_workers_read_what_this_process_looked_at(tmp_path, session, monkeypatch):
    """Paths are made absolute: workers work in folders of their own."""
    FRAME.write_parquet(tmp_path / "people.parquet")
    monkeypatch.chdir(tmp_path)
    scan = open_scan(session, FileSource(splits_module.Path("people.parquet")), ["whole"], {})
    assert count_values(session, scan, ["whole"])[0] == ROWS
    assert read_module.Scan is type(scan)
