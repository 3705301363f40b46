"""How much a test tries: the one switch between what somebody waits for and all there is.

``make test`` runs the tests as they are by default. ``make test-all`` sets ``PAPILIO_TESTS=all``:
random searches then try all their examples, fuzzers and kills go on for long. And it runs what is
marked ``long``, such as most cases of tests that try many.
"""

import os
from operator import itemgetter

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

ALL = os.environ.get("PAPILIO_TESTS") == "all"
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
#: Which share of its examples a property test tries, and how many it always tries.
SHARE, ALWAYS = 12, 6


def examples(count):
    """Settings for a property test with so many examples, a tenth of them without the JIT."""
    return settings(max_examples=count if COMPILED else max(count // 10, 5))


def tries(usually, in_all, variable=None):
    """How often to try: so often usually, or in ``make test-all``, or as a variable says."""
    said = os.environ.get(variable) if variable else None
    return int(said) if said else in_all if ALL else usually


def usual(count):
    """How many of so many examples a property test tries if it need not try all."""
    return count if ALL else min(count, max(ALWAYS, count // SHARE))


def some(cases, *now, first=1):
    """Cases of a test: the first of them, or those that are named, now; the others are long."""
    cases = list(cases)
    now = list(now or cases[:first])
    assert all(each in cases for each in now), "a case that is named is not there"
    return [_case(each, [] if each in now else [pytest.mark.long]) for each in cases]


def in_turn(cases, of=1, most=1):
    """Cases of a table, of which a few of each line run now; the others are long.

    Lines are cases that agree in what stands at ``of`` (or in what that function says of them).
    The first line runs its first cases, the next one its second, and so on: every line is tried,
    and all columns come up. So every key, verb and demand is tried now with one family or two.
    """
    line_of = of if callable(of) else itemgetter(of)
    lines = {}
    for case in cases:
        lines.setdefault(line_of(case), []).append(case)
    now = []
    for place, line in enumerate(lines.values()):
        now += [line[(place + step) % len(line)] for step in range(min(most, len(line)))]
    return [_case(each, [] if each in now else [pytest.mark.long]) for each in cases]


def spread(cases, most=3):
    """Cases of a test: a few of them, evenly far from each other, now; the others are long."""
    cases = list(cases)
    steps = max(1, min(most, len(cases)))
    now = {place * len(cases) // steps for place in range(steps)}
    return [
        _case(each, [] if place in now else [pytest.mark.long]) for place, each in enumerate(cases)
    ]


def _case(case, marks):
    """A case with more marks; one of several values is a tuple."""
    if isinstance(case, ParameterSet):
        return case._replace(marks=(*case.marks, *marks))
    return pytest.param(*case if isinstance(case, tuple) else (case,), marks=marks)
