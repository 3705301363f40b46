"""(k,e)-anonymity from the released values: group, count what differs, and subtract exactly."""

from __future__ import annotations

import math
from fractions import Fraction

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.integrity import family
from papilio.verify.opened import WORK, Opened
from papilio.verify.permuted_layout import Layout, layout_faults, layout_of
from papilio.verify.verdict import Finding, Status, finding


def check_ke_anonymity(opened: Opened, claim: Claim) -> Finding:
    """Check that every group has k different values whose ends are at least e apart.

    NULL is no value. Differences are taken exactly: whole numbers as such, doubles as the binary
    fractions they are; the claim's e is the decimal number that is written.
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
    return _finding(claim, demanded, measured, holds=not short and count > 0)


def _about_another(opened: Opened, claim: Claim, layout: Layout) -> str | None:
    quasi = {column.name for column in layout.shown if column.role == "quasi"}
    if claim.table != layout.people or set(claim.columns) != quasi:
        return "not about all quasi-identifiers"
    if claim.parameters.get("column") != layout.sensitive:
        return "not about the column that is permuted"
    kind = family(opened.types(layout.values)[layout.sensitive])
    return None if kind == "numeric" else "no value at all"


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
