"""Lights from verdicts and attacks that are made by hand: which colour, and what is said."""

from __future__ import annotations

import copy
import pickle

import polars as pl
import pytest

import papilio as pp
from papilio.attack.lights import Colour, Tried, lights_of, not_looked
from papilio.attack.result import AttackResult, Exposed
from papilio.policy.privacy_policy import LightsPolicy
from papilio.policy.remedy import Remedy
from papilio.verify.verdict import Finding, Status, Verdict

HOLDS = Verdict((Finding("k-anonymity", "k >= 5", "k = 5", Status.HOLDS, "everyone"),))
REMEDY = Remedy(((("privacy", "l", "ill"), 2),), "Every class then has 2.")


def _tried(*exposed, light="secret", beyond="", sentence="So it is.", remedy=None):
    result = AttackResult("guess", "everyone, knowing age", sentence, {}, exposed)
    return Tried("guess", light, (result,), beyond, lambda _: remedy)


def _colours(verdict, *tried, **limits):
    return [each.colour.value for each in lights_of(verdict, tried, LightsPolicy(**limits))]


def test_what_is_learnt_decides_the_light_and_not_the_attack():
    assert _colours(HOLDS, _tried(Exposed(3, 10, "ill"), light="alone")) == ["green", "red", "grey"]
    assert _colours(HOLDS, _tried(Exposed(3, 10), light="secret")) == ["green", "grey", "red"]
    both = _tried(Exposed(0, 10), Exposed(0, 10, "ill"))
    assert _colours(HOLDS, both) == ["green", "green", "green"]


@pytest.mark.parametrize(
    ("people", "limits", "colour"),
    [
        (0, {}, "green"),
        (1, {}, "amber"),
        (10, {}, "amber"),
        (11, {}, "red"),
        (5, {"amber": "0.5%"}, "green"),
        (6, {"amber": "0.5%"}, "amber"),
        (11, {"red": "2%"}, "amber"),
        (1, {"red": 0}, "red"),
    ],
)
def test_thresholds_are_shares_of_the_people(people, limits, colour):
    found = lights_of(HOLDS, [_tried(Exposed(people, 1000, "ill"))], LightsPolicy(**limits))
    assert found.secret.colour == colour
    assert bool(found.secret.findings) == (colour != "green")


def test_somebody_who_knows_more_than_is_granted_makes_a_light_amber_at_most():
    found = lights_of(HOLDS, [_tried(Exposed(1000, 1000, "ill"), beyond="a link of a person")])
    assert found.secret.colour is Colour.AMBER
    assert found.secret.sentence.startswith("If somebody also knows a link of a person: ")
    assert found.worst is Colour.AMBER


def test_worst_comes_first_and_each_remedy_once():
    tried = [
        _tried(Exposed(1, 1000, "ill"), remedy=REMEDY),
        _tried(Exposed(50, 1000, "pay"), beyond="the pay of others"),
        _tried(Exposed(20, 1000, "ill"), remedy=REMEDY),
    ]
    light = lights_of(HOLDS, tried).secret
    assert [(each.people, each.colour.value) for each in light.findings] == [
        (20, "red"),
        (1, "amber"),
        (50, "amber"),
    ]
    assert [each.people for each in light.by_column] == [20, 50]
    assert light.remedies == (REMEDY,)
    assert light.sentence == (
        "ill of 20 people (2%) is learnt by everyone, knowing age. Something is learnt of pay as "
        "well."
    )


def test_what_helps_is_said_where_no_line_of_the_policy_does():
    def tried(remedy):
        result = AttackResult("guess", "everyone", "So it is.", {}, (Exposed(5, 100, "ill"),))
        return Tried("guess", "secret", (result,), "", lambda _: remedy, "Leave it out.")

    without, having = (lights_of(HOLDS, [tried(each)]).secret for each in (None, REMEDY))
    assert (without.remedies, without.otherwise) == ((), ("Leave it out.",))
    assert (having.remedies, having.otherwise) == ((REMEDY,), ())
    assert without.to_dict()["findings"][0]["otherwise"] == "Leave it out."
    assert having.to_dict()["findings"][0]["otherwise"] is None


def test_claims_are_red_if_violated_and_amber_if_nobody_could_check_them():
    broken = Finding("k-anonymity", "k >= 5", "k = 3", Status.VIOLATED, "everyone")
    unknown = Finding("something", "as claimed", "not checked", Status.NOT_CHECKED)
    found = lights_of(Verdict((*HOLDS.findings, unknown, broken)), []).claims
    assert found.colour is Colour.RED
    assert found.sentence == (
        "2 claims do not hold, of 3: k-anonymity for everyone: violated."
    )  # fmt: skip
    assert [each.colour.value for each in found.findings] == ["red", "amber"]
    assert _colours(Verdict((unknown,)))[0] == "amber"
    assert _colours(None)[0] == "grey"
    assert _colours(Verdict(()))[0] == "grey"


