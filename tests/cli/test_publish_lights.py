"""``papilio publish`` ends with three lights, asks about a bad one where somebody is, and refuses.

The policy of one table leaves one class whose people are all ill with the same. Its cells are safe
but where a test is about tight ones.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import papilio as pp
from papilio.cli import publish
from papilio.cli.app import run
from seven_families import policy_of, write_family

VISITS = Path(__file__).parents[2] / "examples" / "visits"


def _safe():
    return {**policy_of("one-table"), "cells": "safe"}


@pytest.fixture
def order(tmp_path):
    return write_family(tmp_path, "one-table", _safe())[0]


@pytest.fixture
def better(tmp_path):
    policy = _safe()
    policy["privacy"]["l"] = {"ill": 2}
    return write_family(tmp_path, "one-table", policy)[0]


def _unwrapped(text):
    return " ".join(text.split())


def _publish(order, name, *options):
    return run(["publish", str(order), "-o", str(order.parent / name), *options])


def test_the_lights_stand_below_the_verdict_with_what_would_help(order, capsys):
    assert _publish(order, "release") == 0
    said = capsys.readouterr()
    below = _unwrapped(said.out).partition("The release as a whole: holds")[2]
    assert "✓ green The claims hold: yes." in below
    assert "✗ red What is marked secret stays secret: no. ill of 3 people (12.5%)" in below
    assert "try privacy: {l: {ill: 2}}" in below
    assert "✓ green Nobody stands alone: yes. Nobody of 24 people stands alone." in below
    assert "a light of the release is red" in said.err
    assert (order.parent / "release").is_dir()


def test_tight_cells_are_told_of_in_one_line_with_what_leaves_none(tmp_path, capsys):
    order = write_family(tmp_path, "one-table")[0]
    assert _publish(order, "release") == 0
    said = capsys.readouterr().out
    *_, told, written = said.splitlines()
    assert written.startswith("Release written")
    found = re.fullmatch(
        r"Tight cells: the complete rows of (\d+ people \(.*%\)), shared by fewer than 3, follow "
        "from the release alone; cells: safe leaves none.",
        told,
    )
    assert f"✗ red Nobody stands alone: no. {found[1]} stand" in _unwrapped(said)
    assert "try cells: safe" in _unwrapped(said)


def test_nothing_is_told_of_cells_from_which_no_row_follows(order, capsys):
    assert _publish(order, "release") == 0
    assert "Tight cells" not in capsys.readouterr().out


def test_programs_get_them_as_data(order, capsys):
    assert _publish(order, "release", "--json") == 0
    lights = json.loads(capsys.readouterr().out)["lights"]
    assert [each["colour"] for each in lights["lights"]] == ["green", "red", "green"]
    assert lights["lights"][1]["findings"][0]["remedy"]["changes"] == [
        {"path": ["privacy", "l", "ill"], "value": 2}
    ]


def test_strict_writes_nothing_of_a_red_release_and_leaves_nothing(order, capsys):
    before = sorted(order.parent.iterdir())
    assert _publish(order, "release", "--strict") == 1
    assert "so it was not written: what is marked secret" in capsys.readouterr().err
    assert sorted(order.parent.iterdir()) == before


def test_strict_writes_a_green_one(better, capsys):
    assert _publish(better, "release", "--strict") == 0
    assert "red" not in capsys.readouterr().err


def test_no_attacks_says_that_nobody_looked(order, capsys):
    assert _publish(order, "release", "--no-attacks") == 0
    said = capsys.readouterr()
    assert _unwrapped(said.out).count("Nobody looked: attacks were left out.") == 2
    assert "? grey   Nobody stands alone: not judged." in said.out
    assert not said.err


def test_strict_needs_somebody_who_looks(order, capsys):
    assert _publish(order, "release", "--no-attacks", "--strict") == 2
    assert "needs attacks" in capsys.readouterr().err
    assert not (order.parent / "release").exists()


@pytest.fixture
def somebody(monkeypatch):
    """Somebody who sits at a terminal, and what they were asked."""
    asked, answers = [], []
    monkeypatch.setattr(publish, "_somebody_is_there", lambda: True)

    def confirm(question, **_):
        asked.append(question)
        return answers.pop()

    monkeypatch.setattr(publish.typer, "confirm", confirm)
    return asked, answers


@pytest.mark.parametrize(("answer", "code"), [(True, 0), (False, 1)])
def test_somebody_is_asked_once_about_a_red_release(order, somebody, answer, code):
    asked, answers = somebody
    answers.append(answer)
    assert _publish(order, "release") == code
    assert asked == ["A light is red. Write the release all the same?"]
    assert (order.parent / "release").exists() == answer


@pytest.mark.parametrize("options", [["--yes"], ["--json"], ["--no-attacks"]])
def test_nobody_is_asked_who_said_so_before(order, somebody, options):
    assert _publish(order, "release", *options) == 0
    assert somebody[0] == []


def test_nobody_is_asked_about_a_green_release(better, somebody):
    assert _publish(better, "release") == 0
    assert somebody[0] == []


def test_piece_by_piece_nobody_looks_and_it_says_why(order, tmp_path, monkeypatch, capsys):
    from seven_families import make_memory_small

    policy = _safe()
    policy["method"] = "mondrian"
    order = write_family(tmp_path, "one-table", policy)[0]
    make_memory_small(monkeypatch)
    assert _publish(order, "strict", "--memory", "1GiB", "--strict") == 2
    assert "fits into memory" in capsys.readouterr().err
    assert _publish(order, "release", "--memory", "1GiB", "--json") == 0
    lights = json.loads(capsys.readouterr().out)["lights"]["lights"]
    assert [each["colour"] for each in lights] == ["green", "grey", "grey"]
    assert "piece by piece" in lights[1]["sentence"]


def test_attack_begins_with_the_lights(order, capsys):
    assert _publish(order, "release", "--no-attacks") == 0
    capsys.readouterr()
    arguments = ["attack", str(order.parent / "release"), "--original", str(order)]
    assert run(arguments) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("✓ green  The claims hold")
    assert second.startswith("✗ red    What is marked secret")
    assert run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lights"]["worst"] == "red"


def test_the_thresholds_of_the_policy_count(tmp_path, capsys):
    mild = {**_safe(), "lights": {"amber": "20%", "red": "30%"}}
    order = write_family(tmp_path, "one-table", mild)[0]
    assert _publish(order, "release", "--strict") == 0
    assert "3 of 24 people at most" in _unwrapped(capsys.readouterr().out)


def test_python_publishes_as_the_command_does(order):
    policy = pp.Policy.load(order)
    with pytest.raises(pp.errors.ExposureError) as error:
        pp.publish_to(order.parent / "release", policy, strict=True)
    assert error.value.exit_code == 1
    seen = []
    publication = pp.publish_to(
        order.parent / "release", policy, agree=lambda lights: not seen.append(lights)
    )
    assert seen == [publication.lights]
    assert publication.release.lights == publication.lights


def test_where_no_line_of_the_policy_helps_it_says_what_does(tmp_path, capsys):
    """A diagnosis, which is sensitive, says the ward, which is known."""
    for name in ("visits.csv", "linked.yaml"):
        shutil.copy(VISITS / name, tmp_path)
    assert run(["publish", str(tmp_path / "linked.yaml"), "-o", str(tmp_path / "out")]) == 0
    said = _unwrapped(capsys.readouterr().out)
    assert "✗ red Nobody stands alone: no." in said
    assert "do Leave out of the policy the column that gives it away, or what it tells" in said
    assert " try " not in said
