import datetime as dt
import decimal
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from papilio.data.io.frames import Kind, from_native, to_native
from papilio.data.table import ColumnType
from papilio.data.types import convert
from papilio.errors import DataError


def pandas_frame():
    return pd.DataFrame(
        {
            "i": [1, 2, 3],
            "f": [1.5, np.nan, 3],
            "o": ["a", None, np.nan],
            "s": pd.array(["a", None, "b"], dtype="str"),
            "cat": pd.Categorical(["x", None, "y"], categories=["z", "y", "x"]),
            "icat": pd.Categorical([1, None, 2]),
            "I": pd.array([1, None, 3], dtype="Int64"),
            "b": pd.array([True, None, False], dtype="boolean"),
            "ob": [True, None, False],
            "d": pd.to_datetime(["2020-01-01", None, "2020-01-02"]),
            "tz": pd.to_datetime(["2020-01-01T02:00+02:00", None, "2020-01-02T00:00Z"], utc=True),
            "od": [dt.date(2020, 1, 1), None, dt.date(2020, 1, 2)],
            "dec": [decimal.Decimal("1.5"), None, decimal.Decimal("2")],
            "pa": pd.array(["a", None, "b"], dtype="string[pyarrow]"),
        },
        index=[7, 7, 9],
    )


def test_pandas_values_arrive():
    original = pandas_frame()
    before = original.copy(deep=True)
    frame, kind = from_native(original)
    pd.testing.assert_frame_equal(original, before)
    assert kind is Kind.PANDAS
    day, utc = dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    one = dt.timedelta(days=1)
    converted = {s.name: convert(s, None, typed=True) for s in frame}
    assert {name: series.to_list() for name, series in converted.items()} == {
        "i": [1, 2, 3],
        "f": [1.5, None, 3],
        "o": ["a", None, None],
        "s": ["a", None, "b"],
        "cat": ["x", None, "y"],
        "icat": [1, None, 2],
        "I": [1, None, 3],
        "b": [True, None, False],
        "ob": [True, None, False],
        "d": [day, None, day + one],
        "tz": [utc, None, utc + one],
        "od": [day.date(), None, day.date() + one],
        "dec": [1.5, None, 2.0],
        "pa": ["a", None, "b"],
    }
    assert converted["I"].dtype == converted["icat"].dtype == pl.Int64
    assert converted["cat"].dtype == pl.Enum(["x", "y"])


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (pl.DataFrame({"a": [1, None], "b": ["x", "y"]}), Kind.POLARS),
        (pl.LazyFrame({"a": [1, None], "b": ["x", "y"]}), Kind.POLARS),
        (pa.table({"a": [1, None], "b": ["x", "y"]}), Kind.ARROW),
    ],
)
def test_other_libraries(frame, kind):
    got, got_kind = from_native(frame)
    assert got_kind is kind
    assert got.to_dict(as_series=False) == {"a": [1, None], "b": ["x", "y"]}


def test_nan_is_null_in_every_library():
    values = [1.0, float("nan"), None]
    for frame in (
        pl.DataFrame({"a": values}),
        pa.table({"a": values}),
        pd.DataFrame({"a": values}),
    ):
        assert from_native(frame)[0]["a"].to_list() == [1.0, None, None]


def test_a_polars_frame_is_not_changed():
    frame = pl.DataFrame({"a": [float("nan")], "b": ["x"]})
    from_native(frame)
    assert frame["a"].is_nan().all()


RESULT = pl.DataFrame(
    {
        "i": [2**53 + 1, None],
        "n": [1, 2],
        "b": [True, None],
        "s": ["x", None],
        "f": [0.5, None],
        "d": [dt.date(2020, 1, 31), None],
        "e": pl.Series(["x", None], dtype=pl.Enum(["secret", "x"])),
    }
)


def test_polars_and_arrow_out():
    polars = to_native(RESULT, Kind.POLARS)
    assert isinstance(polars, pl.DataFrame)
    assert polars.rows() == RESULT.rows()
    arrow = to_native(RESULT, Kind.ARROW)
    assert isinstance(arrow, pa.Table)
    assert arrow.to_pylist() == RESULT.to_dicts()


def test_pandas_out_keeps_whole_numbers_whole():
    frame = to_native(RESULT, Kind.PANDAS)
    assert isinstance(frame, pd.DataFrame)
    assert frame["i"].tolist() == [2**53 + 1, pd.NA]
    assert frame["b"].tolist() == [True, pd.NA]
    assert frame["n"].dtype == np.int64
    assert frame["s"].isna().tolist() == [False, True]
    assert frame["f"].dtype == np.float64
    assert from_native(frame)[0]["i"].to_list() == RESULT["i"].to_list()


@pytest.mark.parametrize("kind", list(Kind))
def test_no_category_goes_out_that_no_row_has(kind):
    out = to_native(RESULT, kind)
    kept = {
        Kind.POLARS: lambda: out["e"].dtype == pl.String,
        Kind.ARROW: lambda: pa.types.is_large_string(out.column("e").type),
        Kind.PANDAS: lambda: not isinstance(out["e"].dtype, pd.CategoricalDtype),
    }[kind]
    assert kept()


@pytest.mark.parametrize("frame", [None, {"a": [1]}, [1], "a.csv", pl.Series([1]), pd.Series([1])])
def test_other_objects_are_refused(frame):
    with pytest.raises(DataError) as caught:
        from_native(frame)
    assert caught.value.reason == "unknown-frame"


def test_another_frame_library_is_refused():
    import duckdb

    with pytest.raises(DataError) as caught:
        from_native(duckdb.sql("SELECT 1 AS a"))
    assert caught.value.reason == "unknown-frame"


@pytest.mark.parametrize(
    ("columns", "reason"),
    [(["a", "a"], "duplicate-column"), ([1, "1"], "duplicate-column"), (["a", ""], "blank-column")],
)
def test_bad_names(columns, reason):
    with pytest.raises(DataError) as caught:
        from_native(pd.DataFrame([["x", "y"]], columns=columns))
    assert caught.value.reason == reason


def test_names_become_text():
    assert from_native(pd.DataFrame({0: [1], "a": [2]}))[0].columns == ["0", "a"]


@pytest.mark.parametrize(
    "cells", [[1, "Zaphod"], [["Zaphod"], None], [b"Zaphod", None], [{"a": "Zaphod"}], [1 + 2j]]
)
def test_a_mixed_column_is_refused_only_where_it_is_used(cells):
    original = pd.DataFrame({"a": range(len(cells)), "m": pd.Series(cells, dtype=object)})
    frame, _ = from_native(original)
    assert convert(frame["a"], None, typed=True).to_list() == list(range(len(cells)))
    for wanted in (None, *ColumnType):
        with pytest.raises(DataError) as caught:
            convert(frame["m"], wanted, typed=True)
        assert caught.value.reason == "unsupported-type"
        assert "Zaphod" not in str(caught.value)


def test_pandas_is_not_imported_without_need():
    code = (
        "import sys, polars as pl\n"
        "from papilio.data.io.frames import from_native, to_native\n"
        "frame, kind = from_native(pl.DataFrame({'a': [1]}))\n"
        "to_native(frame, kind)\n"
        "sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_reading_files_does_not_import_pandas(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "t.parquet")
    code = (
        "import sys, pathlib\n"
        "from papilio.data.io.read import read\n"
        "from papilio.data.source import FileSource\n"
        f"read(FileSource(pathlib.Path({str(tmp_path / 't.parquet')!r})))\n"
        "sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
