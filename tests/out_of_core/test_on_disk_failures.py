"""Whatever goes wrong half way: one line that says so, and nothing left behind."""

from __future__ import annotations

import errno
import itertools
import os
import signal
import stat
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from heeded_signals import heed_signals
from on_disk import left_behind, publish_on_disk
from papilio.errors import DataError, OutputError, VerificationError
from papilio.families.generalising import pieces as module
from papilio.policy.policy import Policy
from sizes import some, spread


@pytest.fixture
def policy(tmp_path):
    frame = pl.DataFrame({"age": [n % 70 for n in range(3000)], "ill": ["flu", "hiv", "no"] * 1000})
    frame.write_parquet(tmp_path / "t.parquet")
    return Policy(
        source=str(tmp_path / "t.parquet"),
        columns={"age": "quasi", "ill": "sensitive"},
        privacy={"k": 5},
        method="mondrian",
    )


def full(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    "where",
    spread(
        [
            "papilio.families.engines.disk.rows_on_disk.RowFile.append",
            "papilio.families.generalising.pieces.deal",
            "papilio.families.engines.disk.run.write_table",
            "papilio.workflow.publish_pieces.seal",
        ],
        2,
    ),
)
def test_a_full_disk_is_told_in_one_line(tmp_path, policy, monkeypatch, where):
    monkeypatch.setattr(where, full)
    with pytest.raises(OutputError, match="the disk is full; nothing was written") as refused:
        publish_on_disk(tmp_path / "out", policy)
    assert "\n" not in str(refused.value)
    assert left_behind(tmp_path) == []
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "stage",
    some(["counting", "encoding", "cutting", "dealing", "generalising"], "encoding", "dealing"),
)
def test_an_interruption_leaves_nothing(tmp_path, policy, stage):
    def tell(now, _):
        if now == stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish_on_disk(tmp_path / "out", policy, tell=tell)
    assert left_behind(tmp_path) == []
    assert not (tmp_path / "out").exists()
    publish_on_disk(tmp_path / "out", policy)


def names_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_rows_on_disk_have_no_names(tmp_path, policy, monkeypatch):
    """Neither beside the target nor in the private place is there anything to be left behind."""
    (tmp_path / "scratch").mkdir()
    (tmp_path / "beside").mkdir()
    monkeypatch.setenv("PAPILIO_SCRATCH", str(tmp_path / "scratch"))
    stages = []

    def tell(stage, _):
        stages.append(stage)
        (private,) = (tmp_path / "scratch").iterdir()
        (run,) = private.iterdir()
        (hidden,) = (tmp_path / "beside").iterdir()
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert stat.S_IMODE(run.stat().st_mode) == 0o700
        assert stat.S_IMODE(hidden.stat().st_mode) == 0o700
        if stage != "verifying":
            assert names_in(run) == ["papilio.lock"]
        published = {name for name in names_in(hidden) if not name.startswith("release/")}
        assert published == {"papilio.lock", "release"}

    def until_done(stage, share):
        if stage != "done":
            tell(stage, share)

    publish_on_disk(tmp_path / "beside" / "out", policy, tell=until_done)
    assert {"counting", "encoding", "cutting", "dealing", "generalising"} <= set(stages)
    assert names_in(tmp_path / "scratch") == [f"papilio-scratch-{os.geteuid()}"]
    out = tmp_path / "beside" / "out"
    assert {path.suffix for path in out.iterdir()} == {".parquet", ".json"}


def test_the_result_of_a_query_has_no_name(tmp_path, policy, monkeypatch):
    (tmp_path / "scratch").mkdir()
    monkeypatch.setenv("PAPILIO_SCRATCH", str(tmp_path / "scratch"))
    (tmp_path / "policy.yaml").write_text(
        "source:\n  sql: SELECT age, ill FROM 't.parquet' ORDER BY age\n"
        "columns: {age: quasi, ill: sensitive}\nprivacy: {k: 5}\nmethod: mondrian\n"
    )
    query = Policy.load(tmp_path / "policy.yaml")
    stages = []

    def tell(stage, _):
        stages.append(stage)
        if stage in ("counting", "encoding"):
            assert not list((tmp_path / "scratch").rglob("*.parquet"))
            assert not list(tmp_path.glob(".papilio-*/**/*.parquet"))

    publication = publish_on_disk(tmp_path / "out", query, tell=tell)
    assert "encoding" in stages
    assert publication.release.manifest.tables[0].name == "table"


