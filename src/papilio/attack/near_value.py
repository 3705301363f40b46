"""Near values: the best guess of a person's value, if being near it is enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.group_reading import (
    GROUP,
    HIGH,
    KNOWN,
    LOW,
    MANY,
    GroupReading,
    reach,
    read_groups,
)
from papilio.attack.result import AttackResult, Exposed, people, recipients_of, someone_knowing
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.manifest import Manifest
from papilio.release.release import Release

NAME = "near_value"
#: Width of the window, as a share of the range of the column, where no claim names one.
WIDTH = Fraction(1, 20)
#: Rounding of sums of shares.
_SURE = 1e-9
#: Lines of people and cells that are put together at a time.
_LINES = 5_000_000
_SHARE, _FIRST, _LAST, _SIZE, _ALL = "share", "first", "last", "size", "all"


def near_value(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Guess, of everybody, the window of a given width that holds most of what they may have.

    The attacker finds the rows that may be a person's and reads their groups. Each of these rows
    is the person's with the same chance, and so is each cell of its group that row's; over all
    worlds that fit, a window is right with the chance that such a cell lies in it. A range lies
    in a window if all of it does, so the guess is right whatever the value in the range is. What
    is missing lies in no window.

    The width is the one that the release claims (``near``); otherwise :data:`WIDTH` of the range
    of the published values.

    Exposed is who is guessed with a chance above a limit. If the release claims that no window
    holds more than a share, the limit is that share. Otherwise it is half way from what the best
    window of the whole column holds, b, to certainty, (1 + b) / 2: the group takes away more than
    half of the doubt that everybody's values leave. So a column of which most values are alike
    exposes nobody by that alone, and a group must be more often right than wrong.

    Figures: ``rows``; ``width`` of the window; ``mean`` and ``largest`` chance of the best window,
    over people; ``certain``, people whose value is in one window in every world; ``right``, people
    of whom the best window is right, in expectation; ``before``, the chance without groups;
    ``limit``; ``exposed``.

    Notes
    -----
    Not tried: ranges wider than the window, which the attacker could guess inside of; values of
    others. Cost: a sort of the cells; where people who are alike are in several groups, of the
    cells of all these groups, once for each kind of people.
    """
    for name, columns in recipients_of(policy).items():
        reading = read_groups(release, original.name, columns)
        attacker = someone_knowing(name, columns)
        if not reading.has_distances:
            yield AttackResult(NAME, attacker, f"Nothing is near another {reading.column}.")
            continue
        width, limit = _claimed(release.manifest)
        figures = near_figures(reading, width, limit)
        exposed = Exposed(
            int(figures["exposed"]),
            reading.total,
            reading.column,
            verb="is guessed closely",
            width=figures["width"],
        )
        yield AttackResult(NAME, attacker, _sentence(figures, reading), figures, (exposed,))


def _claimed(manifest: Manifest) -> tuple[Fraction | None, float | None]:
    """Width and limit that a release claims."""
    for claim in manifest.claims:
        near = claim.parameters.get("near")
        if claim.claim == "ke-anonymity" and near is not None:
            return Fraction(str(near["width"])), float(near["at_most"])
    return None, None


def near_figures(
    reading: GroupReading, width: Fraction | None = None, limit: float | None = None
) -> dict[str, int | float]:
    """Figures of :func:`near_value`, for a window of a width and people above a limit."""
    windows = _windows(reading, width)
    whole = windows.cells.with_columns(pl.lit(0).alias(_ALL), pl.col(MANY).alias(_SHARE))
    before = float(_best(whole, _ALL).get_column(_SHARE).sum()) / max(windows.total, 1)
    shares = _shares(reading, windows)
    best, many = shares.get_column(_SHARE).to_numpy(), shares.get_column(MANY).to_numpy()
    limit = (1 + before) / 2 if limit is None else limit
    rows = reading.total
    right = float((best * many).sum())
    return {
        "rows": rows,
        "width": float(windows.width),
        "mean": right / rows if rows else 0.0,
        "largest": float(best.max(initial=0.0)),
        "certain": int(many[best > 1 - _SURE].sum()),
        "right": right,
        "before": before,
        "limit": limit,
        "exposed": int(many[best > limit + _SURE].sum()),
    }


@dataclass(frozen=True, eq=False)
class _Windows:
    """Cells with the first and the last window that holds them; a window begins at a value.

    ``cells`` has group, how many, and both, and no cell that fits no window; ``sizes`` all cells
    of each group, ``total`` of all groups.
    """

    width: Fraction
    cells: pl.DataFrame
    sizes: pl.DataFrame
    total: int


