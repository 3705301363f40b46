"""The tables of cells in the page about the release format show what Papilio publishes."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from generate import FOLDER

from papilio import K, Policy, publish
from sizes import spread

PAGE = (FOLDER / "release-format.md").read_text(encoding="utf-8")


def cells(values, *, other=None, dtype=None, text=False, hierarchy=None):
    """Cells of a class that holds ``values``, in a column that also holds ``other``."""
    rest = values if other is None else [other] * len(values)
    frame = pl.DataFrame(
        {
            "class": [0] * len(values) + [1] * len(values),
            "it": pl.Series([*values, *rest], dtype=dtype),
        }
    )
    columns = {"class": "quasi", "it": {"role": "quasi", "hierarchy": hierarchy}}
    policy = Policy(columns=columns, privacy=K(len(values)), cells="text" if text else "bounds")
    table = publish(frame, policy).tables["table"]
    first = table.filter(pl.col("class" if text else "class_min").cast(pl.String) == "0").row(0)
    return list(first[1 if text else 2 :])


def shown(value):
    if value is None:
        return "NULL"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


@pytest.mark.parametrize(
    ("case", "values"),
    [
        ("one value", [30, 30]),
        ("several values", [30, 40]),
        ("values and NULL", [30, 40, None]),
        ("NULL only", [None, None]),
    ],
)
def test_ranges(case, values):
    low, high, null = [*cells(values, dtype=pl.Int64), False][:3]
    (text,) = cells(values, dtype=pl.Int64, text=True)
    row = f"| {case} | {shown(low)}, {shown(high)}, {shown(null)} | {shown(text)} |"
    assert row in PAGE


@pytest.mark.parametrize(
    ("case", "values"),
    spread(
        [
            ("one value", ["male", "male"]),
            ("several values", ["male", "female"]),
            ("values and NULL", ["male", None]),
            ("NULL only", [None, None]),
            ("booleans", [True, False]),
        ],
        2,
    ),
)
def test_sets(case, values):
    dtype = pl.Boolean if case == "booleans" else pl.String
    (bounds,) = cells(values, dtype=dtype)
    (text,) = cells(values, dtype=dtype, text=True)
    assert f"| {case} | {shown(bounds)} | {shown(text)} |" in PAGE


def test_the_third_column_of_a_range_is_there_only_if_needed():
    assert len(cells([30, 40], dtype=pl.Int64)) == 2
    assert len(cells([30, None], dtype=pl.Int64)) == 3


def test_values_that_could_be_misread_are_quoted():
    (text,) = cells(["a, b", "c"], text=True)
    assert text == '{"a, b", c}'
    assert f"`{text}`" in PAGE


DAY = {"dates": ["month", "quarter", "year", "decade", "century"]}


@pytest.mark.parametrize(
    ("hierarchy", "values"),
    spread(
        [
            ({"prefix": [4, 3, 2]}, ["01067", "01099"]),
            ({"prefix": [4, 3, 2]}, ["01067", "01067"]),
            ({"intervals": [5, 20]}, [23, 38]),
            ({"intervals": [5, 20]}, [23, 23]),
            (DAY, [date(2020, 3, 17), date(2020, 3, 17)]),
            (DAY, [date(2020, 3, 17), date(2020, 3, 1)]),
            (DAY, [date(2020, 3, 17), date(2020, 1, 17)]),
            (DAY, [date(2020, 3, 17), date(2020, 12, 17)]),
            (DAY, [date(2020, 3, 17), date(2029, 3, 17)]),
            (DAY, [date(2020, 3, 17), date(2099, 3, 17)]),
            ("automatic", [17, 25]),
            ("automatic", ["a", "b"]),
            ("automatic", ["a", "a"]),
        ]
    ),
)
def test_labels(hierarchy, values):
    # More values elsewhere keep the root from being the lowest label.
    far = {int: 99, str: "zzzzz", date: date(1850, 1, 1)}[type(values[0])]
    (label,) = cells(values, other=far, hierarchy=hierarchy)
    section = PAGE.partition("### `node`")[2].partition("## Parquet")[0]
    assert f"| `{label}` |" in section


def test_the_root_covers_null():
    (label,) = cells(["01067", None], hierarchy={"prefix": [2]})
    assert label == "*"
    assert cells([None, None], other="01067", hierarchy={"prefix": [2]}) == [None]
