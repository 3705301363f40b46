"""People whom an attacker finds, or learns a value of, among the rows that may be theirs."""

from __future__ import annotations

from collections.abc import Mapping

from papilio.attack.people_rows import Known
from papilio.attack.result import Exposed

_LEARNT = "learnt: "


def exposed_among(
    known: Known, figures: Mapping[str, int | float], promised: int | None
) -> tuple[Exposed, ...]:
    """Count people with fewer candidates than promised, and those whose value is certain.

    Parameters
    ----------
    known, figures
        The candidates of everybody, and their figures.
    promised
        The k of the policy for this attacker; if there is none, or 1, only those who have one
        candidate count. Over people: those of one of whose rows more than one candidate in k is
        their own.
    """
    total = int(figures["people"])
    alone = known.fewer_than(max(promised or 2, 2))
    learnt = (
        Exposed(int(number), total, name.removeprefix(_LEARNT))
        for name, number in figures.items()
        if name.startswith(_LEARNT)
    )
    return Exposed(alone, total), *learnt
