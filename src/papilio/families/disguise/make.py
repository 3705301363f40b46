"""Exact quasi-identifiers, the sensitive column generalised until it follows a target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree, WeightedTree, weigh
from papilio.data.io.frames import Kind
from papilio.data.table import Table
from papilio.errors import InfeasibleError
from papilio.families.disguise.methods.disguise import (
    Disguised,
    Manner,
    Part,
    disguise,
    disguise_personally,
)
from papilio.families.disguise.methods.domain_of import domain_of
from papilio.families.disguise.methods.pools import PoolRule
from papilio.families.disguise.methods.publish import disguised_release
from papilio.families.disguise.methods.target_of import WeightFile, read_weights, target_of
from papilio.families.disguise.policy import floors_of
from papilio.families.family import Choice
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.policy.target_policy import TargetPolicy
from papilio.privacy.decimals import exact, plain
from papilio.privacy.group_floor import GroupFloor, Left, left_by_target
from papilio.privacy.personal import PersonalLevels
from papilio.privacy.target_distribution import TargetDistribution
from papilio.privacy.target_weights import WeightChange, counted_weights
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made

_Rows = NDArray[np.int32]


def make_disguised(
    order: Order,
    policy: Policy,
    choice: Choice,  # noqa: ARG001 - every maker is told
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Disguise the column that has a target."""
    ((name, said),) = policy.privacy.target.items()
    (column,) = (each for each in order.table.columns if each.name == name)
    tell("weighing", 0.2)
    file = read_weights(said, column, policy.base, policy.allowed)
    values = order.table.frame.get_column(name)
    tree, codes = domain_of(column, values, said.tree, None if file is None else file.values)
    parts, changes = parts_of(order.table, file, said, tree, codes, policy)
    tell("generalising", 0.35)
    requirement = requirement_of(policy, name, said)
    floor = floor_of(policy)
    check_floor(floor, said, [(part.target, len(part.rows)) for part in parts])
    if isinstance(requirement, TargetDistribution):
        disguised = disguise(parts, codes, manner_of(requirement, floor), randomness)
    else:
        levels = pl.Series([], dtype=pl.String) if order.personal is None else order.personal
        rule = PoolRule(floor, requirement.blind)
        disguised = disguise_personally(parts, codes, levels, randomness, rule=rule)
    tell("permuting", 0.5)
    return disguised_release(
        order.table,
        disguised,
        requirement,
        floor,
        randomness=randomness,
        kind=kind,
        notes=tuple(_notes(disguised, changes, codes)),
    )


def requirement_of(
    policy: Policy, name: str, said: TargetPolicy
) -> TargetDistribution | PersonalLevels:
    """What a policy demands of the column that has a target."""
    privacy = policy.privacy
    if privacy.personal is not None:
        return PersonalLevels(name, blind=privacy.volunteers == "blind")
    randomised = said.allocation == "randomised"
    return TargetDistribution(name, privacy.shift, privacy.fakes, randomised)


def floor_of(policy: Policy) -> GroupFloor | None:
    """What a policy demands of every group beside its target, if anything."""
    return next(iter(floors_of(policy)), None)


def manner_of(requirement: TargetDistribution, floor: GroupFloor | None = None) -> Manner:
    """How a target is to be followed."""
    randomised = requirement.randomised
    return Manner(requirement.tolerance, requirement.fake_share, randomised, floor)


def check_floor(
    floor: GroupFloor | None, said: TargetPolicy, parts: Sequence[tuple[WeightedTree, int]]
) -> None:
    """Refuse a floor that groups of some part cannot meet.

    The published shares of a group that follows a target exactly are above 0 where the target's
    are, whatever was pushed down; so what a part leaves is told by its target.

    Parameters
    ----------
    floor, said
        What the policy demands.
    parts
        Target and number of people of each part.

    Raises
    ------
    InfeasibleError
        With the largest demand that all parts meet, and whether fewer parts would meet this one.
    """
    if floor is None:
        return
    fewest = min(people for _, people in parts)
    if fewest < floor.k:
        short = sum(people < floor.k for _, people in parts)
        together = sum(people for _, people in parts) >= floor.k
        _refuse(f"{_of(short, parts)} fewer than {floor.k} people", f"k: {fewest}", said, together)
    if not floor.of_values:
        return
    left = [left_by_target(target) for target, _ in parts]
    every = _together([target for target, _ in parts])
    wanted = plain(exact(floor.e, "e"))
    if min(each.values for each in left) < floor.l:
        short = sum(each.values < floor.l for each in left)
        what = f"{_of(short, parts)} a target with fewer than {floor.l} values of '{floor.column}'"
        _refuse(what, f"l: {min(each.values for each in left)}", said, every.values >= floor.l)
    if not all(floor.holds_with(each) for each in left):
        short = sum(not floor.holds_with(each) for each in left)
        what = (
            f"{_of(short, parts)} a target whose values of '{floor.column}' span less than {wanted}"
        )
        nearest = f"e: {min(each.span for each in left):.9g}"
        _refuse(what, nearest, said, floor.holds_with(every))


def _of(short: int, parts: Sequence[Any]) -> str:
    if len(parts) == 1:
        return "the only group has"
    return f"{short} of {len(parts)} parts {'has' if short == 1 else 'have'}"


