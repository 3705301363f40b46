"""All commands on examples/linked-tables."""

import json
import shutil
from pathlib import Path

import pytest

from papilio.cli.app import run
from sizes import spread

EXAMPLE = Path(__file__).parents[2] / "examples" / "linked-tables"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    target = tmp_path_factory.mktemp("linked") / "example"
    shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns("README.md"))
    assert run(["publish", str(target / "policy.yaml"), "-o", str(target / "release")]) == 0
    return target


def said(capsys, *arguments):
    capsys.readouterr()
    code = run([str(each) for each in arguments])
    return code, capsys.readouterr()


def changed(folder, name, old, new):
    policy = folder / f"{name}.yaml"
    policy.write_text((folder / "policy.yaml").read_text().replace(old, new))
    return policy


def test_release_has_a_file_per_table(folder):
    names = sorted(path.name for path in (folder / "release").iterdir())
    assert names == [
        "book.parquet",
        "hierarchy_book_1.csv",
        "hierarchy_takes_1.csv",
        "release.json",
        "student.parquet",
        "takes.parquet",
    ]


def test_the_manifest_says_how_tables_are_linked_and_nothing_private(folder):
    content = json.loads((folder / "release" / "release.json").read_text())
    assert content["kind"] == "linked"
    links = {t["name"]: (t.get("key"), t.get("parent")) for t in content["tables"]}
    assert links == {
        "student": ("sid", None),
        "takes": ("scid", {"student": "sid"}),
        "book": (None, {"takes": "scid"}),
    }
    assert "S1" not in json.dumps(content)
    assert {t["left_out_at_most"] for t in content["tables"]} == {0.0, 1.0}


def test_verify_with_the_original(folder, capsys):
    code, shown = said(
        capsys, "verify", folder / "release", "--original", folder / "policy.yaml", "--json"
    )
    assert code == 0
    found = {each["claim"]: each["status"] for each in json.loads(shown.out)["findings"]}
    assert found["entity-k-anonymity"] == found["entities"] == "holds"


def test_attack_and_query_and_report(folder, capsys):
    code, shown = said(
        capsys, "attack", folder / "release", "--original", folder / "policy.yaml", "--json"
    )
    assert code == 0
    assert "known_children" in shown.out
    code, shown = said(
        capsys, "query", folder / "release", "SELECT avg(gpa) FROM student", "--json"
    )
    assert code == 0
    assert json.loads(shown.out)["rows"][0]["answers"]["avg(gpa)"]["exact"]
    code, _ = said(
        capsys, "report", folder / "release", "--original", folder / "policy.yaml",
        "-o", folder / "report.html",
    )  # fmt: skip
    assert code == 0


def test_what_is_for_one_table_says_so(folder, capsys):
    code, shown = said(
        capsys, "query", folder / "release", "SELECT count(*) FROM takes", "--sql", "postgres"
    )
    assert code == 2
    assert "ask without --sql" in shown.err


def test_more_than_there_are_people_exits_1(folder, capsys):
    policy = changed(folder, "bad", "{k: 2}", "{k: 5}")
    code, shown = said(capsys, "publish", policy, "-o", folder / "bad")
    assert code == 1
    assert "only 4 people" in shown.err
    assert not (folder / "bad").exists()


def test_too_many_removed_rows_exit_1(folder, capsys):
    policy = changed(folder, "strict", "{k: 2}", "{k: 2, suppress: 5%}")
    code, shown = said(capsys, "publish", policy, "-o", folder / "strict")
    assert code == 1
    assert "a suppress of 28% is met" in shown.err
    assert not (folder / "strict").exists()


@pytest.mark.parametrize(("old", "new", "message"), spread([
    ("person: student", "person: pupil", "tables has no such table"),
    ("key: sid", "key: [sid, gpa]", "a key is one column"),
    ("source: takes.csv", "source: book.csv", "no column"),
    ("parent: {takes: scid}", "parent: {student: scid}", "that no row of 'student' has"),
], 2))  # fmt: skip
def test_mistakes_exit_2_in_one_line(folder, capsys, old, new, message):
    policy = changed(folder, "bad", old, new)
    code, shown = said(capsys, "publish", policy, "-o", folder / "bad")
    assert code == 2
    assert message in shown.err
    assert "SC1" not in shown.err
    assert "Traceback" not in shown.err
