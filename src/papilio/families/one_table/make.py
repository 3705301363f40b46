"""One table for one recipient."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import encode
from papilio.data.io.frames import Kind
from papilio.data.table import Described, Role
from papilio.errors import Fault
from papilio.families.engines.piece import Piece
from papilio.families.family import Choice
from papilio.families.generalising.finish import FEWER_ROWS, Division
from papilio.families.generalising.followers import followed, leading
from papilio.families.generalising.followers import refused as refused_followers
from papilio.families.generalising.grouping import group
from papilio.families.generalising.names import INCOGNITO, RISING
from papilio.families.generalising.publish import (
    PlacedCells,
    claims_for_everyone,
    generalised_cells,
    generalised_release,
)
from papilio.families.generalising.safe_cells import (
    check_can_vary,
    claim_of_safe_cells,
    lines_of,
)
from papilio.kernels.demand import Demand
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERYONE
from papilio.privacy.requirement import demand_of
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim


def make_generalised(
    order: Order,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Divide the rows into classes and generalise each."""
    table = leading(order.table)
    tell("encoding", 0.2)
    encoded = encode(table, table.with_role(Role.QUASI))
    if policy.safe_cells:
        check_can_vary(encoded.columns)
    demand = demand_of(policy.requirements, table)
    tell("dividing", 0.35)
    grouping = group(encoded, demand, choice.method, policy, randomness)
    tell("generalising", 0.5)
    made = generalised_release(
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
        claims=_claims(table, policy),
        lines=lines_of(encoded, grouping.classes, policy, randomness),
    )
    return followed(made, [order.table], text=policy.text_cells)


def refused(policy: Policy, engine: str, instead: str) -> Iterator[Fault]:
    """What cannot be done piece by piece: following a column, and choosing rows to leave out."""
    yield from refused_followers(policy, engine, instead)
    if policy.method == RISING and policy.privacy.suppress:
        message = (
            f"which rows {RISING} leaves out is learnt from the whole table; {instead}, or name "
            f"method: {INCOGNITO}"
        )
        yield policy.fault(message, "privacy", "suppress")


def division() -> Division:
    """How pieces of a table are divided and generalised."""
    return Division(FEWER_ROWS, _cells, _claims)


def _cells(
    piece: Piece, demand: Demand, policy: Policy, choice: Choice, randomness: Randomness
) -> tuple[PlacedCells, NDArray[np.int32]]:
    grouping = group(piece.encoded, demand, choice.method, policy, randomness)
    return generalised_cells(
        piece.encoded,
        grouping.classes,
        policy.text_cells,
        randomness,
        grouping.levels,
        lines=lines_of(piece.encoded, grouping.classes, policy, randomness),
    )


def _claims(table: Described, policy: Policy) -> tuple[Claim, ...]:
    claims = claims_for_everyone(policy.requirements, table)
    if not policy.safe_cells:
        return claims
    return (*claims, claim_of_safe_cells(policy.requirements, table, EVERYONE))
