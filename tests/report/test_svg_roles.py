"""Pictures have one description each, and keep the text of the data."""

from __future__ import annotations

import re

from papilio.document.charts.bars import AnswerBar, answer_bars_chart


def test_only_the_whole_picture_has_a_role():
    svg = str(answer_bars_chart([AnswerBar("north", 1, 2, 1.5, 1.2)], "avg(days)", width=400))
    assert re.findall(r' role="([^"]*)"', svg) == ["img"]
    assert "aria-roledescription" not in svg


def test_text_of_the_data_that_looks_like_a_role_stays():
    text = 'a role="graphics-symbol"'
    svg = str(answer_bars_chart([AnswerBar(text, 1, 2)], "avg(days)", width=400))
    assert f">{text}<" in svg.replace("&quot;", '"')


def test_the_truth_is_drawn_only_where_it_is_known():
    def drawn(*bars):
        return str(answer_bars_chart(bars, "avg(days)", width=400)).count("#b3541e")

    assert drawn(AnswerBar("a", 1, 2, 1.5)) == 0
    assert drawn(AnswerBar("a", 1, 2, 1.5, 1.6), AnswerBar("b", 1, 2, 1.5)) == 1
