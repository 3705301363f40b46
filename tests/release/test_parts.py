"""A table in several files: written by several hands, read as one."""

import errno
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from releases_by_hand import FRAME, HIERARCHY, manifest, release

from papilio.errors import OutputError, ReleaseError
from papilio.release.draft import draft_of, part_file, seal, table_file
from papilio.release.lazy_frames import LazyFrames, parts_of
from papilio.release.release import Release
from papilio.workflow.ask import ask
from parts import declare, rehash, save_in_parts


def left_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def target(tmp_path):
    return save_in_parts(release(), tmp_path / "release")


def test_there_and_back(target):
    opened = Release.open(target)
    assert left_in(target) == [
        "hierarchy_2.csv",
        "people.00001.parquet",
        "people.00002.parquet",
        "people.00003.parquet",
        "release.json",
    ]
    assert_frame_equal(opened.frames["people"], FRAME)
    assert_frame_equal(opened.tables["people"], FRAME)
    assert opened.hierarchies == {"hierarchy_2.csv": HIERARCHY}
    assert opened.verify().holds


def test_names_of_parts():
    assert part_file("people", 7) == "people.00007.parquet"
    assert part_file("people", 123456, "csv") == "people.123456.csv"
    assert table_file("people") == "people.parquet"


def test_tables_are_read_when_asked_for(target):
    opened = Release.open(target)
    assert isinstance(opened.frames, LazyFrames)
    assert list(opened.frames) == ["people"]
    assert len(opened.frames) == 1
    assert "people" in opened.frames
    assert "patients" not in opened.frames
    with pytest.raises(KeyError):
        opened.frames["patients"]
    target.joinpath("people.00002.parquet").unlink()
    with pytest.raises(ReleaseError, match=r"people\.00002\.parquet is missing"):
        opened.frames["people"]


def test_missing_part_is_found_when_opening(target):
    target.joinpath("people.00002.parquet").unlink()
    with pytest.raises(ReleaseError, match=r"people\.00002\.parquet is missing"):
        Release.open(target)


@pytest.mark.parametrize(
    "change",
    [
        pl.col("pay").cast(pl.Float32),
        pl.col("age_min").cast(pl.Int32),
        pl.col("job").alias("trade"),
    ],
)
def test_parts_with_other_columns(target, change):
    path = target / "people.00002.parquet"
    pl.read_parquet(path).with_columns(change).write_parquet(path)
    opened = Release.open(rehash(target))
    with pytest.raises(ReleaseError, match=r"different columns|are not those that"):
        opened.frames["people"]
    with pytest.raises(ReleaseError, match=r"different columns|are not those that"):
        list(parts_of(opened.frames, "people"))
    with pytest.raises(ReleaseError, match=r"people\.00002\.parquet cannot be read"):
        ask(target, "SELECT count(*) FROM people")


def test_columns_in_another_order(target):
    path = target / "people.00003.parquet"
    part = pl.read_parquet(path)
    part.select(part.columns[::-1]).write_parquet(path)
    with pytest.raises(ReleaseError, match="have different columns"):
        Release.open(rehash(target)).frames["people"]


def test_saving_copies_the_files(target, tmp_path):
    copied = Release.open(target).save(tmp_path / "copy")
    assert left_in(copied) == left_in(target)
    for path in target.iterdir():
        assert copied.joinpath(path.name).read_bytes() == path.read_bytes()


def test_saving_in_another_format(target, tmp_path):
    text = Release.open(target).save(tmp_path / "text", format="csv")
    assert left_in(text) == ["hierarchy_2.csv", "people.csv", "release.json"]
    assert_frame_equal(Release.open(text).frames["people"], FRAME)


def test_csv_in_parts(tmp_path):
    directory = tmp_path / "release"
    with draft_of(directory) as draft:
        for number in range(2):
            FRAME.slice(2 * number, 2).write_csv(draft / part_file("people", number + 1, "csv"))
        seal(draft, directory, manifest(), {"hierarchy_2.csv": HIERARCHY})
    opened = Release.open(directory)
    assert_frame_equal(opened.frames["people"], FRAME)
    assert opened.verify().holds
    assert ask(directory, "SELECT count(*) FROM people").rows


