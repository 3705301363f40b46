"""Sizes as people write them, and the choice between memory and disk."""

from __future__ import annotations

import json

import polars as pl
import pytest

from papilio.cli.app import run
from papilio.errors import PapilioError, PolicyError
from papilio.families.engines.disk import memory as limits
from papilio.families.engines.disk.memory import parse_size
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish_to
from papilio.workflow.publish_pieces import out_of_core


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8GiB", 8 << 30),
        ("1.5 GiB", 3 << 29),
        ("800MB", 800_000_000),
        ("900mib", 900 << 20),
        ("1tb", 10**12),
        ("1073741824", 1 << 30),
    ],
)
def test_sizes_are_read(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "8 apples", "GiB", "-3GiB", "1e9", "8GiB8", "1,5GiB", "nan"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(PapilioError, match="a size such as 8GiB"):
        parse_size(text)


@pytest.mark.parametrize("text", ["0", "100MB", "511MiB"])
def test_a_limit_below_what_the_program_takes_is_refused(text):
    with pytest.raises(PapilioError, match="at least 512MiB are accepted"):
        parse_size(text)


@pytest.fixture
def source(tmp_path):
    frame = pl.DataFrame({"age": [n % 70 for n in range(2000)], "ill": ["flu", "hiv"] * 1000})
    frame.write_parquet(tmp_path / "people.parquet")
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path


def policy_for(folder, file="people.parquet", **more):
    columns = {"age": "quasi", "ill": "sensitive"}
    return Policy(source=str(folder / file), columns=columns, **{"privacy": {"k": 5}, **more})


@pytest.fixture
def heavy_rows(monkeypatch):
    """As if each row took a megabyte."""
    monkeypatch.setattr(limits, "_PER_ROW", 1 << 20)


def test_what_fits_is_published_in_memory(source):
    assert out_of_core(policy_for(source), None) is None
    assert out_of_core(policy_for(source), 512 << 20) is None


@pytest.mark.usefixtures("heavy_rows")
@pytest.mark.parametrize("file", ["people.parquet", "people.csv"])
def test_what_does_not_fit_is_published_piece_by_piece_with_a_note(source, file):
    found = publish_to(source / "out", policy_for(source, file), memory="1GiB")
    assert found.verdict.holds
    assert "Published piece by piece" in found.notes[0]
    assert "1.0 GiB may be used" in found.notes[0]


@pytest.mark.usefixtures("heavy_rows")
def test_methods_that_need_the_whole_table_are_refused_only_with_a_limit(source, monkeypatch):
    policy = Policy(
        source=str(source / "people.parquet"),
        columns={"age": "sensitive", "ill": "quasi"},
        privacy={"k": 5, "e": 1},
        method="permutation",
        minimise="random",
    )
    with pytest.raises(PolicyError, match="random divides rows one after the other"):
        out_of_core(policy, 1 << 30)
    monkeypatch.setattr("papilio.workflow.publish_pieces.usual_memory", lambda: 1 << 30)
    assert out_of_core(policy, None) is None
    assert out_of_core(policy_for(source), None) is not None


def test_a_limit_for_a_server_is_refused():
    policy = Policy(
        source="postgresql://nobody@nowhere.invalid/none#people",
        columns={"age": "quasi", "ill": "sensitive"},
        privacy={"k": 1},
    )
    with pytest.raises(PapilioError, match="a memory limit is for one table in files"):
        out_of_core(policy, 1 << 30)
    assert out_of_core(policy, None) is None


def test_a_query_with_a_limit_goes_piece_by_piece(source):
    policy = Policy(
        source={"sql": f"SELECT age, ill, age * 2 AS twice FROM '{source}/people.parquet'"},
        columns={"age": "quasi", "ill": "sensitive"},
        privacy={"k": 5},
    )
    assert out_of_core(policy, None) is None
    limited = publish_to(source / "limited", policy, memory=1 << 30)
    memory = publish_to(source / "memory", policy)
    assert "how many rows a query returns" in limited.notes[0]
    assert limited.left_out == memory.left_out == ("twice",)
    assert limited.release.manifest.tables == memory.release.manifest.tables
    assert sorted(limited.release.frames["table"].rows()) == sorted(
        memory.release.frames["table"].rows()
    )
    assert not [path for path in source.iterdir() if path.name.startswith(".papilio")]


@pytest.mark.usefixtures("heavy_rows")
def test_the_command_line_takes_a_limit(source, capsys):
    (source / "policy.yaml").write_text(
        "source: people.csv\ncolumns: {age: quasi, ill: sensitive}\nprivacy: {k: 5}\n"
    )
    args = ["publish", str(source / "policy.yaml"), "-o", str(source / "out"), "--json"]
    assert run([*args, "--memory", "600MiB"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert "Published piece by piece" in said["notes"][0]
    assert said["verdict"]["holds"]


def test_the_command_line_refuses_a_bad_limit(source, capsys):
    (source / "policy.yaml").write_text(
        "source: people.csv\ncolumns: {age: quasi, ill: sensitive}\nprivacy: {k: 5}\n"
    )
    args = ["publish", str(source / "policy.yaml"), "-o", str(source / "out")]
    assert run([*args, "--memory", "lots"]) == 2
    assert "a size such as 8GiB" in capsys.readouterr().err
    assert not (source / "out").exists()


def test_the_machine_is_asked_within_its_limits(monkeypatch, tmp_path):
    (tmp_path / "max").write_text("3221225472\n")
    monkeypatch.setattr(limits, "_LIMITS", (str(tmp_path / "max"), str(tmp_path / "none")))
    assert limits.usual_memory() == int(0.6 * 3221225472)
    (tmp_path / "max").write_text("max\n")
    assert limits.usual_memory() > 0


def test_a_limit_is_not_for_spark(source):
    with pytest.raises(PapilioError, match="memory is for engine local"):
        publish_to(source / "out", policy_for(source), engine="spark", memory="1GiB")
