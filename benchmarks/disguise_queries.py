"""Bounds of averages over ages from disguised groups, as section 3.7 of Zhang asks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree
from papilio.families.disguise.methods.disguise import Disguised, Manner, Part, disguise
from papilio.randomness import Randomness

QUERIES = 100


@dataclass(frozen=True, eq=False)
class People:
    """Ages and values of a table; ``codes`` are the leaves of the values."""

    age: NDArray[np.int64]
    value: NDArray[np.float64]
    codes: NDArray[np.int32]


def parts_of(
    people: People, targets: list[tuple[NDArray[np.int64], WeightedTree]], *, per_class: bool
) -> list[Part]:
    """Parts from rows and their target; per class, one group per age (the paper's QI-SA)."""
    parts = []
    for rows, target in targets:
        ordered = rows[np.argsort(people.age[rows], kind="stable")]
        cuts = np.flatnonzero(np.diff(people.age[ordered])) + 1 if per_class else []
        starts = np.concatenate([[0], cuts, [len(ordered)]]).astype(np.int64)
        parts.append(Part(target, ordered.astype(np.int32), starts))
    return parts


def made(
    people: People,
    target: WeightedTree,
    *,
    per_class: bool,
    fakes: float = 0.0,
    shift: float = 0.0,
    rows: NDArray[np.int64] | None = None,
) -> Disguised:
    """Disguise all rows, or some, with one target."""
    chosen = np.arange(len(people.codes)) if rows is None else rows
    manner = Manner(shift=Fraction(str(shift)), fakes=Fraction(str(fakes)))
    parts = parts_of(people, [(chosen, target)], per_class=per_class)
    return disguise(parts, people.codes, manner, Randomness(1))


class Bounds:
    """Sums of the smallest lower and largest upper ends of every group."""

    def __init__(self, disguised: Disguised, people: People) -> None:
        self._groups = []
        for part, found in zip(disguised.parts, disguised.subdomains, strict=True):
            tree = part.target.tree
            low, high = tree.lows.to_numpy(), tree.highs.to_numpy()
            for number in range(part.groups):
                nodes = np.repeat(*map(np.array, zip(*found.of(number).items(), strict=True)))
                lows = np.sort(low[tree.first[nodes]])
                highs = np.sort(high[tree.last[nodes]])[::-1]
                sums = [np.concatenate([[0], np.cumsum(each)]) for each in (lows, highs)]
                self._groups.append((np.sort(people.age[part.group(number)]), *sums))
        self._people = people

    def error(self, first: int, last: int) -> float | None:
        """(upper - lower) / true average over people of these ages; ``None`` if there are none."""
        inside = (self._people.age >= first) & (self._people.age <= last)
        if not inside.any():
            return None
        low = high = 0.0
        for ages, lows, highs in self._groups:
            ends = np.searchsorted(ages, [first, last + 1])
            hits = int(ends[1] - ends[0])
            low, high = low + lows[hits], high + highs[hits]
        return float((high - low) / self._people.value[inside].sum())


def mean_error(disguised: Disguised, people: People, width: int, seed: int = 5) -> float:
    """Average relative error of random queries over ages of a width."""
    chance = np.random.default_rng(seed)
    bounds = Bounds(disguised, people)
    oldest, youngest = int(people.age.max()), int(people.age.min())
    starts = chance.integers(youngest, max(youngest, oldest - width) + 1, QUERIES)
    errors = [bounds.error(int(start), int(start) + width) for start in starts]
    return float(np.mean([error for error in errors if error is not None]))
