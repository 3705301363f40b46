"""What a text may cost: limits that hold in a process of its own."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from papilio.data.io.read import header, read
from papilio.data.io.sql import file_names
from papilio.data.source import SqlSource
from papilio.data.sql.files import looking, running
from papilio.errors import DataError
from sizes import spread

#: DuckDB computes constants before its limit of memory is asked, and cannot be interrupted there.
LARGE = "SELECT list_sum(range(1000000000)) AS s"
ALONE = """
import resource, sys
from pathlib import Path
from papilio.data.io.read import read
from papilio.data.source import SqlSource
from papilio.errors import DataError
try:
    read(SqlSource(sys.argv[1], Path.cwd()))
except DataError as error:
    print(error.reason, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
LONG = "SELECT count(*) AS n FROM range(10000000000000)"


@pytest.fixture(autouse=True)
def _limits(monkeypatch):
    monkeypatch.setenv("PAPILIO_SQL_MEMORY", "0.5")


def test_memory_of_constants():
    # The largest child of a whole suite is another one, so one that only reads this is asked.
    said = subprocess.run([sys.executable, "-c", ALONE, LARGE], capture_output=True, text=True)
    reason, kibibytes = said.stdout.split()
    assert reason == "sql-memory"
    assert int(kibibytes) < 2 << 20


def test_memory_of_rows(tmp_path):
    with pytest.raises(DataError) as caught:
        read(SqlSource("SELECT list(i)[1] AS l FROM range(1000000000) t(i)", tmp_path))
    assert caught.value.reason == "sql-memory"


def test_time(tmp_path, monkeypatch):
    monkeypatch.setenv("PAPILIO_SQL_SECONDS", "3")
    before = time.monotonic()
    with pytest.raises(DataError, match="PAPILIO_SQL_SECONDS") as caught:
        read(SqlSource(LONG, tmp_path))
    assert caught.value.reason == "sql-time"
    assert time.monotonic() - before < 300


@pytest.mark.long
def test_time_of_rows_that_came_already(tmp_path, monkeypatch):
    monkeypatch.setenv("PAPILIO_SQL_SECONDS", "6")
    text = "SELECT i FROM range(200000000000) t(i)"
    monkeypatch.setattr("papilio.data.io.sql.code_text", lambda batches, _: [None for _ in batches])
    with pytest.raises(DataError) as caught:
        read(SqlSource(text, tmp_path))
    assert caught.value.reason == "sql-time"


def test_the_columns_of_what_would_take_ages(tmp_path):
    assert header(SqlSource(LONG, tmp_path)) == ("n",)


@pytest.mark.parametrize(
    "text",
    spread(
        [
            "SELECT " + "(" * 20_000 + "1" + ")" * 20_000,
            "SELECT 1" + "+ 1" * 5000,
            "SELECT * FROM " + "(SELECT * FROM " * 5000 + "range(3)" + ")" * 5000,
            "SELECT 1 -- " + "x" * 200_000,
        ],
        2,
    ),
    ids=["brackets", "sums", "queries", "length"],
)
def test_size(text):
    with pytest.raises(DataError) as caught:
        file_names(text)
    assert caught.value.reason == "sql-too-large"


def test_a_process_that_dies_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(DataError, match="limit of memory") as caught:
        read(SqlSource("SELECT 1 AS a", tmp_path))
    assert "another exception occurred" not in str(caught.getrepr())


def test_nothing_is_left_running_or_open(tmp_path):
    def descriptors():
        return sorted(Path("/proc/self/fd").iterdir())

    header(SqlSource("SELECT 1 AS a", tmp_path))
    before = descriptors()
    for text in ("SELECT 1 AS a", "SELECT", LARGE):
        for face in (header, read):
            try:
                face(SqlSource(text, tmp_path))
            except DataError:
                continue
    assert descriptors() == before


def test_the_process_ends_with_the_one_that_started_it(tmp_path):
    script = (
        "import sys\n"
        "from papilio.data.source import SqlSource\n"
        "from papilio.data.sql.files import running\n"
        "from papilio.data.io.sql import child\n"
        "from pathlib import Path\n"
        f"with child('rows', SqlSource({LONG!r}, Path({str(tmp_path)!r})), running()) as started:\n"
        "    print(started.process.pid, flush=True)\n"
        "    started.rows()\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    descriptor = os.pidfd_open(int(parent.stdout.readline()))
    try:
        parent.kill()
        parent.communicate()
        assert select.select([descriptor], [], [], 120)[0] == [descriptor]
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("value", ["0", "-1", "many", "inf", "nan", ""])
@pytest.mark.parametrize("variable", ["PAPILIO_SQL_MEMORY", "PAPILIO_SQL_SECONDS"])
def test_settings_that_are_no_limits(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(DataError, match=variable):
        running()


def test_settings(monkeypatch):
    monkeypatch.setenv("PAPILIO_SQL_SECONDS", "5")
    assert (running().memory, running().seconds) == (1 << 29, 5)
    assert looking().seconds == 5
    assert running(7).memory == 7
    monkeypatch.delenv("PAPILIO_SQL_SECONDS")
    assert (running().seconds, looking().seconds) == (3600, 60)
