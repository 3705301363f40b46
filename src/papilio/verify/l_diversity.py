"""The three kinds of l-diversity, from the released rows.

Definitions: Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam, ICDE 2006, section 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.class_values import (
    ClaimError,
    ClassValues,
    about,
    count_class_values,
    decimal_number,
    shortfall,
    whole_number,
)
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding

#: An entropy within this of what is demanded is not enough, unless it is exactly that.
_MARGIN = 1e-10


def check_distinct_diversity(opened: Opened, claim: Claim) -> Finding:
    """Check that every class has at least l different values."""

    def check() -> Finding:
        least = whole_number(claim, "l")
        counts = count_class_values(opened, claim)
        fewest, *counted = _classes(opened, counts, "min(held)", f"held < {least}")
        return _measured(claim, f"l >= {least}", f"l = {fewest}", counted)

    return _told(claim, check)


def check_entropy_diversity(opened: Opened, claim: Claim) -> Finding:
    """Check that in every class the entropy of the values is at least log l."""

    def check() -> Finding:
        least = decimal_number(claim, "l")
        if least < 1:
            raise ClaimError("the claim has no l of at least 1")
        counts = count_class_values(opened, claim)
        # The entropy of equally frequent values is the logarithm of their number, exactly.
        short = (
            f"CASE WHEN rarest = most THEN held < {math.ceil(least)} "
            f"ELSE entropy < {math.log(least) + _MARGIN!r} END"
        )
        lowest, *counted = _classes(opened, counts, "min(entropy)", short)
        demanded = f"entropy l >= {_text(least)}"
        return _measured(claim, demanded, f"entropy l = {math.exp(lowest):.4g}", counted)

    return _told(claim, check)


def check_recursive_diversity(opened: Opened, claim: Claim) -> Finding:
    """Check that in every class r_1 < c (r_l + ... + r_m)."""

    def check() -> Finding:
        c, place = decimal_number(claim, "c"), whole_number(claim, "l")
        counts = count_class_values(opened, claim)
        short = f"{sql.whole('most')} * {c.denominator} >= {sql.whole('rest')} * {c.numerator}"
        ratio = "max(CAST(most AS DOUBLE) / CAST(nullif(rest, 0) AS DOUBLE))"
        worst, *counted = _classes(opened, counts, ratio, short, place)
        demanded = f"r1 < {_text(c)} (r{place} + ...)"
        measured = f"{place} values or more" if worst is None else f"r1 / (r{place} + ...) = "
        measured += "" if worst is None else f"{worst:.4g} at most"
        return _measured(claim, demanded, measured, counted)

    return _told(claim, check)


def _classes(
    opened: Opened, counts: ClassValues, measure: str, short: str, place: int | None = None
) -> tuple[float, int, int, int]:
    """Some measure over all classes, how many there are, how many fall short, and their rows.

    Both expressions may use ``held`` (how many values), ``most`` and ``rarest`` (the largest and
    the smallest frequency), ``entropy``, ``size`` (number of rows) and, with a place, ``rest`` (sum
    of the frequencies from that place on, the largest being the first).
    """
    source, rest = counts.source, ""
    if place is not None:
        source = (
            f"(SELECT {counts.cells}, n, row_number() OVER (PARTITION BY {counts.cells} "
            f"ORDER BY n DESC) AS place FROM {source}) AS placed"
        )
        rest = f", {sql.sum_where('n', f'place >= {place}')} AS rest"
    found = opened.row(
        f"SELECT {measure}, count(*), {sql.count_where(short)}, {sql.sum_where('size', short)} "
        f"FROM (SELECT count(*) AS held, max(n) AS most, min(n) AS rarest, sum(n) AS size, "
        f"ln(sum(n)) - sum(n * ln(n)) / sum(n) AS entropy{rest} "
        f"FROM {source} GROUP BY {counts.cells}) AS classes"
    )
    return found[0], int(found[1]), int(found[2]), int(found[3])


def _measured(claim: Claim, demanded: str, measured: str, counted: list[int]) -> Finding:
    classes, short, rows = counted
    text = f"{measured} over {classes} classes{shortfall(rows, short)}"
    return about(claim, demanded, text, holds=short == 0)


def _told(claim: Claim, check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except ClaimError as error:
        return about(claim, claim.claim, str(error), holds=False)


def _text(number: Fraction) -> str:
    return str(int(number) if number.denominator == 1 else float(number))
