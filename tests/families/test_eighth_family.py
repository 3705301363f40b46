"""A family that is added from outside passes every verb, and no line of Papilio changes."""

from __future__ import annotations

import json

import polars as pl
import pytest
from toy_family import KIND, METHOD, POLICY, toy_family

from papilio.cli.app import run
from papilio.document.html import render
from papilio.errors import PolicyError, ReleaseError
from papilio.families import family_of_release
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.workflow.report import document
from seven_families import write_family


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A release of the eighth family, with its policy and its data."""
    with toy_family():
        folder = tmp_path_factory.mktemp("toy")
        write_family(folder, "one-table", POLICY)
        assert run(["publish", str(folder / "policy.yaml"), "-o", str(folder / "release")]) == 0
        yield folder


VERBS = {
    "profile": ["profile", "people.csv"],
    "init": ["init", "people.csv", "-o", "draft.yaml"],
    "verify": ["verify", "release"],
    "verify --original": ["verify", "release", "--original", "policy.yaml"],
    "verify --policy": ["verify", "people.csv", "--policy", "policy.yaml"],
    "attack": ["attack", "release", "--original", "policy.yaml"],
    "query": ["query", "release", "SELECT count(*) FROM people WHERE age > 30"],
    "query --sql": ["query", "release", "--sql", "duckdb", "SELECT count(*) FROM people"],
    "report": ["report", "release", "--original", "policy.yaml", "-o", "report.html"],
    "compare": ["compare", "policy.yaml", "--k", "2,3", "-o", "compare.html"],
}
#: The table as it is does not meet k.
NEGATIVE = {"verify --policy"}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb(folder, verb, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    capsys.readouterr()
    assert run(VERBS[verb]) == (1 if verb in NEGATIVE else 0), capsys.readouterr().err
    assert capsys.readouterr().err == ""


def test_it_is_what_it_says(folder):
    release = Release.open(folder / "release")
    assert release.manifest.kind == KIND
    assert family_of_release(release.manifest).name == "toy"
    assert release.frames["people"].get_column("age_min").n_unique() == 1


def test_a_page_shows_it(folder):
    shown = document(folder / "release", original=Policy.load(folder / "policy.yaml"))
    assert "Everybody is in it." in render(shown)


def test_a_stricter_policy_is_violated(folder, tmp_path, capsys):
    policy = {**POLICY, "privacy": {"k": 5}}
    file, _ = write_family(tmp_path, "one-table", policy)
    assert run(["verify", str(folder / "release"), "--original", str(file), "--json"]) == 1
    assert not json.loads(capsys.readouterr().out)["holds"]


def test_another_key_is_refused(folder):
    with pytest.raises(PolicyError, match="does not go with one class"):
        Policy.load(folder / "policy.yaml").parse(
            (folder / "policy.yaml").read_text().replace("k: 3", "k: 3\n  suppress: 2%"),
            base=folder,
        )


def test_nobody_knows_it_without_its_family(folder, tmp_path_factory):
    from toy_family import JUDGED, TOY

    from papilio.families import forget, register
    from papilio.verify.kinds import forget_kind, register_kind

    forget(TOY)
    forget_kind(JUDGED)
    try:
        with pytest.raises(PolicyError, match=r"method: not accepted"):
            Policy.load(folder / "policy.yaml")
        with pytest.raises(ReleaseError, match="of a kind that this version"):
            family_of_release(Release.open(folder / "release").manifest)
        assert run(["verify", str(folder / "release")]) == 1
    finally:
        register(TOY)
        register_kind(JUDGED)
    assert METHOD


def test_its_attack_lights_up_and_says_what_would_help(folder, tmp_path, capsys):
    """What a family from outside counts decides a light, and no line of Papilio knows of it."""
    file, _ = write_family(tmp_path, "one-table", POLICY)
    people = pl.read_csv(tmp_path / "people.csv")
    mixed, alike = people, people.with_columns(ill=pl.lit("flu"))
    seen = {}
    for name, frame in (("mixed", mixed), ("alike", alike)):
        frame.write_csv(tmp_path / "people.csv")
        capsys.readouterr()
        command = ["publish", str(file), "-o", str(tmp_path / name), "--yes", "--json"]
        assert run(command) == 0
        lights = json.loads(capsys.readouterr().out)["lights"]["lights"]
        (seen[name],) = (light for light in lights if light["light"] == "secret")
    assert seen["mixed"]["colour"] == "green"
    assert seen["alike"]["colour"] == "red"
    (found,) = seen["alike"]["findings"]
    assert (found["attack"], found["column"]) == ("read_the_class", "ill")
    assert found["people"] == found["of"] == people.height
    assert found["remedy"]["line"] == "columns: {ill: identifier}"
    assert run(["publish", str(file), "-o", str(tmp_path / "strict"), "--strict"]) == 1
    assert not (tmp_path / "strict").exists()
