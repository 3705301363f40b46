"""A question to a release of a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from papilio.document.charts.bars import AnswerBar, answer_bars_chart
from papilio.document.text import shown as shown_text
from papilio.errors import PapilioError
from papilio.progress import Progress
from papilio.query.answer import Answer, shown, shown_bound
from papilio.query.truth import Truth
from papilio.web.allowed import policy_in
from papilio.web.project import Project
from papilio.workflow.ask import ask as ask_release
from papilio.workflow.ask import rewrite, truth

#: Most lines of an answer that are shown.
_LINES = 500
#: Most groups that are drawn.
MOST_GROUPS = 60
#: Width of a picture across the page.
_WIDE = 720


@dataclass(frozen=True)
class Asked:
    """An answer as text, ready to be shown.

    Attributes
    ----------
    head, lines
        A table: one line per group and aggregate.
    left
        Lines beyond those.
    pictures
        Drawings by the name of the aggregate.
    notes
        What is to be known about the answer.
    rewritten
        The query as it runs over the published tables, or why that cannot be shown.
    """

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    left: int
    pictures: dict[str, str]
    notes: tuple[str, ...]
    rewritten: str


def ask(
    folder: Path,
    tell: Progress,
    number: int,
    sql: str,
    to: str = "duckdb",
    text: str | None = None,
) -> Asked:
    """Answer a query with bounds.

    Parameters
    ----------
    folder, tell
        As for every verb.
    number
        Number of the release.
    sql
        The query.
    to
        Dialect of the rewritten query.
    text
        The policy the release was made with, if the true answer shall stand beside.
    """
    release = Project(folder.name, folder).release(number)
    tell("asking", 0.2)
    answer = ask_release(release, sql)
    truths = None
    if text is not None:
        tell("reading", 0.5)
        truths = truth(sql, original=policy_in(folder, text))
    tell("drawing", 0.8)
    lines = list(answer.lines())
    return Asked(
        _head(answer, truths),
        tuple(_line(line, truths) for line in lines[:_LINES]),
        max(0, len(lines) - _LINES),
        answer_pictures(answer, truths),
        answer.notes,
        _rewritten(release, sql, to),
    )


def _head(answer: Answer, truths: Truth | None) -> tuple[str, ...]:
    groups = tuple(answer.rows[0].group) if answer.rows else ()
    more = () if truths is None else ("the truth",)
    return (*groups, "asked", "at least", "at most", "estimate", "±", *more)


def _line(line: dict[str, Any], truths: Truth | None) -> tuple[str, ...]:
    groups = [value for name, value in line.items() if name not in _CELLS]
    cells = [
        *("NULL" if value is None else shown(value) for value in groups),
        str(line["aggregate"]),
        shown_bound(line, "lo"),
        shown_bound(line, "hi"),
        shown(line["estimate"]) or "–",
        "exact" if line["exact"] else shown(line["std"]) or "–",
    ]
    if truths is not None:
        true = truths.get(tuple(groups), {})
        found = true.get(line["aggregate"])
        cells.append("NULL" if found is None and line["aggregate"] in true else shown(found) or "–")
    return tuple(cells)


#: What a line has beside the values of its group.
_CELLS = ("aggregate", "lo", "hi", "estimate", "std", "exact", "null", "sure")


def _rewritten(release: Path, sql: str, to: str) -> str:
    try:
        return rewrite(release, sql, to=to)
    except PapilioError as error:
        return f"-- {error}"


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
        ", ".join("NULL" if each is None else shown_text(str(each)) for each in row.group.values())
        or "all rows",
        float(bounds.lo),
        float(bounds.hi),
        float(bounds.estimate) if _is_number(bounds.estimate) else None,
        float(true) if _is_number(true) else None,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and value - value == 0
