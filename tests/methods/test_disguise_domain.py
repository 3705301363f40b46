"""The declared domain of a numeric column is what its target is about."""

from __future__ import annotations

import polars as pl
import pytest

from papilio import Policy
from papilio.errors import DataError
from papilio.workflow.publish import publish
from papilio.workflow.verify import verify

FRAME = pl.DataFrame({"town": list("abcde"), "pay": [1, 2, 3, 7, 8]})


def _policy(domain=None, **target):
    pay = {"role": "sensitive"} | ({} if domain is None else {"domain": domain})
    said = {"distribution": "uniform"} | target
    return Policy(columns={"town": "quasi", "pay": pay}, privacy={"target": {"pay": said}})


def _widths(release):
    (frame,) = (frame for name, frame in release.frames.items() if name.endswith("values"))
    return (frame.get_column("pay_max") - frame.get_column("pay_min")).to_list()


def test_a_uniform_target_is_about_the_declared_domain():
    """3 of 5 values in the lower half is no uniform distribution over 1 to 8."""
    policy = _policy(list(range(1, 9)))
    release = publish(FRAME, policy, seed=1)
    assert max(_widths(release)) > 0
    assert verify(release, original=policy, data=FRAME).holds
    assert max(_widths(publish(FRAME, _policy(), seed=1))) == 0


def test_the_same_domain_as_a_tree_gives_the_same_ranges():
    by_domain = publish(FRAME, _policy(list(range(1, 9))), seed=1)
    by_tree = publish(FRAME, _policy(tree={"lowest": 1, "highest": 8}), seed=1)
    assert sorted(_widths(by_domain)) == sorted(_widths(by_tree))


@pytest.mark.parametrize("kind", [pl.Float64, pl.Int32])
def test_other_numbers_have_domains_too(kind):
    frame = FRAME.with_columns(pl.col("pay").cast(kind))
    policy = _policy(list(range(1, 9)))
    release = publish(frame, policy, seed=1)
    assert max(_widths(release)) > 0
    assert verify(release, original=policy, data=frame).holds


@pytest.mark.parametrize(
    ("domain", "reason"),
    [
        ([1, 2, 3, 7], "value-outside-domain"),
        ([8, 7, 3, 2, 1], "leaves-not-ordered"),
        (["1", "2", "3", "7", "8", "many"], "leaf-not-numeric"),
        (["1", "2", "3", "7", "8", "nan"], "leaf-not-numeric"),
        ([1, 2, 3, 7, 8, 8.5], "domain-not-whole"),
        ([1, 2, 3, 7, 8, 10**30], "number-too-large"),
    ],
)
def test_what_is_no_domain_of_the_column(domain, reason):
    with pytest.raises(DataError) as caught:
        publish(FRAME, _policy(domain), seed=1)
    assert caught.value.reason == reason
