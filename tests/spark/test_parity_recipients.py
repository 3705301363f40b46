"""One table for several recipients, on one machine and in the engine."""

from __future__ import annotations

import pytest
from parity import check_parity, pieces, publish_both

from papilio import Policy, samples
from sizes import some

INSURER = ("age", "workclass", "education-num", "marital-status")
PERSONNEL = ("marital-status", "occupation", "race", "sex")


@pytest.fixture(scope="module")
def adult(tmp_path_factory):
    path = tmp_path_factory.mktemp("source") / "adult.parquet"
    samples.adult().write_parquet(path, row_group_size=8000)
    return path


def policy_for(path, method, privacy, **more):
    names = dict.fromkeys((*INSURER, *PERSONNEL), "quasi")
    return Policy(
        source=str(path),
        columns=names | {"income": "sensitive"},
        recipients={"insurer": INSURER, "personnel": PERSONNEL},
        privacy=privacy,
        method=method,
        **more,
    )


@pytest.mark.parametrize(
    ("method", "privacy"),
    some(
        [
            ("union", {"k": 10}),
            ("butterfly", {"k": 10}),
            ("butterfly", {"k": 10, "collusion_k": 2}),
            ("butterfly", {"k": 5, "l": {"income": 2}}),
            ("butterfly", {"k": 5, "t": {"income": 0.3}}),
        ],
    ),
    ids=["union", "butterfly", "collusion", "l", "t"],
)
def test_methods(monkeypatch, tmp_path, adult, embedded, method, privacy):
    policy = policy_for(adult, method, privacy)
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 16_000)
    assert pieces(pair.spark) > 1
    check_parity(pair, policy)
