"""One table for several recipients who know different columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, encode
from papilio.data.io.frames import Kind
from papilio.data.table import Described, Role, Table
from papilio.families.engines.meanings import Meanings
from papilio.families.engines.piece import Piece
from papilio.families.family import Choice
from papilio.families.generalising.finish import FEWER_ROWS, Division, check_together
from papilio.families.generalising.followers import followed, leading, leading_policy
from papilio.families.generalising.grouping import group, union_demand
from papilio.families.generalising.names import MONDRIAN
from papilio.families.generalising.publish import (
    PlacedCells,
    generalised_cells,
    generalised_release,
)
from papilio.families.generalising.safe_cells import (
    check_can_vary,
    claim_of_safe_cells,
    lines_of,
)
from papilio.families.recipients.methods.butterfly import ButterflyResult, butterfly, cut_weights
from papilio.families.recipients.methods.publish import (
    attribute_wise_cells,
    attribute_wise_release,
    claims_for,
)
from papilio.families.recipients.methods.union import DEFAULT, union_classes
from papilio.families.recipients.policy import BUTTERFLY, UNION
from papilio.kernels.demand import Demand
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.policy.recipient_policy import (
    least_together,
    requirements_of,
    requirements_together,
)
from papilio.policy.recipients import ALL_RECIPIENTS
from papilio.privacy.requirement import Requirement, Share, demand_of, share_of
from papilio.privacy.t_closeness import Distance, TCloseness
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim


def make_recipients(
    order: Order,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Divide the rows so that each recipient gets what is demanded, and generalise."""
    made = _made(leading(order.table), leading_policy(policy), choice, randomness, kind, tell)
    return followed(made, [order.table], text=policy.text_cells)


def _made(
    table: Table,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    check_together(policy, table.people, table.height)
    tell("encoding", 0.2)
    encoded = encode(table, table.with_role(Role.QUASI))
    demand = demand_of(policy.requirements, table)
    if policy.safe_cells:
        check_can_vary(encoded.columns)
    claims = _all_claims(table, policy, [each.column.name for each in encoded.columns])
    tell("dividing", 0.35)
    if choice.method == UNION:
        least = union_demand(demand, least_together(policy) or 1)
        grouping = group(encoded, least, policy.generalise or DEFAULT, policy, randomness)
        tell("generalising", 0.5)
        return generalised_release(
            table,
            encoded,
            grouping.classes,
            policy.requirements,
            method=choice.method,
            text=policy.text_cells,
            randomness=randomness,
            kind=kind,
            levels=grouping.levels,
            suppress=policy.privacy.suppress,
            claims=claims,
            lines=lines_of(encoded, grouping.classes, policy, randomness),
        )
    found = divide_for_recipients(encoded, policy, demand, randomness)
    tell("generalising", 0.5)
    return attribute_wise_release(
        table,
        encoded,
        found.classes,
        policy.requirements,
        claims,
        method=choice.method,
        text=policy.text_cells,
        randomness=randomness,
        kind=kind,
    )


def divide_for_recipients(
    encoded: EncodedTable, policy: Policy, demand: Demand, randomness: Randomness
) -> ButterflyResult:
    """Run the butterfly method with the options of a policy.

    What it returns is for the owner alone.
    """
    names = [each.column.name for each in encoded.columns]
    together = least_together(policy) or 1
    # Mondrian's own cuts make the better hierarchy; other classes have none and are clustered.
    plain = (policy.generalise or DEFAULT) == MONDRIAN and policy.improve is None
    return butterfly(
        encoded,
        [frozenset(map(names.index, known)) for known in policy.known.values()],
        demand,
        randomness,
        together=together,
        wings=policy.wings or MONDRIAN,
        classes=None if plain else union_classes(encoded, demand, together, policy, randomness),
        own=_shares(policy),
    )


def _shares(policy: Policy) -> tuple[Share, ...]:
    """Which part of all that is demanded is meant for each recipient; nothing if all of it is."""
    own = [_by_leaves(policy, requirements_of(policy, name)) for name in policy.recipients]
    every = _by_leaves(policy, requirements_together(policy))
    alike = all(set(each) == set(own[0]) for each in own)
    return () if alike else tuple(share_of(every, each) for each in own)


def _by_leaves(policy: Policy, requirements: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """The same, where a distance that is not given is measured by the hierarchy if there is one."""
    return tuple(
        replace(each, distance=Distance.HIERARCHICAL)
        if isinstance(each, TCloseness)
        and each.distance is None
        and policy.columns[each.column].hierarchy is not None
        else each
        for each in requirements
    )


def division() -> Division:
    """How pieces of a table are divided for all recipients, and generalised."""
    return Division({**FEWER_ROWS, BUTTERFLY: 200_000}, _cells, _claims, _weights)


def _cells(
    piece: Piece, demand: Demand, policy: Policy, choice: Choice, randomness: Randomness
) -> tuple[PlacedCells, NDArray[np.int32]]:
    text = policy.text_cells
    if choice.method == BUTTERFLY:
        found = divide_for_recipients(piece.encoded, policy, demand, randomness)
        return attribute_wise_cells(piece.encoded, found.classes, text, randomness)
    least = union_demand(demand, least_together(policy) or 1)
    grouping = group(piece.encoded, least, policy.generalise or DEFAULT, policy, randomness)
    return generalised_cells(
        piece.encoded,
        grouping.classes,
        text,
        randomness,
        grouping.levels,
        lines=lines_of(piece.encoded, grouping.classes, policy, randomness),
    )


def _claims(meanings: Meanings, policy: Policy) -> tuple[Claim, ...]:
    return _all_claims(meanings, policy, [each.column.name for each in meanings.quasi])


def _all_claims(table: Described, policy: Policy, names: Sequence[str]) -> tuple[Claim, ...]:
    claims = claims_for(policy, table, names)
    if not policy.safe_cells:
        return claims
    # What everybody sees of a release, whatever they know besides.
    return (*claims, claim_of_safe_cells(policy.requirements, table, ALL_RECIPIENTS))


def _weights(policy: Policy, choice: Choice, meanings: Meanings) -> tuple[float, ...] | None:
    if choice.method != BUTTERFLY:
        return None
    names = [each.column.name for each in meanings.quasi]
    known = [frozenset(map(names.index, each)) for each in policy.known.values()]
    together = least_together(policy) or 1
    return cut_weights(known, len(names), meanings.demand, together)
