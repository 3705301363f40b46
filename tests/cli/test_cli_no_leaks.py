"""Identifiers appear nowhere; messages show no cell of any column.

Every cell of the data carries a mark of its column, so that looking for the mark is enough.
"""

import json
import logging
import os
import sys

import polars as pl
import pytest

from sizes import some, spread

IDENTIFIER, QUASI, SENSITIVE, LEFT_OUT = "IDMARK", "QUASIMARK", "SENSMARK", "LEFTMARK"
MARKS = (IDENTIFIER, QUASI, SENSITIVE, LEFT_OUT)
NUMBER = 7_770_000_000

HEADER = "key,number,age,job,disease,note"
ROWS = [
    f"{IDENTIFIER}{i},{NUMBER + i},{20 + i % 17},{QUASI}{i % 3},{SENSITIVE}{i % 5},{LEFT_OUT}{i}"
    for i in range(40)
]
POLICY = """\
source: people.csv
columns:
  key: identifier
  number: identifier
  age: quasi
  job: quasi
  disease: sensitive
privacy: {k: 5}
"""


@pytest.fixture
def marked(bench):
    bench.write("people.csv", "\n".join([HEADER, *ROWS]) + "\n")
    bench.write("policy.yaml", POLICY)
    return bench


def marks_in(text):
    return [mark for mark in (*MARKS, str(NUMBER)[:5]) if mark in text]


def frames_of(folder):
    return [
        *(pl.read_parquet(path) for path in folder.rglob("*.parquet")),
        *(pl.read_csv(path, infer_schema=False) for path in folder.rglob("*.csv")),
    ]


def assert_no_identifiers(folder):
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else [folder]
    assert files
    forbidden = (IDENTIFIER.encode(), LEFT_OUT.encode(), str(NUMBER)[:5].encode())
    for path in files:
        content = path.read_bytes()
        assert not [mark for mark in forbidden if mark in content], path.name
    for frame in frames_of(folder):
        text = frame.write_json()
        assert not [mark for mark in forbidden if mark.decode() in text]


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_profile_shows_no_cell(marked, options):
    result = marked.run("profile", "people.csv", *options)
    assert result.code == 0
    assert marks_in(result.out + result.err) == []


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_draft_shows_no_cell(marked, options):
    result = marked.run("init", "people.csv", "-o", "draft.yaml", *options)
    assert result.code == 0
    assert marks_in(result.out + result.err) == []
    assert marks_in(marked.folder.joinpath("draft.yaml").read_text()) == []


@pytest.mark.parametrize("format_", ["parquet", "csv"])
@pytest.mark.parametrize("cells", some(["bounds", "text"]))
@pytest.mark.parametrize("hierarchy", ["", "{role: quasi, hierarchy: automatic}"])
def test_release_holds_no_identifier(marked, format_, cells, hierarchy):
    policy = POLICY + f"cells: {cells}\n"
    if hierarchy:
        policy = policy.replace("job: quasi", f"job: {hierarchy}")
    marked.write("policy.yaml", policy)
    results = [
        marked.publish("--format", format_),
        marked.run("verify", "release"),
        marked.run("verify", "release", "--json"),
        marked.run("verify", "release", "--original", "policy.yaml"),
        marked.run("report", "release", "--original", "policy.yaml", "-o", "report.html"),
    ]
    assert [result.code for result in results] == [0] * 5
    for result in results:
        assert marks_in(result.out + result.err) == []
    assert_no_identifiers(marked.folder / "release")
    assert_no_identifiers(marked.folder / "report.html")
    released = b"".join(path.read_bytes() for path in marked.folder.glob("release/*"))
    assert b"person" not in released


def test_source_is_not_named_with_its_folder(marked):
    marked.write("secret-project/people.csv", "\n".join([HEADER, *ROWS]))
    marked.write("policy.yaml", POLICY.replace("people.csv", "secret-project/people.csv"))
    assert marked.publish("--seed", "271828").code == 0
    manifest = marked.folder.joinpath("release", "release.json").read_text()
    for private in ("secret-project", str(marked.folder), "271828", "number", "note"):
        assert private not in manifest


# Every way to fail that has seen cells.

