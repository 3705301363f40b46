"""Variants of a policy for several recipients."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from papilio.families.choices import Change, Choices, Line, Varied
from papilio.families.generalising.bench import ClassBench
from papilio.families.generalising.variants import (
    LOSS,
    RISK,
    RISK_OVER_PEOPLE,
    demands,
    dropped,
    lines,
    with_improvement,
)
from papilio.policy.policy import Policy
from papilio.privacy.safe_cells import TIGHT

#: Methods, and the options of the other that each does not have.
METHODS: dict[str, tuple[tuple[str, ...], ...]] = {
    "union": (("wings",),),
    "butterfly": (("privacy", "suppress"),),
}
_RISK = replace(
    RISK,
    words="Highest chance that a recipient by themselves finds the row of a person whose "
    "quasi-identifiers they know: one in the rows of the smallest class that any of them sees.",
)
_RISK_OVER_PEOPLE = replace(
    RISK_OVER_PEOPLE,
    words="Highest chance that a row drawn from a class of a person is theirs: the largest share "
    "that one person owns of a class that any recipient by themselves sees.",
)
#: Keys that only several recipients have.
_THEIRS = (
    ("recipients",),
    ("generalise",),
    ("wings",),
    ("privacy", "collusion_k"),
    ("privacy", "collusion"),
)


def variants(policy: Policy) -> Choices:
    """Union and butterfly; beside them methods that make one table alike for everybody."""
    # What all columns together hide is hidden from every recipient, and from all of them.
    alone = dropped(policy, _THEIRS)
    return Choices(
        (*_lines(policy), *lines(policy, alone)),
        tuple(METHODS),
        (*demands(policy), *_together(policy)),
        LOSS,
        _RISK if policy.person_column is None else _RISK_OVER_PEOPLE,
        ClassBench.of,
    )


def _lines(policy: Policy) -> Iterator[Line]:
    for name, unknown in METHODS.items():
        paths = [*unknown]
        if name == "butterfly" and policy.generalise == "incognito":
            # It keeps one level per column, which only union can build on.
            paths.append(("generalise",))
        changes = ((("method",), name), *dropped(policy, paths), *_tight(policy, name))
        yield from with_improvement(policy, Line(name, changes))


def _tight(policy: Policy, name: str) -> Iterator[Change]:
    """Cells as small as they can be, where a method does not keep rows from following."""
    method = policy.family.method(name)
    if policy.safe_cells and not (method is not None and method.safe):
        yield ("cells",), TIGHT[policy.cells]


def _together(policy: Policy) -> Iterator[Varied]:
    k = policy.privacy.k or 1
    values = tuple(each for each in (1, 2, 3, 5, 10) if each <= k)
    yield Varied("privacy.collusion_k", "collusion_k: rows for all recipients together", values)
