"""What cannot be published by engines that count and plan, said before anything is read.

Which methods run where is said by the families' tables, and which of their options cannot be
planned from counts by ``engines.py`` in their folders.
"""

from __future__ import annotations

from papilio.errors import Fault, PolicyError
from papilio.families import families, method_of
from papilio.families.family import PIECES, SPARK, Choice
from papilio.policy.policy import Policy

#: Engine -> what it is called in messages, and how to do without it.
_ENGINES = {
    PIECES: ("piece by piece", "leave out the memory limit"),
    SPARK: ("on Spark", "use local"),
}


def refused(policy: Policy, choice: Choice, engine: str) -> list[Fault]:
    """Faults of a policy that an engine is to publish; none if it can.

    Parameters
    ----------
    policy, choice
        What is demanded, and by which method.
    engine
        ``"pieces"`` or ``"spark"``.
    """
    how, instead = _ENGINES[engine]
    family, _ = method_of(choice)
    faults = list(family.refused(policy, engine, instead))
    if faults:
        return faults
    served = [name for each in families() for name in each.runs_on(engine)]
    within = (choice.method, policy.generalise if policy.recipients else None, policy.wings)
    strange = sorted({name for name in within if name is not None and name not in served})
    if not strange:
        return []
    message = (
        f"the method {strange[0]} needs the whole table in memory; {instead}, or {how} work "
        f"{', '.join(served[:-1])} and {served[-1]}"
    )
    return [policy.fault(message, "method")]


def check_engine(policy: Policy, choice: Choice, engine: str) -> None:
    """Refuse what an engine cannot publish; see :func:`refused`.

    Raises
    ------
    PolicyError
        Names the option and what is accepted instead.
    """
    faults = refused(policy, choice, engine)
    if faults:
        raise PolicyError(faults)
