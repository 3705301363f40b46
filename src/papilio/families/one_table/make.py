"""One table for one recipient."""

from __future__ import annotations

from papilio.data.encode import encode
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.families.family import Choice
from papilio.families.one_table.grouping import group
from papilio.families.one_table.methods.publish import generalised_release
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.privacy.requirement import demand_of
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made


def make_generalised(
    order: Order,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Divide the rows into classes and generalise each."""
    table = order.table
    tell("encoding", 0.2)
    encoded = encode(table, table.with_role(Role.QUASI))
    demand = demand_of(policy.requirements, table)
    tell("dividing", 0.35)
    grouping = group(encoded, demand, choice.method, policy, randomness)
    tell("generalising", 0.5)
    return generalised_release(
        table,
        encoded,
        grouping.classes,
        policy.requirements,
        method=choice.method,
        text=policy.cells == "text",
        randomness=randomness,
        kind=kind,
        levels=grouping.levels,
        suppress=policy.privacy.suppress,
    )
