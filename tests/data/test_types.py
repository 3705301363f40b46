import datetime as dt
import decimal
import io
import re
import time

import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.table import ColumnType
from papilio.data.types import as_text, categorise, column_type, convert
from papilio.errors import DataError

NUMERIC, CATEGORY = ColumnType.NUMERIC, ColumnType.CATEGORY
DATE, BOOLEAN = ColumnType.DATE, ColumnType.BOOLEAN
TEXTS = [pl.String, pl.Categorical, "enum"]


def text(cells, dtype=pl.String, name="salary"):
    if dtype == "enum":
        dtype = pl.Enum(["unused", *sorted({cell for cell in cells if cell is not None})][::-1])
    return pl.Series(name, cells, dtype=dtype)


@pytest.mark.parametrize("dtype", TEXTS, ids=str)
@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "-20", None, "0"], NUMERIC, [1, -20, None, 0]),
        (["1", "2.50", "-0.5", None], NUMERIC, [1.0, 2.5, -0.5, None]),
        (["1e-05", "1.5E+20", "3"], NUMERIC, [1e-05, 1.5e20, 3.0]),
        (["9223372036854775807", "-9223372036854775808"], NUMERIC, [2**63 - 1, -(2**63)]),
        (["9223372036854775808", "1"], CATEGORY, None),
        (["9" * 400 + ".5"], CATEGORY, None),
        (["00123", "45"], CATEGORY, None),
        (["-01"], CATEGORY, None),
        (["00.5"], CATEGORY, None),
        (["+1"], CATEGORY, None),
        (["1,000"], CATEGORY, None),
        (["1_000"], CATEGORY, None),
        (["1 000"], CATEGORY, None),
        (["12E4"], CATEGORY, None),
        (["1."], CATEGORY, None),
        ([".5"], CATEGORY, None),
        (["1", "x"], CATEGORY, None),
        (["nan", "1"], CATEGORY, None),
        (["inf"], CATEGORY, None),
        (["٣"], CATEGORY, None),
        (["1\n"], CATEGORY, None),
        (["2020-01-31", None], DATE, [dt.date(2020, 1, 31), None]),
        (["0001-01-01", "9999-12-31"], DATE, [dt.date(1, 1, 1), dt.date(9999, 12, 31)]),
        (["2020-02-30"], CATEGORY, None),
        (["2020-1-31"], CATEGORY, None),
        (["31.01.2020"], CATEGORY, None),
        (["2020-01-31T10:05"], DATE, [dt.datetime(2020, 1, 31, 10, 5)]),
        (
            ["2020-01-31 10:05:06", "2020-01-31T10:05:06.5", "2020-02-01"],
            DATE,
            [
                dt.datetime(2020, 1, 31, 10, 5, 6),
                dt.datetime(2020, 1, 31, 10, 5, 6, 500_000),
                dt.datetime(2020, 2, 1),
            ],
        ),
        (
            [
                "2020-01-31T10:00:00Z",
                "2020-01-31T10:00:00.123456789-02:30",
                "2020-01-31T10:00+0100",
            ],
            DATE,
            [
                dt.datetime(2020, 1, 31, 10, tzinfo=dt.UTC),
                dt.datetime(2020, 1, 31, 12, 30, 0, 123456, tzinfo=dt.UTC),
                dt.datetime(2020, 1, 31, 9, tzinfo=dt.UTC),
            ],
        ),
        (["2020-01-31T10:00:00Z", "2020-01-31T10:00:00"], CATEGORY, None),
        (["2020-01-31T24:00:00"], CATEGORY, None),
        (["2020-01-31T10:60"], CATEGORY, None),
        (["true", "FALSE", None, "True"], BOOLEAN, [True, False, None, True]),
        (["true", "maybe"], CATEGORY, None),
        (["yes", "no"], CATEGORY, None),
        (["0", "1"], NUMERIC, [0, 1]),
        ([None, None], CATEGORY, None),
        ([], CATEGORY, None),
        ([""], CATEGORY, None),
    ],
)
def test_inference_from_text(cells, kind, values, dtype):
    series = text(cells, dtype)
    assert column_type(series, typed=False) is kind
    assert column_type(series, typed=True) is CATEGORY
    converted = convert(series, None, typed=False)
    assert converted.name == "salary"
    assert converted.to_list() == (cells if values is None else values)
    assert convert(series, kind, typed=False).to_list() == converted.to_list()
    assert convert(series, CATEGORY, typed=False).to_list() == cells
    assert convert(series, None, typed=True).to_list() == cells
    assert column_type(converted, typed=True) is kind


