"""What a power cut must not undo: everything is on the disk before it gets its name."""

import errno
import os
from pathlib import Path

import pytest
from releases_by_hand import FRAME, HIERARCHY, manifest

from papilio.document.html import write_page
from papilio.errors import OutputError
from papilio.release.draft import draft_of, flush_folder, seal, table_file, write_whole
from papilio.web.transfers import replace_text


@pytest.fixture
def events(monkeypatch):
    """What reaches the disk and what is renamed, in order, by the last part of its path."""
    happened = []
    fsync = os.fsync

    def flushed(number):
        happened.append(("flush", Path(f"/proc/self/fd/{number}").readlink().name))
        fsync(number)

    def renaming(name):
        original = getattr(Path, name)

        def run(path, target):
            happened.append(("rename", Path(target).name))
            return original(path, target)

        monkeypatch.setattr(Path, name, run)

    monkeypatch.setattr("os.fsync", flushed)
    renaming("rename")
    renaming("replace")
    return happened


pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="looks into /proc to see which file is meant"
)


def save(directory):
    """Write a release of three files."""
    with draft_of(directory) as draft:
        FRAME.write_parquet(draft / table_file("people"))
        seal(draft, directory, manifest(), {"hierarchy_2.csv": HIERARCHY})


def test_a_release_is_on_the_disk_before_it_has_a_name(tmp_path, events):
    save(tmp_path / "out")
    assert events == [
        ("flush", "hierarchy_2.csv"),
        ("flush", "people.parquet"),
        ("flush", "release.json"),
        ("flush", "release"),
        ("rename", "out"),
        ("flush", tmp_path.name),
    ]


@pytest.mark.parametrize(
    "write",
    [
        lambda path: write_whole(path, "text"),
        lambda path: write_page("<p>", path),
        lambda path: replace_text(path, "text", "policy"),
    ],
)
def test_a_file_is_on_the_disk_before_it_has_a_name(tmp_path, events, write):
    write(tmp_path / "out")
    assert events == [("flush", "file"), ("rename", "out"), ("flush", tmp_path.name)]


def fail_at(monkeypatch, name, number):
    """Let the disk refuse to confirm what has a certain name."""
    fsync = os.fsync

    def flushed(handle):
        if Path(f"/proc/self/fd/{handle}").readlink().name == name:
            raise OSError(number, os.strerror(number))
        fsync(handle)

    monkeypatch.setattr("os.fsync", flushed)


@pytest.mark.parametrize("name", ["people.parquet", "release.json", "release"])
def test_a_disk_that_does_not_take_it_keeps_the_release_from_appearing(tmp_path, monkeypatch, name):
    fail_at(monkeypatch, name, errno.EIO)
    with pytest.raises(OutputError, match="cannot be written"):
        save(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_not_confirmed_is_told(tmp_path, monkeypatch):
    fail_at(monkeypatch, tmp_path.name, errno.EIO)
    with pytest.raises(OutputError, match="was written, but the disk does not confirm it"):
        save(tmp_path / "out")


def test_file_systems_that_cannot_tell_of_folders_will_do(tmp_path, monkeypatch):
    fail_at(monkeypatch, tmp_path.name, errno.EINVAL)
    flush_folder(tmp_path)
