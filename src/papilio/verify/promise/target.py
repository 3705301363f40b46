"""Whether groups of a disguised release follow the target that the policy orders, not another.

The release says by which tree and weights its groups are to be judged. Here both are derived again
from the policy and, where the target is that of the data, from the original.

The weights of a target over the cells of a domain, as the policy orders them.

Written from what the documentation says: what each cell weighs, and how weights become small whole
numbers. Rounded weights are not computed again but judged: they must be as near to what was asked
as any that the rule may choose, so that ties and the last bit of a number do not matter.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from papilio.verify import sql
from papilio.verify.disguised_layout import (
    Claimed,
    Layout,
    Part,
    layout_faults,
    layout_of,
    read_claim,
    target_claims,
)
from papilio.verify.opened import Opened
from papilio.verify.promise.promise import Facts, WeightFacts
from papilio.verify.promise.target_cells import Cell, leaves_of, number, published_cells, tree_fault
from papilio.verify.target_tree import TargetTree
from papilio.verify.verdict import Finding, finding

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.policy.target_policy import TargetPolicy


Weights = NDArray[Any]
#: Largest weight unless the policy names one.
_USUAL = 100
#: Difference of sums of shares that is none.
_NOTHING = 1e-9


def named_weights(target: TargetPolicy, cells: Sequence[Cell]) -> Weights:
    """Weights of the cells in a distribution that is told by its name."""
    count = len(cells)
    if target.distribution == "uniform":
        return np.ones(count, np.int64)
    if target.distribution == "zipf":
        exponent = 1.0 if target.exponent is None else target.exponent
        return np.array([rank**-exponent for rank in range(1, count + 1)], np.float64)
    return _normal(target, cells)


def _normal(target: TargetPolicy, cells: Sequence[Cell]) -> Weights:
    """Probability between the middles of the gaps to the neighbours, cut off at the ends."""
    numeric = not isinstance(cells[0][0], str)
    low = [float(cell[0]) if numeric else float(rank) for rank, cell in enumerate(cells)]
    high = [float(cell[1]) if numeric else float(rank) for rank, cell in enumerate(cells)]
    if len(cells) == 1:
        return np.ones(1)
    mean = (low[0] + high[-1]) / 2 if target.mean is None else target.mean
    std = (high[-1] - low[0]) / 4 if target.std is None else target.std
    middles = [(end + next_) / 2 for end, next_ in zip(high[:-1], low[1:], strict=True)]
    cuts = [low[0], *middles, high[-1]]
    scaled = [(cut - mean) / (std * math.sqrt(2)) for cut in cuts]
    return np.array([_between(a, b) for a, b in itertools.pairwise(scaled)])


def _between(a: float, b: float) -> float:
    """Twice the probability between two scaled points, from the tails, which keep far cells."""
    if a < 0 < b:
        return 2 - math.erfc(-a) - math.erfc(b)
    return abs(math.erfc(abs(a)) - math.erfc(abs(b)))


def weights_fault(tree: TargetTree, column: str, asked: Weights, largest: int | None) -> str | None:
    """Say whether published weights are not those that the policy asks for.

    Parameters
    ----------
    tree
        The published tree.
    column
        Name of the target in it.
    asked
        Leaf -> weight; they need not sum to anything.
    largest
        Bound on each weight; ``None`` keeps whole numbers as they are.
    """
    mass = _masses(tree, asked)
    published = tree.weights[column]
    inner = [node for node in range(tree.size) if tree.children[node]]
    if np.issubdtype(asked.dtype, np.integer):
        exact = {node: _reduced([int(mass[c]) for c in tree.children[node]]) for node in inner}
        most = max((max(weights) for weights in exact.values()), default=1)
        if largest is None or max(most, 1) <= largest:
            same = all(_own(tree, published, node) == exact[node] for node in inner)
            return None if same else "weights are not those of the target"
    bound = _USUAL if largest is None else largest
    near = all(
        _nearest(np.array(_own(tree, published, node)), mass[tree.children[node]], bound)
        for node in inner
    )
    return None if near else "weights are not as near to the target as they can be"


def _own(tree: TargetTree, published: Sequence[int], node: int) -> list[int]:
    return [published[child] for child in tree.children[node]]


def _masses(tree: TargetTree, asked: Weights) -> Weights:
    mass = np.zeros(tree.size, asked.dtype)
    mass[leaves_of(tree)] = asked
    for node in range(tree.size - 1, 0, -1):
        mass[tree.parent[node]] += mass[node]
    return mass


def _reduced(weights: Sequence[int]) -> list[int]:
    divisor = math.gcd(*weights)
    return [weight // divisor if divisor else 0 for weight in weights]


def _nearest(published: NDArray[np.int64], mass: Weights, bound: int) -> bool:
    """Whether no whole-number weights up to the bound have shares that are nearer."""
    if not mass.max() > 0:
        return not published.any()
    if ((published > 0) != (mass > 0)).any() or published.max() > bound:
        return False
    wanted = mass / mass.sum()
    tried = np.rint(np.outer(np.arange(1, bound + 1), mass / mass.max()))
    tried = np.where((mass > 0) & (tried == 0), 1, tried)
    shares = tried / tried.sum(axis=1, keepdims=True)
    best = np.abs(shares - wanted).sum(axis=1).min()
    return bool(np.abs(published / published.sum() - wanted).sum() <= best + _NOTHING)


Key = tuple[str | None, ...]


def check_target(policy: Policy, facts: Facts, opened: Opened, original: str) -> Iterator[Finding]:
    """Compare tree, weights and parts of a disguised release with the policy's target.

    Parameters
    ----------
    policy, facts
        The order, and what is known of the original.
    opened
        The release.
    original
        Name of a view with the original's columns on the same connection.
    """
    faults = list(_faults(opened, policy, facts, original))
    measured = "; ".join(faults) or "as promised"
    yield finding("promised target", "tree and weights of the policy", measured, not faults)


def _faults(opened: Opened, policy: Policy, facts: Facts, original: str) -> Iterator[str]:
    claims = target_claims(opened.manifest)
    if layout_faults(opened.manifest) or len(claims) != 1:
        yield "the release is not laid out as one of these"
        return
    layout = layout_of(opened.manifest)
    claimed = read_claim(opened, layout, claims[0])
    ((name, target),) = policy.privacy.target.items()
    if isinstance(claimed, str) or layout.sensitive.name != name:
        yield "the claim cannot be read"
        return
    counts = _counts(opened, original, name, target.by)
    numeric, whole = _number_kind(opened, original, name)
    fault = tree_fault(
        policy, name, claimed.tree, _domain(counts, facts.weights), whole=whole, numeric=numeric
    )
    if fault is not None:
        yield fault
        return
    cells = published_cells(claimed.tree, numeric=numeric)
    yield from _part_faults(opened, layout, claimed, policy, facts, counts, cells)


def _counts(
    opened: Opened, original: str, name: str, by: Sequence[str]
) -> dict[Key, dict[Any, int]]:
    """How often each value occurs, by the part of the rows."""
    keys = [f"CAST({sql.name(column)} AS {sql.TEXT})" for column in by]
    listed = "".join(f"{key}, " for key in keys)
    grouped = ", ".join([*keys, sql.name(name)])
    counts: dict[Key, dict[Any, int]] = {}
    for *key, value, rows in opened.rows(
        f"SELECT {listed}{sql.name(name)}, count(*) FROM {sql.name(original)} GROUP BY {grouped}"
    ):
        counts.setdefault(tuple(key), {})[value] = int(rows)
    return counts


def _number_kind(opened: Opened, original: str, name: str) -> tuple[bool, bool]:
    """Whether a column holds numbers, and whole ones."""
    kind = opened.types(original)[name]
    return kind not in ("VARCHAR", "BOOLEAN", "STRING"), kind in sql.WHOLE_TYPES


def _domain(counts: Mapping[Key, Mapping[Any, int]], weights: WeightFacts | None) -> list[Any]:
    """Values that occur, or that the file of the target names, ascending."""
    values = {value for part in counts.values() for value in part if value is not None}
    return sorted(values | ({*weights.values} - {None} if weights is not None else set()))


def _part_faults(
    opened: Opened,
    layout: Layout,
    claimed: Claimed,
    policy: Policy,
    facts: Facts,
    counts: Mapping[Key, Mapping[Any, int]],
    cells: Sequence[Cell],
) -> Iterator[str]:
    (target,) = policy.privacy.target.values()
    if len(claimed.parts) != len(counts):
        yield f"{len(claimed.parts)} parts instead of {len(counts)}"
        return
    largest = target.largest_weight
    if largest is None and target.distribution != "same":
        largest = 100
    for part in claimed.parts:
        key = _key_of(opened, layout, part, target.by)
        if key is None or key not in counts:
            yield "a part is not one of those that the policy tells apart"
            return
        asked = _asked(target, facts.weights, cells, counts[key], key)
        fault = weights_fault(claimed.tree, part.weights, asked, largest)
        if fault is not None:
            yield fault
            return
        if policy.privacy.personal is None and not _right_groups(opened, layout, part, policy):
            yield "groups are not those that the policy's mode makes"
            return


def _key_of(opened: Opened, layout: Layout, part: Part, by: Sequence[str]) -> Key | None:
    """What all people of a part have in the columns by which parts are told."""
    if not by:
        return ()
    keys = ", ".join(f"CAST({sql.name(column)} AS {sql.TEXT})" for column in by)
    inside = f"{sql.name(layout.group)} BETWEEN {part.first} AND {part.last}"
    rows = opened.rows(f"SELECT DISTINCT {keys} FROM {sql.name(layout.people)} WHERE {inside}")
    return tuple(rows[0]) if len(rows) == 1 else None


def _right_groups(opened: Opened, layout: Layout, part: Part, policy: Policy) -> bool:
    """One group for the whole part, or one for each combination of quasi-identifiers."""
    (target,) = policy.privacy.target.values()
    if target.mode == "whole":
        return part.first == part.last
    quasi = [sql.name(column.name) for column in layout.shown if column.role == "quasi"]
    inside = f"{sql.name(layout.group)} BETWEEN {part.first} AND {part.last}"
    (pairs,) = opened.row(
        f"SELECT count(*) FROM (SELECT DISTINCT {sql.name(layout.group)}, {', '.join(quasi)} "
        f"FROM {sql.name(layout.people)} WHERE {inside}) AS pairs"
    )
    (combinations,) = opened.row(
        f"SELECT count(*) FROM (SELECT DISTINCT {', '.join(quasi)} "
        f"FROM {sql.name(layout.people)} WHERE {inside}) AS combinations"
    )
    groups = part.last - part.first + 1
    least = policy.privacy.k or 1
    if least == 1 or pairs != combinations:
        return bool(pairs == combinations == groups)
    # Classes that are too small are put together, and only what is left over joins a large one.
    listed = f"{sql.name(layout.group)} AS g, {', '.join(quasi)}"
    (crowded,) = opened.row(
        f"SELECT count(*) FROM (SELECT g FROM (SELECT {listed}, count(*) AS n "
        f"FROM {sql.name(layout.people)} WHERE {inside} GROUP BY {sql.name(layout.group)}, "
        f"{', '.join(quasi)}) AS classes WHERE n >= {least} GROUP BY g HAVING count(*) > 1) AS more"
    )
    return not crowded


def _asked(
    target: TargetPolicy,
    file: WeightFacts | None,
    cells: Sequence[Cell],
    counts: Mapping[Any, int],
    key: Key,
) -> Weights:
    """Weight of each cell for one part of the rows."""
    if target.distribution == "same":
        return _summed(cells, counts.items())
    if target.distribution is not None:
        return named_weights(target, cells)
    if file is None:
        return np.zeros(len(cells), np.int64)
    named = dict(zip(target.by, key, strict=True))
    mine = [
        line
        for line in range(len(file.values))
        if all(column[line] == named[name] for name, column in file.keys.items())
    ]
    return _summed(cells, ((file.values[line], file.weights[line]) for line in mine))


def _summed(cells: Sequence[Cell], weighed: Any) -> Weights:
    """Weight that falls into each cell; what falls into none is not weighed."""
    pairs = list(weighed)
    kind = np.int64 if all(isinstance(weight, int) for _, weight in pairs) else np.float64
    summed = np.zeros(len(cells), kind)
    labels = {cell[0]: place for place, cell in enumerate(cells)}
    lows = [cell[0] for cell in cells]
    for value, weight in pairs:
        if isinstance(lows[0], str):
            place = labels.get(str(value), -1)
        else:
            place = bisect_right(lows, number(value)) - 1
            place = place if place >= 0 and number(value) <= cells[place][1] else -1
        if place >= 0:
            summed[place] += weight
    return summed