def _together(targets: Sequence[WeightedTree]) -> Left:
    """What is left where no part has a target of its own."""
    tree = targets[0].tree
    leaves = np.zeros(tree.leaves, np.int64)
    for target in targets:
        leaves |= target.chance[tree.leaf_node] > 0
    return left_by_target(weigh(tree, leaves))


def _refuse(what: str, nearest: str, said: TargetPolicy, together: bool) -> NoReturn:
    helps = ", and with fewer columns in 'by' this too" if said.by and together else ""
    raise InfeasibleError(what, reason="floor", nearest=f"{nearest} can be met{helps}")


def join_classes(classes: list[_Rows], least: int) -> list[_Rows]:
    """Put classes that are too small together, in their order, until each group is large enough.

    Classes that are large enough stay alone; only what is left over at the end joins the last of
    the joined ones or, if there is none, the smallest class. Who is in which group is told by
    quasi-identifiers alone.
    """
    large = [rows for rows in classes if len(rows) >= least]
    joined: list[list[_Rows]] = [[]]
    for rows in classes:
        if len(rows) < least:
            joined[-1].append(rows)
            if sum(map(len, joined[-1])) >= least:
                joined.append([])
    left = joined.pop()
    if left and joined:
        joined[-1] += left
    elif left and large:
        smallest = min(range(len(large)), key=lambda place: len(large[place]))
        large[smallest] = np.concatenate([large[smallest], *left])
    elif left:
        joined.append(left)
    return [*large, *(np.concatenate(rows) for rows in joined)]


def parts_of(
    table: Table,
    file: WeightFile | None,
    said: TargetPolicy,
    tree: DomainTree,
    codes: NDArray[np.int32],
    policy: Policy,
) -> tuple[list[Part], list[WeightChange]]:
    """Parts of the rows with a target of their own, and what rounding their weights changed."""
    parts, changes = [], []
    for key, rows in divide_rows(table.frame, said.by):
        named = () if file is None else file.keys.columns
        known = [value for name, value in zip(said.by, key, strict=True) if name in named]
        leaves = counted_weights(codes[rows], tree)
        target, change = target_of(said, tree, leaves, file, known)
        groups = [rows]
        if said.mode == "per-class":
            frame = table.frame.select(policy.quasi)[rows]
            groups = [rows[inside] for _, inside in divide_rows(frame, policy.quasi)]
            groups = join_classes(groups, policy.privacy.k or 1)
        starts = np.concatenate([[0], np.cumsum([len(group) for group in groups])])
        parts.append(Part(target, np.concatenate(groups), starts.astype(np.int64)))
        changes.append(change)
    return parts, changes


def divide_rows(
    frame: pl.DataFrame, by: tuple[str, ...]
) -> Iterator[tuple[tuple[str | None, ...], _Rows]]:
    """Rows that are equal on some columns, with what they have there as text; sorted by it."""
    if not by:
        yield (), np.arange(frame.height, dtype=np.int32)
        return
    texts = frame.select(pl.col(by).cast(pl.String)).with_row_index("\0row")
    divided = texts.group_by(by).agg(pl.col("\0row")).sort(by)
    for key, rows in zip(divided.select(by).iter_rows(), divided.get_column("\0row"), strict=True):
        yield key, rows.to_numpy().astype(np.int32)


def _notes(
    disguised: Disguised, changes: list[WeightChange], codes: NDArray[np.int32]
) -> Iterator[str]:
    hidden = sum(_without_weight(part, codes) for part in disguised.parts)
    gap = None if disguised.bound is None else (disguised.cost, disguised.bound)
    return disguise_notes(changes, hidden, disguised.fakes, disguised.searched, gap)


def disguise_notes(
    changes: Sequence[WeightChange],
    hidden: int,
    fakes: int,
    searched: int | None = None,
    gap: tuple[float, float] | None = None,
) -> Iterator[str]:
    """Tell the owner what normalising changed, and what else there is to know.

    Parameters
    ----------
    changes
        What normalising did to the weights of each part.
    hidden
        Rows whose value has no weight.
    fakes
        Number of fake values.
    searched
        Up to how many were tried, if more were allowed.
    gap
        With personal levels, sum of ranges and what none can be below.
    """
    nodes = max(change.nodes for change in changes)
    if nodes:
        shift = max(change.largest_shift for change in changes)
        apart = max(change.distance for change in changes)
        yield (
            f"Weights were rounded at {nodes} nodes of the tree: shares moved by at most "
            f"{shift:.2g}, the whole distribution by {apart:.2g}."
        )
    if hidden:
        yield f"Rows whose value has no weight in the target, hidden in wider ranges: {hidden}."
    if fakes:
        yield f"{fakes} fake {'value was' if fakes == 1 else 'values were'} added."
    if searched is not None:
        yield (
            f"More fake values were allowed; up to {searched} were tried in the largest "
            "group, for more would take too long."
        )
    if gap is not None:
        yield _gap_note(*gap)


def _gap_note(cost: float, bound: float) -> str:
    if cost <= bound:
        return f"Sum of ranges {cost:,.0f}, proven to be the least possible."
    return (
        f"Sum of ranges {cost:,.0f}; none below {bound:,.0f} is possible, so this is at most "
        f"{(cost - bound) / cost:.2%} too much."
    )


def _without_weight(part: Part, codes: NDArray[np.int32]) -> int:
    chance = part.target.chance[part.target.tree.leaf_node]
    return int((chance[codes[part.rows]] == 0).sum())