def test_a_release_that_does_not_verify_is_not_written(tmp_path, policy, monkeypatch):
    honest, ages = module.finish, itertools.count(1000)

    def forged(piece, *rest, **more):
        made = honest(piece, *rest, **more)
        own = pl.Series([next(ages) for _ in range(made.frame.height)])
        return replace(made, frame=made.frame.with_columns(age_min=own, age_max=own))

    monkeypatch.setattr(module, "finish", forged)
    with pytest.raises(VerificationError, match="k-anonymity"):
        publish_on_disk(tmp_path / "out", policy)
    assert left_behind(tmp_path) == []
    assert not (tmp_path / "out").exists()


def test_a_source_that_changes_between_the_passes_is_refused(tmp_path, policy):
    def tell(now, _):
        if now == "encoding":
            pl.DataFrame({"age": [1] * 50, "ill": ["flu"] * 50}).write_parquet(
                tmp_path / "t.parquet"
            )

    with pytest.raises(DataError, match="changed while it was read"):
        publish_on_disk(tmp_path / "out", policy, tell=tell)
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("values", [2, 100_000])
def test_faults_in_cells_are_told_as_in_memory(tmp_path, monkeypatch, values):
    from papilio.workflow.publish import publish_to

    monkeypatch.setattr("papilio.data.io.stream.BLOCK_BYTES", 400)
    lines = [f"{n % 9},{n}" for n in range(300)]
    lines[250], lines[280] = "4,twelve", "4,1.2.3"
    (tmp_path / "t.csv").write_text("\n".join(["age,pay", *lines]) + "\n")
    policy = Policy(
        source=str(tmp_path / "t.csv"),
        columns={"age": "quasi", "pay": {"role": "plain", "type": "numeric"}},
        privacy={"k": 5},
        method="mondrian",
    )
    with pytest.raises(DataError) as memory:
        publish_to(tmp_path / "memory", policy)
    with pytest.raises(DataError) as pieces:
        publish_on_disk(tmp_path / "pieces", policy, values=values)
    assert str(pieces.value) == str(memory.value)
    assert "2 of its cells are not numbers (first in row 251)" in str(pieces.value)


def test_infinite_numbers_are_refused_in_any_batch(tmp_path, monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 100)
    pay = [float(n) for n in range(899)] + [float("inf")]
    pl.DataFrame({"age": [n % 9 for n in range(900)], "pay": pay}).write_parquet(
        tmp_path / "t.parquet"
    )
    for role in ("plain", "quasi"):
        policy = Policy(
            source=str(tmp_path / "t.parquet"),
            columns={"age": "quasi", "pay": role},
            privacy={"k": 5},
            method="mondrian",
        )
        with pytest.raises(DataError, match="column 'pay': 1 infinite numbers"):
            publish_on_disk(tmp_path / "out", policy, piece_rows=100)


def test_a_ragged_line_in_a_late_block_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BLOCK_BYTES", 400)
    lines = [f"{n % 9},{n}" for n in range(300)]
    lines[250] = "4,5,6"
    (tmp_path / "t.csv").write_text("\n".join(["age,pay", *lines]) + "\n")
    policy = Policy(
        source=str(tmp_path / "t.csv"),
        columns={"age": "quasi", "pay": "plain"},
        privacy={"k": 5},
        method="mondrian",
    )
    with pytest.raises(DataError, match="line 252 has 3 cells where the header has 2"):
        publish_on_disk(tmp_path / "out", policy, piece_rows=100)
    assert left_behind(tmp_path) == []


def script_for(folder, tell, before=""):
    """A program of its own that publishes the table of the tests."""
    return textwrap.dedent(
        f"""
        import pathlib, resource, sys, time
        sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
        from on_disk import publish_on_disk
        from papilio.errors import PapilioError
        from papilio.policy.policy import Policy

        def tell(stage, share):
            {tell}

        policy = Policy(source={str(folder / "t.parquet")!r}, columns={{"age": "quasi",
            "ill": "sensitive"}}, privacy={{"k": 5}}, method="mondrian")
        {before}
        try:
            publish_on_disk(pathlib.Path({str(folder / "out")!r}), policy, tell=tell)
        except KeyboardInterrupt:
            sys.exit(130)
        except PapilioError as error:
            print(error, flush=True)
            sys.exit(error.exit_code)
        """
    )


def test_a_disk_that_takes_no_more_is_told_in_one_line(tmp_path, policy):
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))"
    script = script_for(tmp_path, "pass", limit)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stdout.endswith("out: the disk is full; nothing was written\n")
    assert left_behind(tmp_path) == []
    assert not (tmp_path / "out").exists()


def test_control_c_in_a_process_removes_everything(tmp_path, policy):
    script = script_for(
        tmp_path, 'stage == "generalising" and (print("now", flush=True), time.sleep(600))'
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, preexec_fn=heed_signals
    ) as process:
        assert process.stdout.readline() == b"now\n"
        assert left_behind(tmp_path)
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 130
    assert left_behind(tmp_path) == []
    assert not (tmp_path / "out").exists()