def test_whole_numbers_are_int64_and_others_float64():
    assert convert(text(["1", "2"]), None, typed=False).dtype == pl.Int64
    assert convert(text(["1", "2.0"]), None, typed=False).dtype == pl.Float64
    assert convert(text(["2020-01-31"]), None, typed=False).dtype == pl.Date
    assert convert(text(["2020-01-31T10:00"]), None, typed=False).dtype == pl.Datetime("us")
    zoned = convert(text(["2020-01-31T10:00Z"]), None, typed=False)
    assert zoned.dtype == pl.Datetime("us", "UTC")


@pytest.mark.parametrize("dtype", TEXTS, ids=str)
def test_categories_are_the_sorted_values_that_occur(dtype):
    series = convert(text(["b", "Ä", None, "a", "b"], dtype), None, typed=True)
    assert series.dtype == pl.Enum(["a", "b", "Ä"])
    assert series.to_physical().to_list() == [1, 2, None, 0, 1]


def test_an_enumeration_in_another_order_is_sorted():
    series = categorise(text(["b", "a"], pl.Enum(["b", "a"])))
    assert series.to_list() == ["b", "a"]
    assert series.dtype.categories.to_list() == ["a", "b"]


def test_a_sorted_enumeration_is_returned_as_it_is():
    series = text(["b", "a"], pl.Enum(["a", "b"]))
    assert categorise(series) is series


@given(st.lists(st.none() | st.text(max_size=3)))
def test_categorise_against_plain_python(cells):
    series = categorise(pl.Series("x", cells, dtype=pl.String))
    ranks = {value: rank for rank, value in enumerate(sorted({c for c in cells if c is not None}))}
    assert series.dtype.categories.to_list() == list(ranks)
    assert series.to_physical().to_list() == [ranks.get(cell) for cell in cells]


PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-][0-9]+)?")


@given(st.lists(st.text("0123456789+-.eE,", min_size=1, max_size=5), min_size=1, max_size=3))
def test_numbers_against_plain_python(cells):
    numeric = all(PLAIN.fullmatch(cell) for cell in cells) and all(
        abs(float(cell)) != float("inf") for cell in cells
    )
    converted = convert(text(cells), None, typed=False)
    assert (column_type(text(cells), typed=False) is NUMERIC) == numeric
    assert converted.to_list() == ([float(cell) for cell in cells] if numeric else cells)


@given(st.lists(st.datetimes(), min_size=1, max_size=4), st.sampled_from("T "))
def test_moments_against_plain_python(moments, between):
    cells = [moment.isoformat(between) for moment in moments]
    assert convert(text(cells), None, typed=False).to_list() == moments


