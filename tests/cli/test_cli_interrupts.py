"""Ctrl-C and the like: the exit code says so, and nothing half-written stays behind."""

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_bench import POLICY

from heeded_signals import heed_signals
from papilio.cli import app
from papilio.release import draft, locked_folder, store
from sizes import some

SAID = "interrupted; nothing is left half-written"

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="looks into /proc to see how far a process is"
)


@pytest.fixture(scope="module")
def many_people():
    """Text of a table that takes a while."""
    draw = random.Random(7)
    rows = (
        f"person{i},{draw.randint(18, 90)},{draw.randint(0, 40)},ill{draw.randint(0, 20)}"
        for i in range(400_000)
    )
    return "name,age,job,disease\n" + "\n".join(rows) + "\n"


def _started(process, folder):
    """The command line runs, and heeds signals."""
    fields = Path(f"/proc/{process.pid}/status").read_text().split("SigCgt:")[1]
    return int(fields.split()[0], 16) >> (signal.SIGTERM - 1) & 1


def _reading(process, folder):
    """The libraries are loaded."""
    return "polars" in Path(f"/proc/{process.pid}/maps").read_text()


def _writing(process, folder):
    """The hidden directory is there."""
    return any(path.name.startswith(".") for path in folder.iterdir())


def _verifying(process, folder):
    """The hidden directory is complete."""
    return any(folder.glob(".*/release/release.json"))


def _wait_for(moment, process, folder):
    """Wait for a moment, or for the end of a process that was too fast to be seen there."""
    until = time.monotonic() + 300
    while process.poll() is None and not moment(process, folder):
        assert time.monotonic() < until
        time.sleep(0.001)


@needs_proc
@pytest.mark.parametrize(
    ("moment", "number", "code"),
    some(
        [
            (_started, signal.SIGHUP, 129),
            (_writing, signal.SIGTERM, 143),
            (_verifying, signal.SIGINT, 130),
            (_started, signal.SIGINT, 130),
            (_reading, signal.SIGINT, 130),
            (_writing, signal.SIGINT, 130),
        ],
        first=3,
    ),
)
def test_signal(bench, many_people, moment, number, code):
    bench.write("people.csv", many_people)
    before = set(bench.folder.iterdir())
    for attempt in range(5):
        process = bench.spawn("publish", "policy.yaml", "-o", f"release{attempt}")
        _wait_for(moment, process, bench.folder)
        process.send_signal(number)
        out, err = process.communicate(timeout=300)
        late = bench.folder / f"release{attempt}"
        if not late.exists():
            break
        # On a busy machine the signal may come when all is done already.
        shutil.rmtree(late)
    assert process.returncode == code, err
    assert err == f"papilio: {SAID}\n"
    assert out == ""
    assert set(bench.folder.iterdir()) == before


@needs_proc
def test_ignored_signal_stays_ignored(bench):
    """As ``nohup`` and shells do for what runs in the background."""

    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    process = bench.spawn("publish", "policy.yaml", "-o", "release", preexec_fn=ignore)
    _wait_for(_started, process, bench.folder)
    process.send_signal(signal.SIGHUP)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err


DROPPED = """
import signal, time
from papilio.cli import app

class Dying:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def command(arguments):
    Dying()
    time.sleep(600)

app._invoke = command
app.main()
"""


def test_an_interrupt_that_python_drops_comes_once_more():
    """What is raised in a destructor, or in a callback of a library, is dropped and printed."""
    done = subprocess.run(
        [sys.executable, "-c", DROPPED],
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=heed_signals,
    )
    assert (done.returncode, done.stderr) == (130, f"papilio: {SAID}\n")


# The same without processes: an interrupt at each place where something was written already.


def _interrupt(*arguments, **options):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("module", "place"), [(store, "write_table"), (draft, "_sha256"), (draft, "_rename")]
)
def test_interrupt_while_writing(bench, monkeypatch, module, place):
    monkeypatch.setattr(module, place, _interrupt)
    assert bench.refused_publish(code=130) == [SAID]


def test_interrupt_while_verifying(bench, monkeypatch):
    monkeypatch.setattr("papilio.workflow.publish.judge_made", _interrupt)
    assert bench.refused_publish(code=130) == [SAID]


def test_second_interrupt_while_cleaning_up(bench, monkeypatch):
    remove = locked_folder.shutil.rmtree
    calls = []

    def impatient(path, **options):
        if path.name.startswith(".papilio-"):
            calls.append(path)
            if len(calls) == 1:
                raise KeyboardInterrupt
        remove(path, **options)

    monkeypatch.setattr(draft, "_rename", _interrupt)
    monkeypatch.setattr(locked_folder.shutil, "rmtree", impatient)
    assert bench.refused_publish(code=130) == [SAID]
    assert len(calls) == 2


@pytest.mark.parametrize("place", some(["publish_to", "report", "example_rows", "_copy_samples"]))
def test_interrupted_demonstration(bench, monkeypatch, place):
    monkeypatch.setattr(f"papilio.workflow.demonstrate.{place}", _interrupt)
    assert bench.refused("demo", "-o", "demo", code=130) == [SAID]


def test_interrupted_draft(bench, monkeypatch):
    monkeypatch.setattr(Path, "replace", _interrupt)
    assert bench.refused("init", "people.csv", "-o", "draft.yaml", code=130) == [SAID]


def test_libraries_may_turn_an_interrupt_into_an_error(bench, monkeypatch, capsys):
    """DuckDB, for one, raises an error of its own when it sees a signal."""
    received = []

    def query_interrupted(*arguments, **options):
        received.append(signal.SIGINT)
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("papilio.workflow.publish.judge_made", query_interrupted)
    code = app.run(["publish", "policy.yaml", "-o", "release"], received)
    assert code == 130
    assert capsys.readouterr().err == f"papilio: {SAID}\n"
    assert not bench.folder.joinpath("release").exists()


def test_interrupt_in_the_middle_of_a_policy(bench, monkeypatch):
    monkeypatch.setattr("papilio.policy.files.read_yaml", _interrupt)
    monkeypatch.setattr("papilio.policy.policy.read_yaml", _interrupt)
    bench.write("policy.yaml", POLICY)
    assert bench.refused_publish(code=130) == [SAID]
