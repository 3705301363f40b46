"""One table for several recipients who know different columns."""

from __future__ import annotations

from papilio.data.encode import EncodedTable, encode
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.errors import InfeasibleError
from papilio.families.family import Choice
from papilio.families.one_table.family import MONDRIAN
from papilio.families.one_table.grouping import group
from papilio.families.one_table.methods.publish import generalised_release
from papilio.families.recipients.methods.butterfly import ButterflyResult, butterfly
from papilio.families.recipients.methods.publish import attribute_wise_release, claims_for
from papilio.families.recipients.methods.union import DEFAULT, union_classes, union_demand
from papilio.families.recipients.policy import UNION
from papilio.kernels.demand import Demand
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.privacy.requirement import demand_of
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made


def make_recipients(
    order: Order,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Divide the rows so that each recipient gets what is demanded, and generalise."""
    table = order.table
    _check_together(policy, table.height)
    tell("encoding", 0.2)
    encoded = encode(table, table.with_role(Role.QUASI))
    demand = demand_of(policy.requirements, table)
    names = [each.column.name for each in encoded.columns]
    together = policy.privacy.collusion_k
    claims = claims_for(policy.recipients, together, policy.requirements, table, names)
    tell("dividing", 0.35)
    if choice.method == UNION:
        least = union_demand(demand, together or 1)
        grouping = group(encoded, least, policy.generalise or DEFAULT, policy, randomness)
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
            claims=claims,
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
        text=policy.cells == "text",
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
    together = policy.privacy.collusion_k or 1
    # Mondrian's own cuts make the better hierarchy; other classes have none and are clustered.
    plain = (policy.generalise or DEFAULT) == MONDRIAN and policy.improve is None
    return butterfly(
        encoded,
        [frozenset(map(names.index, known)) for known in policy.recipients.values()],
        demand,
        randomness,
        together=together,
        wings=policy.wings or MONDRIAN,
        classes=None if plain else union_classes(encoded, demand, together, policy, randomness),
    )


def _check_together(policy: Policy, rows: int) -> None:
    least = policy.privacy.collusion_k
    if least is not None and least > rows:
        raise InfeasibleError(
            f"collusion_k is {least}, but the table has only {rows} rows",
            reason="k-exceeds-rows",
            nearest=f"a collusion_k of at most {rows} is accepted",
        )