@given(st.timedeltas(dt.timedelta(hours=-23), dt.timedelta(hours=23)))
def test_time_zones_against_plain_python(offset):
    zone = dt.timezone(dt.timedelta(minutes=offset // dt.timedelta(minutes=1)))
    moment = dt.datetime(2020, 2, 29, 12, tzinfo=zone)
    assert convert(text([moment.isoformat()]), None, typed=False).to_list() == [moment]


@pytest.mark.parametrize(
    ("series", "kind", "dtype", "values"),
    [
        (pl.Series([1, None], dtype=pl.Int8), NUMERIC, pl.Int64, [1, None]),
        (pl.Series([1], dtype=pl.UInt64), NUMERIC, pl.Int64, [1]),
        (pl.Series([2**62], dtype=pl.Int128), NUMERIC, pl.Int64, [2**62]),
        (pl.Series([0.1, None], dtype=pl.Float32), NUMERIC, pl.Float64, [0.1, None]),
        (pl.Series([1e20, 3e-45], dtype=pl.Float32), NUMERIC, pl.Float64, [1e20, 3e-45]),
        (pl.Series([1.5, float("nan")]), NUMERIC, pl.Float64, [1.5, None]),
        (pl.Series([decimal.Decimal("2.50")]), NUMERIC, pl.Float64, [2.5]),
        (pl.Series([decimal.Decimal(2)]), NUMERIC, pl.Int64, [2]),
        (pl.Series([dt.date(2020, 1, 1)]), DATE, pl.Date, [dt.date(2020, 1, 1)]),
        (
            pl.Series([dt.datetime(2020, 1, 1)], dtype=pl.Datetime("ns")),
            DATE,
            pl.Datetime("us"),
            [dt.datetime(2020, 1, 1)],
        ),
        (
            pl.Series([dt.datetime(2020, 1, 1)]).dt.replace_time_zone("Europe/Berlin"),
            DATE,
            pl.Datetime("us", "UTC"),
            [dt.datetime(2019, 12, 31, 23, tzinfo=dt.UTC)],
        ),
        (pl.Series([True, None]), BOOLEAN, pl.Boolean, [True, None]),
        (pl.Series([dt.time(10, 5)]), CATEGORY, pl.Enum(["10:05:00"]), ["10:05:00"]),
        (pl.Series([dt.timedelta(days=1)]), CATEGORY, pl.Enum(["P1D"]), ["P1D"]),
        (pl.Series([None, None]), CATEGORY, pl.Enum([]), [None, None]),
        (pl.Series([None], dtype=pl.Int32), NUMERIC, pl.Int64, [None]),
    ],
)
def test_typed_columns(series, kind, dtype, values):
    assert column_type(series, typed=True) is kind
    converted = convert(series, None, typed=True)
    assert converted.dtype == dtype
    assert converted.to_list() == values
    assert convert(series, kind, typed=True).equals(converted)


@pytest.mark.parametrize(
    ("series", "texts"),
    [
        (pl.Series([10, None, 9]), ["10", None, "9"]),
        (pl.Series([0.5, float("nan"), 1.0]), ["0.5", None, "1.0"]),
        (pl.Series([0.1], dtype=pl.Float32), ["0.1"]),
        (pl.Series([decimal.Decimal("2.50")]), ["2.50"]),
        (pl.Series([True, False]), ["true", "false"]),
        (pl.Series([dt.date(2020, 1, 31)]), ["2020-01-31"]),
        (pl.Series([dt.datetime(2020, 1, 31, 10)]), ["2020-01-31T10:00:00"]),
        (
            pl.Series([dt.datetime(2020, 1, 31, 10, tzinfo=dt.UTC)]),
            ["2020-01-31T10:00:00+00:00"],
        ),
    ],
)
def test_anything_can_be_a_category(series, texts):
    converted = convert(series, CATEGORY, typed=True)
    assert converted.to_list() == texts
    assert converted.dtype == pl.Enum(sorted({t for t in texts if t is not None}))


@pytest.mark.parametrize(
    ("cells", "wanted", "values"),
    [
        (["007", "+5", ".5", "1.", "2E3", None], NUMERIC, [7, 5, 0.5, 1, 2000, None]),
        (["007", "+5"], NUMERIC, [7, 5]),
        (["yes", "N", "1", "0", "T", "f", "true", None], BOOLEAN,
         [True, False, True, False, True, False, True, None]),
        ([None, None], NUMERIC, [None, None]),
        ([None], DATE, [None]),
        ([None], BOOLEAN, [None]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("typed", [True, False])
def test_a_declared_type_is_read_kindly(cells, wanted, values, typed):
    converted = convert(text(cells), wanted, typed)
    assert converted.to_list() == values
    assert column_type(converted, typed=True) is wanted


def test_zero_and_one_can_be_declared_boolean():
    assert convert(pl.Series([0, 1, None]), BOOLEAN, typed=True).to_list() == [False, True, None]


@pytest.mark.parametrize(
    ("series", "wanted", "message", "reason"),
    [
        (
            text(["1"] * 16 + ["Zaphod", "Zaphod", "2,5", None]),
            NUMERIC,
            "is declared numeric but 3 of its cells are not numbers (first in row 17)",
            "not-numeric",
        ),
        (
            text([None, "Zaphod"]),
            NUMERIC,
            "is declared numeric but 1 of its cells is not a number (first in row 2)",
            "not-numeric",
        ),
        (
            text(["2020-01-31", "2020-02-30", "Zaphod"]),
            DATE,
            "is declared date but 2 of its cells are not ISO dates (first in row 2)",
            "not-a-date",
        ),
        (
            text(["Zaphod", "yes"]),
            BOOLEAN,
            "is declared boolean but 1 of its cells is not true or false (first in row 1)",
            "not-a-boolean",
        ),
        (pl.Series("salary", [0, 7]), BOOLEAN, "not true or false (first in row 2)",
         "not-a-boolean"),
        (pl.Series("salary", [None, 7]), DATE, "(first in row 2)", "not-a-date"),
        (pl.Series("salary", [True]), NUMERIC, "1 of its cells is not a number", "not-numeric"),
        (pl.Series("salary", [dt.date(2020, 1, 1)]), NUMERIC, "not a number", "not-numeric"),
        (pl.Series("salary", [dt.date(2020, 1, 1)]), BOOLEAN, "not true or false", "not-a-boolean"),
        (pl.Series("salary", [dt.time(1)]), NUMERIC, "not a number", "not-numeric"),
        (text(["1", "9223372036854775808"]), NUMERIC, "1 numbers are too large (first in row 2)",
         "number-too-large"),
        (text(["1e400"]), NUMERIC, "too large", "number-too-large"),
        (pl.Series("salary", [2**63], dtype=pl.UInt64), None, "too large", "number-too-large"),
        (pl.Series("salary", [decimal.Decimal(10**20)]), None, "too large", "number-too-large"),
        (text(["2020-01-31T10:00Z", "2020-01-31"]), DATE, "time zone", "mixed-time-zones"),
        (pl.Series("salary", [float("inf")]), None, "infinite", "infinite-number"),
        (pl.Series("salary", [[1]]), None, "type List", "unsupported-type"),
        (pl.Series("salary", [{"a": 1}]), CATEGORY, "type Struct", "unsupported-type"),
        (pl.Series("salary", [b"Zaphod"]), None, "type Binary", "unsupported-type"),
    ],
)  # fmt: skip
def test_misfits(series, wanted, message, reason):
    with pytest.raises(DataError) as caught:
        convert(series, wanted, typed=True)
    assert caught.value.reason == reason
    assert message in str(caught.value)
    assert str(caught.value).startswith("column 'salary'")
    assert "Zaphod" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_conversion_does_not_change_the_original():
    series = text(["2", "1"])
    convert(series, NUMERIC, typed=False)
    assert series.dtype == pl.String
    assert series.to_list() == ["2", "1"]


def test_as_text_keeps_only_values_that_rows_have():
    series = convert(text(["secret", "x", None]), None, typed=True)
    frame = pl.DataFrame([series, pl.Series("n", [1, 2, 3])]).filter(pl.col("n") > 1)
    plain = as_text(frame)
    assert plain.schema == {"salary": pl.String, "n": pl.Int64}
    assert plain.rows() == [("x", 2), (None, 3)]
    published = io.BytesIO()
    plain.write_parquet(published)
    assert "secret" not in str(pq.read_schema(published).field("salary").metadata)


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical], ids=str)
def test_a_million_rows_take_a_fraction_of_a_second(dtype):
    """Distinct values are looked at, not cells; a look at each cell takes several times as long."""
    numbers = pl.Series([str(i % 100) for i in range(1000)] * 1000, dtype=dtype)
    words = pl.Series([f"w{i % 50}" for i in range(1000)] * 1000, dtype=dtype)
    started = time.process_time()
    for series in (numbers, words):
        convert(series, None, typed=False)
    assert time.process_time() - started < 1
