"""Exact quasi-identifiers, the sensitive column permuted inside groups."""

from __future__ import annotations

from papilio.data.io.frames import Kind
from papilio.errors import InternalError
from papilio.families.family import Choice
from papilio.families.permutation.methods.permutation import permutation
from papilio.families.permutation.methods.publish import permuted_release
from papilio.families.permutation.methods.sorted_values import sort_values
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made


def make_permuted(
    order: Order,
    policy: Policy,
    choice: Choice,  # noqa: ARG001 - every maker is told
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Divide the rows into groups and permute."""
    demanded = [each for each in policy.requirements if isinstance(each, KeAnonymity)]
    if len(demanded) != 1:
        raise InternalError("a policy for permutation demands something else", reason="demand")
    tell("sorting", 0.2)
    column = sort_values(order.table.frame.get_column(demanded[0].column))
    tell("dividing", 0.35)
    permuted = permutation(column, demanded[0], policy.minimise or "sum", randomness)
    tell("permuting", 0.5)
    return permuted_release(order.table, permuted, demanded[0], randomness=randomness, kind=kind)
