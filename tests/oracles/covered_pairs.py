"""Chances that none of some nodes is chosen, by counting subsets; imports nothing of Papilio."""

from __future__ import annotations

from itertools import combinations


def missed(groups, chosen, nodes):
    """Chance that no node of a set is chosen, when ``chosen[g]`` of each group are at random."""
    chance = 1.0
    for group in range(len(chosen)):
        members = [x for x, g in enumerate(groups) if g == group]
        ways = list(combinations(members, chosen[group]))
        chance *= sum(not set(way) & set(nodes) for way in ways) / len(ways)
    return chance
