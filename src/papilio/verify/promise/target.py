"""Whether groups of a disguised release follow the target that the policy orders, not another.

The release says by which tree and weights its groups are to be judged. Here both are derived again
from the policy and, where the target is that of the data, from the original.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from papilio.verify import sql
from papilio.verify.disguised_layout import Layout, layout_faults, layout_of
from papilio.verify.disguised_parts import Claimed, Part, read_claim
from papilio.verify.opened import Opened
from papilio.verify.promise.promise import Facts, WeightFacts
from papilio.verify.promise.target_cells import Cell, number, published_cells, tree_fault
from papilio.verify.promise.target_weights import Weights, named_weights, weights_fault
from papilio.verify.verdict import Finding, finding

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.policy.target_policy import TargetPolicy

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
    if layout_faults(opened.manifest) or len(opened.manifest.claims) != 1:
        yield "the release is not laid out as one of these"
        return
    layout = layout_of(opened.manifest)
    claimed = read_claim(opened, layout, opened.manifest.claims[0])
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
    return bool(pairs == combinations == part.last - part.first + 1)


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
