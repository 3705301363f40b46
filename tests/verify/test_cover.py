"""What numbered cells allow, value by value."""

from datetime import datetime
from decimal import Decimal

import numpy as np
import pytest

from papilio.verify.cover import cover_of_bounds, cover_of_readings
from papilio.verify.readings import Anything, Beginning, OneOf, Span


def allowed(cover, cell, count):
    """Numbers a cell allows, by asking for each, and whether its hull holds them."""
    numbers = np.arange(count + 1)
    found = numbers[cover.allows(np.full(count + 1, cell), numbers)].tolist()
    low, high = (side[cell] for side in cover.hull)
    assert all(low <= number <= high for number in found)
    return found


def masked(values, dtype):
    """An array as DuckDB gives it: masked where NULL."""
    filled = [0 if value is None else value for value in values]
    return np.ma.array(np.array(filled, dtype), mask=[value is None for value in values])


BOUNDS = [
    (10, 20, False, [1, 2]),
    (10, 20, True, [0, 1, 2]),
    (11, 29, True, [0, 2]),
    (11, 19, False, []),
    (30, 30, False, [3]),
    (None, None, True, [0]),
    (None, None, False, []),
    (20, 10, True, []),
    (None, 20, True, []),
    (10, None, True, []),
    (10, 20, None, []),
]


@pytest.mark.parametrize("dtype", ["int64", "float64", "datetime64[us]"])
def test_bounds(dtype):
    """NULL is 0, the values 10, 20 and 30 are 1, 2 and 3."""
    low, high, null, expected = zip(*BOUNDS, strict=True)
    cover = cover_of_bounds(
        np.array([10, 20, 30], dtype), masked(low, dtype), masked(high, dtype), masked(null, bool)
    )
    assert [allowed(cover, cell, 3) for cell in range(len(low))] == list(expected)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (9.5, 10.5, [1]),
        (10.5, 19.5, []),
        (-1e300, 1e300, [1, 2, 3]),
        (float("-inf"), 20.0, []),
        (10.0, float("nan"), []),
        (float("nan"), 20.0, []),
    ],
)
def test_fractions_as_bounds_of_whole_numbers(low, high, expected):
    values = np.array([10, 20, 2**62 + 1])
    cover = cover_of_bounds(values, np.array([low]), np.array([high]), np.array([False]))
    assert allowed(cover, 0, 3) == expected


def test_large_whole_numbers_are_told_apart():
    values = np.array([2**60, 2**60 + 1, 2**60 + 2])
    ends = np.array([2**60 + 1])
    assert allowed(cover_of_bounds(values, ends, ends, np.array([False])), 0, 3) == [2]
    exact = Decimal(2**60 + 1)
    assert allowed(cover_of_readings(values, "numeric", [Span(exact, exact)]), 0, 3) == [2]


def readings_of(values, kind, readings):
    cover = cover_of_readings(np.array(values), kind, readings)
    return [allowed(cover, cell, len(values)) for cell in range(len(readings))]


def test_readings_of_text():
    values = ["1", "10", "101", "102", "2", "é"]
    assert readings_of(
        values,
        "category",
        [
            OneOf(("1", "102")),
            OneOf(("é", "unknown"), null=True),
            OneOf((), null=True),
            Beginning("1"),
            Beginning("10"),
            Beginning("3"),
            Anything(),
            None,
        ],
    ) == [[1, 4], [0, 6], [0], [2, 3, 4], [3, 4], [], [0, 1, 2, 3, 4, 5, 6], []]


def test_readings_of_numbers():
    readings = [
        Span(Decimal("0.1"), Decimal("0.3")),
        Span(Decimal("0.1"), Decimal("0.3"), half_open=True),
        Span(Decimal("0.3"), Decimal("0.3"), null=True),
        Span(Decimal("1e999"), Decimal("1e999")),
        OneOf(("0.10", "5", "five")),
    ]
    expected = [[1, 2, 3], [1, 2], [0, 3], [], [1, 4]]
    assert readings_of([0.1, 0.2, 0.3, 5.0], "numeric", readings) == expected


def test_readings_of_days():
    values = np.array(["2000-01-01", "2000-01-31", "2000-02-01"], "datetime64[us]")
    first, last = datetime(2000, 1, 1), datetime(2000, 1, 31)
    cover = cover_of_readings(values, "date", [Span(first, last), OneOf(("2000-02-01",))])
    assert allowed(cover, 0, 3) == [1, 2]
    assert allowed(cover, 1, 3) == [3]


def test_no_values_at_all():
    readings = [Span(Decimal(1), Decimal(2), null=True), OneOf(("1",)), Anything()]
    assert readings_of([], "numeric", readings) == [[0], [], [0]]
