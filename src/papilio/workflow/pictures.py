"""Drawings of what verbs give, for pages."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from papilio.attack.risk import RiskView
from papilio.document.charts.answer_bars import AnswerBar, answer_bars_chart
from papilio.document.charts.people_by_class import band_bars, people_by_class_chart
from papilio.document.text import shown
from papilio.query.answer import Answer

#: Most groups that are drawn.
MOST_GROUPS = 60
#: Width of a picture across the page.
_WIDE = 720


def risk_picture(view: RiskView) -> str:
    """Draw how many people hide among how many, before and after."""
    return str(people_by_class_chart(band_bars(view), width=_WIDE))


def answer_pictures(
    answer: Answer, truths: Mapping[tuple[Any, ...], Mapping[str, Any]] | None = None
) -> dict[str, str]:
    """Draw every aggregate whose bounds are numbers and not all exact, by its name.

    Parameters
    ----------
    answer
        The answer; nothing is drawn if it has more than :data:`MOST_GROUPS` rows.
    truths
        The true aggregates by the values of the group, if they shall be shown.
    """
    if not 0 < len(answer.rows) <= MOST_GROUPS:
        return {}
    drawn = {}
    for name in answer.rows[0].answers:
        bars = [bar for row in answer.rows if (bar := _bar(row, name, truths)) is not None]
        if any(bar.lo < bar.hi for bar in bars):
            drawn[name] = str(answer_bars_chart(bars, name, width=_WIDE))
    return drawn


def _bar(
    row: Any, name: str, truths: Mapping[tuple[Any, ...], Mapping[str, Any]] | None
) -> AnswerBar | None:
    bounds = row.answers[name]
    if not _is_number(bounds.lo) or not _is_number(bounds.hi):
        return None
    true: Any = (truths or {}).get(tuple(row.group.values()), {}).get(name)
    return AnswerBar(
        ", ".join("NULL" if each is None else shown(str(each)) for each in row.group.values())
        or "all rows",
        float(bounds.lo),
        float(bounds.hi),
        float(bounds.estimate) if _is_number(bounds.estimate) else None,
        float(true) if _is_number(true) else None,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and value - value == 0
