"""Draw the picture of the README: twelve invented rows before and after, coloured by class.

The cells are what Papilio publishes for these rows at k = 3; nothing in them is made by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

import polars as pl

import papilio as pp

EXAMPLE = Path(__file__).parents[2] / "examples" / "one-table"
FIRST, ROWS, K, SEED = 45, 12, 3, 3

INK, MUTED, RULE, PAPER, CARD = "#1f2a37", "#6a7785", "#e3e8ee", "#f7f9fb", "#ffffff"
#: Strong and pale colour of each class.
COLOURS = (
    ("#0f6b75", "#dff0f1"),
    ("#b3541e", "#fbe9df"),
    ("#6a4c93", "#ece6f5"),
    ("#785d00", "#f7efd2"),
)
FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

WIDTH, ROW, TOP, PAD = 1040, 27, 124, 28
LEFT = {"name": 0, "age": 140, "postcode": 182, "job": 254, "diagnosis": 342}
RIGHT = {"age": 0, "postcode": 78, "job": 150, "diagnosis": 238}
LEFT_X, LEFT_WIDTH = 46, 448
RIGHT_X, RIGHT_WIDTH = 646, 348
GAP = 9


@dataclass(frozen=True)
class Row:
    """A row of the picture: its cells and its class."""

    cells: dict[str, str]
    group: int


def picture() -> str:
    """Return the SVG."""
    before, after = _rows()
    bottom = TOP + ROWS * ROW + 3 * GAP
    parts = [_frame(bottom + 62), *_headings(), *_ribbons(before, after)]
    parts += _table(before, LEFT, LEFT_X, LEFT_WIDTH, [_left_y(n) for n in range(ROWS)])
    parts += _blocks(after)
    parts += [_note(bottom + 36), "</svg>"]
    return "\n".join(parts) + "\n"


def _rows() -> tuple[list[Row], list[Row]]:
    """Publish the rows; names go along only to know who ended up in which class."""
    source = pl.read_csv(EXAMPLE / "patients.csv", schema_overrides={"postcode": pl.String})
    chosen = source[FIRST : FIRST + ROWS].select(list(LEFT))
    columns = {
        "age": "quasi",
        "postcode": {"role": "quasi", "hierarchy": {"prefix": [4, 3, 2]}},
        "job": {"role": "quasi", "hierarchy": str(EXAMPLE / "job.csv")},
        "diagnosis": "sensitive",
        "name": "plain",
    }
    policy = pp.Policy(columns=columns, privacy=pp.K(K), method="mondrian", cells="text")
    published = pp.publish(chosen, policy, seed=SEED).tables["table"]
    group: dict[str, int] = {}
    seen: list[tuple[str, ...]] = []
    after = []
    for row in published.iter_rows(named=True):
        cell = (row["age"], row["postcode"], row["job"])
        if cell not in seen:
            seen.append(cell)
        group[row["name"]] = seen.index(cell)
        after.append(Row({name: row[name] for name in RIGHT}, seen.index(cell)))
    before = [
        Row({name: str(value) for name, value in row.items()}, group[row["name"]])
        for row in chosen.iter_rows(named=True)
    ]
    return before, after


def _left_y(number: int) -> float:
    return TOP + GAP * 1.5 + number * ROW


def _right_y(number: int, group: int) -> float:
    return TOP + number * ROW + group * GAP


def _frame(height: int) -> str:
    title = "Twelve rows before and after generalisation"
    described = (
        "Left: twelve invented patients with name, age, postcode, job and diagnosis. Right: the "
        "published rows in four classes of three; names are gone, and age, postcode and job are "
        "the same within a class. Ribbons lead from each patient to the class."
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" font-family="{FONT}" font-size="13">\n'
        f"<title>{title}</title>\n<desc>{described}</desc>\n"
        f'<rect width="{WIDTH}" height="{height}" rx="14" fill="{PAPER}"/>'
    )


def _headings() -> list[str]:
    parts = []
    for x, width, head, sub, columns in (
        (LEFT_X, LEFT_WIDTH, "What the owner has", "every row points at one person", LEFT),
        (RIGHT_X, RIGHT_WIDTH, "What a recipient gets", f"nobody stands alone: k = {K}", RIGHT),
    ):
        parts.append(_text(x, 46, head, size=19, weight=600))
        parts.append(_text(x, 68, sub, fill=MUTED))
        parts += [_text(x + PAD / 2 + at, TOP - 18, n, MUTED, 12) for n, at in columns.items()]
        parts.append(
            f'<line x1="{x}" x2="{x + width}" y1="{TOP - 8}" y2="{TOP - 8}" stroke="{RULE}"/>'
        )
    return parts


def _table(
    rows: list[Row], columns: dict[str, int], x: int, width: int, places: list[float]
) -> list[str]:
    parts = []
    for row, y in zip(rows, places, strict=True):
        strong, pale = COLOURS[row.group]
        parts.append(_box(x, y + 1.5, width, ROW - 3, pale, 4))
        parts.append(_box(x + width - 4, y + 1.5, 4, ROW - 3, strong, 2))
        for name, at in columns.items():
            fill = MUTED if name == "name" else INK
            parts.append(_text(x + PAD / 2 + at, y + ROW / 2 + 4.5, row.cells[name], fill))
    return parts


def _blocks(rows: list[Row]) -> list[str]:
    """Draw the published rows; the cells that are equal in a class stand out in its colour."""
    parts = []
    for group, (strong, pale) in enumerate(COLOURS):
        numbers = [n for n, row in enumerate(rows) if row.group == group]
        y = _right_y(numbers[0], group)
        parts.append(_box(RIGHT_X, y + 1, RIGHT_WIDTH, ROW * len(numbers) - 2, pale, 6))
        parts.append(_box(RIGHT_X, y + 1, 4, ROW * len(numbers) - 2, strong, 2))
        for number in numbers:
            middle = _right_y(number, group) + ROW / 2 + 4.5
            for name, at in RIGHT.items():
                same = name != "diagnosis"
                cell = rows[number].cells[name]
                x = RIGHT_X + PAD / 2 + at
                parts.append(
                    _text(x, middle, cell, strong if same else INK, weight=500 if same else 400)
                )
    return parts


def _ribbons(before: list[Row], after: list[Row]) -> list[str]:
    """Draw a ribbon from each row to its class; inside a class, rows keep their order."""
    parts = []
    taken = dict.fromkeys(range(len(COLOURS)), 0)
    start, end = LEFT_X + LEFT_WIDTH, RIGHT_X
    middle = (start + end) / 2
    for number, row in enumerate(before):
        first = next(n for n, other in enumerate(after) if other.group == row.group)
        y1 = _left_y(number) + 1.5
        y2 = _right_y(first + taken[row.group], row.group) + 1
        taken[row.group] += 1
        h1, h2 = y1 + ROW - 3, y2 + ROW - 2
        path = (
            f"M{start} {y1} C{middle} {y1} {middle} {y2} {end} {y2} L{end} {h2} "
            f"C{middle} {h2} {middle} {h1} {start} {h1} Z"
        )
        parts.append(f'<path d="{path}" fill="{COLOURS[row.group][0]}" opacity="0.16"/>')
    return parts


def _note(y: float) -> str:
    words = (
        "Invented patients. Names never leave; age, postcode and job become the smallest cell that "
        "covers the class; diagnoses stay as they are."
    )
    return _text(LEFT_X, y, words, MUTED, 12)


def _box(x: float, y: float, width: float, height: float, fill: str, radius: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'rx="{radius:g}" fill="{fill}"/>'
    )


def _text(
    x: float, y: float, words: str, fill: str = INK, size: int = 13, weight: int = 400
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{fill}" font-size="{size}" '
        f'font-weight="{weight}">{escape(words)}</text>'
    )
