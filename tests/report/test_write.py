import stat

import polars as pl
import pytest
from releases import HOLDS, release_of

from papilio.data.column import ColumnType
from papilio.errors import OutputError
from papilio.report import write
from papilio.report.content import collect
from papilio.report.write import write_report
from tables import column, table


@pytest.fixture(scope="module")
def original():
    return table(age=(pl.Series([1, 2, 3, 4]), column("age", ColumnType.NUMERIC)))


@pytest.fixture(scope="module")
def content(original):
    return collect(release_of(original), original, HOLDS, "it fits")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Drawing has its own tests."""
    monkeypatch.setattr(write, "render", lambda _: "<!DOCTYPE html>é")


def refused(content, path, **options):
    with pytest.raises(OutputError) as caught:
        write_report(content, path, **options)
    return caught.value.reason


def test_writes_for_the_owner_only(content, tmp_path):
    path = write_report(content, tmp_path / "report.html")
    assert path.read_text(encoding="utf-8") == "<!DOCTYPE html>é"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_replaces_only_when_allowed(content, tmp_path):
    path = tmp_path / "report.html"
    path.write_text("mine")
    assert refused(content, path) == "target-exists"
    assert path.read_text() == "mine"
    write_report(content, path, overwrite=True)
    assert path.read_text(encoding="utf-8") == "<!DOCTYPE html>é"


def test_a_dangling_link_counts_as_existing(content, tmp_path):
    path = tmp_path / "report.html"
    path.symlink_to(tmp_path / "nowhere")
    assert refused(content, path) == "target-exists"


def test_never_inside_a_release(content, original, tmp_path, monkeypatch):
    release = release_of(original).save(tmp_path / "release")
    below = release / "notes" / "deep"
    below.mkdir(parents=True)
    (tmp_path / "link").symlink_to(below)
    for folder in (release, below, tmp_path / "link"):
        assert refused(content, folder / "report.html", overwrite=True) == "inside-release"
        assert not (folder / "report.html").exists()
    monkeypatch.chdir(below)
    assert refused(content, below.relative_to(below) / "report.html") == "inside-release"
    write_report(content, tmp_path / "report.html")


def test_bad_places(content, tmp_path):
    assert refused(content, tmp_path / "none" / "report.html") == "no-parent"
    assert refused(content, tmp_path, overwrite=True) == "is-directory"


def test_a_fault_leaves_nothing_behind(content, tmp_path, monkeypatch):
    def fail(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    assert refused(content, tmp_path / "report.html") == "disk-full"
    assert list(tmp_path.iterdir()) == []
