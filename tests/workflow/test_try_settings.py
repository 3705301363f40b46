"""Variants of a policy: what may be tried, what it writes, and what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from papilio.policy.policy import Policy
from papilio.workflow.settings import choices_for, compares, settings_for
from papilio.workflow.try_settings import try_settings, varied

EXAMPLES = Path(__file__).parents[2] / "examples"


def policy_of(name: str) -> tuple[str, Path, Policy]:
    base = EXAMPLES / name
    text = (base / "policy.yaml").read_text()
    return text, base, Policy.parse(text, base=base)


@pytest.mark.parametrize(
    ("name", "series", "compared"),
    [
        ("one-table", "mondrian", True),
        ("recipients", "union", True),
        ("permutation", "widest group", False),
        ("disguise", "5% fakes", False),
        ("projections", "projections", False),
        ("linked-tables", "local pairing", False),
        ("graph", "grouping", False),
    ],
)
def test_every_choice_writes_a_policy_that_can_be_run(name, series, compared):
    text, base, policy = policy_of(name)
    choices = choices_for(policy)
    assert compares(policy) is compared
    assert series in choices.series
    assert {*choices.usual_series} <= {*choices.series}
    assert {*choices.usual_values} <= {*choices.values}
    for setting in settings_for(policy, choices.series, choices.values):
        changed = Policy.parse(varied(text, setting), base=base)
        assert choices_for(changed).series == choices.series
        if setting.parameter == "k":
            assert changed.privacy.k == setting.value


def test_the_policys_own_k_is_among_the_usual_ones():
    text, base, _ = policy_of("one-table")
    policy = Policy.parse(text.replace("k: 5", "k: 7"), base=base)
    assert 7 in choices_for(policy).usual_values


def test_generalising_methods_lose_more_at_a_larger_k():
    text, base, policy = policy_of("one-table")
    told = []
    settings = settings_for(policy, ["mondrian"], [2, 50])
    small, large = try_settings(text, base, settings, progress=lambda *told_: told.append(told_))
    assert (small.setting, large.setting) == settings
    assert 0 < small.loss < large.loss < 1
    assert told


@pytest.mark.parametrize(
    ("name", "series", "values"),
    [("permutation", "sum of widths", [3, 20]), ("linked-tables", "optimal pairing", [2, 3])],
)
def test_other_families_lose_more_at_a_larger_k(name, series, values):
    text, base, policy = policy_of(name)
    small, large = try_settings(text, base, settings_for(policy, [series], values))
    assert 0 <= small.loss < large.loss <= 1


def test_a_setting_that_cannot_be_met_says_why():
    text, base, policy = policy_of("linked-tables")
    (attempt,) = try_settings(text, base, settings_for(policy, ["optimal pairing"], [50]))
    assert attempt.loss is None
    assert "at most 4" in attempt.why_not