def _windows(reading: GroupReading, width: Fraction | None) -> _Windows:
    cells, ends = reading.cells, _ends(reading.cells)
    if width is None:
        width = WIDTH * (Fraction(ends[-1].item()) - Fraction(ends[0].item()) if len(ends) else 0)
    beyond = reach(ends, width, beyond=True)
    known = cells.filter(pl.col(LOW).is_not_null())
    last = np.searchsorted(ends, known.get_column(LOW).to_numpy())
    first = np.searchsorted(beyond, np.searchsorted(ends, known.get_column(HIGH)), side="right")
    placed = known.select(GROUP, MANY).with_columns(
        pl.Series(_FIRST, first, pl.Int64), pl.Series(_LAST, last, pl.Int64)
    )
    sizes = cells.group_by(GROUP).agg(pl.col(MANY).sum().alias(_SIZE))
    total = int(cells.get_column(MANY).sum())
    return _Windows(width, placed.filter(pl.col(_FIRST) <= pl.col(_LAST)), sizes, total)


def _ends(cells: pl.DataFrame) -> NDArray[Any]:
    """All different ends of cells, ascending."""
    values = pl.concat([cells.get_column(LOW), cells.get_column(HIGH)]).drop_nulls().unique().sort()
    return values.to_numpy()


def _shares(reading: GroupReading, windows: _Windows) -> pl.DataFrame:
    """``share``, the chance of the best window, and ``many``, people of whom it is that."""
    groups = pl.col(GROUP).len().over(KNOWN)
    alone = reading.people.filter(groups == 1).join(windows.sizes, on=GROUP)
    weighed = windows.cells.with_columns(pl.col(MANY).alias(_SHARE))
    best = alone.join(_best(weighed, GROUP), on=GROUP, how="left").select(
        (pl.col(_SHARE).fill_null(0) / pl.col(_SIZE)).alias(_SHARE), MANY
    )
    several = reading.people.filter(groups > 1).join(windows.sizes, on=GROUP)
    return pl.concat([best, *(_among(part, windows) for part in _parts(several, windows))])


def _parts(several: pl.DataFrame, windows: _Windows) -> Iterator[pl.DataFrame]:
    """People who are alike and in several groups, not too many at a time."""
    lines = windows.cells.group_by(GROUP).len("lines")
    kinds = several.join(lines, on=GROUP, how="left").group_by(KNOWN).agg(pl.col("lines").sum())
    part = (pl.col("lines").cum_sum() // _LINES).alias("part")
    divided = several.join(kinds.sort(KNOWN).select(KNOWN, part), on=KNOWN)
    yield from divided.partition_by("part", maintain_order=True) if several.height else ()


def _among(kinds: pl.DataFrame, windows: _Windows) -> pl.DataFrame:
    """The best window for people who may be in any of several groups."""
    people = kinds.group_by(KNOWN).agg(pl.col(MANY).sum().alias(_ALL))
    weighed = kinds.join(people, on=KNOWN).select(
        KNOWN, GROUP, (pl.col(MANY) / pl.col(_ALL) / pl.col(_SIZE)).alias(_SHARE)
    )
    cells = weighed.join(windows.cells, on=GROUP).with_columns(pl.col(_SHARE) * pl.col(MANY))
    best = people.join(_best(cells, KNOWN), on=KNOWN, how="left")
    return best.select(pl.col(_SHARE).fill_null(0).cast(pl.Float64), pl.col(_ALL).alias(MANY))


def _best(cells: pl.DataFrame, key: str) -> pl.DataFrame:
    """Most that a window holds, for each key: cells open and close as windows go up."""
    events = pl.concat(
        [
            cells.select(key, pl.col(_FIRST).alias("at"), pl.col(_SHARE).cast(pl.Float64)),
            cells.select(key, (pl.col(_LAST) + 1).alias("at"), -pl.col(_SHARE).cast(pl.Float64)),
        ]
    )
    summed = events.group_by(key, "at").agg(pl.col(_SHARE).sum()).sort(key, "at")
    held = summed.with_columns(pl.col(_SHARE).cum_sum().over(key))
    return held.group_by(key).agg(pl.col(_SHARE).max())


def _sentence(figures: dict[str, int | float], reading: GroupReading) -> str:
    rows, width = reading.total, f"{figures['width']:.4g}"
    certain = int(figures["certain"])
    sure = f"; {people(certain, rows)} for certain" if certain else ""
    return (
        f"Guessing a window of {width} in {reading.column} is right of "
        f"{people(round(figures['right']), rows)}{sure}, where the whole column would give "
        f"{100 * figures['before']:.3g}%. The chance is above {100 * figures['limit']:.3g}% for "
        f"{people(int(figures['exposed']), rows)}."
    )
