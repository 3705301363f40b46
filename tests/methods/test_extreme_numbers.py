"""Every method on doubles whose differences or reciprocals are infinite, judged by the verifier."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from papilio import Policy
from papilio.data.domain_tree import share_of_span, share_of_width
from papilio.errors import DataError
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_of
from papilio.workflow.publish import publish
from papilio.workflow.verify import verify
from sizes import spread, tries

TINY, HUGE = 5e-324, 1.7976931348623157e308
TWO = {"one": ["x"], "two": ["y"]}
METHODS = {
    "mondrian": {},
    "relaxed-mondrian": {},
    "bottom-up": {},
    "hybrid": {},
    "rising": {"method": "rising"},
    "hybrid by dm": {"method": "hybrid", "metric": "dm"},
    "hybrid by balance": {"method": "hybrid", "objective": "balance"},
    "improved": {"method": "mondrian", "improve": {"steps": 50}},
    "incognito": {},
    "union": {"recipients": TWO},
    "butterfly": {"recipients": TWO, "generalise": "hybrid", "wings": "bottom-up"},
    "projections": {},
}
CASES = {
    "denormal": [0.0, TINY, 2 * TINY, 3 * TINY, 7 * TINY, 9 * TINY, 11 * TINY, 1e-310],
    "huge": [-1.7e308, -1e308, 0.0, 1e308, 1.7e308, HUGE, -HUGE, 1.0],
    "both": [-HUGE, HUGE, TINY, -TINY, 1e-300, 1.0, 2.0, 3.0],
    "two": [-HUGE, HUGE] * 4,
}
EXAMPLES = tries(10, 100, "PAPILIO_FUZZ")


def _frame(values):
    return pl.DataFrame({"x": values * 2, "y": list(range(8)) * 2, "s": [0, 1] * 8})


def _check(name, values):
    more = {"method": name} | METHODS[name]
    columns = {"x": "quasi", "y": "quasi", "s": "sensitive"}
    policy = Policy(columns=columns, privacy={"k": 3}, **more)
    frame = _frame(values)
    release = publish(frame, policy, name="t", seed=1)
    assert verify(release, original=policy, data=frame).holds
    if name != "projections":
        loss = ncp(published_classes(release, order_of(frame, policy, "t")[0].table)).overall
        assert 0 <= loss <= 1


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", spread(METHODS, 2))
def test_every_generalising_method(name, case):
    _check(name, CASES[case])


ANY = st.floats(allow_nan=False, allow_infinity=False)
WILD = st.sampled_from([TINY, -TINY, HUGE, -HUGE, 1e-310, 1e308, 0.0, 1.0])


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(["mondrian", "relaxed-mondrian", "bottom-up", "hybrid", "rising"]),
    st.lists(ANY | WILD, min_size=8, max_size=8),
)
@example("hybrid", CASES["both"])
def test_any_doubles(name, values):
    _check(name, values)


@pytest.mark.long
def test_without_compilation():
    """Kernels as plain Python do the same."""
    code = (
        "import sys\n"
        "sys.path.insert(0, '..')\n"
        "import test_extreme_numbers as t\n"
        "for name in ('mondrian', 'bottom-up', 'hybrid', 'relaxed-mondrian'):\n"
        "    for values in t.CASES.values():\n"
        "        t._check(name, values)\n"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("more", [{"method": "permutation"}, {}], ids=["permutation", "disguise"])
@pytest.mark.parametrize("values", CASES.values(), ids=CASES)
def test_what_cannot_be_summed_is_refused(more, values):
    privacy = {"k": 2} if more else {"target": {"s": "uniform"}}
    policy = Policy(columns={"y": "quasi", "s": "sensitive"}, privacy=privacy, **more)
    frame = pl.DataFrame({"y": range(8), "s": values})
    with pytest.raises(DataError) as caught:
        publish(frame, policy, seed=1)
    assert caught.value.reason == "not-summable"


@pytest.mark.parametrize("more", [{"method": "permutation"}, {}], ids=["permutation", "disguise"])
@pytest.mark.parametrize("size", [1e-140, 1e140])
def test_what_can_just_be_summed_is_published(more, size):
    privacy = {"k": 2, "e": size} if more else {"target": {"s": "normal"}}
    policy = Policy(columns={"y": "quasi", "s": "sensitive"}, privacy=privacy, **more)
    values = [size, size / 2 if size > 1 else size * 2, -size, 0.0]
    values += [value * (0.9 if size > 1 else 1.1) for value in values]
    frame = pl.DataFrame({"y": range(8), "s": values})
    assert verify(publish(frame, policy, seed=1), original=policy, data=frame).holds


def test_a_target_over_an_endless_range_is_refused():
    tree = {"lowest": -1.7e308, "highest": 1.7e308, "width": 1e304}
    target = {"distribution": "uniform", "tree": tree}
    columns = {"y": "quasi", "s": "sensitive"}
    policy = Policy(columns=columns, privacy={"target": {"s": target}})
    with pytest.raises(DataError) as caught:
        publish(pl.DataFrame({"y": [1, 2], "s": [1.0, 2.5]}), policy)
    assert caught.value.reason == "not-summable"


@given(st.lists(ANY | WILD, min_size=1, max_size=9))
def test_shares_are_shares(values):
    numbers = np.sort(np.array(values))
    shares = share_of_span(numbers, float(numbers[0]), float(numbers[-1]))
    assert (np.diff(shares) >= 0).all()
    assert shares[0] == 0
    assert shares[-1] <= 1 + 1e-15
    span = (float(numbers[0]), float(numbers[-1]))
    assert (share_of_width(numbers[:1], numbers, span) <= 1).all()
