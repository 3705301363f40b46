"""``papilio attack``."""

import json
import re

import pytest

from papilio.release.release import Release


@pytest.fixture
def released(bench):
    assert bench.publish().code == 0
    return bench


def test_attack_says_what_could_be_learnt(released):
    result = released.run("attack", "release", "--original", "policy.yaml")
    assert (result.code, result.err) == (0, "")
    lights, _, below = result.out.partition("Everyone, knowing age, job\n")
    assert "The claims hold: yes." in lights
    numbers, *_ = below.splitlines()
    assert numbers.split() == ["original", "release"]
    for part in ("prosecutor", "journalist", "marketer", "alone", "linkage", "homogeneity"):
        assert f"\n  {part} " in result.out
    assert "among 400 people, estimated" in result.out
    assert "Not tried: collusion; the release has one recipient" in result.out


@pytest.mark.parametrize("width", [80, 120])
def test_attack_fits_the_terminal(released, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    result = released.run("attack", "release", "--original", "policy.yaml")
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []
    assert not [line for line in lines if "…" in line]


def test_attack_with_a_population(released):
    options = ("--population", "1000", "--threshold", "0.09")
    result = released.run("attack", "release", "--original", "policy.yaml", *options)
    assert (result.code, result.err) == (0, "")
    assert "among 1,000 people, estimated" in result.out
    assert "people above 9%" in result.out
    assert "The table is taken for a random sample of 1,000 people.\n" in result.out


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--population", "39", "the population has to be at least as large as the table, which has "
         "40 rows, and at most 10,000,000,000; 39 is not"),
        ("--population", "10000000001", "the population has to be at least as large as the table, "
         "which has 40 rows, and at most 10,000,000,000; 10,000,000,001 is not"),
        ("--threshold", "0", "the threshold has to be a chance above 0 and at most 1, such as 0.2"),
        ("--threshold", "1.5", "the threshold has to be a chance above 0 and at most 1, such as "
         "0.2"),
    ],
)  # fmt: skip
def test_attack_refuses_what_cannot_be(released, option, value, said):
    result = released.run("attack", "release", "--original", "policy.yaml", option, value)
    assert (result.code, result.lines, result.out) == (2, [said], "")


def test_attack_as_json_holds_the_risk(released):
    result = released.run("attack", "release", "--original", "policy.yaml", "--json")
    risk = json.loads(result.out)["risk"]
    (view,) = risk["views"]
    assert (view["recipient"], view["columns"]) == ("everyone", ["age", "job"])
    # Ages repeat after 17 rows and jobs after 3, so that no two of 40 rows agree on both.
    assert view["before"]["unique"] == 40
    assert view["before"]["prosecutor"]["largest"] == 1
    assert (view["after"]["unique"], view["after"]["prosecutor"]["at_risk"]) == (0, 0)
    assert view["after"]["prosecutor"]["largest"] <= 1 / 5
    assert [each["attack"] for each in view["results"]][:3] == [
        "prosecutor", "journalist", "marketer"
    ]  # fmt: skip
    assert risk["population"] is None
    assert "whole population" in risk["assumption"]


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
    assert not re.findall(r"person\d|illness|job\d", result.out)


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
