"""Whatever fails, there is one line and no release, nothing is left, and a second run works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import polars as pl
import psutil
import pytest

from heeded_signals import heed_signals
from papilio import Policy, samples
from papilio.engines.spark import write
from papilio.errors import DataError, EngineError, PapilioError, PolicyError, VerificationError
from papilio.families.generalising import spark as generalised
from papilio.verify.verdict import Verdict
from papilio.workflow import publish_spark as spark_publish
from papilio.workflow.publish import publish_to

COLUMNS = {"age": "quasi", "sex": "quasi", "income": "sensitive"}


@pytest.fixture
def policy(tmp_path):
    samples.adult().head(3000).write_parquet(tmp_path / "adult.parquet")
    return Policy(
        source=str(tmp_path / "adult.parquet"),
        columns=COLUMNS,
        privacy={"k": 5},
        method="mondrian",
    )


def left_behind(folder):
    return sorted(path.name for path in folder.iterdir())


def servers():
    mine = psutil.Process().children(recursive=True)
    return {p.pid for p in mine if any("embedded_server" in part for part in p.cmdline())}


@pytest.mark.long
@pytest.mark.parametrize("stage", ["dividing", "generalising", "verifying"])
def test_a_killed_server_ends_the_run_cleanly(tmp_path, policy, stage):
    before = servers()

    def kill(now, share):
        if now == stage:
            for pid in servers() - before:
                os.kill(pid, signal.SIGKILL)

    with pytest.raises(EngineError, match="connection to the embedded Spark server was lost"):
        publish_to(tmp_path / "out", policy, engine="spark", progress=kill)
    assert left_behind(tmp_path) == ["adult.parquet"]
    assert servers() == before
    if stage == "verifying":
        assert publish_to(tmp_path / "out", policy, engine="spark").verdict.holds
        assert left_behind(tmp_path) == ["adult.parquet", "out"]


def test_a_worker_that_dies_amid_its_piece_leaves_nothing(tmp_path, policy, monkeypatch):
    def die(*_):
        os._exit(1)

    monkeypatch.setattr(generalised, "unpacked_piece", die)
    # Functions of this module travel by name; this one is made to travel as it is.
    with pytest.raises(EngineError) as error, _by_value(generalised):
        publish_to(tmp_path / "out", policy, engine="spark")
    assert error.value.reason == "connection-lost"
    assert left_behind(tmp_path) == ["adult.parquet"]


class _by_value:  # noqa: N801 - reads like a verb where it is used
    def __init__(self, module):
        self.module = module

    def __enter__(self):
        from pyspark import cloudpickle

        cloudpickle.register_pickle_by_value(self.module)

    def __exit__(self, *_):
        from pyspark import cloudpickle

        cloudpickle.unregister_pickle_by_value(self.module)


def test_a_release_that_does_not_verify_is_not_written(tmp_path, policy, embedded, monkeypatch):
    monkeypatch.setattr(spark_publish, "verify_with_spark", lambda *_, **__: Verdict(()))
    with pytest.raises(VerificationError):
        publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)
    assert left_behind(tmp_path) == ["adult.parquet"]


def test_a_source_that_changes_meanwhile_is_refused(tmp_path, policy, embedded):
    def change(stage, share):
        if stage == "generalising":
            samples.adult().head(2000).write_parquet(tmp_path / "adult.parquet")

    with pytest.raises(DataError, match="changed while it was read"):
        publish_to(tmp_path / "out", policy, engine="spark", remote=embedded, progress=change)
    assert left_behind(tmp_path) == ["adult.parquet"]


def test_a_folder_that_workers_do_not_share_is_told(tmp_path, policy, embedded, monkeypatch):
    monkeypatch.setattr(write, "write_part", lambda *_: None)
    with pytest.raises(EngineError, match="is not the same folder") as error, _by_value(write):
        publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)
    assert error.value.reason == "folder-not-shared"


def test_workers_that_may_not_write_are_told(tmp_path):
    with pytest.raises(EngineError, match="a worker cannot write to") as error:
        write.write_part(pl.DataFrame({"a": [1]}), tmp_path / "gone" / "draft", "a.parquet")
    assert error.value.reason == "worker-cannot-write"


def test_a_target_that_exists_is_refused_first(tmp_path, policy):
    (tmp_path / "out").mkdir()
    with pytest.raises(PapilioError) as error:
        publish_to(tmp_path / "out", policy, engine="spark", remote="sc://127.0.0.1:1")
    assert error.value.reason == "target-exists"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"source": {"sql": "SELECT 1 AS age"}}, "not a query"),
        ({"source": "postgresql://me:abc@host/db#t"}, "not a PostgreSQL server"),
    ],
)
def test_what_spark_cannot_do_is_refused_before_anything_starts(tmp_path, policy, change, words):
    said = {"source": policy.source.file, "columns": COLUMNS, "privacy": {"k": 5}}
    other = Policy(**(said | {"method": "mondrian"} | change))
    with pytest.raises(PolicyError, match=words) as error:
        publish_to(tmp_path / "out", other, engine="spark", remote="sc://127.0.0.1:1")
    assert "abc" not in str(error.value)


def test_graphs_and_linked_tables_are_refused(tmp_path):
    tables = Policy(
        tables={
            "a": {"source": "a.csv", "key": "id", "columns": {"x": "quasi"}},
            "b": {"source": "b.csv", "key": "no", "parent": {"a": "id"}, "columns": {"y": "quasi"}},
        },
        person="a",
        privacy={"k": 2},
    )
    ends = {"source": "a.csv", "key": "id"}
    graph = Policy(
        graph={
            "left": ends,
            "right": ends,
            "edges": {"source": "e.csv", "left": "a", "right": "b"},
        },
        privacy={"k": 2, "l": 2},
    )
    for policy, words in ((tables, "linked tables"), (graph, "a graph")):
        with pytest.raises(PolicyError, match=words):
            publish_to(tmp_path / "out", policy, engine="spark", remote="sc://127.0.0.1:1")


def test_csv_is_refused(tmp_path, policy):
    with pytest.raises(PapilioError, match="Spark writes parquet, not csv"):
        publish_to(tmp_path / "out", policy, engine="spark", format="csv")


@pytest.mark.parametrize(
    ("engine", "remote", "reason"),
    [("flink", None, "unknown-engine"), ("local", "sc://host:1", "remote-unused")],
)
def test_engines_that_do_not_fit_are_refused(tmp_path, policy, engine, remote, reason):
    with pytest.raises(PapilioError) as error:
        publish_to(tmp_path / "out", policy, engine=engine, remote=remote)
    assert error.value.reason == reason


def papilio(*arguments, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "papilio.cli.app", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_signals,
        **more,
    )


@pytest.fixture
def policy_file(tmp_path, policy):
    lines = "\n".join(f"  {name}: {role}" for name, role in COLUMNS.items())
    file = tmp_path / "policy.yaml"
    file.write_text(
        f"source: adult.parquet\ncolumns:\n{lines}\nprivacy: {{k: 5}}\nmethod: mondrian\n"
    )
    return file


@pytest.mark.long
def test_the_command_line(tmp_path, policy_file):
    run = papilio("publish", policy_file, "-o", tmp_path / "out", "--engine", "spark")
    out, errors = run.communicate(timeout=300)
    assert (run.returncode, errors) == (0, "")
    assert "holds" in out
    assert left_behind(tmp_path) == ["adult.parquet", "out", "policy.yaml"]


def test_the_command_line_says_one_line_without_the_token(tmp_path, policy_file):
    run = papilio(
        "publish", policy_file, "-o", tmp_path / "out", "--engine", "spark",
        "--remote", "sc://127.0.0.1:1/;token=abc",
    )  # fmt: skip
    out, errors = run.communicate(timeout=300)
    assert (run.returncode, out) == (2, "")
    assert len(errors.splitlines()) == 1
    assert "no Spark Connect server answers at sc://127.0.0.1:1;" in errors
    assert "abc" not in errors


@pytest.mark.long
def test_an_interrupt_ends_everything(tmp_path, policy_file):
    samples.adult().sample(300_000, with_replacement=True).write_parquet(tmp_path / "adult.parquet")
    run = papilio("publish", policy_file, "-o", tmp_path / "out", "--engine", "spark")
    started = _wait_for(lambda: psutil.Process(run.pid).children(recursive=True))
    _wait_for(lambda: any(path.name.startswith(".papilio-") for path in tmp_path.iterdir()))
    time.sleep(1.0)
    os.killpg(run.pid, signal.SIGINT)
    _, errors = run.communicate(timeout=300)
    assert run.returncode == 130
    assert errors == "papilio: interrupted; nothing is left half-written\n"
    assert left_behind(tmp_path) == ["adult.parquet", "policy.yaml"]
    assert not any(process.is_running() for process in started)


def _wait_for(find, seconds=300):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = find()
        if found:
            return found
        time.sleep(0.05)
    pytest.fail("nothing happened")
