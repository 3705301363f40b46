"""The closed forms of the oracle are the optimum of the transport problem they stand for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from oracles import closeness as oracle

PATHS = [
    ["a", "ab", "*"],
    ["a", "ab", "*"],
    ["b", "ab", "*"],
    ["c", "*"],
    ["c", "*"],
    ["*"],
]


def transport(p, q, ground):
    """Least work that turns p into q, by linear programming."""
    size = len(p)
    cost = np.array(ground, float).ravel()
    leave = np.kron(np.eye(size), np.ones(size))
    arrive = np.kron(np.ones(size), np.eye(size))
    supply = np.array([*p, *q], float)
    found = linprog(cost, A_eq=np.vstack([leave, arrive]), b_eq=supply, method="highs")
    assert found.success
    return found.fun


@st.composite
def two_distributions(draw):
    size = draw(st.integers(1, 6))
    counts = st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any)
    return [
        oracle.shares([i for i, c in enumerate(draw(counts)) for _ in range(c)], range(size))
        for _ in range(2)
    ]


@settings(max_examples=120)
@given(two_distributions())
def test_closed_forms(drawn):
    p, q = drawn
    size = len(p)
    assert oracle.equal(p, q) == pytest.approx(transport(p, q, oracle.equal_ground(size)), abs=1e-9)
    assert oracle.ordered(p, q) == pytest.approx(
        transport(p, q, oracle.line_ground(size)), abs=1e-9
    )
    paths = PATHS[:size]
    assert oracle.hierarchical(p, q, paths) == pytest.approx(
        transport(p, q, oracle.tree_ground(paths)), abs=1e-9
    )


def test_the_example_of_the_paper():
    """Section 4: salaries 3k .. 11k; {3k, 4k, 5k} is 0.375 and {6k, 8k, 11k} is 0.167 away."""
    salaries = range(3, 12)
    table = oracle.shares(list(salaries), salaries)
    low = oracle.ordered(oracle.shares([3, 4, 5], salaries), table)
    mixed = oracle.ordered(oracle.shares([6, 8, 11], salaries), table)
    assert float(low) == 0.375
    assert float(mixed) == pytest.approx(0.167, abs=5e-4)
