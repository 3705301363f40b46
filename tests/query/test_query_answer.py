"""Answers as frames, JSON, notebook tables and pictures."""

import json
from datetime import date

import polars as pl
import pytest
from partitioned import PAPER, PAPER_COLUMNS, PAPER_GROUPS, generalised, permuted

from papilio.query.answer import Answer, AnswerRow, Bounds, shown_bound
from papilio.query.refusal import QueryError

RELEASE = permuted(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
GROUPED = RELEASE.query(
    "SELECT gender, avg(salary) AS pay, count(*) FROM patients GROUP BY gender ORDER BY gender"
)


def test_one_aggregate_by_name():
    assert RELEASE.query("SELECT avg(salary) FROM patients WHERE age > 50")["avg(salary)"].exact
    with pytest.raises(KeyError):
        GROUPED["pay"]


def test_frame():
    frame = GROUPED.to_polars()
    assert frame["gender"].to_list() == ["F", "M"]
    assert (frame["pay_lo"] <= frame["pay_estimate"]).all()
    assert (frame["pay_estimate"] <= frame["pay_hi"]).all()
    assert frame["count(*)_lo"].to_list() == [3, 6]


def test_json():
    answer = Answer(
        (
            AnswerRow(
                {"day": date(2020, 1, 2), "x": float("nan")},
                {"a": Bounds(date(2020, 1, 1), date(2020, 2, 1), None, None, exact=False)},
                sure=False,
            ),
        ),
        ("note",),
    )
    content = json.loads(json.dumps(answer.to_dict(), allow_nan=False))
    assert content["rows"][0]["group"]["day"] == "2020-01-02"
    assert content["rows"][0]["answers"]["a"]["lo"] == "2020-01-01"
    assert content["rows"][0]["sure"] is False
    assert content["notes"] == ["note"]
    assert "null" in Bounds(1, 2, None, None, exact=False, null=True).to_dict()


def test_notebook_table_escapes():
    frame = pl.DataFrame({"q": ["<b>", "<b>"], "s": [1, 2]})
    columns = {"q": "quasi", "s": {"role": "sensitive", "type": "numeric"}}
    shown = permuted(frame, [0, 0], columns).query("SELECT q, sum(s) FROM patients GROUP BY q")
    html = shown._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "sum(s)" in html


def test_empty_answer():
    answer = RELEASE.query("SELECT gender, sum(salary) FROM patients WHERE age > 99 GROUP BY 1")
    assert answer.rows == ()
    assert "<table>" in answer._repr_html_()
    with pytest.raises(QueryError):
        answer.chart()


def test_chart():
    spec = GROUPED.chart().to_dict()
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["errorbar", "point"]
    values = next(iter(spec.get("datasets", {}).values()), spec.get("data", {}).get("values"))
    assert {row["group"] for row in values} == {"F", "M"}
    assert GROUPED.chart("count(*)").to_dict()
    with pytest.raises(QueryError, match="no aggregate 'x'"):
        GROUPED.chart("x")


def test_chart_without_groups_or_estimates():
    release = generalised(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
    answer = release.query("SELECT sum(salary) FROM patients WHERE age > 40")
    assert answer.chart().to_dict()


@pytest.mark.parametrize(
    ("value", "lo", "hi"),
    [
        (1 / 3, "0.333333", "0.333334"),
        (-1 / 3, "-0.333334", "-0.333333"),
        (5.0, "5", "5"),
        (123456.789, "123,456.78", "123,456.79"),
        (1e20 / 3, "33,333,333,333,333,333,333", "33,333,333,333,333,333,334"),
        (1e-9 / 3, "0.000000000333333", "0.000000000333334"),
        (0.0, "0", "0"),
        (-0.0, "-0", "-0"),
        (7, "7", "7"),
        (100000.0, "100,000", "100,000"),
    ],
)
def test_shown_bounds_are_rounded_outward(value, lo, hi):
    line = {"lo": value, "hi": value, "exact": False, "null": False}
    shown_lo, shown_hi = shown_bound(line, "lo"), shown_bound(line, "hi")
    if abs(value) < 1e19:
        assert (shown_lo, shown_hi) == (lo, hi)
    assert float(shown_lo.replace(",", "")) <= value <= float(shown_hi.replace(",", ""))
