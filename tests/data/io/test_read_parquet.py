import datetime as dt
import decimal

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from papilio.data.io.read import header, read
from papilio.data.source import FileSource
from papilio.data.types import convert


@pytest.fixture
def parquet(tmp_path):
    def read_back(table, columns=None, **options):
        path = tmp_path / "people.parquet"
        if isinstance(table, pl.DataFrame):
            table.write_parquet(path)
        else:
            pq.write_table(table, path, **options)
        raw = read(FileSource(path), columns)
        assert (raw.name, raw.typed) == ("people", True)
        return raw.frame

    return read_back


TEXTS = ["b", None, "a", "", " a ", "ü", "b"]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())],
    ids=str,
)
@pytest.mark.parametrize("coded", [True, False])
def test_text_is_kept_as_it_is(parquet, kind, coded):
    frame = parquet(pa.table({"t": pa.array(TEXTS).cast(kind)}), use_dictionary=coded)
    assert frame["t"].to_list() == TEXTS
    assert frame["t"].dtype == pl.Enum(["", " a ", "a", "b", "ü"])
    assert frame["t"].to_physical().to_list() == [3, None, 2, 0, 1, 4, 3]


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["z", "b", "a", "x"])])
def test_text_written_by_polars(parquet, dtype):
    frame = parquet(pl.DataFrame({"t": pl.Series(["b", None, "a"], dtype=dtype)}))
    assert frame["t"].to_list() == ["b", None, "a"]
    assert frame["t"].dtype == pl.Enum(["a", "b"])


def test_row_groups_with_different_dictionaries(parquet):
    texts = [f"v{i % 50 + i // 100}" for i in range(1000)]
    frame = parquet(pa.table({"t": texts}), row_group_size=100)
    assert frame["t"].to_list() == texts
    assert frame["t"].dtype.categories.to_list() == sorted(set(texts))


def test_other_types_keep_their_values(parquet):
    table = pa.table(
        {
            "i": pa.array([1, None], pa.int16()),
            "f": pa.array([0.5, None], pa.float32()),
            "h": pa.array([0.5, None], pa.float16()),
            "b": pa.array([True, None]),
            "d": pa.array([dt.date(2020, 1, 31), None]),
            "d64": pa.array([dt.date(2020, 1, 31), None], pa.date64()),
            "ts": pa.array([dt.datetime(2020, 1, 31, 10), None], pa.timestamp("ms")),
            "n": pa.array([decimal.Decimal("1.50"), None], pa.decimal128(10, 2)),
            "c": pa.array([7, None]).dictionary_encode(),
            "t": pa.array([dt.time(10), None], pa.time64("us")),
            "x": pa.nulls(2),
        }
    )
    frame = parquet(table)
    day = dt.date(2020, 1, 31)
    moment = dt.datetime(2020, 1, 31, 10)
    expected = {
        "i": (1, pl.Int64),
        "f": (0.5, pl.Float64),
        "h": (0.5, pl.Float64),
        "b": (True, pl.Boolean),
        "d": (day, pl.Date),
        "d64": (day, pl.Date),
        "ts": (moment, pl.Datetime),
        "n": (decimal.Decimal("1.50"), pl.Float64),
        "c": (7, pl.Int64),
        "t": (dt.time(10), pl.Enum),
        "x": (None, pl.Enum),
    }
    for series in frame:
        value, kind = expected[series.name]
        assert series.to_list() == [value, None]
        assert convert(series, None, typed=True).dtype.base_type() is kind
    assert frame.columns == list(expected)


def test_only_the_columns_asked_for(parquet):
    table = pa.table({"id": ["p1"], "l": [[1]], "age": [3], "job": ["x"]})
    assert parquet(table, ["job", "age"]).to_dict(as_series=False) == {"age": [3], "job": ["x"]}


def test_a_dot_in_a_name_is_no_path(parquet):
    table = pa.table({"a": ["x"], "a.b": ["y"], "s": [{"q": 1}], "s.q": ["z"]})
    assert parquet(table, ["a"]).columns == ["a"]
    assert parquet(table, ["a.b"]).to_dict(as_series=False) == {"a.b": ["y"]}
    assert parquet(table, ["s.q"]).to_dict(as_series=False) == {"s.q": ["z"]}


def test_a_folder_name_with_an_equals_sign_adds_no_column(tmp_path):
    folder = tmp_path / "year=2020"
    folder.mkdir()
    pq.write_table(pa.table({"a": [1]}), folder / "t.parquet")
    assert read(FileSource(folder / "t.parquet")).frame.columns == ["a"]


def test_null_texts(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"t": ["?", " ?", "a"], "n": [1, 2, 3]}), path)
    frame = read(FileSource(path, ("?", "3"))).frame
    assert frame.to_dict(as_series=False) == {"t": [None, " ?", "a"], "n": [1, 2, 3]}


def test_the_header(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"b": [1], "a": [[1]]}), path)
    assert header(FileSource(path)) == ("b", "a")
