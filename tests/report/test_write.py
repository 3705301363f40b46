import stat

import polars as pl
import pytest
from releases import release_of

from papilio.data.table import ColumnType
from papilio.document.html import write_page
from papilio.errors import OutputError
from tables import column, table


@pytest.fixture(scope="module")
def original():
    return table(age=(pl.Series([1, 2, 3, 4]), column("age", ColumnType.NUMERIC)))


PAGE = "<!DOCTYPE html>é"


def refused(path, **options):
    with pytest.raises(OutputError) as caught:
        write_page(PAGE, path, **options)
    return caught.value.reason


def test_writes_for_the_owner_only(tmp_path):
    path = write_page(PAGE, tmp_path / "report.html")
    assert path.read_text(encoding="utf-8") == PAGE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_replaces_only_when_allowed(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("mine")
    assert refused(path) == "target-exists"
    assert path.read_text() == "mine"
    write_page(PAGE, path, overwrite=True)
    assert path.read_text(encoding="utf-8") == PAGE


def test_a_dangling_link_counts_as_existing(tmp_path):
    path = tmp_path / "report.html"
    path.symlink_to(tmp_path / "nowhere")
    assert refused(path) == "target-exists"


def test_never_inside_a_release(original, tmp_path, monkeypatch):
    release = release_of(original).save(tmp_path / "release")
    below = release / "notes" / "deep"
    below.mkdir(parents=True)
    (tmp_path / "link").symlink_to(below)
    for folder in (release, below, tmp_path / "link"):
        assert refused(folder / "report.html", overwrite=True) == "inside-release"
        assert not (folder / "report.html").exists()
    monkeypatch.chdir(below)
    assert refused(below.relative_to(below) / "report.html") == "inside-release"
    write_page(PAGE, tmp_path / "report.html")


def test_bad_places(tmp_path):
    assert refused(tmp_path / "none" / "report.html") == "no-parent"
    assert refused(tmp_path, overwrite=True) == "is-directory"


def test_a_fault_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    assert refused(tmp_path / "report.html") == "disk-full"
    assert list(tmp_path.iterdir()) == []
