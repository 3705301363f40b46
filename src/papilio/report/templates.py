"""Templates and style sheets of all pages."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from papilio.report.legible import legible, shown
from papilio.report.number_text import count, percentage, plural, prose, significant


@cache
def environment() -> Environment:
    """Templates beside this file. All text of the data is escaped and made legible."""
    made = Environment(
        loader=PackageLoader("papilio", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (count, significant, percentage, shown, prose)
    made.filters.update({each.__name__: each for each in filters})
    made.globals["plural"] = plural
    return made


@cache
def style(*names: str) -> Markup:
    """Text of style sheets, one after the other."""
    folder = resources.files("papilio.report")
    text = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)
    return Markup(text)  # noqa: S704 - files of ours


def _finalize(value: Any) -> Any:
    return legible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
