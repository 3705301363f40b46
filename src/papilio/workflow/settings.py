"""Settings of a policy that are worth trying, by family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from papilio.policy.family import Family, family_of
from papilio.policy.policy import Policy
from papilio.workflow.contender import COMPARED, FOR_RECIPIENTS, METHODS, USUAL

#: The k that may be tried, and those that are if nobody says which.
SIZES, USUAL_SIZES = (2, 3, 5, 10, 20, 50, 100), (3, 5, 10, 20)
#: Tolerances of a target distribution that may be tried.
SHIFTS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)
_FAKES = {"without fakes": 0.0, "5% fakes": 0.05, "20% fakes": 0.2}
_MINIMISE = {"sum of widths": "sum", "widest group": "max", "most groups": "groups"}
_PAIRING = {"optimal pairing": "optimal", "local pairing": "local"}

#: A key of the policy and what is written there.
Change = tuple[tuple[str, ...], Any]


@dataclass(frozen=True)
class Setting:
    """A variant of a policy.

    Attributes
    ----------
    series
        Which line of the chart it is on: a method, or a variant of one.
    parameter, value
        What runs along the chart.
    changes
        What it writes into the policy.
    """

    series: str
    parameter: str
    value: float
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Choices:
    """What may be tried for a policy.

    Attributes
    ----------
    parameter
        What runs along the chart.
    values, usual_values
        Values it may have, and those to begin with.
    series, usual_series
        Lines there may be, and those to begin with.
    """

    parameter: str
    values: tuple[float, ...]
    usual_values: tuple[float, ...]
    series: tuple[str, ...]
    usual_series: tuple[str, ...]


def compares(policy: Policy) -> bool:
    """Whether :func:`papilio.workflow.compare.compare` can try settings of the policy."""
    return family_of(policy) in COMPARED


def choices_for(policy: Policy) -> Choices:
    """Say what may be tried."""
    if policy.privacy.target:
        return Choices("shift", SHIFTS, SHIFTS[:5], tuple(_FAKES), tuple(_FAKES)[:2])
    own = policy.privacy.k
    usual = tuple(sorted({*USUAL_SIZES, *([] if own is None else [own])}))
    sizes = tuple(sorted({*SIZES, *usual}))
    lines, first = _lines(policy)
    return Choices("k", sizes, usual, lines, first)


def _lines(policy: Policy) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lines there may be, and those to begin with."""
    if policy.graph is not None:
        return ("grouping",), ("grouping",)
    if policy.tables:
        return tuple(_PAIRING), tuple(_PAIRING)
    if policy.family.name == "permutation":
        return tuple(_MINIMISE), tuple(_MINIMISE)
    if family_of(policy) is Family.PROJECTIONS:
        return ("projections",), ("projections",)
    if policy.recipients:
        return FOR_RECIPIENTS, FOR_RECIPIENTS
    own = () if policy.method in (None, "auto") else (str(policy.method),)
    return METHODS, tuple(dict.fromkeys([*USUAL, *own]))


def settings_for(
    policy: Policy, series: Iterable[str], values: Iterable[float]
) -> tuple[Setting, ...]:
    """Make a setting of each line and value."""
    along = tuple(values)
    return tuple(setting for line in series for setting in _settings(policy, line, along))


def _settings(policy: Policy, line: str, values: tuple[float, ...]) -> Iterator[Setting]:
    for value in values:
        if policy.privacy.target:
            changes: tuple[Change, ...] = (
                (("privacy", "shift"), value),
                (("privacy", "fakes"), _FAKES[line]),
            )
            yield Setting(line, "shift", value, changes)
        else:
            size = int(value)
            changes = ((("privacy", "k"), size), *_of_line(policy, line, size))
            yield Setting(line, "k", size, changes)


def _of_line(policy: Policy, line: str, k: int) -> tuple[Change, ...]:
    if policy.graph is not None:
        return ((("privacy", "l"), k),)
    if policy.tables:
        return ((("pairing",), _PAIRING[line]),)
    if policy.family.name == "permutation":
        return ((("minimise",), _MINIMISE[line]),)
    return () if family_of(policy) is Family.PROJECTIONS else ((("method",), line),)
