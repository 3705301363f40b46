"""The steps of a project and their addresses; one page per file."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from papilio.web.project import Project


@dataclass(frozen=True)
class Step:
    """One step of the way from data to a release.

    Attributes
    ----------
    key
        Last part of its address, and the module of its page in this package.
    title
        What the navigation says.
    purpose
        The heading of the page.
    """

    key: str
    title: str
    purpose: str


STEPS = (
    Step("data", "Data", "What is in the data"),
    Step("columns", "Columns", "What each column is"),
    Step("recipients", "Recipients", "Who gets the release"),
    Step("requirements", "Requirements", "What must hold"),
    Step("run", "Run", "Make the release"),
    Step("result", "Result", "What was made"),
    Step("compare", "Compare", "Try other settings"),
    Step("ask", "Ask", "Ask the release"),
)


def step_of(key: str) -> Step | None:
    """The step of this key, if there is one."""
    return next((step for step in STEPS if step.key == key), None)


def address(project: Project, key: str, **query: str | int) -> str:
    """Address of a step of a project."""
    path = f"/p/{quote(project.name, safe='')}/{key}"
    return f"{path}?{urlencode(query)}" if query else path
