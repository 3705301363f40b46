import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from papilio.data.io.read import header, read
from papilio.data.source import FileSource


def test_csv_files_in_the_order_of_their_names(tmp_path):
    (tmp_path / "b.csv").write_text("v;w\nb;2\n")
    (tmp_path / "a.csv").write_text("w,v\n1,a\n,\n")
    (tmp_path / "_SUCCESS").write_text("")
    (tmp_path / ".b.csv.crc").write_bytes(b"\xff")
    raw = read(FileSource(tmp_path))
    assert raw.typed is False
    assert raw.name == tmp_path.name
    assert raw.frame.to_dict(as_series=False) == {"w": ["1", None, "2"], "v": ["a", None, "b"]}
    assert raw.frame["v"].dtype == pl.Enum(["a", "b"])
    assert header(FileSource(tmp_path)) == ("w", "v")


def test_compressed_and_plain_files_are_one_kind(tmp_path):
    import gzip

    (tmp_path / "a.csv").write_text("v\n1\n")
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"v\n2\n"))
    assert read(FileSource(tmp_path)).frame["v"].to_list() == ["1", "2"]


def test_parquet_files_of_different_writers(tmp_path):
    pq.write_table(
        pa.table({"t": ["x", None], "n": pa.array([1, 2], pa.int8())}), tmp_path / "1.parquet"
    )
    pl.DataFrame({"t": ["a", "x"], "n": [3, 4]}).write_parquet(tmp_path / "2.parquet")
    pl.DataFrame({"n": [5], "t": pl.Series(["b"], dtype=pl.Categorical)}).write_parquet(
        tmp_path / "3.parquet"
    )
    pq.write_table(pa.table({"t": pa.nulls(1), "n": pa.nulls(1)}), tmp_path / "4.parquet")
    table = pa.table({"t": pa.array(["ü"], pa.large_string()), "n": [6]})
    pq.write_table(table, tmp_path / "5.parquet")
    raw = read(FileSource(tmp_path))
    assert raw.typed is True
    assert raw.frame["t"].to_list() == ["x", None, "a", "x", "b", None, "ü"]
    assert raw.frame["n"].to_list() == [1, 2, 3, 4, 5, None, 6]
    assert raw.frame["t"].dtype == pl.Enum(["a", "b", "x", "ü"])


def test_only_the_columns_asked_for(tmp_path):
    for number in (1, 2):
        (tmp_path / f"{number}.csv").write_text(f"id,v\np{number},{number}\n")
    assert read(FileSource(tmp_path), ["v"]).frame.to_dict(as_series=False) == {"v": ["1", "2"]}


def test_an_empty_part_is_accepted_as_long_as_there_is_a_row(tmp_path):
    (tmp_path / "a.csv").write_text("v,w")
    (tmp_path / "b.csv").write_text("v,w\n1,2\n")
    assert read(FileSource(tmp_path)).frame.rows() == [("1", "2")]
