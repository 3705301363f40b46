import io
import os
from pathlib import Path

import pytest

from papilio.data.io import files
from papilio.data.io.kinds import unchanged
from papilio.data.io.read import read
from papilio.data.source import FileSource
from papilio.errors import DataError


def append(path: Path) -> None:
    with path.open("a") as file:
        file.write("2,y\n")


def touch(path: Path) -> None:
    os.utime(path, ns=(0, 1))


def replace(path: Path) -> None:
    other = path.with_suffix(".other")
    status = path.stat()
    other.write_text(path.read_text())
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.rename(path)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,x\n")
    return path


@pytest.mark.parametrize("change", [append, touch, replace, Path.unlink])
def test_a_change_is_seen(path, change):
    with pytest.raises(DataError) as caught, unchanged(path):
        change(path)
    assert caught.value.reason == "changed-while-reading"


def test_a_change_explains_a_fault(path):
    def fail():
        append(path)
        raise DataError("ragged", reason="ragged-line")

    with pytest.raises(DataError) as caught, unchanged(path):
        fail()
    assert caught.value.reason == "changed-while-reading"


def test_a_fault_of_an_unchanged_file_stays(path):
    with pytest.raises(DataError) as caught, unchanged(path):
        raise DataError("ragged", reason="ragged-line")
    assert caught.value.reason == "ragged-line"


def test_nothing_happens_without_a_change(path):
    with unchanged(path):
        path.read_text()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_readers_notice_a_change(tmp_path, monkeypatch, ending):
    import polars as pl

    path = tmp_path / f"a.{ending}"
    frame = pl.DataFrame({"a": ["x", "y"]})
    frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
    name = f"load_{ending}"
    original = getattr(files, name)

    def load_and_touch(*arguments):
        result = original(*arguments)
        touch(path)
        return result

    monkeypatch.setattr(files, name, load_and_touch)
    with pytest.raises(DataError) as caught:
        read(FileSource(path))
    assert caught.value.reason == "changed-while-reading"


def test_a_folder_notices_a_new_file(path, monkeypatch):
    original = files.load_csv

    def load_and_add(*arguments):
        path.with_name("b.csv").write_text("a,b\n2,y\n")
        return original(*arguments)

    monkeypatch.setattr(files, "load_csv", load_and_add)
    with pytest.raises(DataError) as caught:
        read(FileSource(path.parent))
    assert caught.value.reason == "changed-while-reading"


def test_sql_notices_a_change(path):
    """The child that runs the query looks; here it is told to write to one who touches the file."""
    from papilio.data.sql.run import Request, write_rows

    class Touching(io.BytesIO):
        def write(self, content):
            touch(path)
            return super().write(content)

    request = Request("SELECT * FROM 'a.csv'", path.parent, None, 1 << 29)
    with pytest.raises(DataError) as caught:
        write_rows(request, Touching())
    assert caught.value.reason == "changed-while-reading"
