"""Pairs of nodes that depend on each other because their neighbours share a group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def miss_chance(size: int, chosen: int, marked: int) -> float:
    """C(n - m, a) / C(n, a): none of m marked ones is among a chosen of n."""
    chance = 1.0
    for taken in range(marked):
        if size - chosen - taken <= 0:
            return 0.0
        chance *= (size - chosen - taken) / (size - taken)
    return chance


@kernel
def miss_all(
    starts: NDArray[np.int64],
    links: NDArray[np.int64],
    group_of: NDArray[np.int64],
    size: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Chance of each node that none of its neighbours is chosen; 1 for nodes without any.

    Neighbours ``links[starts[y]:starts[y + 1]]`` are sorted by their group.
    """
    result = np.ones(len(starts) - 1)
    for y in range(len(starts) - 1):
        place = starts[y]
        while place < starts[y + 1]:
            group = group_of[links[place]]
            marked = 0
            while place < starts[y + 1] and group_of[links[place]] == group:
                marked += 1
                place += 1
            result[y] *= miss_chance(size[group], chosen[group], marked)
    return result


@kernel
def sum_dependence(
    starts: NDArray[np.int64],
    links: NDArray[np.int64],
    back_starts: NDArray[np.int64],
    back_links: NDArray[np.int64],
    member_starts: NDArray[np.int64],
    members: NDArray[np.int64],
    group_of: NDArray[np.int64],
    size: NDArray[np.int64],
    chosen: NDArray[np.int64],
    miss: NDArray[np.float64],
    own_group: NDArray[np.int64],
    single: NDArray[np.float64],
    both: NDArray[np.float64],
) -> float:
    """Sum over ordered pairs y != z of P(both count) (P(both missed) - P(y missed) P(z missed)).

    Parameters
    ----------
    starts, links
        Neighbours x of each y, sorted by group and number.
    back_starts, back_links
        Nodes y of each x.
    member_starts, members
        Nodes x of each group.
    group_of, size, chosen
        Group of each x; its size and how many of it are chosen.
    miss
        From :func:`miss_all`.
    own_group, single, both
        Group of each y; chance of one node of it to count, and of two.
    """
    seen = np.full(len(miss), -1, np.int64)
    total = 0.0
    for y in range(len(miss)):
        if miss[y] == 0.0 or single[own_group[y]] == 0.0:
            continue
        seen[y] = y
        for place in range(starts[y], starts[y + 1]):
            group = group_of[links[place]]
            if chosen[group] == 0 or chosen[group] == size[group]:
                continue
            for at in range(member_starts[group], member_starts[group + 1]):
                x = members[at]
                for back in range(back_starts[x], back_starts[x + 1]):
                    z = back_links[back]
                    if z < y or seen[z] == y or miss[z] == 0.0:
                        continue
                    seen[z] = y
                    if own_group[y] == own_group[z]:
                        weight = both[own_group[y]]
                    else:
                        weight = single[own_group[y]] * single[own_group[z]]
                    if weight == 0.0:
                        continue
                    ratio = 1.0
                    p, q = starts[y], starts[z]
                    while p < starts[y + 1] and q < starts[z + 1]:
                        g, h = group_of[links[p]], group_of[links[q]]
                        if g < h:
                            p += 1
                        elif h < g:
                            q += 1
                        else:
                            of_y, of_z, common = 0, 0, 0
                            while (p < starts[y + 1] and group_of[links[p]] == g) or (
                                q < starts[z + 1] and group_of[links[q]] == g
                            ):
                                has_p = p < starts[y + 1] and group_of[links[p]] == g
                                has_q = q < starts[z + 1] and group_of[links[q]] == g
                                if has_p and has_q and links[p] == links[q]:
                                    common += 1
                                    of_y += 1
                                    of_z += 1
                                    p += 1
                                    q += 1
                                elif has_p and (not has_q or links[p] < links[q]):
                                    of_y += 1
                                    p += 1
                                else:
                                    of_z += 1
                                    q += 1
                            n, a = size[g], chosen[g]
                            ratio *= miss_chance(n, a, of_y + of_z - common) / (
                                miss_chance(n, a, of_y) * miss_chance(n, a, of_z)
                            )
                    total += 2.0 * weight * miss[y] * miss[z] * (ratio - 1.0)
    return total


@kernel
def sum_safe_dependence(
    starts: NDArray[np.int64],
    links: NDArray[np.int64],
    back_starts: NDArray[np.int64],
    back_links: NDArray[np.int64],
    member_starts: NDArray[np.int64],
    members: NDArray[np.int64],
    group_of: NDArray[np.int64],
    size: NDArray[np.int64],
    chosen: NDArray[np.int64],
    miss: NDArray[np.float64],
    own_group: NDArray[np.int64],
    single: NDArray[np.float64],
    both: NDArray[np.float64],
) -> float:
    """The same as :func:`sum_dependence` if every y has at most one neighbour in each group.

    Then each way from y over a group to z stands for one group that they share, and the factors
    can be multiplied up on the way: there is nothing to compare.
    """
    common = np.zeros(len(size))
    apart = np.zeros(len(size))
    for group in range(len(size)):
        if 0 < chosen[group] < size[group]:
            one = miss_chance(size[group], chosen[group], 1)
            common[group] = 1.0 / one
            apart[group] = miss_chance(size[group], chosen[group], 2) / (one * one)
    ratio = np.zeros(len(miss))
    met = np.empty(len(miss), np.int64)
    total = 0.0
    for y in range(len(miss)):
        if miss[y] == 0.0 or single[own_group[y]] == 0.0:
            continue
        count = 0
        for place in range(starts[y], starts[y + 1]):
            mine = links[place]
            group = group_of[mine]
            if common[group] == 0.0:
                continue
            for at in range(member_starts[group], member_starts[group + 1]):
                x = members[at]
                factor = common[group] if x == mine else apart[group]
                for back in range(back_starts[x], back_starts[x + 1]):
                    z = back_links[back]
                    if z <= y:
                        continue
                    # No product is negative, so a negative number can mark a product of 0.
                    if ratio[z] == 0.0:
                        met[count] = z
                        count += 1
                        ratio[z] = factor if factor > 0.0 else -1.0
                    elif ratio[z] > 0.0:
                        ratio[z] = ratio[z] * factor if factor > 0.0 else -1.0
        mine_weight = 2.0 * miss[y]
        for place in range(count):
            z = met[place]
            if own_group[y] == own_group[z]:
                weight = both[own_group[y]]
            else:
                weight = single[own_group[y]] * single[own_group[z]]
            total += mine_weight * weight * miss[z] * (max(ratio[z], 0.0) - 1.0)
            ratio[z] = 0.0
    return total
