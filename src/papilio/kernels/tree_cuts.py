"""Cut people into groups of similar trees, seen through a fixed number of features.

A feature is a code of the root, a code of some row below it, or the number of rows below some row.
Features of rows that a person does not have are -1. Each feature has a ``weight``: how many rows of
a tree it speaks for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import SET
from papilio.kernels.jit import kernel
from papilio.kernels.tree_labels import spread
from papilio.kernels.tree_pairing import Floats, Ints

#: A feature that counts rows.
COUNT = 3
#: How many features are tried at each cut.
_TRIED = 6
#: Bits that tell which labels without order a group has.
_BITS = 63


@kernel
def estimated_loss(
    features: NDArray[np.int32],
    people: Ints,
    begin: int,
    end: int,
    feature: int,
    kind: Ints,
    size: Ints,
    base: Ints,
    weight: Floats,
    values: Floats,
) -> float:
    """What a group of people loses on one feature, all members together."""
    least, most = np.int64(2**31), np.int64(-1)
    total = np.int64(0)
    present = 0
    bits = np.int64(0)
    for place in range(begin, end):
        code = np.int64(features[people[place], feature])
        if code >= 0:
            least = min(least, code)
            most = max(most, code)
            total += code
            bits |= np.int64(1) << (code % _BITS)
            present += 1
    if present == 0:
        return 0.0
    if kind[feature] == COUNT:
        return float(weight[feature] * (total - present * least))
    if kind[feature] == SET:
        distinct = 0
        while bits:
            bits &= bits - 1
            distinct += 1
        return float(weight[feature] * present * (distinct - 1) / max(size[feature] - 1, 1))
    width = spread(kind[feature], size[feature], base[feature], int(least), int(most), values)
    return float(weight[feature] * present * width)


@kernel
def cut_people(
    features: NDArray[np.int32],
    people: Ints,
    k: int,
    most: int,
    kind: Ints,
    size: Ints,
    base: Ints,
    weight: Floats,
    values: Floats,
) -> Ints:
    """Cut people into groups of at least k and, where features differ, at most ``most``.

    Each group is cut at the middle of that feature, among those that lose most, which leaves the
    least loss in both halves together.

    Parameters
    ----------
    features
        One line per person.
    people
        Persons; brought into the order of the groups.
    k, most
        Least size of a group, and the size up to which none is cut.
    kind, size, base, weight
        The features; ``base`` is where the entries of a feature begin in ``values``.

    Returns
    -------
    ends
        End of each group in ``people``.

    Notes
    -----
    Cost: n f log n for n people and f features.
    """
    count = len(kind)
    ends = np.empty(len(people) // k + 1, np.int64)
    found = 0
    waiting = np.empty(2 * (len(people) // k) + 4, np.int64)
    waiting[0], waiting[1] = 0, len(people)
    height = 2
    losses = np.empty(count)
    whole = np.empty(count)
    buffer = np.empty_like(people)
    while height:
        height -= 2
        begin, end = waiting[height], waiting[height + 1]
        best = np.inf
        chosen, chosen_cut = -1, 0
        if count and end - begin > most and end - begin >= 2 * k:
            for feature in range(count):
                losses[feature] = estimated_loss(
                    features, people, begin, end, feature, kind, size, base, weight, values
                )
            whole[:] = losses
            for _ in range(_TRIED):
                feature = int(np.argmax(whole))
                if whole[feature] <= 0.0:
                    break
                whole[feature] = 0.0
                cut, below = _middle(features, people, begin, end, feature)
                if below < k or end - begin - below < k:
                    continue
                _split(features, people, buffer, begin, end, feature, cut)
                loss = 0.0
                for each in range(count):
                    if losses[each] > 0.0:
                        loss += estimated_loss(
                            features, buffer, begin, begin + below, each,
                            kind, size, base, weight, values,
                        ) + estimated_loss(
                            features, buffer, begin + below, end, each,
                            kind, size, base, weight, values,
                        )  # fmt: skip
                if loss < best:
                    best = loss
                    chosen, chosen_cut = feature, cut
        if chosen < 0:
            ends[found] = end
            found += 1
            continue
        middle = _split(features, people, buffer, begin, end, chosen, chosen_cut)
        people[begin:end] = buffer[begin:end]
        # The first half is looked at first, so that neighbours in the result are alike.
        waiting[height], waiting[height + 1] = middle, end
        waiting[height + 2], waiting[height + 3] = begin, middle
        height += 4
    return ends[:found].copy()


@kernel
def _middle(
    features: NDArray[np.int32], people: Ints, begin: int, end: int, feature: int
) -> tuple[int, int]:
    """Code that the first half has at most, and how many people that is.

    Of the two cuts around the median the more even one is taken.
    """
    codes = np.empty(end - begin, np.int32)
    for place in range(begin, end):
        codes[place - begin] = features[people[place], feature]
    codes.sort()
    half = len(codes) // 2
    median = codes[half]
    below = np.searchsorted(codes, median, side="left")
    up_to = np.searchsorted(codes, median, side="right")
    if below > 0 and (up_to == len(codes) or half - below <= up_to - half):
        return codes[below - 1], below
    return median, up_to


@kernel
def _split(
    features: NDArray[np.int32],
    people: Ints,
    buffer: Ints,
    begin: int,
    end: int,
    feature: int,
    cut: int,
) -> int:
    """Write those up to the cut before the others, each in their order; returns the border."""
    low = begin
    for place in range(begin, end):
        if features[people[place], feature] <= cut:
            buffer[low] = people[place]
            low += 1
    high = low
    for place in range(begin, end):
        if features[people[place], feature] > cut:
            buffer[high] = people[place]
            high += 1
    return low
