"""Union: one table whose classes are equal on everything that any recipient knows.

What holds on the union holds for each recipient, who sees unions of these classes. It is the
plain way, and what :mod:`papilio.families.recipients.methods.butterfly` is measured against.

Source: Pei et al., "Butterfly", TR 2008-18, section 2.2 (union QID method).
"""

from __future__ import annotations

from papilio.data.encode import EncodedTable
from papilio.families.classes import Classes
from papilio.families.generalising.grouping import group_rows, union_demand
from papilio.kernels.demand import Demand
from papilio.policy.policy import Policy
from papilio.randomness import Randomness

#: Generalising method if a policy names none.
DEFAULT = "mondrian"


def union_classes(
    table: EncodedTable, demand: Demand, together: int, policy: Policy, randomness: Randomness
) -> Classes:
    """Divide a table into classes on all its columns.

    Parameters
    ----------
    table, demand
        The quasi-identifiers, each known to a recipient, and what each class must satisfy.
    together
        Least size of a class for all recipients together.
    policy
        The generalising method, its options, and how long to improve.
    randomness
        For methods that break ties at random.
    """
    method = policy.generalise or DEFAULT
    return group_rows(table, union_demand(demand, together), method, policy, randomness)
