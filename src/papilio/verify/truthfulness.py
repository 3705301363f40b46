"""Whether every published row is true of one original row, and none is lost.

A release is truthful if its rows can be matched one to one with the rows of the original so that
every generalised cell covers the original value and every other cell equals it. The rows of a
release are shuffled, so the matching has to be found. Equal rows are counted together: originals
are supplies, published rows demands, and a matching exists exactly if a maximum flow serves all.
Which fits which is found in :mod:`papilio.verify.fitting`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedTable
from papilio.verify import sql
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs, is_readable, matched
from papilio.verify.integrity import family
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, Status, finding

#: Most pairs of an original row and a published row it may be that are kept.
_LIMIT = 40_000_000
#: Most blocks of comparisons made to find them; a few minutes.
_BLOCKS = 400_000

_CLAIM = "truthfulness"
_DEMANDED = "every original row is covered by one published row, none is lost or invented"


def check_truthfulness(opened: Opened, table: PublishedTable, original: str) -> Finding:
    """Check a table against the original.

    Parameters
    ----------
    opened
        The release.
    table
        The table in question.
    original
        Name of a view with the original's columns, registered on the same connection.

    Notes
    -----
    Cost: a few passes in SQL over both tables, then that of finding the candidates and, only if
    rows have more than one, a maximum flow. If there are too many candidates, nothing is decided.
    """
    faults = _column_faults(opened, table, original)
    if faults:
        return finding(_CLAIM, _DEMANDED, "; ".join(faults), holds=False)
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(original)}")
    (published,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    spare = _spare(table, count)
    if not count - spare <= published <= count:
        measured = f"{count} rows in the original, {published} published"
        return finding(_CLAIM, _DEMANDED, measured, holds=False)
    unknown = [c.name for c in table.columns if not is_readable(opened, c)]
    if unknown:
        measured = f"cells of an unknown kind in {', '.join(unknown)}"
        return Finding(_CLAIM, _DEMANDED, measured, Status.NOT_CHECKED)
    fitting = fitting_of(opened, table, original)
    pairs = candidates(fitting)
    if pairs is None:
        measured = "published rows overlap too much to decide which is whose"
        return Finding(_CLAIM, _DEMANDED, measured, Status.NOT_CHECKED)
    served = matched(pairs, fitting.supply.count, fitting.demand.count)
    measured = f"{served} of {published} rows can be matched"
    if spare:
        measured += f"; {count - published} of at most {spare} rows left out"
    return finding(_CLAIM, _DEMANDED, measured, served == published)


def _spare(table: PublishedTable, count: int) -> int:
    """Rows that may be left out: floor(share n) of n; none if the share is not one."""
    share = table.left_out_at_most
    return math.floor(Fraction(str(share)) * count) if 0 <= share < 1 else 0


def _column_faults(opened: Opened, table: PublishedTable, original: str) -> list[str]:
    """Columns of one side that the other does not have, or has as something else."""
    types = opened.types(original)
    published = {column.name: column.type for column in table.columns}
    faults = [f"'{name}' is not in the original" for name in published if name not in types]
    faults += [f"'{name}' is not published" for name in types if name not in published]
    return faults + [
        f"'{name}' is not {published[name]} in the original"
        for name, kind in types.items()
        if name in published and family(kind) != published[name]
    ]


def candidates(fitting: Fitting) -> NDArray[np.int64] | None:
    """Pairs (supply, demand) that fit, as an array of two columns, or ``None`` if too many."""
    found, total = [np.empty((0, 2), np.int64)], 0
    for block, (some, boxes) in enumerate(fitting_pairs(fitting)):
        found.append(np.column_stack([some, boxes]))
        total += len(some)
        if total > _LIMIT or block > _BLOCKS:
            return None
    return np.concatenate(found)
