"""Nouns of an overview; every text is ready to be shown, and still has to be escaped."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.report.example_rows import ExampleRow
from papilio.report.head import ReportHead
from papilio.report.overview.loss_of import loss_of
from papilio.verify.verdict import Verdict

#: Width of a picture across the page, and of one of two beside each other.
WIDE, NARROW = 720, 400


@dataclass(frozen=True)
class Tile:
    """A number that sums up, and what it is."""

    value: str
    name: str


@dataclass(frozen=True)
class Numbers:
    """A small table: names of its columns, and rows whose first cell names the row."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A drawing.

    Attributes
    ----------
    title
        What it shows.
    svg
        Markup that stands inside an HTML page; it tells readers who cannot see it what it shows.
    numbers
        The numbers behind it.
    """

    title: str
    svg: str
    numbers: Numbers | None = None


@dataclass(frozen=True)
class Part:
    """A part of the page.

    Attributes
    ----------
    title, text
        What it is about, in a heading and in sentences.
    pictures
        Drawings; several stand beside each other.
    numbers
        A table.
    """

    title: str
    text: str
    pictures: tuple[Picture, ...] = ()
    numbers: Numbers | None = None


@dataclass(frozen=True)
class Overview:
    """All that a page says about a release beside its original; for the owner's eyes.

    Attributes
    ----------
    kind
        Kind of the release.
    table
        Name of what was published.
    method, why
        The method and the reason for it.
    promises
        The claims in sentences: for whom, and what.
    assumptions, limits
        What the claims assume, and what they do not protect against.
    verdict
        What the verifier found.
    seeded
        Whether it must not go out because it was made with a seed.
    tiles, parts
        What sums it up, and the rest.
    examples
        Rows before and after, where rows stay rows.
    loss
        Share of the detail that is lost, see :func:`papilio.report.overview.loss_of.loss_of`.
    """

    kind: str
    table: str
    method: str
    why: str
    promises: tuple[tuple[str, str], ...]
    assumptions: tuple[str, ...]
    limits: tuple[tuple[str, str], ...]
    verdict: Verdict
    seeded: bool
    tiles: tuple[Tile, ...]
    parts: tuple[Part, ...]
    loss: float
    examples: tuple[ExampleRow, ...] = ()


def overview_of(
    kind: str,
    head: ReportHead,
    tiles: tuple[Tile, ...],
    parts: tuple[Part, ...],
    *,
    examples: tuple[ExampleRow, ...] = (),
) -> Overview:
    """Put an overview together; ``head`` is what every report says."""
    return Overview(
        kind=kind,
        table=head.table,
        method=head.method,
        why=head.why,
        promises=tuple((each.recipient, each.sentence) for each in head.promises),
        assumptions=head.assumptions,
        limits=head.limits,
        verdict=head.verdict,
        seeded=head.seeded,
        tiles=tiles,
        parts=parts,
        examples=examples,
        loss=loss_of(kind, head),
    )