FAILURES = {
    "ragged": lambda text: text + f"{IDENTIFIER},{QUASI}\n",
    "too wide": lambda text: text + text.splitlines()[1] + f",{SENSITIVE}\n",
    "open quote": lambda text: text + f'{IDENTIFIER},1,1,"{QUASI},x,y\n',
    "not utf-8": lambda text: text.encode() + f"{IDENTIFIER},1,2,".encode() + b"\xff,x,y\n",
    "one row": lambda text: "\n".join(text.splitlines()[:2]) + "\n",
    "duplicate": lambda text: text.replace("age,job", "age,age", 1),
}
POLICIES = {
    "numeric": ("job: quasi", "job: {role: quasi, type: numeric}"),
    "date": ("job: quasi", "job: {role: quasi, type: date}"),
    "boolean": ("disease: sensitive", "disease: {role: sensitive, type: boolean}"),
    "file": ("job: quasi", "job: {role: quasi, hierarchy: job.csv}"),
    "two parents": ("job: quasi", "job: {role: quasi, hierarchy: twice.csv}"),
    "domain": ("job: quasi", f"job: {{role: quasi, domain: [{QUASI}0, {QUASI}1]}}"),
    "dates": ("job: quasi", "job: {role: quasi, hierarchy: {dates: [year]}}"),
    "intervals": ("job: quasi", "job: {role: quasi, hierarchy: {intervals: [5]}}"),
    "k": ("k: 5", "k: 41"),
    "sql": (
        "source: people.csv",
        """source: {sql: "SELECT CAST(job AS INTEGER) AS job, * EXCLUDE job FROM 'people.csv'"}""",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("command", ["publish", "profile", "init"])
def test_bad_data_is_told_without_cells(marked, failure, command, caplog):
    caplog.set_level(logging.DEBUG)
    text = marked.folder.joinpath("people.csv").read_text()
    marked.write("people.csv", FAILURES[failure](text))
    options = {
        "publish": ("policy.yaml", "-o", "release"),
        "profile": ("people.csv",),
        "init": ("people.csv", "-o", "draft.yaml"),
    }[command]
    result = marked.run(command, *options)
    if failure == "one row" and command != "publish":
        assert result.code == 0
    else:
        # One row cannot be made alike with others, which is no fault of the data.
        assert result.code == (1 if failure == "one row" else 2)
        assert len(result.lines) == 1
    assert marks_in(result.out + result.err + caplog.text) == []


@pytest.mark.parametrize("failure", spread(POLICIES, 2))
def test_data_that_does_not_fit_is_told_without_cells(marked, failure):
    marked.write("job.csv", f"{QUASI}0,*\n{QUASI}1,*\n")
    marked.write("twice.csv", f"{QUASI}0,{QUASI}8,*\n{QUASI}1,*\n{QUASI}0,{QUASI}9,*\n")
    old, new = POLICIES[failure]
    assert old in POLICY
    marked.write("policy.yaml", POLICY.replace(old, new))
    (message,) = marked.refused_publish(code=1 if failure == "k" else 2)
    assert marks_in(message) == []


def test_violated_verdict_shows_no_cell(marked):
    assert marked.publish("--format", "csv").code == 0
    table = marked.folder / "release" / "people.csv"
    header, *rows = table.read_text().splitlines()
    table.write_text("\n".join([header, *rows[1:], rows[0].replace(QUASI, f"X{QUASI}")]) + "\n")
    for options in ((), ("--json",), ("--original", "policy.yaml")):
        result = marked.run("verify", "release", *options)
        assert result.code == 1
        assert marks_in(result.out + result.err) == []


@pytest.mark.parametrize(
    "place",
    [
        "families.one_table.make.encode",
        "workflow.publish.choose",
        "families.one_table.make.generalised_release",
        "workflow.publish.judge_made",
    ],
)
@pytest.mark.parametrize("kind", [ValueError, OSError, BaseException, MemoryError])
def test_what_was_not_foreseen_is_told_without_its_text(marked, monkeypatch, place, kind):
    def fail(*arguments, **options):
        raise kind(f"{SENSITIVE}1") from KeyError(f"{IDENTIFIER}1")

    monkeypatch.setattr(f"papilio.{place}", fail)
    before = marked.content()
    result = marked.publish()
    foreseen = kind is MemoryError or (kind is OSError and place == "workflow.publish.judge_made")
    assert result.code == (2 if foreseen else 70)
    (message,) = result.lines
    assert foreseen or message.startswith(f"a defect of Papilio ({kind.__name__} in test_cli_no_")
    assert marks_in(result.out + result.err) == []
    assert "Traceback" not in result.err
    assert marked.content() == before


def test_what_was_not_foreseen_as_json(marked, monkeypatch):
    def fail(*arguments, **options):
        raise ValueError(SENSITIVE)

    monkeypatch.setattr("papilio.families.one_table.make.encode", fail)
    result = marked.publish("--json")
    assert result.code == 70
    assert json.loads(result.out)["error"]["reason"] == "defect"
    assert marks_in(result.out + result.err) == []


SABOTAGE = f"""
import papilio.data.source

def fail(*arguments):
    raise ValueError("{SENSITIVE}")

papilio.data.source.parse_source = fail
"""


def test_real_process_shows_no_traceback(marked):
    """The same from the outside: nothing on the way to the exit prints what went wrong."""
    marked.write("sitecustomize.py", SABOTAGE)
    path = os.pathsep.join([str(marked.folder), *sys.path])
    result = marked.spawn_and_wait("profile", "people.csv", env={**os.environ, "PYTHONPATH": path})
    assert result.code == 70
    assert result.out == ""
    (message,) = result.lines
    assert message.startswith("a defect of Papilio (ValueError in sitecustomize.py")
