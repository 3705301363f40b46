"""(k,e)-anonymity from the released values: group, count what differs, and subtract exactly."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.integrity import family
from papilio.verify.opened import WORK, Opened
from papilio.verify.permuted_layout import Layout, layout_faults, layout_of
from papilio.verify.verdict import Finding, Status, finding

#: Types whose numbers all fit 64 bits.
_SHORT = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")


def check_ke_anonymity(opened: Opened, claim: Claim) -> Finding:
    """Check that every group has k different values whose ends are at least e apart.

    NULL is no value. Differences are taken exactly: whole numbers as such, doubles as the binary
    fractions they are; the claim's e is the decimal number that is written.

    If the claim says ``known``, all that must hold without any so many rows of a group; if it says
    ``near``, no window of the width, with both its ends, holds more than the share of a group's
    values.
    """
    if opened.manifest.kind != "permuted" or layout_faults(opened.manifest):
        measured = "not a permuted release"
        return Finding(
            claim.claim, "as claimed", measured, Status.NOT_CHECKED, recipient=claim.recipient
        )
    layout = layout_of(opened.manifest)
    k, e = claim.parameters.get("k"), _exact(claim.parameters.get("e"))
    if isinstance(k, bool) or not isinstance(k, int) or k < 1 or e is None:
        return _finding(claim, "k >= 1, e >= 0", "the claim has no such k and e", holds=False)
    demanded = f"k >= {k}, e >= {claim.parameters['e']}"
    further = _further(claim)
    if further is None:
        measured = "the claim has no such known and near"
        return _finding(claim, demanded, measured, holds=False)
    known, near = further
    demanded += f" without any {known} rows" if known else ""
    if near is not None:
        demanded += f", at most {float(near[1]):g} within {float(near[0]):g}"
    fault = _about_another(opened, claim, layout)
    if fault:
        return _finding(claim, demanded, fault, holds=False)
    real = _is_real(opened, layout)
    _count_groups(opened, layout, real=real)
    least, narrowest, count = opened.row(
        f"SELECT min(n), min(high - low), count(*) FROM {WORK}.spans"
    )
    short = _short_real(opened, k, e) if real else _short_whole(opened, k, e)
    measured = f"k = {least or 0}, e = {0 if narrowest is None else narrowest} over {count} groups"
    if short:
        measured += f"; {short} fall short"
    faults = []
    if not short and (known or near is not None):
        faults = list(_further_faults(opened, layout, (k, e, known), near, real=real))
        measured = "; ".join([measured, *faults])
    return _finding(claim, demanded, measured, holds=not short and not faults and count > 0)


def _about_another(opened: Opened, claim: Claim, layout: Layout) -> str | None:
    quasi = {column.name for column in layout.shown if column.role == "quasi"}
    if claim.table != layout.people or set(claim.columns) != quasi:
        return "not about all quasi-identifiers"
    if claim.parameters.get("column") != layout.sensitive:
        return "not about the column that is permuted"
    kind = family(opened.types(layout.values)[layout.sensitive])
    return None if kind == "numeric" else "no value at all"


def _further(claim: Claim) -> tuple[int, tuple[Fraction, Fraction] | None] | None:
    """Rows that may be known, and width and share of a window; nothing if they are none."""
    known, near = claim.parameters.get("known", 0), claim.parameters.get("near")
    if isinstance(known, bool) or not isinstance(known, int) or not 0 <= known < 10**18:
        return None
    if near is None:
        return known, None
    if not isinstance(near, dict) or near.keys() != {"width", "at_most"}:
        return None
    width, share = _exact(near["width"]), _exact(near["at_most"])
    return None if width is None or share is None else (known, (width, share))


def _further_faults(
    opened: Opened,
    layout: Layout,
    demanded: tuple[int, Fraction, int],
    near: tuple[Fraction, Fraction] | None,
    *,
    real: bool,
) -> Iterator[str]:
    """Groups that a few known rows open, and those a window of which holds too much."""
    k, e, known = demanded
    counted = _counted(opened, layout, real=real)
    if known:
        least = min((_opens(values, rows, k, e) for values, rows in counted), default=0)
        if least <= known:
            yield f"{least} known rows open a group"
    if near is not None:
        width, share = near
        most = max(_held(values, rows, width) for values, rows in counted)
        if most > share:
            yield f"a window holds {float(most):.4g} of a group"


def _opens(values: list[Any], rows: list[int], k: int, e: Fraction) -> int:
    """Rows without which fewer than k values are left, or values within less than e."""
    rarest = sum(sorted(rows)[: max(len(rows) - k + 1, 0)])
    if e == 0:
        return rarest
    return min(rarest, sum(rows) - _most_in(values, rows, e, inclusive=False))


def _held(values: list[Any], rows: list[int], width: Fraction) -> Fraction:
    """Largest share of a group's values that lies in a window."""
    return Fraction(_most_in(values, rows, width, inclusive=True), sum(rows))


