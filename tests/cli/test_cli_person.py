"""Whose rows they are: asked, found, written down and heeded on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from papilio.cli.app import run

VISITS = """pid,age,town,ill
1,20,A,flu
1,20,A,hiv
1,21,A,flu
2,40,B,hiv
2,40,B,flu
2,41,B,hiv
"""
POLICY = {
    "papilio": 1,
    "source": "visits.csv",
    "columns": {"pid": "identifier", "age": "quasi", "town": "quasi", "ill": "sensitive"},
    "privacy": {"k": 3},
}
PAY = {**POLICY["columns"], "ill": "plain", "age": "sensitive"}


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.csv").write_text(VISITS)


def _publish(capsys, **said):
    k = said.pop("k", 3)
    policy = {**POLICY, "privacy": {"k": k}, **said}
    Path("policy.yaml").write_text(yaml.safe_dump(policy, sort_keys=False))
    capsys.readouterr()
    code = run(["publish", "policy.yaml", "-o", "release", "--json"])
    return code, capsys.readouterr()


def test_six_visits_of_two_people_are_not_published_without_a_word(capsys):
    code, said = _publish(capsys)
    assert code == 2
    (line,) = said.err.splitlines()
    assert line == (
        "papilio: policy.yaml: person: 'pid' is an identifier and has 2 different values in 6 "
        "rows; write person: pid if people have several rows, or person: rows if each row is "
        "another person"
    )


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("butterfly", {"recipients": {"a": ["age"], "b": ["town"]}}),
        ("permutation", {"privacy": {"k": 2, "e": 0}, "columns": PAY}),
    ],
)
def test_every_family_of_one_table_asks(capsys, method, more):
    code, said = _publish(capsys, method=method, **more)
    assert code == 2
    assert "has 2 different values in 6 rows" in said.err


@pytest.mark.parametrize(
    "more",
    [
        {"privacy": {"k": 2, "e": 0}, "columns": PAY},
        {"privacy": {"target": {"age": "uniform"}}, "columns": PAY},
        {
            "privacy": {"k": 2, "exposure": 0.5},
            "columns": {**POLICY["columns"], "town": "sensitive"},
        },
    ],
)
def test_nobody_is_asked_for_a_column_that_would_be_refused(capsys, more):
    """What the question says is accepted must be, or the next run refuses it."""
    code, said = _publish(capsys, **more)
    assert code == 2
    (line,) = said.err.splitlines()
    assert "has 2 different values in 6 rows" in line
    assert "person: pid" not in line
    assert "write person: rows if each row is another person, or ask for k, l or t" in line
    code, refused = _publish(capsys, person="pid", **more)
    assert code == 2
    assert line.partition("6 rows; ")[2] in refused.err


def test_three_people_in_a_class_are_impossible_and_two_are_named(capsys):
    code, said = _publish(capsys, person="pid")
    assert code == 1
    assert "a k of at most 2 is accepted" in said.err


def test_two_people_share_every_class(capsys):
    code, said = _publish(capsys, person="pid", k=2)
    assert code == 0, said.err
    people = [
        each for each in json.loads(said.out)["verdict"]["findings"] if "people" in each["claim"]
    ]
    assert [each["status"] for each in people] == ["holds"]


_UNSAID = {name: role for name, role in POLICY["columns"].items() if name != "pid"}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({}, "if people have several rows, write person: pid, otherwise person: rows."),
        ({"privacy": {"k": 2, "e": 0}, "columns": {"town": "quasi", "age": "sensitive"}}, "counts"),
        ({"person": "rows"}, None),
        ({"columns": {**_UNSAID, "pid": "plain"}}, None),
    ],
)
def test_a_column_that_nobody_mentions_may_say_whose_rows_they_are(capsys, more, told):
    """Left out of the policy, it is not asked about, and rows are counted."""
    code, said = _publish(capsys, **{"columns": _UNSAID, **more}, k=2)
    assert code == 0, said.err
    notes = [n for n in json.loads(said.out).get("notes", ()) if "counts as another person" in n]
    assert len(notes) == (told is not None)
    assert all("'pid'" in note and str(told) in note for note in notes)


def test_nothing_is_said_of_other_columns(capsys, tmp_path):
    lines = VISITS.replace("pid,", "visit_id,", 1)
    (tmp_path / "visits.csv").write_text(lines)
    code, said = _publish(capsys, columns=_UNSAID)
    assert code == 0, said.err
    assert "counts as another person" not in said.out


def test_rows_are_people_if_the_owner_says_so(capsys):
    code, said = _publish(capsys, person="rows")
    assert code == 0, said.err


def test_identifiers_that_do_not_repeat_are_not_asked_about(capsys, tmp_path):
    lines = VISITS.splitlines()
    rows = [f"{place},{line.split(',', 1)[1]}" for place, line in enumerate(lines[1:])]
    (tmp_path / "visits.csv").write_text("\n".join([lines[0], *rows]) + "\n")
    code, said = _publish(capsys)
    assert code == 0, said.err


def test_rows_without_an_identifier_are_no_repetition(capsys, tmp_path):
    lines = VISITS.splitlines()
    rows = [f",{line.split(',', 1)[1]}" for line in lines[1:]]
    (tmp_path / "visits.csv").write_text("\n".join([lines[0], *rows]) + "\n")
    code, said = _publish(capsys)
    assert code == 0, said.err


def test_the_draft_says_whose_rows_they_are_and_can_be_met(capsys):
    assert run(["init", "visits.csv"]) == 0
    text = Path("policy.yaml").read_text()
    assert "# Whose row it is: 2 people have 6 rows (2 with 3)." in text
    drafted = yaml.safe_load(text)
    assert drafted["person"] == "pid"
    assert drafted["columns"]["pid"] == "identifier"
    assert drafted["privacy"]["k"] == 2
    assert "# link: yes" in text
    assert "the same in all rows of a person: town)" in text.replace("\n# ", " ")
    assert run(["publish", "policy.yaml", "-o", "release"]) == 0


def test_the_draft_says_that_some_rows_name_nobody(capsys, tmp_path):
    (tmp_path / "visits.csv").write_text(VISITS + ",50,C,flu\n")
    assert run(["init", "visits.csv"]) == 0
    text = Path("policy.yaml").read_text().replace("\n# ", " ")
    assert "2 people have 6 rows (2 with 3); 1 row names nobody and must be filled in or" in text
    capsys.readouterr()
    assert run(["publish", "policy.yaml", "-o", "release"]) == 2
    assert "1 of 7 rows have nothing there" in capsys.readouterr().err


def test_the_draft_takes_namesakes_for_people(tmp_path):
    """Whoever publishes the draft as it is must not be asked."""
    rows = "".join(f"{1000 + row},Ann{row % 9},{20 + row % 7}\n" for row in range(12))
    (tmp_path / "visits.csv").write_text(f"patient_id,surname,age\n{rows}")
    assert run(["init", "visits.csv"]) == 0
    assert yaml.safe_load(Path("policy.yaml").read_text())["person"] == "rows"
    assert run(["publish", "policy.yaml", "-o", "release"]) == 0


def test_the_profile_counts_people(capsys):
    assert run(["profile", "visits.csv"]) == 0
    assert "2 people have 6 rows (2 with 3)" in capsys.readouterr().out
    assert run(["profile", "visits.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["person"]["rows_per_person"] == [
        {"from": 3, "to": 3, "people": 2}
    ]
