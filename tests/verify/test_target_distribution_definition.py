"""The verifier's whole numbers against the definition of P-privacy in fractions."""

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

from oracles import disguise as oracle
from papilio import Policy, publish
from papilio.verify.verdict import Status
from sizes import some

DOMAIN = [1, 2, 3, 4]
TREE = oracle.balanced(DOMAIN)


@cache
def release_of(weights, size):
    """A release of one group whose ranges can be replaced."""
    chance = np.random.default_rng(1)
    frame = pl.DataFrame({"town": ["a"] * size, "pay": chance.choice(DOMAIN, size)})
    policy = Policy(
        columns={"town": "quasi", "pay": "sensitive"},
        privacy={
            "target": {"pay": {"distribution": "uniform", "tree": {"lowest": 1, "highest": 4}}}
        },
    )
    release = publish(frame, policy, name="people")
    (name,) = release.hierarchies
    head, *lines = release.hierarchies[name].splitlines()
    heavy = [
        f"{line.rpartition(',')[0]},{sum(weights[v - 1] for v in node) if n else 1}"
        for n, (line, node) in enumerate(zip(lines, oracle.nodes(TREE), strict=True))
    ]
    return replace(release, hierarchies={name: "\n".join([head, *heavy]) + "\n"})


def follows(release, multiset):
    nodes = [node for node, many in multiset.items() for _ in range(many)]
    values = pl.DataFrame(
        {
            "group": [1] * len(nodes),
            "pay_min": [node[0] for node in nodes],
            "pay_max": [node[-1] for node in nodes],
        }
    )
    frames = {**release.frames, "people_values": values}
    findings = replace(release, frames=frames).verify().findings
    (status,) = {f.status for f in findings if f.claim == "target-distribution"}
    return status is Status.HOLDS


@pytest.mark.parametrize("weights", some([[1, 1, 1, 1], [2, 1, 1, 2], [3, 1, 0, 2]], [3, 1, 0, 2]))
def test_equals_the_definition_on_many_multisets(weights):
    size, shares = 6, dict(zip(DOMAIN, weights, strict=True))
    every = [m for m in oracle.multisets(TREE, size) if all(_mass(n, shares) for n in m)]
    private = [m for m in every if oracle.is_private(m, shares, tuple(DOMAIN))]
    others = [m for m in every if m not in private]
    chance = np.random.default_rng(3)
    picked = [others[n] for n in chance.choice(len(others), 12, replace=False)]
    release = release_of(tuple(weights), size)
    assert private
    assert all(follows(release, m) for m in private[:8])
    assert not any(follows(release, m) for m in picked)


def _mass(node, shares):
    return sum(shares[value] for value in node)
