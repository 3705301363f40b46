"""Texts that want more of an SQL source than rows; each face that takes one is tried."""

import contextlib
import tempfile
from pathlib import Path

import pytest

from papilio.data.io.read import header, read
from papilio.data.io.sql import file_names, spool_sql
from papilio.data.source import SqlSource
from papilio.errors import PapilioError
from papilio.progress import silent
from papilio.web.opening import missing_files, open_policy
from papilio.web.project import opened
from papilio.web.records import sources_of
from papilio.web.verbs.previews import profile
from sizes import spread

GOOD = "age,job\n30,a\n40,b\n"
#: One query with a comment to DuckDB; three statements to a reader who does not know ``E'…'``.
TWO_READINGS = (
    "SELECT 1 AS age, 'a' AS job, column0 AS ill FROM read_csv(E'/e*/hostname' /*E, header=false); "
    "COPY (SELECT 'x') TO 'stolen.csv' (FORMAT csv, HEADER false, QUOTE ''); "
    "SELECT 1 -- */, header=false)"
)
WRITES = {
    "two readings": TWO_READINGS,
    "two readings, escaped": TWO_READINGS.replace("/e*/host", "\\x2fe*/host"),
    "several statements": "SELECT 1 AS age; COPY (SELECT 1) TO 'stolen.csv'",
    "inside WITH": "WITH x AS (COPY (SELECT 1) TO 'stolen.csv') SELECT 1 AS age",
    "its own source": "WITH x AS (COPY (SELECT 1) TO 'people.csv') SELECT 1 AS age",
    "a new database": "ATTACH 'stolen.csv'; SELECT 1 AS age",
    "an export": "EXPORT DATABASE '.'",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a table; the working folder is another one."""
    (tmp_path / "here").mkdir()
    (tmp_path / "policy").mkdir()
    (tmp_path / "policy" / "people.csv").write_text(GOOD)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "policy"


def spooled(source):
    with tempfile.TemporaryFile() as file, tempfile.TemporaryDirectory() as spill:
        spool_sql(source, None, file, memory=1 << 29, spill=Path(spill))


def in_the_workbench(source):
    """What opening the policy does there, up to the first look at its table."""
    policy = source.base / "policy.yaml"
    policy.write_text(
        f"papilio: 1\nsource:\n  sql: {source.sql!r}\ncolumns: {{age: quasi}}\nprivacy: {{k: 2}}\n"
    )
    with opened(source.base / "workspace") as workspace:
        project = open_policy(workspace, str(policy))
        missing_files(project)
        profile(project.folder, silent, sources=sources_of(project))


def files_of(folder):
    """Everything that is there, but for the policy and what the workbench keeps."""
    listed = [path for path in folder.parent.rglob("*") if "workspace" not in path.parts]
    return {path: path.read_bytes() for path in listed if path.is_file() and path.suffix != ".yaml"}


def refused(face, text, folder):
    before = files_of(folder)
    with pytest.raises(PapilioError) as caught:
        face(SqlSource(text, folder, allowed=()))
    assert "\n" not in str(caught.value)
    assert files_of(folder) == before


@pytest.mark.parametrize("text", WRITES.values(), ids=WRITES)
def test_nothing_but_a_query_runs(folder, text):
    refused(read, text, folder)


@pytest.mark.parametrize("face", [header, spooled])
def test_every_face_runs_nothing_but_a_query(folder, face):
    refused(face, TWO_READINGS, folder)


@pytest.mark.parametrize("text", [TWO_READINGS, WRITES["several statements"]])
def test_opening_a_policy_in_the_workbench_writes_nothing(folder, text):
    before = files_of(folder)
    with contextlib.suppress(PapilioError):
        in_the_workbench(SqlSource(text, folder))
    assert files_of(folder) == before


def test_the_names_are_those_of_the_query_that_would_run():
    assert file_names(TWO_READINGS) == ("/e*/hostname",)


def test_a_text_is_parsed_once_for_its_names(monkeypatch):
    texts = ("SELECT 1 FROM 'once.csv'", "SELECT FROM WHERE once")
    assert file_names(texts[0]) == ("once.csv",)
    with pytest.raises(PapilioError):
        file_names(texts[1])
    monkeypatch.setattr("sys.executable", "/bin/false")
    assert file_names(texts[0]) == ("once.csv",)
    with pytest.raises(PapilioError, match="syntax error"):
        file_names(texts[1])


def test_one_reading_reads_what_it_names(folder):
    """The same text over a file of the policy's folder is an honest query."""
    text = TWO_READINGS.replace("/e*/hostname", "p\\x65op*.csv")
    before = files_of(folder)
    assert read(SqlSource(text, folder, allowed=())).frame["ill"].to_list() == ["age", "30", "40"]
    assert files_of(folder) == before


@pytest.mark.parametrize(
    "name",
    spread(
        ["/etc/host*", "../here/x*.csv", "/**/*.csv", "link.csv", "l*.csv", "/etc/../etc/hosts"], 2
    ),
)
def test_files_outside_of_the_folder_are_not_opened(folder, name):
    (folder.parent / "here" / "x1.csv").write_text(GOOD)
    (folder / "link.csv").symlink_to(folder.parent / "here" / "x1.csv")
    with pytest.raises(PapilioError) as caught:
        read(SqlSource(f"SELECT * FROM read_csv('{name}')", folder, allowed=()))
    assert caught.value.reason == "not-allowed"


def test_a_folder_that_the_owner_allows(folder):
    (folder.parent / "here" / "x1.csv").write_text(GOOD)
    source = SqlSource("SELECT age FROM '../here/x*.csv'", folder, (folder.parent / "here",))
    assert read(source).frame["age"].to_list() == [30, 40]


@pytest.mark.parametrize("face", [header, read])
def test_names_that_differ_in_case_only(folder, face):
    with pytest.raises(PapilioError, match="differ in upper and lower case only") as caught:
        face(SqlSource("SELECT age AS a, job AS A FROM 'people.csv'", folder))
    assert caught.value.reason == "duplicate-column"


@pytest.mark.parametrize("name", ["no\nfile.csv", "../no\nfile.csv"])
def test_a_name_with_a_line_break_is_told_in_one_line(folder, name):
    refused(read, f"SELECT * FROM '{name}'", folder)
