"""A document as one self-contained HTML file, and a part of it as markup."""

from __future__ import annotations

from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from papilio.attack.lights import Colour, Lights
from papilio.document.model import Document, Part
from papilio.document.text import legible
from papilio.errors import OutputError
from papilio.release.draft import MANIFEST, put_in_place
from papilio.release.scratch import disk_faults
from papilio.verify.verdict import Status, Verdict


def write_page(page: str, path: Path, *, overwrite: bool = False) -> Path:
    """Write a page to a file that only its owner may read.

    Parameters
    ----------
    page
        What it says.
    path
        Where it goes; not inside a release, because releases are handed out.
    overwrite
        Whether an existing file is replaced.

    Raises
    ------
    OutputError
        If the file exists, its folder does not, it would lie inside a release, or the disk refuses;
        nothing is left behind.
    """
    with disk_faults(path):
        check_place(path, overwrite=overwrite)
        check = partial(check_place, overwrite=overwrite)
        put_in_place(path, page.encode("utf-8"), check=check, mode=0o600)
    return path


def check_place(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a place the report must not go to; see :func:`write_page`."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OutputError(f"{folder} is not a directory; create it first", reason="no-parent")
    if path.is_dir():
        raise OutputError(
            f"{path} is a directory; name a file, such as report.html", reason="is-directory"
        )
    if any((above / MANIFEST).exists() for above in _folders(folder)):
        raise OutputError(
            f"{path} lies inside a release; the report shows the original data and must stay "
            "outside of what is handed out",
            reason="inside-release",
        )
    if not overwrite and (path.exists() or path.is_symlink()):
        raise OutputError(
            f"{path} exists already; name another file, or remove it first",
            reason="target-exists",
        )


def _folders(folder: Path) -> set[Path]:
    """Return the folder and all above it, as named and as they really lie."""
    real = folder.resolve()
    return {folder, *folder.parents, real, *real.parents}


def render(document: Document) -> str:
    """Write the page.

    It needs no network and runs no script; its own policy forbids the browser both. All text is
    escaped and made legible; drawings are markup of ours.
    """
    return (
        environment()
        .get_template("document.html.j2")
        .render(
            document=document,
            css=style("document.css", "parts.css"),
            judgement=judgement(document.verdict, document.lights),
        )
    )


def part_markup(part: Part) -> Markup:
    """Write what a part shows, without its heading; ``parts.css`` styles what is in ``.part``."""
    macros: Any = environment().get_template("parts.html.j2").module
    written: Markup = macros.contents(part.contents)
    return written


def judgement(verdict: Verdict | None, lights: Lights | None) -> tuple[str, str] | None:
    """Sum up a page in a sentence, with the status it looks like; nothing without a verdict.

    That claims hold is good news only where no light says that people are exposed all the same.
    """
    if verdict is None:
        return None
    match verdict.status:
        case Status.VIOLATED:
            return "violated", "Violated: do not hand this release out."
        case Status.NOT_CHECKED:
            return "not-checked", "Not fully checked: some of it is not confirmed."
        case Status.HOLDS:
            if lights is not None and lights.exposing:
                look = "violated" if lights.worst == Colour.RED else "not-checked"
                return look, f"The claims hold, and a light is {lights.worst.value} all the same."
            return "holds", "The claims hold: all that was checked is as promised."


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
