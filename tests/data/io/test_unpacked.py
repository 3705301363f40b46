"""Files that unpack to far more than their size are refused before their rows are read."""

import gzip
import sqlite3

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from papilio import Policy
from papilio.cli.app import run
from papilio.data.io import unpacked
from papilio.data.io.database import parse_database, read_table
from papilio.data.io.read import read
from papilio.data.io.stream import open_stream
from papilio.data.source import FileSource
from papilio.errors import DataError
from papilio.families.engines.disk import memory
from papilio.workflow.publish_pieces import out_of_core
from sizes import spread

POLICY = "source: {}\ncolumns: {{a: quasi}}\nprivacy: {{k: 2}}\n"


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """What any file may unpack to, made small so that tests are quick."""
    monkeypatch.setattr(unpacked, "FREE_BYTES", 1 << 20)
    monkeypatch.setattr(unpacked, "FREE_CELLS", 100_000)


def packed(path, text, times):
    with gzip.open(path, "wb") as file:
        file.write(b"a\n")
        for _ in range(times):
            file.write(text)


BOMBS = {
    "lines": b"1\n" * 100_000,
    "empty lines": b"\n" * 100_000,
    "one cell": b"x" * 100_000,
    "one quoted cell": b'"' + b"x" * 99_999,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_gzip_bomb_ends_in_one_line(tmp_path, capsys, name):
    packed(tmp_path / "t.csv.gz", BOMBS[name], 100)
    assert (tmp_path / "t.csv.gz").stat().st_size < 100_000
    (tmp_path / "p.yaml").write_text(POLICY.format("t.csv.gz"))
    for command in (
        ["publish", str(tmp_path / "p.yaml"), "-o", str(tmp_path / "out")],
        ["profile", str(tmp_path / "t.csv.gz")],
    ):
        assert run(command) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "times its size are accepted" in said


def test_the_header_of_a_gzip_bomb_is_no_way_around(tmp_path):
    with gzip.open(tmp_path / "t.csv.gz", "wb") as file:
        for _ in range(100):
            file.write(b'"' + b"x" * 99_998 + b'"')
    with pytest.raises(DataError, match="times its size"):
        read(FileSource(tmp_path / "t.csv.gz"))


def test_packed_text_as_people_have_it_is_read(tmp_path):
    random = np.random.default_rng(1)
    frame = pl.DataFrame({"a": random.integers(0, 10_000, 400_000)})
    with gzip.open(tmp_path / "t.csv.gz", "wb") as file:
        frame.write_csv(file)
    assert read(FileSource(tmp_path / "t.csv.gz")).frame.height == 400_000


def test_the_plan_counts_unpacked_lines(tmp_path):
    packed(tmp_path / "t.csv.gz", b"1\n", 300_000)
    stream = open_stream(FileSource(tmp_path / "t.csv.gz"), ["a"])
    assert memory.estimated_rows(stream) == 300_001


def test_what_no_machine_holds_is_refused(tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text("a,b\n" + "1,2\n" * 1000)
    (tmp_path / "p.yaml").write_text(
        "papilio: 1\nsource: t.csv\ncolumns: {a: quasi, b: sensitive}\n"
        "privacy: {target: {b: {distribution: uniform, mode: per-class}}}\n"
    )
    policy = Policy.load(tmp_path / "p.yaml")
    assert out_of_core(policy, None) is None
    monkeypatch.setattr(memory, "_PER_ROW", 1 << 40)
    with pytest.raises(Exception, match="piece by piece") as caught:
        out_of_core(policy, None)
    assert caught.value.reason == "too-little-memory"


def test_runs_of_equal_cells_do_not_become_a_table_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacked, "CELLS_PER_BYTE", 50)
    frame = pa.table({"a": pa.array(np.zeros(3_000_000, np.int32)).dictionary_encode()})
    pq.write_table(frame, tmp_path / "t.parquet")
    with pytest.raises(DataError, match="times its size"):
        read(FileSource(tmp_path / "t.parquet"))


@pytest.mark.parametrize("codec", spread(["gzip", "zstd", "brotli", "snappy", "lz4"], 2))
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_pages_that_unpack_to_more_than_any_machine(tmp_path, codec, version):
    texts = pa.table({"a": [f"{n:05d}" + "x" * 1_000_000 for n in range(60)], "b": range(60)})
    pq.write_table(
        texts, tmp_path / "t.parquet", compression=codec, use_dictionary=False,
        data_page_version=version,
    )  # fmt: skip
    if (tmp_path / "t.parquet").stat().st_size < 600_000:
        with pytest.raises(DataError, match="times its size"):
            read(FileSource(tmp_path / "t.parquet"))
    # What is not asked for is not unpacked.
    assert read(FileSource(tmp_path / "t.parquet"), ["b"]).frame.height == 60


def test_parquet_as_people_have_it_is_read(tmp_path):
    random = np.random.default_rng(1)
    frame = pl.DataFrame(
        {"a": random.integers(0, 5, 500_000), "b.c": random.random(500_000), "d": ["x"] * 500_000}
    )
    frame.write_parquet(tmp_path / "t.parquet", row_group_size=50_000)
    assert read(FileSource(tmp_path / "t.parquet")).frame.height == 500_000


def test_views_of_a_database_are_not_run(tmp_path):
    """A view may never end, and is no table."""
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"
    with sqlite3.connect(tmp_path / "t.db") as database:
        database.execute(f"CREATE VIEW p AS {endless}")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute(f"CREATE VIEW p AS {endless}")
    for file in ("t.db", "t.duckdb"):
        with pytest.raises(DataError, match="views are not"):
            read_table(parse_database(file, tmp_path), "p", ["x"])
