"""What a policy for permutation is advised to say, and that it helps."""

import polars as pl
import pytest

import papilio as pp
from papilio.families import family_of

COLUMNS = {"id": "quasi", "pay": "sensitive"}


def exposed(frame, policy):
    release = pp.publish(frame, policy, name="staff", seed=1)
    assert release.verify(original=policy, data=frame).holds
    results = pp.attack(release, original=policy, data=frame)
    return {each.attack: each.exposed[0] for each in results if each.exposed}


@pytest.mark.parametrize(
    ("attack", "pay", "privacy", "key"),
    [
        ("near_value", [*range(100)], pp.KE(2, 1), "near"),
        ("known_values", [*range(0, 100, 5)], pp.KE(2, 1), "known"),
        ("group_guess", [1, 1, 1, 2, 2, 3, 4, 5], pp.KE(1, 0), "near"),
        ("certain_value", [1, 1, 1, 2, 2, 3, 4, 5], pp.KE(1, 0), "k"),
    ],
)
def test_the_remedy_closes_what_was_open(attack, pay, privacy, key):
    frame = pl.DataFrame({"id": range(len(pay)), "pay": pay})
    policy = pp.Policy(columns=COLUMNS, privacy=privacy, minimise="sum")
    found = exposed(frame, policy)[attack]
    (line,) = (each for each in family_of(policy).attacks if each.name == attack)
    remedy = line.remedy(found, policy)
    assert f"{key}:" in remedy.line
    better = policy.varied(remedy.changes)
    after = exposed(frame, better)[attack]
    assert (found.people > 0, after.people) == (True, 0)
    assert line.remedy(after, better) is None
