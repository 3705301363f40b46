"""A document as one self-contained HTML file, and a part of it as markup."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from papilio.document.model import Document, Part
from papilio.document.text import legible
from papilio.verify.verdict import Status, Verdict


def render(document: Document) -> str:
    """Write the page.

    It needs no network and runs no script; its own policy forbids the browser both. All text is
    escaped and made legible; drawings are markup of ours.
    """
    verdict = document.verdict
    return (
        environment()
        .get_template("document.html.j2")
        .render(
            document=document,
            css=style("document.css", "parts.css"),
            judgement=None if verdict is None else judgement(verdict),
        )
    )


def part_markup(part: Part) -> Markup:
    """Write what a part shows, without its heading; ``parts.css`` styles what is in ``.part``."""
    macros: Any = environment().get_template("parts.html.j2").module
    written: Markup = macros.contents(part.contents)
    return written


def judgement(verdict: Verdict) -> str:
    """Sum up a verdict in a sentence."""
    return {
        Status.HOLDS: "Verified: everything that was checked holds.",
        Status.VIOLATED: "Violated: do not hand this release out.",
        Status.NOT_CHECKED: "Not fully checked: some of it is not confirmed.",
    }[verdict.status]


@cache
def environment() -> Environment:
    """Templates beside this file."""
    made = Environment(
        loader=PackageLoader("papilio", "document"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.tests["of"] = lambda content, name: type(content).__name__ == name
    return made


@cache
def style(*names: str) -> Markup:
    """Text of style sheets, one after the other."""
    folder = resources.files("papilio.document")
    text = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)
    return Markup(text)  # noqa: S704 - files of ours


def _finalize(value: Any) -> Any:
    return legible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
