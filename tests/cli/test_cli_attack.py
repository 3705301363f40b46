"""``papilio attack``."""

import json

import pytest

from papilio.release.release import Release


@pytest.fixture
def released(bench):
    assert bench.publish().code == 0
    return bench


def test_attack_says_what_could_be_learnt(released):
    result = released.run("attack", "release", "--original", "policy.yaml")
    assert (result.code, result.err) == (0, "")
    for part in ("linkage", "homogeneity", "collusion", "everyone", "what they could learn"):
        assert part in result.out


def test_attack_as_json(released):
    result = released.run("attack", "release", "--original", "policy.yaml", "--json")
    assert (result.code, result.err) == (0, "")
    attacks = json.loads(result.out)["attacks"]
    assert [each["attack"] for each in attacks][:3] == ["linkage", "homogeneity", "collusion"]
    linkage = attacks[0]
    assert linkage["attacker"] == "everyone, knowing age, job"
    assert linkage["figures"]["people"] == 40
    assert linkage["figures"]["smallest"] >= 5
    assert linkage["figures"]["singled_out"] == 0


def test_attack_names_no_value_of_the_data(released):
    result = released.run("attack", "release", "--original", "policy.yaml", "--json")
    assert not [mark for mark in ("person", "illness", "job0") if mark in result.out.replace(
        "may be a person's", "")]  # fmt: skip


def test_attack_needs_the_policy(released):
    assert released.run("attack", "release").code == 2


def test_attack_with_another_policy(released):
    text = released.folder.joinpath("policy.yaml").read_text(encoding="utf-8")
    released.write("other.yaml", text.replace("name: identifier", "name: plain"))
    result = released.run("attack", "release", "--original", "other.yaml")
    assert result.code == 2
    assert result.lines == [
        "the policy publishes 'name', which the release does not have; give the policy the release "
        "was made with"
    ]


def test_attack_on_something_else(bench):
    result = bench.run("attack", "people.csv", "--original", "policy.yaml")
    assert result.code == 2
    assert len(result.lines) == 1


def test_attack_in_python(released):
    from papilio.policy.policy import Policy

    found = Release.open("release").attack(original=Policy.load("policy.yaml"))
    assert [each.attack for each in found][:3] == ["linkage", "homogeneity", "collusion"]
