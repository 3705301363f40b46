"""Nouns of a document. Texts are plain and ready to be read; whoever shows them escapes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeAlias

from markupsafe import Markup

from papilio.attack.lights import Lights
from papilio.verify.verdict import Verdict
from papilio.version import __version__

#: Width of a picture across the page, and of one of two beside each other.
WIDE, NARROW = 820, 420


@dataclass(frozen=True)
class Styled:
    """Text with a look: classes of the style sheet, and the colour of a sign before it."""

    text: str
    look: str = ""
    colour: str = ""


@dataclass(frozen=True)
class Change:
    """What a cell was, and what it is published as."""

    before: str
    after: str


Cell: TypeAlias = str | Styled | Change


@dataclass(frozen=True)
class Tile:
    """A number that sums up, what it is, and a sentence that explains it."""

    value: str
    name: str
    note: str = ""


@dataclass(frozen=True)
class Tiles:
    """Numbers beside each other."""

    tiles: tuple[Tile, ...]


@dataclass(frozen=True)
class Numbers:
    """A small table.

    Attributes
    ----------
    head, rows
        Names of the columns, and cells; the first cell names the row, and its look is that of the
        row. The last cell of a row that is too short spans what is left; a row that begins with an
        empty cell continues the one above.
    caption
        What it is, if nothing around says it.
    look
        ``numbers`` (narrow, numbers to the right), ``plain`` (sentences), ``verdict``, ``risk``,
        ``examples`` or ``trials``.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    look: str = "numbers"


@dataclass(frozen=True)
class Picture:
    """A drawing.

    Attributes
    ----------
    title, remark
        What it shows, and a word beside that.
    svg
        Markup of ours that stands inside an HTML page; it tells readers who cannot see it what it
        shows.
    numbers
        The numbers behind it, shown on demand.
    note
        A sentence below it.
    titled
        Whether the title is to be read above it; not if a heading says the same.
    """

    title: str
    svg: Markup
    numbers: Numbers | None = None
    remark: str = ""
    note: str = ""
    titled: bool = True


@dataclass(frozen=True)
class Pictures:
    """Drawings beside each other."""

    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Text:
    """A paragraph; ``look`` is ``note`` for what matters less, ``violated`` for what matters."""

    text: str
    look: str = ""


@dataclass(frozen=True)
class Bullets:
    """Sentences one below the other, each with an aside; ``look`` may be ``promises``."""

    items: tuple[tuple[str, str], ...]
    look: str = ""


@dataclass(frozen=True)
class Terms:
    """Words and what they mean."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Legend:
    """What colours mean: texts with the look ``before``, ``after``, ``solid`` or ``dashed``."""

    keys: tuple[Styled, ...]


@dataclass(frozen=True)
class Part:
    """A part of a document.

    Attributes
    ----------
    title, lead
        What it is about, in a heading and in sentences.
    contents
        What it shows; a part inside a part has a smaller heading.
    where
        ``report`` or ``page`` if it is for one of them only.
    folded
        Whether the page of the workbench opens it on demand only.
    look
        ``whole`` if it is not to be divided on paper, ``limits`` or ``recipient``.
    """

    title: str
    lead: str = ""
    contents: tuple[Content, ...] = ()
    where: Literal["both", "report", "page"] = "both"
    folded: bool = False
    look: str = ""


Content: TypeAlias = Text | Bullets | Terms | Tiles | Numbers | Picture | Pictures | Legend | Part


@dataclass(frozen=True)
class Document:
    """All there is to say, for the owner's eyes.

    Attributes
    ----------
    purpose, name
        What kind of document it is, and what it is about.
    subtitle
        Sizes and methods, in a line.
    shows
        What of the original can be seen in it, so that nobody hands it out.
    tiles
        What sums it up.
    head, parts
        What is to be read first, and the rest.
    verdict
        What the verifier found, if it is about a release.
    warnings
        Why it must not go out, besides the verdict.
    loss
        Share of the detail that the release loses, between 0 and 1, as its family measures it.
    lights
        What verdict and attacks come to, if it is about a release that was attacked.
    closing
        A sentence at the end.
    made, papilio
        When it was made, and by which version.
    """

    purpose: str
    name: str
    subtitle: str
    shows: str
    tiles: tuple[Tile, ...]
    head: tuple[Part, ...]
    parts: tuple[Part, ...]
    verdict: Verdict | None = None
    warnings: tuple[str, ...] = ()
    loss: float | None = None
    lights: Lights | None = None
    closing: str = ""
    made: date = field(default_factory=date.today)
    papilio: str = __version__

    @property
    def title(self) -> str:
        """Title of the page."""
        return f"{self.purpose}: {self.name}"
