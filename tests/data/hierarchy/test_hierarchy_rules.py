from pathlib import Path

import pytest

from papilio.data.hierarchy.rules import (
    AutomaticRule,
    DatesRule,
    IntervalsRule,
    PathsRule,
    PrefixRule,
)
from papilio.errors import PolicyError


@pytest.mark.parametrize(
    "keep", [(), (0,), (-1,), (3, 3), (2, 3), (3, 0), (2.0,), (True,), ("3",), (None, 2)]
)
def test_prefixes_must_get_shorter(keep):
    with pytest.raises(PolicyError, match=r"\[5, 3, 2\]") as caught:
        PrefixRule(keep)
    assert [fault.where for fault in caught.value.faults] == ["prefix"]


@pytest.mark.parametrize(
    "widths",
    [
        (),
        (0,),
        (-5,),
        (5, 12),
        (5, 5),
        (20, 5),
        (0.1, 0.25),
        (float("nan"),),
        (float("inf"),),
        ("5",),
        (True,),
    ],
)
def test_widths_must_nest(widths):
    with pytest.raises(PolicyError, match=r"\[5, 20, 100\]") as caught:
        IntervalsRule(widths)
    assert [fault.where for fault in caught.value.faults] == ["intervals"]


@pytest.mark.parametrize("widths", [(5, 20, 100), (0.1, 0.3, 0.6), (0.1, 1), (2.5, 5, 1e3)])
def test_widths_count_as_they_are_written(widths):
    assert IntervalsRule(widths).widths == widths


@pytest.mark.parametrize("origin", [float("nan"), float("inf"), "0", None, True])
def test_the_origin_must_be_a_number(origin):
    with pytest.raises(PolicyError) as caught:
        IntervalsRule((5,), origin)
    assert [fault.where for fault in caught.value.faults] == ["origin"]


@pytest.mark.parametrize("levels", [(), ("week",), ("year", "month"), ("year", "year"), (3,)])
def test_calendar_levels_must_grow(levels):
    with pytest.raises(PolicyError, match="day, month, quarter, year, decade, century") as caught:
        DatesRule(levels)
    assert [fault.where for fault in caught.value.faults] == ["dates"]


def test_rules_compare_by_what_they_declare():
    assert PrefixRule((3, 2)) == PrefixRule((3, 2)) != PrefixRule((3, 1))
    assert PathsRule(Path("a.csv")) == PathsRule(Path("a.csv"))
    assert IntervalsRule((5,)) != IntervalsRule((5,), 1)
    assert AutomaticRule() == AutomaticRule()
    assert len({DatesRule(("year",)), DatesRule(("year",))}) == 1
