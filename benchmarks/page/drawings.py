"""Which lines each part of the page shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from page.lines import YARDSTICKS, Axis, lines
from page.plan import ATTRIBUTES, ROWS, K, Task
from page.results import Measured, Results

_ACROSS = {
    ROWS: (Axis("rows", logarithmic=True, form="~s"), lambda task: task.rows),
    K: (Axis("k", logarithmic=True), lambda task: task.k),
    ATTRIBUTES: (Axis("quasi-identifiers"), lambda task: task.attributes),
}
_SECONDS = Axis("seconds", logarithmic=True)
_MEMORY = Axis("peak memory, MiB", form=",.0f")
_LOSS = Axis("loss, NCP")


@dataclass(frozen=True)
class Drawing:
    """A picture and its caption."""

    caption: str
    picture: Markup


def drawings(results: Results, section: str) -> list[Drawing]:
    """Draw time, memory and loss of a section; nothing where there is one point only."""
    found = [each for each in results.section(section) if each.seconds is not None]
    across, place = _ACROSS[section]
    if len({place(each.task) for each in found}) < 2:
        return []
    time = [*_yardsticks(found, place), *_points(found, place, lambda m: m.seconds)]
    made = [Drawing("Time", _draw(time, across, _SECONDS))]
    memory = _points(found, place, lambda m: m.mebibytes)
    made.append(Drawing("Memory", _draw(memory, across, _MEMORY)))
    loss = _points(found, place, lambda m: m.loss)
    if loss:
        made.append(Drawing("Loss", _draw(loss, across, _LOSS)))
    return made


def _draw(points: list[dict[str, Any]], across: Axis, up: Axis) -> Markup:
    return lines(points, across, up, f"{up.title} over {across.title}")


def _points(
    found: Sequence[Measured],
    place: Callable[[Task], int],
    value: Callable[[Measured], float | None],
) -> list[dict[str, Any]]:
    return [
        {"name": each.task.method, "x": place(each.task), "y": value(each)}
        for each in found
        if value(each) is not None
    ]


def _yardsticks(found: Sequence[Measured], place: Callable[[Task], int]) -> list[dict[str, Any]]:
    once = {place(each.task): each for each in found}
    return [
        {"name": name, "x": x, "y": y}
        for x, each in once.items()
        for name, y in zip(YARDSTICKS, (each.sort, each.group), strict=True)
    ]