def test_part_without_rows(tmp_path):
    target = save_in_parts(release(), tmp_path / "release", parts=5)
    assert pl.read_parquet(target / "people.00005.parquet").height == 0
    assert_frame_equal(Release.open(target).frames["people"], FRAME)
    assert Release.open(target).verify().holds


def test_parts_of_a_table_in_memory():
    (part,) = parts_of(release().frames, "people")
    assert_frame_equal(part, FRAME)


def test_same_answers_as_in_one_file(target, tmp_path):
    question = "SELECT count(*), avg(pay) FROM people WHERE age >= 25 AND job = 'nurse'"
    whole = release().save(tmp_path / "whole")
    expected = ask(whole, question)
    assert ask(target, question) == expected
    assert ask(Release.open(target), question) == expected


# The draft.


def test_private_folder_is_removed_with_all_that_lies_in_it(tmp_path):
    directory = tmp_path / "release"
    with draft_of(directory) as draft:
        FRAME.write_parquet(draft / table_file("people"))
        (draft.parent / "codes").mkdir()
        (draft.parent / "codes" / "1").write_text("private")
        seal(draft, directory, manifest(), {"hierarchy_2.csv": HIERARCHY})
    assert left_in(tmp_path) == ["release"]
    assert "codes" not in left_in(directory)


@pytest.mark.parametrize("error", [ValueError(), KeyboardInterrupt()])
def test_nothing_is_left_of_a_draft(tmp_path, error):
    def fail():
        with draft_of(tmp_path / "release") as draft:
            FRAME.write_parquet(draft / part_file("people", 1))
            raise error

    with pytest.raises(type(error)):
        fail()
    assert left_in(tmp_path) == []


def test_full_disk_while_parts_are_written(tmp_path):
    with pytest.raises(OutputError, match="the disk is full"), draft_of(tmp_path / "release"):
        raise OSError(errno.ENOSPC, "full")
    assert left_in(tmp_path) == []


def test_target_is_checked_first(tmp_path):
    with pytest.raises(OutputError) as caught, draft_of(tmp_path):
        pytest.fail("the target exists")
    assert caught.value.reason == "target-exists"


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ("_SUCCESS", "stray-file"),
        ("people.1.parquet", "stray-file"),
        ("patients.00001.parquet", "stray-file"),
        ("people.00001.txt", "stray-file"),
        ("hierarchy_2.csv", "name-clash"),
    ],
)
def test_files_of_no_table(tmp_path, extra, reason):
    directory = tmp_path / "release"

    def write():
        with draft_of(directory) as draft:
            FRAME.write_parquet(draft / part_file("people", 1))
            (draft / extra).write_text("")
            seal(draft, directory, manifest(), {"hierarchy_2.csv": HIERARCHY})

    with pytest.raises(OutputError) as caught:
        write()
    assert caught.value.reason == reason
    assert left_in(tmp_path) == []


def test_table_without_files(tmp_path):
    directory = tmp_path / "release"
    with pytest.raises(OutputError) as caught, draft_of(directory) as draft:
        seal(draft, directory, manifest(), {"hierarchy_2.csv": HIERARCHY})
    assert caught.value.reason == "no-table-file"


def test_table_that_is_called_like_a_part(tmp_path):
    """A file belongs to the table of its name before it is a part of another."""
    made = release("people.00001")
    two = manifest(kind="projected", tables=(*manifest().tables, *made.manifest.tables))
    frames = {"people": FRAME, "people.00001": FRAME.head(0)}
    directory = Release(two, frames, made.hierarchies).save(tmp_path / "release")
    opened = Release.open(directory)
    assert opened.frames["people"].height == 4
    assert opened.frames["people.00001"].height == 0


def test_manifest_of_a_stranger_with_a_table_it_does_not_describe(target):
    declare(target, lambda told: told["files"][1].update(table="others"))
    with pytest.raises(ReleaseError, match="'others' is not described"):
        Release.open(Path(target))
