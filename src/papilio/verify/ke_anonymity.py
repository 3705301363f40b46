"""(k,e)-anonymity from the released values: group, count what differs, and subtract exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.integrity import family
from papilio.verify.opened import Opened
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
    groups = _groups(opened, layout)
    least, narrowest, short = _measure(opened, groups, k, e)
    (count,) = opened.row(f"SELECT count(*) FROM ({groups})")
    measured = f"k = {least}, e = {narrowest} over {count} groups"
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


def _groups(opened: Opened, layout: Layout) -> str:
    """SQL for number of different values, smallest and largest of every group of either table."""
    group, value = sql.name(layout.group), sql.name(layout.sensitive)
    if _is_real(opened, layout):
        # Adding 0 turns -0 into 0; what is not finite is none of a value.
        value = f"CASE WHEN isfinite(CAST({value} AS DOUBLE)) THEN CAST({value} AS DOUBLE) + 0 END"
    else:
        value = f"CAST({value} AS HUGEINT)"
    # A group without values is one that falls short.
    return (
        f"SELECT count(DISTINCT v) AS n, min(v) AS low, max(v) AS high FROM "
        f"(SELECT {group} AS g, {value} AS v FROM {sql.name(layout.values)} UNION ALL "
        f"SELECT {group}, NULL FROM {sql.name(layout.people)}) GROUP BY g"
    )


def _measure(opened: Opened, groups: str, k: int, e: Fraction) -> tuple[int, Any, int]:
    """Least number of values, least distance, and how many groups fall short."""
    least, narrowest = opened.row(f"SELECT min(n), min(high - low) FROM ({groups})")
    # Rounded differences tell which groups are worth an exact look; the rest is wide enough.
    margin = min(float(e) * (1 + 1e-9), math.nextafter(math.inf, 0))
    near = f"CAST(high - low AS DOUBLE) <= CAST('{margin!r}' AS DOUBLE)"
    narrow = opened.rows(f"SELECT n, low, high FROM ({groups}) WHERE n < {k} OR {near} OR n = 0")
    short = sum(n < k or Fraction(high) - Fraction(low) < e for n, low, high in narrow)
    return least or 0, 0 if narrowest is None else narrowest, short


def _is_real(opened: Opened, layout: Layout) -> bool:
    return opened.types(layout.values)[layout.sensitive] in ("FLOAT", "DOUBLE")


def _exact(e: object) -> Fraction | None:
    if isinstance(e, bool) or not isinstance(e, int | float) or not math.isfinite(e) or e < 0:
        return None
    return Fraction(str(e))


def _finding(claim: Claim, demanded: str, measured: str, *, holds: bool) -> Finding:
    return finding(claim.claim, demanded, measured, holds, recipient=claim.recipient)
