"""Every verb on an order of every family, in all faces: it works, or says in a line why not."""

from __future__ import annotations

import json
from operator import itemgetter
from pathlib import Path

import pytest

import papilio
from papilio.cli.app import run
from papilio.errors import InternalError
from papilio.policy.policy import Policy
from papilio.workflow.ask import ask, rewrite
from papilio.workflow.load import load
from papilio.workflow.report import report
from papilio.workflow.risk import attack
from papilio.workflow.verify import verify
from seven_families import ASKED, FAMILIES, INFEASIBLE, policy_of, write_family
from sizes import in_turn, some, spread

#: Verb -> families it cannot serve, which it must say at once.
REFUSED = {
    "verify --policy": {"disguise", "linked", "divided", "graph"},
    "query --sql": {"linked", "divided", "graph"},
}


#: What varies in comparisons: one value of a demand that the order has already.
VARIED = {"disguise": "shift=0.0", "graph": "k=2", "linked": "k=2", "divided": "k=2"}


def _question(family):
    return f"SELECT count(*) FROM {ASKED.get(family, 'people')}"


def _commands(family, folder, policy, data, out, uri=""):
    """Verb -> its arguments."""
    release, asked = folder / "release", _question(family)
    return {
        "profile": ["profile", data],
        "init": ["init", data, "-o", out / "draft.yaml"],
        "publish": ["publish", policy, "-o", out / "again"],
        "verify": ["verify", release],
        "verify --original": ["verify", release, "--original", policy],
        "verify --policy": ["verify", data, "--policy", policy],
        "attack": ["attack", release, "--original", policy],
        "query": ["query", release, asked],
        "query --sql": ["query", release, "--sql", "duckdb", asked],
        "report": ["report", release, "--original", policy, "-o", out / "report.html"],
        "compare": [
            *["compare", policy, "--set", VARIED.get(family, "k=3")],
            *["-o", out / "compare.html"],
        ],
        "load": ["load", release, uri, "--schema", f"s_{family.replace('-', '_')}", "--replace"],
    }


VERBS = tuple(_commands(FAMILIES[0], *(Path(),) * 4))
#: Every family, for people and for programs.
FACES = [(family, as_json) for as_json in (False, True) for family in FAMILIES]
#: Every verb with two families now, and once for programs.
ASKED_NOW = in_turn([(verb, *face) for verb in VERBS for face in FACES], itemgetter(0, 2), most=2)


@pytest.mark.parametrize(("verb", "family", "as_json"), ASKED_NOW)
def test_every_command_works_or_says_why_not(
    published, verb, family, as_json, tmp_path, capsys, request
):
    uri = request.getfixturevalue("postgres") if verb == "load" else ""
    arguments = _commands(family, *published[family], tmp_path, uri)[verb]
    capsys.readouterr()
    code = run([*map(str, arguments), *["--json"] * as_json])
    said = capsys.readouterr()
    assert code != InternalError.exit_code, said.err
    if family in REFUSED.get(verb, ()):
        assert code == 2
        _check_refusal(said, as_json=as_json)
        return
    # The table as it is does not meet what its release does.
    assert code == (1 if verb == "verify --policy" else 0), said.err
    # Publishing says so where a light of the release is amber or red.
    warned = verb == "publish" and "a light of the release is" in said.err
    assert len(said.err.splitlines()) == warned, said.err
    if as_json:
        assert isinstance(json.loads(said.out), dict)


def _check_refusal(said, *, as_json):
    """One line for people, and for programs the same with a code that stays."""
    (line,) = said.err.splitlines()
    if not as_json:
        assert said.out == ""
        return line
    (error,) = json.loads(said.out).values()
    assert error["message"] in line
    assert error["reason"]
    return line


def _published_rows(release):
    return {name: frame.height for name, frame in release.frames.items()}


@pytest.mark.parametrize("family", spread(FAMILIES))
def test_every_verb_works_in_python(published, family, tmp_path, request):
    folder, file, _ = published[family]
    policy, place = Policy.load(file), folder / "release"
    release = papilio.publish(None, policy)
    assert release.verify().holds
    assert verify(place, original=policy).holds
    assert ask(place, _question(family)).rows
    assert attack(place, original=policy)
    assert papilio.risk(place, original=policy).attacks
    assert report(place, tmp_path / "report.html", original=policy).is_file()
    key, value = VARIED.get(family, "k=3").split("=")
    number = float(value) if "." in value else int(value)
    (trial, *_) = papilio.compare(policy, variants={key: [number]}).trials
    assert trial.outcome is not None
    if family not in REFUSED["query --sql"]:
        assert "SELECT" in rewrite(place, _question(family), to="duckdb").upper()
    rows = load(place, request.getfixturevalue("postgres"), schema=f"p_{family}", replace=True)
    assert {name: rows[name] for name in release.frames} == _published_rows(release)


@pytest.mark.parametrize(("family", "as_json"), some(FACES, first=len(FAMILIES) + 1))
def test_what_cannot_be_met_names_the_nearest_that_can(
    family, as_json, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("papilio.families.disguise.methods.disguise.MOST_VALUES", 10)
    policy = policy_of(family)
    policy["privacy"].update(INFEASIBLE[family])
    file, _ = write_family(tmp_path, family, policy)
    before = {path.name for path in tmp_path.iterdir()}
    code = run(["publish", str(file), "-o", str(tmp_path / "out"), *["--json"] * as_json])
    said = capsys.readouterr()
    assert code == 1, said.err
    line = _check_refusal(said, as_json=as_json)
    assert "accepted" in line or "found to work" in line, line
    assert {path.name for path in tmp_path.iterdir()} == before
