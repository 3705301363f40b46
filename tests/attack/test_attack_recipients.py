"""Attacks on releases that the methods for several recipients make."""

import random

import polars as pl
import pytest

from papilio import Policy, publish
from papilio.attack.collusion import collusion
from papilio.attack.linkage import linkage
from papilio.policy.apply import order_of
from sizes import some, tries

RECIPIENTS = {"one": ["body", "left"], "two": ["body", "right"], "three": ["right", "far"]}


def people(seed, rows=60):
    draw = random.Random(seed)
    return pl.DataFrame(
        {
            "body": [draw.randrange(30) for _ in range(rows)],
            "left": [draw.randrange(50) for _ in range(rows)],
            "right": [draw.choice("pqrstu") for _ in range(rows)],
            "far": [draw.randrange(9) for _ in range(rows)],
            "ill": [draw.choice(["flu", "cold", "none"]) for _ in range(rows)],
        }
    )


def policy(method, recipients, **privacy):
    quasi = dict.fromkeys(("body", "left", "right", "far"), "quasi")
    known = {name: RECIPIENTS[name] for name in recipients}
    if "three" not in recipients:
        quasi["far"] = "plain"
    return Policy(
        columns={**quasi, "ill": "sensitive"}, recipients=known, privacy=privacy, method=method
    )


@pytest.mark.searches
@pytest.mark.parametrize("method", ["union", "butterfly"])
@pytest.mark.parametrize(
    "recipients", some([["one", "two"], ["one", "two", "three"]], ["one", "two", "three"])
)
@pytest.mark.parametrize("collusion_k", [None, 3])
def test_nobody_gets_below_what_is_promised(method, recipients, collusion_k):
    demanded = {"k": 6} | ({} if collusion_k is None else {"collusion_k": collusion_k})
    for seed in range(tries(1, 3)):
        frame, order = people(seed), policy(method, recipients, **demanded)
        release = publish(frame, order, name="people", seed=seed)
        assert release.verify(original=order, data=frame).holds
        table = order_of(frame, order, "people")[0].table
        alone = [each.figures["smallest"] for each in linkage(release, table, order)]
        assert len(alone) == len(recipients)
        assert min(alone) >= 6
        together = [each.figures["smallest"] for each in collusion(release, table, order)]
        assert len(together) == (1 if len(recipients) == 2 else 4)
        assert min(together) >= (6 if method == "union" else collusion_k or 1)


def test_without_collusion_k_coalitions_do_get_below_k():
    frame, order = people(1), policy("butterfly", ("one", "two"), k=6)
    release = publish(frame, order, name="people", seed=1)
    table = order_of(frame, order, "people")[0].table
    (result,) = collusion(release, table, order)
    assert result.figures["smallest"] < 6
