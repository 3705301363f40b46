"""People with linked tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from papilio.data.io.frames import Kind, from_native
from papilio.data.snowflake import Snowflake
from papilio.errors import DataError, InfeasibleError
from papilio.families.facts import types_of
from papilio.families.family import Original
from papilio.families.linked.methods.cap import cap
from papilio.families.linked.methods.diversify import diversify
from papilio.families.linked.methods.forest import forest_of
from papilio.families.linked.methods.miracle import cluster
from papilio.families.linked.methods.publish import linked_release
from papilio.families.linked.policy import entities_of
from papilio.measure.linked_loss import rows_over
from papilio.policy.apply_tables import LinkedOrder, check_people, linked_order
from papilio.policy.policy import Policy
from papilio.privacy.entity_k import EntityDiversity
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.release import Release
from papilio.verify.promise.promise import Facts, TableFacts


def linked_order_of(data: Any, policy: Policy) -> tuple[LinkedOrder, Kind]:
    """Apply a policy to frames, by the names of its tables, or to its own sources."""
    if data is None:
        return linked_order(policy), Kind.POLARS
    if not isinstance(data, Mapping):
        raise DataError(
            "linked tables are given as a mapping from their names to frames",
            reason="unknown-frame",
        )
    frames = {str(name): from_native(frame) for name, frame in data.items()}
    kinds = [kind for _, kind in frames.values()] or [Kind.POLARS]
    return linked_order(policy, {name: frame for name, (frame, _) in frames.items()}), kinds[0]


def read_linked(data: Any, policy: Policy) -> Original:
    """Read linked tables as what a release is made of."""
    order, kind = linked_order_of(data, policy)
    snowflake = order.snowflake
    people = snowflake.person.height
    frames = partial(original_tables, snowflake)

    def under(other: Policy) -> Original:
        check_people(other, snowflake)
        return replace(original, policy=other)

    facts = partial(_facts, order)
    original = Original(policy, order, snowflake, people, kind, facts, frames, under)
    return original


def _facts(order: LinkedOrder) -> Facts:
    return Facts(tuple(_table_facts(order)))


def _table_facts(order: LinkedOrder) -> Iterator[TableFacts]:
    for table in order.snowflake.tables:
        parent = None if table.parent is None else {table.parent: str(table.foreign_key)}
        types = types_of(table.table.columns)
        yield TableFacts(table.name, types, table.height, table.key, parent)


def make_linked(
    order: LinkedOrder, policy: Policy, randomness: Randomness, kind: Kind, tell: Progress
) -> Made:
    """Cluster people, give each cluster one tree, and publish; the release is not verified yet."""
    tell("encoding", 0.2)
    snowflake, kept = cap(order.snowflake, limits_of(policy), randomness)
    forest = forest_of(snowflake)
    local = policy.pairing == "local"
    tell("dividing", 0.3)
    clusters = cluster(
        forest, snowflake, policy.privacy.k or 1, skeleton=policy.skeleton, local=local
    )
    tell("generalising", 0.5)
    diverse = [each for each in entities_of(policy) if isinstance(each, EntityDiversity)]
    stamped = diversify(forest, snowflake, clusters, diverse, local=local)
    made = linked_release(
        snowflake,
        forest,
        stamped,
        entities_of(policy),
        method="miracle",
        text=policy.cells == "text",
        randomness=randomness,
        kind=kind,
        suppress=policy.privacy.suppress or None,
    )
    _check_removed(order.snowflake, made.release, policy.privacy.suppress)
    # Rows beyond a limit were taken out before; the witness names the rows of the source.
    witness = {name: kept[name][rows] for name, rows in made.witness.items()}
    return Made(made.release, witness, linked_notes(order, made.release, policy))


def limits_of(policy: Policy) -> dict[str, int]:
    """Limits of a policy on rows below one row, by table."""
    return {n: t.at_most for n, t in policy.tables.items() if t.at_most is not None}


def linked_notes(order: LinkedOrder, release: Release, policy: Policy) -> tuple[str, ...]:
    """How many rows of each table were removed, and how many for a limit, for the owner."""
    limits = limits_of(policy)
    notes = []
    for each in order.snowflake.tables[1:]:
        gone = each.height - release.manifest.table(each.name).rows
        share = gone / each.height
        over = rows_over(each, limits.get(each.name))
        more = f", {over:,} of them beyond at_most" if over else ""
        notes.append(f"{each.name}: {gone:,} of {each.height:,} rows removed ({share:.1%}){more}")
    return tuple(notes)


def original_tables(snowflake: Snowflake) -> dict[str, pl.DataFrame]:
    """Tables of the original for the verifier: rows numbered, with the row above, without keys."""
    return {
        each.name: each.table.frame.with_columns(
            pl.Series("papilio_row", np.arange(each.height)),
            *([pl.Series("papilio_up", each.up)] if each.parent is not None else []),
        )
        for each in snowflake.tables
    }


def _check_removed(original: Snowflake, release: Release, suppress: float) -> None:
    """Refuse to publish if more rows are gone than the policy allows."""
    if not suppress:
        return
    shares = {
        each.name: 1 - release.manifest.table(each.name).rows / each.height
        for each in original.tables
    }
    worst = max(shares, key=lambda name: shares[name])
    if shares[worst] > suppress:
        needed = -(-shares[worst] * 100 // 1)
        raise InfeasibleError(
            f"table '{worst}': {shares[worst]:.1%} of the rows would have to be removed, more than "
            "suppress allows",
            reason="too-many-removed",
            nearest=f"a suppress of {needed:.0f}% is met",
        )
