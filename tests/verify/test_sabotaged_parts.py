"""Damage to tables in several files: each must be named by the right finding."""

import os

import polars as pl
import pytest
from damage import assert_holds, assert_violated
from permuted_damage import permuted_sample

from papilio.errors import PapilioError
from papilio.release.release import Release
from papilio.verify.verdict import Status, Verdict
from papilio.workflow.verify import verify
from parts import declare, rehash, save_in_parts


@pytest.fixture
def target(samples, tmp_path):
    sample = samples("numbers", "parquet", "bounds")
    return save_in_parts(Release.open(sample.directory), tmp_path / "parts")


def part(target, number, table="people"):
    return target / f"{table}.{number:05d}.parquet"


def test_parts_hold(target):
    assert_holds(verify(target))


def test_truth_of_parts(samples, target):
    sample = samples("numbers", "parquet", "bounds")
    assert_holds(verify(target, original=sample.policy, data=sample.frame))


def test_a_part_is_gone(target):
    part(target, 2).unlink()
    verdict = verify(target)
    assert_violated(verdict, "files")
    assert_violated(verdict, "tables")


def test_a_part_is_gone_and_not_listed(target):
    part(target, 2).unlink()
    declare(target, lambda told: told["files"].pop(1))
    assert_violated(verify(target), "rows of people")


def test_a_part_is_there_twice(target):
    part(target, 4).write_bytes(part(target, 2).read_bytes())
    assert_violated(verify(target), "files")
    declare(
        target,
        lambda told: told["files"].append({**told["files"][2], "name": part(target, 4).name}),
    )
    assert_violated(verify(target), "rows of people")


def test_a_part_is_listed_twice(target):
    declare(target, lambda told: told["files"].append(told["files"][2]))
    verdict = verify(target)
    assert_violated(verdict, "files")
    assert_violated(verdict, "rows of people")


def test_a_part_in_the_place_of_another(target):
    part(target, 3).write_bytes(part(target, 2).read_bytes())
    assert_violated(verify(target), "files")


@pytest.mark.parametrize("careful", [False, True])
def test_parts_of_two_tables_are_swapped(tmp_path, careful):
    sample = permuted_sample(tmp_path, kind=float, nulls=False)
    target = save_in_parts(Release.open(sample.directory), tmp_path / "parts")
    one, other = part(target, 1, "staff"), part(target, 1, "staff_values")
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)
    assert_violated(verify(rehash(target) if careful else target), "tables" if careful else "files")


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("kept", [0, 4, 0.5, 0.99])
def test_a_part_is_cut_off(target, careful, kept):
    content = part(target, 2).read_bytes()
    part(target, 2).write_bytes(
        content[: kept if isinstance(kept, int) else int(len(content) * kept)]
    )
    verdict = verify(rehash(target) if careful else target)
    assert_violated(verdict, "tables" if careful else "files")
    assert {f.status for f in verdict.findings if f.claim == "k-anonymity"} == {Status.NOT_CHECKED}


def test_a_page_of_a_part_is_damaged(target):
    content = bytearray(part(target, 2).read_bytes())
    content[4:60] = os.urandom(56)
    part(target, 2).write_bytes(content)
    verdict = verify(rehash(target))
    assert not verdict.holds
    assert verdict.status is Status.VIOLATED


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.with_columns(pl.col("visits").cast(pl.Int32)),
        lambda frame: frame.with_columns(pl.col("visits").cast(pl.String)),
        lambda frame: frame.with_columns(pl.lit(None).alias("disease")),
        lambda frame: frame.select(frame.columns[::-1]),
        lambda frame: frame.with_columns(name=pl.lit("somebody")),
        lambda frame: frame.drop("visits"),
    ],
)
@pytest.mark.parametrize("number", [1, 3])
def test_a_part_with_other_columns(target, change, number):
    path = part(target, number)
    change(pl.read_parquet(path)).write_parquet(path)
    assert_violated(verify(rehash(target)), "tables")


def test_one_row_of_one_part(target):
    path = part(target, 3)
    frame = pl.read_parquet(path)
    moved = pl.when(pl.int_range(pl.len()) == 0).then(999).otherwise("age_max").alias("age_max")
    frame.with_columns(moved).write_parquet(path)
    assert_violated(verify(rehash(target)), "k-anonymity")


# Memory and the private folder.


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("PAPILIO_SCRATCH", str(folder))
    return folder


def test_the_private_folder_is_removed(target, temporary, monkeypatch):
    seen = []

    def look(opened):
        folders = [each for each in temporary.rglob("*") if each.is_dir()]
        seen.append({each.stat().st_mode & 0o777 for each in folders})
        raise KeyboardInterrupt

    monkeypatch.setattr("papilio.workflow.verify.judge", look)
    with pytest.raises(KeyboardInterrupt):
        verify(target)
    assert seen == [{0o700}]
    assert not any(each.is_file() for each in temporary.rglob("*"))


def test_nothing_leaves_memory_beside_an_original(samples, target, temporary, monkeypatch):
    sample = samples("numbers", "parquet", "bounds")
    seen = []

    def look(opened, original, promise):
        seen.append(opened.row("SELECT current_setting('temp_directory')")[0])
        seen.append(list(temporary.iterdir()))
        return Verdict(())

    monkeypatch.setattr("papilio.workflow.verify.judge", look)
    verify(target, original=sample.policy, data=sample.frame)
    assert seen == ["", []]


def test_a_limit_is_kept(target, temporary, monkeypatch):
    asked = []

    def look(opened):
        asked.append(opened.row("SELECT current_setting('memory_limit')")[0])

    monkeypatch.setattr("papilio.workflow.verify.judge", look)
    verify(target, memory=64 * 2**20)
    assert asked == ["64.0 MiB"]


def test_too_little_memory_is_said(target, temporary):
    many = pl.DataFrame({name: range(100_000) for name in ("age_min", "age_max")})
    path = part(target, 2)
    frame = pl.concat([pl.read_parquet(path), many], how="diagonal_relaxed")
    frame.write_parquet(path)
    with pytest.raises(PapilioError, match="not enough memory") as caught:
        verify(rehash(target), memory=2**20)
    assert caught.value.reason == "out-of-memory"
    assert not any(each.is_file() for each in temporary.rglob("*"))
