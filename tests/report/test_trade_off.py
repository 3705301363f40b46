import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.document.charts.trade_off import (
    Axis,
    Point,
    describe,
    is_dashed,
    looks_of,
    round_marks,
    trade_off_chart,
)

NCP = Axis("NCP", "share", share=True)
TIME = Axis("Time", "seconds", stretch=True)
POINTS = [
    Point("mondrian", 5, 0.1),
    Point("mondrian", 50, 0.2),
    Point("hybrid+improve", 5, 0.05),
    Point("hybrid+improve", 50, 0.15),
]


def draw(points, axis, **more):
    return str(trade_off_chart(points, axis, width=400, height=200, **more))


def axis_labels(svg):
    return re.findall(r">([^<>]+)</text>", svg)


def test_one_line_per_method_in_its_colour():
    svg = draw(POINTS, NCP)
    for colour, _ in looks_of(["mondrian", "hybrid+improve"]).values():
        assert svg.count(f'stroke="{colour}"') == 1
    assert svg.count('stroke-dasharray="5,3"') == 1


def test_the_axis_has_the_k_that_were_tried():
    assert {"5", "50", "20%"} <= set(axis_labels(draw(POINTS, NCP)))


def test_improvement_shows_by_dashes_only():
    looks = looks_of(["hybrid", "mondrian", "hybrid+improve"])
    assert looks["hybrid"] == looks["hybrid+improve"] != looks["mondrian"]
    assert is_dashed("hybrid+improve")
    assert not is_dashed("hybrid")


def test_description_tells_all_numbers():
    assert describe(POINTS, NCP) == (
        "mondrian: 10.0% at k = 5, 20.0% at k = 50; "
        "hybrid+improve: 5.00% at k = 5, 15.0% at k = 50."
    )


@pytest.mark.parametrize("points", [POINTS, POINTS[::2]])
def test_the_best_have_a_star(points):
    assert "★" not in draw(points, NCP)
    starred = [replace(point, best=point.method == "mondrian") for point in points]
    assert draw(starred, NCP).count("★") == len(points) // 2


def test_what_may_be_nothing_is_on_a_linear_axis():
    points = [Point("disguise", at, 0.5 - at) for at in (0.0, 0.1, 0.2)]
    svg = draw(points, NCP, along="shift")
    assert {"0", "0.1", "0.2", "shift"} <= set(axis_labels(svg))
    assert "NCP over shift" in svg


def test_values_far_apart_get_a_logarithmic_axis():
    far = [Point("mondrian", 5, 0.02), Point("bottom-up", 5, 16), Point("bottom-up", 50, 15)]
    labels = axis_labels(draw(far, TIME))
    assert {"0.01", "0.1", "1", "10", "100"} <= set(labels)
    assert "0.01" not in axis_labels(draw(far, Axis("Time", "seconds")))


def test_a_reference_is_dotted():
    for points in (POINTS, POINTS[::2]):
        assert 'stroke-dasharray="2,3"' in draw(points, NCP, reference=0.03)
        assert 'stroke-dasharray="2,3"' not in draw(points, NCP)


def test_bars_have_their_numbers():
    labels = axis_labels(draw(POINTS[::2], NCP))
    assert {"mondrian", "hybrid+improve", "10.0%", "5.00%"} <= set(labels)


@given(st.floats(1e-6, 1e9), st.floats(1.0, 1e6))
def test_round_marks_enclose_a_range(low, ratio):
    high = low * ratio
    marks = round_marks(low, high)
    assert marks == sorted(set(marks))
    assert marks[0] <= low
    assert marks[-1] >= high
    for mark in marks:
        digit = mark / 10 ** math.floor(math.log10(mark) + 1e-9)
        assert any(digit == pytest.approx(each) for each in (1, 2, 5))
    if len(marks) > 2:
        assert marks[1] > low
        assert marks[-2] < high


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0.019, 0.42, [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]),
        (1.2, 150.8, [1, 10, 100, 1000]),
        (0.01, 0.01, [0.01]),
        (1, 10, [1, 2, 5, 10]),
        (1, math.nextafter(10, 11), [1, 2, 5, 10, 20]),
        (math.nextafter(1, 0), 10, [0.5, 1, 2, 5, 10]),
    ],
)
def test_round_marks(low, high, marks):
    assert round_marks(low, high) == marks
