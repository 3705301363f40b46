"""Whether the order of lines says anything: sequences of keys, looked at as chance would have them.

Whoever publishes draws the order of lines by chance. So given what a release says anyway, namely
which lines belong to one block, all orders of a block are equally likely, and no column, no other
table and no row number of the source goes with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from papilio.verify.line_chance import Ints, least_chance, neighbour_chance, trend_chance
from papilio.verify.verdict import Finding, finding

#: Chance that an honest release is found wanting, for one finding; a release has two at most.
FALSE_ALARM = 5e-10

#: What is demanded of every order.
SAYS_NOTHING = "says nothing"
_TOO_FEW = "too few lines to tell"
#: Of so many sequences a finding tells what they follow.
_TOLD = 3


@dataclass(frozen=True, eq=False)
class Sequence:
    """Lines, and something that their order could follow.

    Attributes
    ----------
    about
        What is looked at, as in "the order follows …"; holds names but no values.
    block
        Lines whose orders are all equally likely have the same number.
    place
        Where each line stands; no place twice in a block.
    key
        What the order could follow; equal keys say nothing.
    """

    about: str
    block: Ints
    place: Ints
    key: Ints


def check_lines(claim: str, sequences: Iterable[Sequence]) -> Finding:
    """Check that none of some sequences follows its keys.

    An honest release is found wanting with a chance of at most :data:`FALSE_ALARM`: each sequence
    is looked at twice, for a trend and for neighbours that are alike, and each of these has its
    share of that (Bonferroni). The chances are bounds, so this holds for all sizes. What follows
    something in part only, by less than about 7 standard deviations, is not noticed; nor is, from
    the release alone, one order in two tables whose columns have nothing to do with each other.

    Parameters
    ----------
    claim
        Name of the finding.
    sequences
        What to look at.

    Notes
    -----
    If no order of so few lines could be told from chance, the finding holds and says so.
    Cost: O(n log n) for each sequence of n lines.
    """
    measured = [_measure(each) for each in sequences]
    limit = math.log(FALSE_ALARM) - math.log(2 * max(1, len(measured)))
    telling = sorted((chance, about) for about, chance, _, _ in measured if chance < limit)
    if telling:
        named = "; ".join(about for _, about in telling[:_TOLD])
        more = f"; and {len(telling) - _TOLD} more" if len(telling) > _TOLD else ""
        return finding(claim, SAYS_NOTHING, f"follows {named}{more}", holds=False)
    able = [lines for _, _, least, lines in measured if least < limit]
    if not able:
        return finding(claim, SAYS_NOTHING, _TOO_FEW, holds=True)
    return finding(claim, SAYS_NOTHING, f"nothing in {max(able)} lines", holds=True)


def _measure(sequence: Sequence) -> tuple[str, float, float, int]:
    """What a sequence is about, its chance, the least it could have, and its lines."""
    order = np.lexsort((sequence.place, sequence.block))
    block, key = sequence.block[order], sequence.key[order]
    if len(key) < 2:
        return sequence.about, 0.0, 0.0, len(key)
    ranks: Ints = np.unique(key, return_inverse=True)[1].astype(np.int64)
    chance = min(trend_chance(block, ranks), neighbour_chance(block, ranks))
    return sequence.about, chance, least_chance(block, ranks), len(key)
