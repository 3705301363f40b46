"""The three kinds of l-diversity, from the released rows.

Definitions: Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam, ICDE 2006, section 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from papilio.release.manifest import Claim
from papilio.verify.class_values import (
    ClaimError,
    about,
    count_class_values,
    decimal_number,
    shortfall,
    whole_number,
)
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding

#: An entropy within this of what is demanded is not enough, unless it is exactly that.
_MARGIN = 1e-10


def check_distinct_diversity(opened: Opened, claim: Claim) -> Finding:
    """Check that every class has at least l different values."""

    def check() -> Finding:
        least = whole_number(claim, "l")
        count_class_values(opened, claim)
        fewest, *counted = _classes(opened, "min(values)", f"values < {least}")
        return _measured(claim, f"l >= {least}", f"l = {fewest}", counted)

    return _told(claim, check)


def check_entropy_diversity(opened: Opened, claim: Claim) -> Finding:
    """Check that in every class the entropy of the values is at least log l."""

    def check() -> Finding:
        least = decimal_number(claim, "l")
        if least < 1:
            raise ClaimError("the claim has no l of at least 1")
        count_class_values(opened, claim)
        # The entropy of equally frequent values is the logarithm of their number, exactly.
        short = (
            f"CASE WHEN rarest = first THEN values < {math.ceil(least)} "
            f"ELSE entropy < {math.log(least) + _MARGIN!r} END"
        )
        lowest, *counted = _classes(opened, "min(entropy)", short)
        demanded = f"entropy l >= {_text(least)}"
        return _measured(claim, demanded, f"entropy l = {math.exp(lowest):.4g}", counted)

    return _told(claim, check)


def check_recursive_diversity(opened: Opened, claim: Claim) -> Finding:
    """Check that in every class r_1 < c (r_l + ... + r_m)."""

    def check() -> Finding:
        c, place = decimal_number(claim, "c"), whole_number(claim, "l")
        count_class_values(opened, claim)
        rest = f"coalesce(list_sum(counts[{place}:]), 0)::HUGEINT"
        short = f"first * {c.denominator}::HUGEINT >= {rest} * {c.numerator}"
        worst, *counted = _classes(opened, f"max(first / {rest})", short)
        demanded = f"r1 < {_text(c)} (r{place} + ...)"
        measured = f"{place} values or more" if worst is None else f"r1 / (r{place} + ...) = "
        measured += "" if worst is None else f"{worst:.4g} at most"
        return _measured(claim, demanded, measured, counted)

    return _told(claim, check)


def _classes(opened: Opened, measure: str, short: str) -> tuple[float, int, int, int]:
    """Some measure over all classes, how many there are, how many fall short, and their rows.

    Both expressions may use ``values`` (how many), ``first`` and ``rarest`` (the largest and the
    smallest frequency), ``entropy``, ``rows`` and ``counts`` (frequencies, largest first).
    """
    found = opened.row(
        f"SELECT {measure}, count(*), count(*) FILTER ({short}), "
        f"coalesce(sum(rows) FILTER ({short}), 0) FROM ("
        "SELECT count(*) AS values, max(n) AS first, min(n) AS rarest, sum(n) AS rows, "
        "ln(sum(n)) - fsum(n * ln(n)) / sum(n) AS entropy, list(n ORDER BY n DESC) AS counts "
        f"FROM {WORK}.class_values GROUP BY class)"
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
