"""A damaged release under every verb, for every family: one line, and no traceback."""

from __future__ import annotations

import json
import shutil
from itertools import product

import pytest

from papilio.cli.app import run
from seven_families import ASKED, FAMILIES
from sizes import in_turn


def _table(release):
    told = json.loads((release / "release.json").read_text(encoding="utf-8"))
    return release / next(file["name"] for file in told["files"] if file.get("table"))


def _edited(change):
    def damage(release):
        file = release / "release.json"
        told = json.loads(file.read_text(encoding="utf-8"))
        change(told)
        file.write_text(json.dumps(told), encoding="utf-8")

    return damage


def _cut(release):
    content = _table(release).read_bytes()
    _table(release).write_bytes(content[: len(content) // 2])


DAMAGES = {
    "no manifest": lambda release: (release / "release.json").unlink(),
    "no table": lambda release: _table(release).unlink(),
    "half a table": _cut,
    "an empty table": lambda release: _table(release).write_bytes(b""),
    "no JSON": lambda release: (release / "release.json").write_text("{"),
    "an unknown kind": _edited(lambda told: told.update(kind="of another kind")),
    "a claim of nothing": _edited(lambda told: told["claims"][0].update(parameters={})),
    "a role of nobody": _edited(lambda told: told["tables"][0]["columns"][0].update(role="boss")),
    "a column too many": _edited(
        lambda told: told["tables"][0]["columns"].append(
            {**told["tables"][0]["columns"][0], "name": "more", "published": ["more"]}
        )
    ),
}


def _commands(family, release, policy, folder):
    question = f"SELECT count(*) FROM {ASKED.get(family, 'people')}"
    return {
        "verify": ["verify", release],
        "verify --original": ["verify", release, "--original", policy],
        "query": ["query", release, question],
        "query --sql": ["query", release, "--sql", "postgres", question],
        "attack": ["attack", release, "--original", policy],
        "report": ["report", release, "--original", policy, "-o", folder / "report.html"],
        "load": ["load", release, "postgresql://127.0.0.1:1/none"],
    }


@pytest.mark.parametrize(("family", "damage"), in_turn(list(product(FAMILIES, DAMAGES)), most=2))
def test_every_verb_says_one_line(published, family, damage, tmp_path, capsys):
    folder, policy, _ = published[family]
    shutil.copytree(folder / "release", tmp_path / "release")
    DAMAGES[damage](tmp_path / "release")
    commands = _commands(family, tmp_path / "release", policy, tmp_path)
    for verb, arguments in commands.items():
        capsys.readouterr()
        code = run([str(each) for each in arguments])
        said = capsys.readouterr()
        told = f"{verb}: {code}: {said.err}"
        assert code in (1, 2), told
        assert "Traceback" not in said.err + said.out, told
        if code == 2:
            assert len(said.err.splitlines()) == 1, told
            assert said.out == "", told
        else:
            assert verb.startswith("verify"), told
    assert not (tmp_path / "report.html").exists()
