"""The page of a comparison: one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from papilio.report.charts.trade_off import Axis, Point, is_dashed, looks_of, trade_off_chart
from papilio.report.comparison import Comparison, Outcome, Trial
from papilio.report.number_text import count, percentage, significant
from papilio.report.templates import environment, style

if TYPE_CHECKING:
    from papilio.families.choices import Measure

#: Size of the picture across the page, and of those beside each other.
_WIDE, _NARROW = (940, 330), (440, 200)
#: Times below this are not told apart.
_SHORTEST = 0.001


@dataclass(frozen=True)
class Look:
    """How a line is drawn."""

    method: str
    colour: str
    dashed: bool


def render_comparison(comparison: Comparison) -> str:
    """Write the page.

    It needs no network and runs no script; its own policy forbids the browser both. It shows
    numbers and the names of columns, and no value of the data.
    """
    outcomes = comparison.done
    looks = looks_of([comparison.series(trial) for trial, _ in outcomes])
    return (
        environment()
        .get_template("compare.html.j2")
        .render(
            comparison=comparison,
            groups=_groups(comparison),
            best=comparison.best,
            starred=comparison.starred,
            several=len({comparison.place(trial) for trial, _ in outcomes}) > 1,
            looks=[Look(name, colour, is_dashed(name)) for name, (colour, _) in looks.items()],
            main=_picture(comparison, comparison.loss, lambda o: o.loss, _WIDE)
            if outcomes
            else None,
            pictures=_pictures(comparison) if outcomes else [],
            some_left_out=any(outcome.left_out for _, outcome in outcomes),
            figures=(comparison.loss, comparison.risk, *comparison.measures),
            written=written,
            css=style("style.css", "compare.css"),
        )
    )


def written(measure: Measure, value: float | None) -> str:
    """Write a figure as its measure asks."""
    if value is None:
        return "–"
    if measure.share:
        return percentage(value)
    return count(value) if isinstance(value, int) else significant(value)


def _groups(comparison: Comparison) -> list[tuple[str, list[Trial]]]:
    """Variants under what they have in common."""
    places = sorted({comparison.place(trial) for trial in comparison.trials})
    name = comparison.parameter
    return [
        (
            "" if name is None else f"{name} = {place:,g}",
            [trial for trial in comparison.trials if comparison.place(trial) == place],
        )
        for place in places
    ]


def _pictures(comparison: Comparison) -> list[tuple[str, str, Markup]]:
    """Names, notes and drawings of everything but the loss."""
    drawn = [
        (comparison.risk.title, _note(comparison.risk), _of_risk(comparison)),
        *(
            (each.title, _note(each), _of_measure(comparison, each))
            for each in comparison.measures
            if each.drawn
        ),
    ]
    seconds = Axis("Time", "seconds", stretch=True)
    points = _points(comparison, lambda outcome: max(outcome.seconds, _SHORTEST))
    return [*drawn, ("Time", "of making it alone", _chart(comparison, points, seconds, _NARROW))]


def _note(measure: Measure) -> str:
    if measure.reference is None:
        return measure.words.partition(":")[0].partition(".")[0]
    return f"dotted: the original, {written(measure, measure.reference)}"


def _of_risk(comparison: Comparison) -> Markup:
    return _picture(comparison, comparison.risk, lambda outcome: outcome.risk, _NARROW)


def _of_measure(comparison: Comparison, measure: Measure) -> Markup:
    return _picture(comparison, measure, lambda o: o.more[measure.name] or 0.0, _NARROW)


def _picture(
    comparison: Comparison,
    measure: Measure,
    value: Callable[[Outcome], float],
    size: tuple[int, int],
) -> Markup:
    axis = Axis(
        measure.title,
        measure.title,
        share=measure.share,
        stretch=measure not in (comparison.loss, comparison.risk),
    )
    points = _points(comparison, value, starred=measure == comparison.loss)
    return _chart(comparison, points, axis, size, measure.reference)


def _points(
    comparison: Comparison, value: Callable[[Outcome], float], *, starred: bool = False
) -> list[Point]:
    best = comparison.starred if starred else ()
    return [
        Point(comparison.series(trial), comparison.place(trial), value(outcome), trial in best)
        for trial, outcome in comparison.done
    ]


def _chart(
    comparison: Comparison,
    points: list[Point],
    axis: Axis,
    size: tuple[int, int],
    reference: float | None = None,
) -> Markup:
    width, height = size
    along = comparison.parameter or "method"
    return trade_off_chart(
        points, axis, width=width, height=height, reference=reference, along=along
    )
