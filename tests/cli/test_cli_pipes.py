"""Standard output that is closed, full, or read by somebody who leaves."""

import os
import subprocess
from pathlib import Path

import pytest


@pytest.fixture
def released(bench):
    assert bench.publish().code == 0
    return bench


def _closed_pipe():
    """The writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize(
    "arguments",
    [
        ["profile", "people.csv"],
        pytest.param(["profile", "people.csv", "--json"], marks=pytest.mark.long),
        ["--help"],
        pytest.param(["--version"], marks=pytest.mark.long),
    ],
)
def test_reader_who_leaves_is_no_fault(bench, arguments):
    pipe = _closed_pipe()
    result = bench.spawn_and_wait(*arguments, stdout=pipe)
    os.close(pipe)
    assert (result.code, result.err) == (0, "")


def test_reader_who_leaves_after_one_line(bench):
    process = bench.spawn("profile", "people.csv")
    head = subprocess.run(["head", "-1"], stdin=process.stdout, capture_output=True, check=True)
    process.stdout.close()
    assert head.stdout.startswith(b"40 rows, 4 columns")
    assert process.wait(timeout=100) == 0
    assert process.stderr.read() == ""


def test_exit_code_tells_the_verdict_even_if_nobody_reads_it(released):
    manifest = released.folder / "release" / "release.json"
    manifest.write_text(manifest.read_text().replace('"k": 5', '"k": 9'))
    pipe = _closed_pipe()
    result = released.spawn_and_wait("verify", "release", stdout=pipe)
    os.close(pipe)
    assert (result.code, result.err) == (1, "")


def test_full_standard_output(bench):
    with Path("/dev/full").open("w") as full:
        result = bench.spawn_and_wait("profile", "people.csv", stdout=full)
    assert result.code == 2
    assert result.lines == ["standard output cannot be written (No space left on device)"]


@pytest.mark.parametrize("closed", [1, 2])
def test_closed_streams(bench, closed):
    result = bench.spawn_and_wait("verify", "nowhere", preexec_fn=lambda: os.close(closed))
    assert result.code == 2
    assert "Traceback" not in result.out + result.err


def test_signs_the_terminal_cannot_show(bench):
    bench.write("people.csv", "größe,年齢\n" + "1,2\n3,4\n")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = bench.spawn_and_wait("profile", "people.csv", env=environment)
    assert result.code == 0
    assert r"gr\xf6\xdfe" in result.out
