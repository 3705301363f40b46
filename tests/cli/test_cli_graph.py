"""The example of a graph through every command."""

from __future__ import annotations

import json
import runpy
import shutil
from pathlib import Path

import pytest

from papilio.cli.app import run

EXAMPLE = Path(__file__).parents[2] / "examples" / "graph"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("graph") / "example"
    shutil.copytree(EXAMPLE, place)
    assert run(["publish", str(place / "policy.yaml"), "-o", str(place / "out")]) == 0
    return place


def test_the_data_is_what_the_script_invents():
    script = runpy.run_path(str(EXAMPLE / "make_graph.py"))
    for name, rows in script["tables"]().items():
        lines = (EXAMPLE / f"{name}.csv").read_text(encoding="utf-8").splitlines()
        assert lines[0] == ",".join(script["HEADERS"][name])
        assert lines[1:] == [",".join(map(str, row)) for row in rows]


def test_verify(folder, capsys):
    assert run(["verify", str(folder / "out")]) == 0
    assert run(["verify", str(folder / "out"), "--original", str(folder / "policy.yaml")]) == 0
    assert "safe-grouping" in capsys.readouterr().out


def test_query(folder, capsys):
    sql = "SELECT count(*) AS n FROM bought"
    capsys.readouterr()
    assert run(["query", str(folder / "out"), sql, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    answer = found["rows"][0]["answers"]["n"]
    claims = json.loads((folder / "out" / "release.json").read_text(encoding="utf-8"))["claims"]
    missing = claims[0]["parameters"]["dropped"]
    assert (answer["lo"], answer["exact"]) == (404 - missing, True)
    assert f"{missing} of the original's 404 are missing" in found["notes"][0]
    assert run(["query", str(folder / "out"), "SELECT name FROM customers"]) == 2


def test_attack(folder, capsys):
    capsys.readouterr()
    policy = str(folder / "policy.yaml")
    assert run(["attack", str(folder / "out"), "--original", policy, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["attacks"]
    names = {"static_edge", "known_degrees", "chosen_link", "learned_links", "signature"}
    assert {each["attack"] for each in found} == names


def test_report(folder):
    policy, page = str(folder / "policy.yaml"), folder / "report.html"
    assert run(["report", str(folder / "out"), "--original", policy, "-o", str(page)]) == 0
    assert "<svg" in page.read_text(encoding="utf-8")


def test_names_do_not_leave(folder):
    texts = [path.read_bytes() for path in (folder / "out").iterdir()]
    assert not any(b"C001" in text or b"P001" in text for text in texts)


def test_links_are_chosen_anew_where_chance_made_them_too_many(folder):
    """The first choice of this seed drops 12 links, and 8 are allowed."""
    policy, place = str(folder / "policy.yaml"), str(folder / "unlucky")
    assert run(["publish", policy, "-o", place, "--seed", "10", "--no-attacks"]) == 0


def test_what_cannot_be_met_exits_with_1(folder, capsys):
    text = (folder / "policy.yaml").read_text().replace("k: 5", "k: 100")
    (folder / "strong.yaml").write_text(text)
    assert run(["publish", str(folder / "strong.yaml"), "-o", str(folder / "none")]) == 1
    assert "the largest k that was found to work is" in capsys.readouterr().err
    assert not (folder / "none").exists()
