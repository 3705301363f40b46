"""The page of a comparison: one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from papilio.report.charts.trade_off import Axis, Point, colour_of, is_dashed, trade_off_chart
from papilio.report.comparison import Comparison, Outcome, Trial
from papilio.report.legible import shown
from papilio.report.number_text import percentage
from papilio.report.templates import environment, style

#: Size of the picture across the page, and of those beside each other.
_WIDE, _NARROW = (940, 330), (440, 200)

_NCP = Axis("NCP", "share of the domain an average cell covers", share=True)
_RATIO = Axis("Query ratio", "share of rows an average query finds", share=True, stretch=True)
_AVERAGE = Axis("Average class size", "rows per class, in units of k", stretch=True)
_CLASSIFICATION = Axis("Classification metric", "share of rows mislabelled", share=True)
_TIME = Axis("Time", "seconds", stretch=True)

#: Times below this are not told apart.
_SHORTEST = 0.001


@dataclass(frozen=True)
class Look:
    """How a method is drawn."""

    method: str
    colour: str
    dashed: bool


def render_comparison(comparison: Comparison) -> str:
    """Write the page.

    It needs no network and runs no script; its own policy forbids the browser both. It shows
    numbers and the names of columns, and no value of the data.
    """
    outcomes = comparison.done
    methods = dict.fromkeys(trial.method for trial, _ in outcomes)
    return (
        environment()
        .get_template("compare.html.j2")
        .render(
            comparison=comparison,
            by_k=_by_k(comparison),
            best=comparison.best,
            looks=[Look(each, colour_of(each), is_dashed(each)) for each in methods],
            main=_picture(comparison, _NCP, lambda outcome: outcome.ncp, _WIDE)
            if outcomes
            else None,
            pictures=_pictures(comparison) if outcomes else [],
            some_left_out=any(outcome.left_out for _, outcome in outcomes),
            css=style("style.css", "compare.css"),
        )
    )


def _by_k(comparison: Comparison) -> list[tuple[int, list[Trial]]]:
    sizes = sorted({trial.k for trial in comparison.trials})
    return [(k, [trial for trial in comparison.trials if trial.k == k]) for k in sizes]


def _pictures(comparison: Comparison) -> list[tuple[str, str, Markup]]:
    """Names, notes and drawings of everything but the NCP."""
    exact = comparison.exact_query_ratio
    label = "" if comparison.label is None else shown(comparison.label)
    drawn: list[tuple[Axis, str, Callable[[Outcome], float], float | None]] = [
        (_RATIO, f"dotted: the original, {percentage(exact)}", lambda o: o.query_ratio, exact),
        (_AVERAGE, "best possible: 1", lambda o: o.average_class_size, None),
        (_CLASSIFICATION, f"of ‘{label}’", lambda o: o.classification or 0.0, None),
        (_TIME, "of the method alone", lambda o: max(o.seconds, _SHORTEST), None),
    ]
    return [
        (axis.name, note, _picture(comparison, axis, value, _NARROW, reference))
        for axis, note, value, reference in drawn
        if axis is not _CLASSIFICATION or comparison.label is not None
    ]


def _picture(
    comparison: Comparison,
    axis: Axis,
    value: Callable[[Outcome], float],
    size: tuple[int, int],
    reference: float | None = None,
) -> Markup:
    points = [Point(trial.method, trial.k, value(outcome)) for trial, outcome in comparison.done]
    width, height = size
    return trade_off_chart(points, axis, width=width, height=height, reference=reference)