def test_what_nobody_looked_at_is_grey_and_says_why():
    found = not_looked(HOLDS, "Nobody looked.")
    assert [each.colour.value for each in found] == ["green", "grey", "grey"]
    assert found.secret.sentence == found.alone.sentence == "Nobody looked."
    assert found.worst is Colour.GREY
    assert not found.exposing
    untried = _tried(sentence="Not tried: no sensitive column is published.")
    light = lights_of(HOLDS, [untried]).secret
    assert (light.colour, light.sentence) == (
        Colour.GREY,
        "Not tried: no sensitive column is published.",
    )


def test_what_was_not_tried_or_on_a_sample_is_told_beside_a_colour():
    tried = [
        _tried(Exposed(0, 200, "ill", drawn_from=5000)),
        _tried(sentence="Not tried: it is too large."),
    ]
    light = lights_of(HOLDS, tried).secret
    assert light.colour is Colour.GREEN
    assert light.notes == (
        "guess: it is too large.",
        "guess: tried on a sample of 200 of 5,000 people.",
    )


def test_lights_as_plain_data_say_everything():
    plain = lights_of(HOLDS, [_tried(Exposed(20, 1000, "ill"), remedy=REMEDY)]).to_dict()
    assert plain["worst"] == "red"
    assert plain["above"] == {"amber": 0.0, "red": 0.01}
    (finding,) = plain["lights"][1]["findings"]
    assert finding["remedy"]["line"] == "privacy: {l: {ill: 2}}"
    assert (finding["people"], finding["of"], finding["share"]) == (20, 1000, 0.02)


def _published(**more):
    frame = pl.DataFrame({"age": [30, 30, 40, 40], "ill": ["flu", "flu", "flu", "hiv"]})
    policy = pp.Policy(columns={"age": "quasi", "ill": "sensitive"}, privacy=pp.K(2), **more)
    return frame, policy, pp.publish(frame, policy, name="people")


def test_a_release_has_lights_and_a_copy_of_it_elsewhere_has_none(tmp_path):
    frame, policy, release = _published()
    elsewhere = pickle.loads(pickle.dumps(release))
    assert release.lights is release.lights
    assert release.lights.secret.colour is Colour.RED
    assert release.lights.secret.findings[0].people == 2
    assert release.lights == pp.lights(release, original=policy, data=frame)
    for other in (
        elsewhere,
        copy.copy(release),
        pp.Release.open(release.save(tmp_path / "release")),
    ):
        with pytest.raises(pp.PapilioError, match=r"pp\.lights\(release, original=policy\)"):
            _ = other.lights


def test_thresholds_of_a_policy_decide_and_leave_the_release_as_it_is():
    frame, _, release = _published()
    _, mild, same = _published(lights={"amber": "50%", "red": "60%"})
    assert same.lights.secret.colour is Colour.GREEN
    assert (
        same.frames["people"]
        .sort("age_min", "ill")
        .equals(release.frames["people"].sort("age_min", "ill"))
    )
    assert pp.lights(release, original=mild, data=frame).secret.colour is Colour.GREEN


def test_amber_above_red_is_refused():
    with pytest.raises(pp.PapilioError, match="amber is above red"):
        _published(lights={"amber": "2%"})


def test_a_release_that_is_not_as_described_is_not_attacked():
    frame, policy, release = _published()
    table = release.frames["people"]
    changed = {
        "people": table.with_columns(pl.col("age_max") * 0 + 30, pl.lit(30).alias("age_min"))
    }
    broken = pp.Release(release.manifest, changed)
    found = pp.lights(broken, original=policy, data=frame)
    assert [each.colour.value for each in found] == ["red", "grey", "grey"]


def test_the_remedy_of_a_light_makes_it_green():
    frame = pl.DataFrame(
        {"age": [30, 30, 40, 40, 50, 50], "ill": ["flu", "flu", "flu", "hiv", "a", "b"]}
    )
    policy = pp.Policy(columns={"age": "quasi", "ill": "sensitive"}, privacy=pp.K(2))
    (remedy,) = pp.publish(frame, policy, name="people").lights.secret.remedies
    assert remedy.line == "privacy: {l: {ill: 2}}"
    better = pp.publish(frame, policy.varied(remedy.changes), name="people")
    assert better.lights.worst is Colour.GREEN
