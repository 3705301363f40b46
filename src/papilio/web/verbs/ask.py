"""A question to a release of a project."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papilio.errors import PapilioError
from papilio.progress import Progress
from papilio.query.answer import Answer, shown, shown_bound
from papilio.query.truth import Truth
from papilio.web.allowed import policy_in
from papilio.web.project import Project
from papilio.workflow.ask import ask as ask_release
from papilio.workflow.ask import rewrite
from papilio.workflow.pictures import answer_pictures
from papilio.workflow.truth import truth

#: Most lines of an answer that are shown.
_LINES = 500


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
