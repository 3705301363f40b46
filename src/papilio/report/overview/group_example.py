"""One group of a permuted or disguised release: people on one side, values on the other."""

from __future__ import annotations

import polars as pl

from papilio.release.manifest import PublishedTable
from papilio.release.release import Release
from papilio.report.legible import shown
from papilio.report.number_text import plural
from papilio.report.overview.overview import Numbers, Part

#: Most people and values that are shown.
_SHOWN = 8


def group_example(release: Release) -> Part:
    """Show the smallest group as the release shows it; nothing of the original is needed."""
    people, values = release.manifest.tables[:2]
    left = _group_first(release.frames[people.name], people)
    right = _group_first(release.frames[values.name], values)
    group = left.columns[0]
    sizes = left.group_by(group).len().sort("len", group)
    number, rows = sizes.row(0)
    inside = [_texts(each, group, number) for each in (left, right)]
    shown_rows = tuple(
        tuple(cell for side in inside for cell in side.row_or_blank(place))
        for place in range(min(_SHOWN, max(side.height for side in inside)))
    )
    head = tuple(name for side in inside for name in side.names)
    return Part(
        "One group as it is published",
        f"{plural(rows, 'person', 'people')} on the left and the values of their group on the "
        "right, in random order: which of them belongs to whom is not published."
        + (f" The first {_SHOWN} are shown." if rows > _SHOWN else ""),
        numbers=Numbers(
            ("Row", *head), tuple((str(n + 1), *row) for n, row in enumerate(shown_rows))
        ),
    )


class _Side:
    """Rows of a group as text."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.names = tuple(frame.columns)
        self.height = frame.height
        self._rows = frame.rows()

    def row_or_blank(self, place: int) -> tuple[str, ...]:
        """Cells of a row; blank ones beyond the last."""
        if place >= self.height:
            return ("",) * len(self.names)
        return tuple("NULL" if cell is None else shown(str(cell)) for cell in self._rows[place])


def _texts(frame: pl.DataFrame, group: str, number: int) -> _Side:
    return _Side(frame.filter(pl.col(group) == number).drop(group).head(_SHOWN))


def _group_first(frame: pl.DataFrame, table: PublishedTable) -> pl.DataFrame:
    """The frame with the number of the group as its first column."""
    (group,) = (column.published[0] for column in table.columns if column.cells == "group")
    return frame.select(group, pl.exclude(group))
