"""Attacks until a time limit is over: what was not begun is said, and turns no light green."""

from __future__ import annotations

import polars as pl
import pytest

import papilio as pp
from papilio.attack.lights import Colour
from papilio.cli.app import run

#: So little that it is over before the first attack, and so much that nothing takes it.
NONE, MUCH = 1e-9, 1e6


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limit")
    rows = {
        "age": [n % 40 for n in range(240)],
        "job": [*"abcd"] * 60,
        "ill": [*"xxyyz"] * 48,
    }
    pl.DataFrame(rows).write_csv(folder / "people.csv")
    (folder / "policy.yaml").write_text(
        "source: people.csv\ncolumns: {age: quasi, job: quasi, ill: sensitive}\n"
        "privacy: {k: 5, l: 2}\nmethod: mondrian\ncells: safe\n",
        encoding="utf-8",
    )
    policy = pp.Policy.load(folder / "policy.yaml")
    pp.publish_to(folder / "release", policy)
    return folder, policy


def test_nothing_is_begun_when_it_is_over(published):
    folder, policy = published
    results = pp.attack(folder / "release", original=policy, limit=NONE)
    assert {each.attack for each in results} == {each.name for each in policy.family.attacks}
    assert {each.sentence for each in results} == {"Not tried: the time limit was over."}
    lights = pp.risk(folder / "release", original=policy, limit=NONE).lights
    assert lights.claims.colour is Colour.GREEN
    assert [each.colour for each in (lights.secret, lights.alone)] == [Colour.GREY] * 2


def test_everything_is_tried_while_there_is_time(published):
    folder, policy = published
    results = pp.attack(folder / "release", original=policy, limit=MUCH)
    assert {each.attack for each in results if each.tried} >= {"learned_values", "refinement"}
    without = pp.attack(folder / "release", original=policy)
    assert "learned_values" not in {each.attack for each in without}
    lights = pp.risk(folder / "release", original=policy, limit=MUCH).lights
    assert lights.alone.colour is Colour.GREEN


def test_a_light_is_not_green_if_an_attack_of_its_own_was_not_begun(published, monkeypatch):
    folder, policy = published
    asked = iter([False] * 4 + [True] * 99)
    monkeypatch.setattr("papilio.workflow.risk.is_over", lambda _: next(asked))
    lights = pp.risk(folder / "release", original=policy, limit=MUCH).lights
    assert lights.secret.colour is Colour.GREY
    assert lights.alone.colour is Colour.GREY
    assert lights.alone.sentence == (
        "Dependency, certain rows, singling out and refinement: not tried, as the time limit was "
        "over."
    )


@pytest.mark.parametrize("limit", [0, -1, float("nan")])
def test_a_limit_is_positive(published, limit):
    folder, policy = published
    with pytest.raises(pp.errors.PapilioError, match="positive number of seconds, such as 60"):
        pp.attack(folder / "release", original=policy, limit=limit)


def test_the_command_says_what_was_not_tried(published, capsys):
    folder, _ = published
    options = ["attack", str(folder / "release"), "--original", str(folder / "policy.yaml")]
    assert run([*options, "--limit", "1e-9"]) == 0
    assert "Not tried: certain rows; the time limit was over." in capsys.readouterr().out
