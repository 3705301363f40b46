"""Claims about known rows and windows, against every set of rows of a group."""

from __future__ import annotations

import random
from fractions import Fraction

import polars as pl
import pytest
from permuted_damage import permuted_sample

import papilio as pp
from oracles import ke_partition as oracle
from papilio.verify import ke_anonymity as module
from papilio.verify.verdict import Status
from sizes import spread, tries


@pytest.mark.searches
def test_measures_are_those_of_every_set_of_rows():
    met = 0
    for seed in range(tries(200, 3000)):
        draw = random.Random(seed)
        unit = draw.choice((1, 0.1))
        group = sorted(draw.randrange(6) * unit for _ in range(draw.randrange(1, 8)))
        values = sorted(set(group))
        rows = [group.count(value) for value in values]
        k, e = draw.randrange(1, 4), draw.choice(("0", "1", "0.1", "0.3"))
        width, share = draw.choice(("0", "0.1", "0.2", "2")), draw.choice(("0.25", "0.5", "0.6"))
        opens = module._opens(values, rows, k, Fraction(e))
        for known in range(len(group)):
            wanted = oracle.meets(group, k, Fraction(e), known)
            assert (opens > known) == wanted, seed
        held = module._held(values, rows, Fraction(width))
        assert (held <= Fraction(share)) == oracle.meets(group, 1, 0, 0, (width, share)), seed
        met += held <= Fraction(share)
    assert met > 20


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    frame = pl.DataFrame({"age": range(40), "pay": [3 * n % 41 for n in range(40)]})
    near = {"width": "10%", "at_most": 0.5}
    privacy = {"k": 3, "e": "20%", "known": 2, "near": near}
    policy = pp.Policy(columns={"age": "quasi", "pay": "sensitive"}, privacy=privacy)
    release = pp.publish(frame, policy, name="staff", seed=1)
    return release, policy, frame


def verdict(release, policy, frame, **changes):
    claim = release.manifest.claims[0]
    from dataclasses import replace

    parameters = {**claim.parameters, **changes}
    parameters = {key: said for key, said in parameters.items() if said is not None}
    manifest = replace(release.manifest, claims=(replace(claim, parameters=parameters),))
    return replace(release, manifest=manifest).verify(original=policy, data=frame)


def test_a_release_as_ordered_holds(sound):
    assert verdict(*sound).holds
    found = {each.claim: each for each in verdict(*sound).findings}
    assert found["promised distances"].status is Status.HOLDS
    assert len(sound[0].frames["staff_values"]["group"].unique()) > 1


@pytest.mark.parametrize(
    ("changes", "claim"),
    spread(
        [
            ({"known": 30}, "ke-anonymity"),
            ({"near": {"width": 4, "at_most": 0.05}}, "ke-anonymity"),
            ({"near": {"width": 30, "at_most": 0.5}}, "ke-anonymity"),
            ({"known": True}, "ke-anonymity"),
            ({"near": {"width": 4}}, "ke-anonymity"),
            ({"known": 1}, "promised claims"),
            ({"known": None}, "promised claims"),
            ({"near": None}, "promised claims"),
            ({"near": {"width": 4, "at_most": 0.6}}, "promised claims"),
            ({"near": {"width": 3, "at_most": 0.5}}, "promised distances"),
            ({"e": 7}, "promised distances"),
        ]
    ),
)
def test_another_claim_is_noticed(sound, changes, claim):
    found = [each for each in verdict(*sound, **changes).findings if each.claim == claim]
    assert any(each.status is Status.VIOLATED for each in found)


def test_a_value_moved_to_another_group_is_noticed(sound):
    from dataclasses import replace

    release, _, _ = sound
    name = "staff_values"
    values = release.frames[name].sort("group", "pay")
    # The group gets one value again and again; rows, groups and k are as they were.
    first = values.filter(pl.col("group") == 1)
    pay = first["pay"].to_list()
    pay[2:-1] = [pay[1]] * (len(pay) - 3)
    forged = pl.concat([first.with_columns(pay=pl.Series(pay)), values.filter(pl.col("group") > 1)])
    frames = {**release.frames, name: forged}
    found = replace(release, frames=frames).verify()
    (claim,) = (each for each in found.findings if each.claim == "ke-anonymity")
    assert claim.status is Status.VIOLATED
    assert str(pay[1]) != claim.measured


def test_doubles_without_claims_are_as_before(tmp_path):
    assert permuted_sample(tmp_path, kind=float).verdict().holds