def _most_in(values: list[Any], rows: list[int], width: Fraction, *, inclusive: bool) -> int:
    """Most rows with values so near to each other; values ascend."""
    about, most, held, end = float(width), 0, 0, 0
    for start, low in enumerate(values):
        while end < len(values):
            apart = values[end] - low
            if isinstance(apart, float) and abs(apart - about) <= 1e-9 * (about + abs(low)):
                # Rounding might decide; fractions are exact.
                apart = Fraction(values[end]) - Fraction(low)
            if apart > width or (apart == width and not inclusive):
                break
            held += rows[end]
            end += 1
        most = max(most, held)
        held -= rows[start]
    return most


def _counted(opened: Opened, layout: Layout, *, real: bool) -> list[tuple[list[Any], list[int]]]:
    """Different values of each group, ascending, and how many rows have each; without NULL."""
    group, value = sql.name(layout.group), sql.name(layout.sensitive)
    if real:
        number = f"CAST({value} AS DOUBLE)"
        value = f"CASE WHEN {sql.is_finite(number)} THEN {number} + 0 END"
    counted = (
        f"SELECT g, v, count(*) AS n FROM (SELECT {group} AS g, {value} AS v FROM "
        f"{sql.name(layout.values)}) AS held WHERE v IS NOT NULL GROUP BY g, v"
    )
    shown = "v" if real else "CAST(v AS BIGINT) AS v"
    if not real and opened.types(layout.values)[layout.sensitive] not in _SHORT:
        shown = f"CAST({sql.whole('v')} AS {sql.TEXT}) AS v"
    groups, values, rows = opened.arrays(
        f"SELECT g, {shown}, n FROM ({counted}) AS counted ORDER BY counted.g, counted.v"
    )
    cuts = [0, *(np.flatnonzero(np.diff(groups)) + 1).tolist(), len(groups)]
    make = float if real else int
    return [
        ([make(each) for each in values[a:b].tolist()], [int(n) for n in rows[a:b].tolist()])
        for a, b in pairwise(cuts)
        if b > a
    ]


def _count_groups(opened: Opened, layout: Layout, *, real: bool) -> None:
    """Make ``spans``: number of different values, smallest and largest, of every group."""
    group, value = sql.name(layout.group), sql.name(layout.sensitive)
    if real:
        number = f"CAST({value} AS DOUBLE)"
        # Adding 0 turns -0 into 0; what is not finite is none of a value.
        value, kind = f"CASE WHEN {sql.is_finite(number)} THEN {number} + 0 END", "DOUBLE"
    else:
        value, kind = sql.whole(value), sql.WHOLE
    # A group of people without values is one that falls short.
    opened.keep(
        "spans",
        "SELECT count(DISTINCT v) AS n, min(v) AS low, max(v) AS high FROM "
        f"(SELECT {group} AS g, {value} AS v FROM {sql.name(layout.values)} UNION ALL "
        f"SELECT DISTINCT {group}, CAST(NULL AS {kind}) FROM {sql.name(layout.people)}) AS held "
        "GROUP BY g",
    )


def _short_whole(opened: Opened, k: int, e: Fraction) -> int:
    """Groups that fall short, of whole numbers."""
    # No two values are farther apart than all whole numbers of the column's type.
    least = min(math.ceil(e), 10**37)
    (short,) = opened.row(
        f"SELECT count(*) FROM {WORK}.spans WHERE n < {k} OR high - low < {least}"
    )
    return int(short)


def _short_real(opened: Opened, k: int, e: Fraction) -> int:
    """Groups that fall short, of doubles: rounded differences tell which need an exact look."""
    largest = math.nextafter(math.inf, 0)
    below, above = (min(float(e) * factor, largest) for factor in (1 - 1e-9, 1 + 1e-9))
    narrow = f"n < {k} OR high - low < CAST('{below!r}' AS DOUBLE)"
    (short,) = opened.row(f"SELECT count(*) FROM {WORK}.spans WHERE {narrow}")
    doubtful = opened.rows(
        f"SELECT low, high, count(*) FROM {WORK}.spans WHERE NOT ({narrow}) "
        f"AND high - low <= CAST('{above!r}' AS DOUBLE) GROUP BY low, high"
    )
    return int(short) + sum(
        int(count) for low, high, count in doubtful if Fraction(high) - Fraction(low) < e
    )


def _is_real(opened: Opened, layout: Layout) -> bool:
    return opened.types(layout.values)[layout.sensitive] in ("FLOAT", "DOUBLE")


def _exact(e: object) -> Fraction | None:
    if isinstance(e, bool) or not isinstance(e, int | float) or not math.isfinite(e) or e < 0:
        return None
    return Fraction(str(e))


def _finding(claim: Claim, demanded: str, measured: str, *, holds: bool) -> Finding:
    return finding(claim.claim, demanded, measured, holds, recipient=claim.recipient)
