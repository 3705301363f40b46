"""Super-butterfly: one body of everything that more than one recipient knows.

Source: Pei et al., "Butterfly", TR 2008-18, section 5.1, definition 4. A division into such blocks
is enough for every recipient. That it is necessary (theorem 5) is false for three and more
recipients: the cube {0, 1}³ is 2-anonymous for AB, BC and CA, and no two of its rows agree on ABC.
So nothing here relies on it, and :mod:`papilio.families.recipients.methods.nested_butterfly` looks
further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from papilio.families.recipients.methods.plan import Known, Plan, wing, without


def super_plan(recipients: Sequence[Known]) -> Plan:
    """Share every attribute that two recipients know; one wing for each of the others' own.

    For two recipients this is the butterfly itself: body S1 ∩ S2, wings S1 - S2 and S2 - S1.
    """
    times = Counter(attribute for each in recipients for attribute in each)
    body = tuple(sorted(attribute for attribute, count in times.items() if count > 1))
    return Plan(tuple(recipients), body, tuple(map(wing, without(recipients, body))))
