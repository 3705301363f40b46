"""t-closeness from the released rows (Li, Li, Venkatasubramanian, ICDE 2007).

What is compared with t is the Earth Mover's Distance between the values of a class and those of the
whole published table, whose sensitive column is the original one. It is computed in whole numbers
of 38 digits: work is counted in units of 1 / (rows of the class * rows of the table * steps), so
that nothing is rounded.

(n,t)-closeness from the released rows (Li, Li, Venkatasubramanian, TKDE 22(7), 2010).

A class satisfies it if it has n rows, or is t-close to the whole table; both are natural supersets
in the sense of the paper.
"""

from __future__ import annotations

import math
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
from papilio.verify.distances import ordered_work, tree_work
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding

#: Measured distances are shown rounded up to so many parts of one.
_SHOWN = 10**6


def check_t_closeness(opened: Opened, claim: Claim) -> Finding:
    """Check that the values of every class are within distance t of those of the table."""
    try:
        return check_closeness(opened, claim)
    except ClaimError as error:
        return about(claim, claim.claim, str(error), holds=False)


def check_closeness(opened: Opened, claim: Claim, enough: int | None = None) -> Finding:
    """Check classes against t; those of ``enough`` rows need not be close.

    Raises
    ------
    ClaimError
        If the claim does not say what is needed.
    """
    t, distance = decimal_number(claim, "t"), claim.parameters.get("distance")
    counts = count_class_values(opened, claim)
    rows = counts.rows
    if distance == "equal":
        steps, work = 1, _equal_work(counts)
    elif distance == "ordered":
        steps, work = ordered_work(opened, claim, counts)
    elif distance == "hierarchical":
        steps, work = tree_work(opened, claim, counts)
    else:
        raise ClaimError("the claim has no distance that is known here")
    # A domain of one value has no steps and no distance.
    unit = f"({sql.whole('size')} * {rows} * {max(steps, 1)})"
    far = f"work * {t.denominator} > {unit} * {t.numerator}"
    ratio = "CAST(work AS DOUBLE) / CAST(size AS DOUBLE)"
    judged = "" if enough is None else f" WHERE size < {enough}"
    classes, short, lost, work_of_worst, size = opened.row(
        f"SELECT count(*), {sql.count_where(far)}, {sql.sum_where('size', far)}, "
        f"max_by(work, {ratio}), max_by(size, {ratio}) FROM ({work}) AS worked{judged}"
    )
    worst = Fraction(int(work_of_worst or 0), int(size or 1) * rows * max(steps, 1))
    shown = math.ceil(worst * _SHOWN) / _SHOWN
    small = "" if enough is None else f" of fewer than {enough} rows"
    measured = f"t = {shown:g} over {classes} classes{small}{shortfall(lost, short)}"
    demanded = f"t <= {float(t):g} ({distance} distance){small and f' in classes{small}'}"
    return about(claim, demanded, measured, holds=short == 0)


def _equal_work(counts: ClassValues) -> str:
    """SQL for (size, work) of each class: all that a class has more of than its share moves."""
    cells, moved = counts.cells, f"{sql.whole('n')} * {counts.rows} - {sql.whole('total')} * size"
    totals = f"SELECT value, sum(n) AS total FROM {WORK}.class_values GROUP BY value"
    return (
        f"SELECT sum(n) AS size, sum(greatest({moved}, 0)) AS work FROM "
        f"(SELECT {cells}, value, n, sum(n) OVER (PARTITION BY {cells}) AS size "
        f"FROM {counts.source}) AS c JOIN ({totals}) AS t "
        f"ON c.value IS NOT DISTINCT FROM t.value GROUP BY {cells}"
    )


def check_nt_closeness(opened: Opened, claim: Claim) -> Finding:
    """Check that every class of fewer than n rows is at most t away from the table."""
    try:
        return check_closeness(opened, claim, whole_number(claim, "n"))
    except ClaimError as error:
        return about(claim, claim.claim, str(error), holds=False)
