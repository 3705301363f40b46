"""Whether a claim promises at least as much as another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from papilio.release.manifest import Claim

_Test = Callable[[Any, Any], bool]


def _same(claimed: Any, demanded: Any) -> bool:
    if isinstance(demanded, bool) or not isinstance(demanded, int | float):
        return type(claimed) is type(demanded) and bool(claimed == demanded)
    return _number(claimed) == _number(demanded)


def _at_least(claimed: Any, demanded: Any) -> bool:
    number = _number(claimed)
    return number is not None and number >= Fraction(str(demanded))


def _at_most(claimed: Any, demanded: Any) -> bool:
    number = _number(claimed)
    return number is not None and number <= Fraction(str(demanded))


def _anything(_claimed: Any, _demanded: Any) -> bool:
    return True


def _number(claimed: Any) -> Fraction | None:
    if isinstance(claimed, bool) or not isinstance(claimed, int | float):
        return None
    return Fraction(str(claimed)) if math.isfinite(claimed) else None


_DIVERSITY: dict[str, Mapping[str, _Test]] = {
    "distinct-l-diversity": {"column": _same, "l": _at_least},
    "entropy-l-diversity": {"column": _same, "l": _at_least},
    # r1 < c (r_l + …): a smaller c and a later place both ask for more.
    "recursive-l-diversity": {"column": _same, "c": _at_most, "l": _at_least},
}
_CLOSENESS: Mapping[str, _Test] = {
    "column": _same, "t": _at_most, "distance": _same, "order": _same,
}  # fmt: skip

#: Claim -> parameter -> test of what is claimed against what is demanded.
TESTS: Mapping[str, Mapping[str, _Test]] = {
    "k-anonymity": {"k": _at_least},
    **_DIVERSITY,
    **{f"entity-{name}": tests for name, tests in _DIVERSITY.items()},
    "t-closeness": _CLOSENESS,
    "nt-closeness": {**_CLOSENESS, "n": _at_least},
    "ke-anonymity": {"column": _same, "k": _at_least, "e": _at_least},
    "entity-k-anonymity": {"k": _at_least},
    # Strictness is no demand of a policy; if it is claimed, it is checked.
    "safe-grouping": {
        "k": _at_least, "l": _at_least, "left": _same, "right": _same, "strict": _anything,
    },
    # Tree and parts are compared with the policy's target by themselves.
    "target-distribution": {
        "column": _same, "shift": _at_most, "fakes": _at_most, "allocation": _same,
        "tree": _anything, "parts": _anything,
    },
    "personal-levels": {"column": _same, "tree": _anything, "parts": _anything},
}  # fmt: skip


def keeps(claim: Claim, demanded: Claim) -> bool:
    """Whether a claim promises what is demanded, or more.

    A claim on more columns promises more: its classes are finer, and what holds for finer classes
    holds for their unions. It must have no parameter but those that are known, and every one that
    is demanded.
    """
    tests = TESTS.get(demanded.claim)
    about = (claim.claim, claim.table, claim.recipient)
    if tests is None or about != (demanded.claim, demanded.table, demanded.recipient):
        return False
    if not {*demanded.columns} <= {*claim.columns} or not {*claim.parameters} <= {*tests}:
        return False
    unsaid = {name for name in claim.parameters if tests[name] is not _anything}
    return unsaid == {*demanded.parameters} and all(
        tests[name](claim.parameters.get(name), wanted)
        for name, wanted in demanded.parameters.items()
    )
