"""A release on disk: whole or not at all, and the same when it is read again."""

import errno
import hashlib
import os
import stat
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from releases_by_hand import FRAME, HIERARCHY, manifest, release

from papilio.errors import OutputError, ReleaseError, VerificationError
from papilio.release import draft, store
from papilio.release.draft import write_whole
from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.release.scratch import disk_faults
from papilio.release.store import open_release, save_release
from parts import rehash


def save(folder, format_="parquet", inspect=None):
    made = release()
    target = folder / "release"
    return save_release(made.manifest, made.frames, made.hierarchies, target, format_, inspect)


def left_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_there_and_back(tmp_path, format_):
    assert save(tmp_path, format_) == tmp_path / "release"
    assert left_in(tmp_path) == ["release"]
    opened = Release.open(tmp_path / "release")
    assert_frame_equal(opened.frames["people"], FRAME)
    assert opened.hierarchies == {"hierarchy_2.csv": HIERARCHY}
    assert opened.manifest.tables == manifest().tables
    assert opened.manifest.claims == manifest().claims
    assert opened.directory == tmp_path / "release"


@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_files_are_listed_with_their_sums(tmp_path, format_):
    target = save(tmp_path, format_)
    listed = {each.name: each for each in store.read_manifest(target).files}
    assert sorted([*listed, "release.json"]) == left_in(target)
    assert listed[f"people.{format_}"].table == "people"
    assert listed["hierarchy_2.csv"].table is None
    for name, each in listed.items():
        assert each.sha256 == hashlib.sha256((target / name).read_bytes()).hexdigest()


def test_hierarchy_file_is_what_a_reader_needs(tmp_path):
    save(tmp_path)
    assert tmp_path.joinpath("release", "hierarchy_2.csv").read_text() == HIERARCHY


def test_saving_from_python(tmp_path):
    release().save(tmp_path / "first")
    Release.open(tmp_path / "first").save(tmp_path / "second", format="csv")
    assert_frame_equal(Release.open(tmp_path / "second").frames["people"], FRAME)


def test_manifest_of_a_release_in_memory_is_not_touched(tmp_path):
    made = release()
    made.save(tmp_path / "release")
    assert made.manifest.files == ()


def test_times_and_zones_survive_csv(tmp_path):
    frame = pl.DataFrame(
        {
            "code": ["a", "b"],
            "seen": pl.Series([1_600_000_000_123_456, None]).cast(pl.Datetime("us")),
            "pay": pl.Series([1, 0]).cast(pl.Datetime("us", "UTC")),
        }
    )
    columns = (
        PublishedColumn("code", "sensitive", "category", "value", ("code",)),
        PublishedColumn("seen", "plain", "date", "value", ("seen",)),
        PublishedColumn("pay", "plain", "date", "value", ("pay",)),
    )
    told = manifest(tables=(PublishedTable("people", columns, 2),), claims=())
    save_release(told, {"people": frame}, {}, tmp_path / "release", "csv")
    assert_frame_equal(Release.open(tmp_path / "release").frames["people"], frame)


# Modes and privacy of what is not finished.


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002, 0o027])
def test_modes_follow_the_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        target = save(tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == 0o777 & ~umask
    for path in target.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def test_nobody_else_can_enter_before_the_inspection(tmp_path):
    seen = []

    def inspect(draft):
        assert left_in(tmp_path) == [draft.parent.name]
        assert draft.parent.name.startswith(".")
        seen.append(stat.S_IMODE(draft.parent.stat().st_mode))
        assert Release.open(draft).manifest.files

    save(tmp_path, inspect=inspect)
    assert seen == [0o700]


# Failures at every step.


def _fail(*arguments, **options):
    raise OSError(errno.ENOSPC, "No space left on device")


STEPS = {
    "private folder": (Path, "mkdir"),
    "table": (store, "write_table"),
    "text": (Path, "write_text"),
    "sum": (draft, "_sha256"),
    "rename": (Path, "rename"),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt(), ValueError()]
)
def test_nothing_is_left(tmp_path, monkeypatch, step, error):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(*STEPS[step], fail)
    expected = OutputError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected):
        save(tmp_path)
    monkeypatch.undo()
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("failing", range(1, 4))
def test_nothing_is_left_wherever_writing_text_fails(tmp_path, monkeypatch, failing):
    """The hierarchy is written first and the manifest second; the third would be too many."""
    write, calls = Path.write_text, []

    def write_until(*arguments, **options):
        calls.append(arguments)
        return _fail() if len(calls) == failing else write(*arguments, **options)

    monkeypatch.setattr(Path, "write_text", write_until)
    if failing == 3:
        save(tmp_path)
        assert left_in(tmp_path) == ["release"]
    else:
        with pytest.raises(OutputError, match="the disk is full; nothing was written"):
            save(tmp_path)
        assert left_in(tmp_path) == []


def test_refused_by_the_inspection(tmp_path):
    def inspect(draft):
        raise VerificationError("no", reason="not-verified")

    with pytest.raises(VerificationError):
        save(tmp_path, inspect=inspect)
    assert left_in(tmp_path) == []


# Somebody else makes the target meanwhile.


@pytest.mark.parametrize("kind", ["empty", "full", "file", "link"])
def test_target_made_meanwhile_is_left_alone(tmp_path, kind):
    target = tmp_path / "release"

    def inspect(draft):
        _make(target, kind)

    with pytest.raises(OutputError) as caught:
        save(tmp_path, inspect=inspect)
    assert caught.value.reason == "target-exists"
    assert left_in(tmp_path) == ["release"]
    _check(target, kind)


@pytest.mark.parametrize("kind", ["full", "file"])
def test_target_made_in_the_last_moment(tmp_path, monkeypatch, kind):
    """After the last look, but before the name is taken."""
    rename = Path.rename

    def late(draft, target):
        _make(target, kind)
        return rename(draft, target)

    monkeypatch.setattr(Path, "rename", late)
    with pytest.raises(OutputError) as caught:
        save(tmp_path)
    assert caught.value.reason == "target-exists"
    assert left_in(tmp_path) == ["release"]
    _check(tmp_path / "release", kind)


def _make(target, kind):
    if kind == "file":
        target.write_text("mine")
    elif kind == "link":
        target.symlink_to("nowhere")
    else:
        target.mkdir()
        if kind == "full":
            target.joinpath("mine").write_text("mine")


def _check(target, kind):
    if kind == "file":
        assert target.read_text() == "mine"
    elif kind == "link":
        assert target.is_symlink()
    else:
        assert left_in(target) == (["mine"] if kind == "full" else [])


# Targets that cannot be.


def test_target_exists(tmp_path):
    tmp_path.joinpath("release").mkdir()
    with pytest.raises(OutputError) as caught:
        save(tmp_path)
    assert caught.value.reason == "target-exists"
    assert left_in(tmp_path / "release") == []


def test_parent_is_missing(tmp_path):
    with pytest.raises(OutputError) as caught:
        save(tmp_path / "no")
    assert caught.value.reason == "no-parent"


def test_unknown_format(tmp_path):
    with pytest.raises(OutputError, match="use one of parquet, csv"):
        save(tmp_path, "xlsx")
    assert left_in(tmp_path) == []


def test_table_named_like_a_hierarchy_file(tmp_path):
    made = release("hierarchy_2")
    with pytest.raises(OutputError) as caught:
        made.save(tmp_path / "release", format="csv")
    assert caught.value.reason == "name-clash"
    assert left_in(tmp_path) == []
    made.save(tmp_path / "release", format="parquet")
    assert_frame_equal(Release.open(tmp_path / "release").frames["hierarchy_2"], FRAME)


# Directories that are no releases.


def test_no_directory(tmp_path):
    with pytest.raises(ReleaseError) as caught:
        open_release(tmp_path / "nowhere")
    assert caught.value.reason == "not-a-release"


@pytest.mark.parametrize("name", ["people.parquet", "hierarchy_2.csv"])
def test_missing_file(tmp_path, name):
    target = save(tmp_path)
    target.joinpath(name).unlink()
    with pytest.raises(ReleaseError, match=f"file {name} is missing"):
        open_release(target)


@pytest.mark.parametrize("format_", ["parquet", "csv"])
@pytest.mark.parametrize("content", [b"", b"PAR1", b"a,b\n1,2,SECRET\n\xff", b"\xff\xfe"])
def test_broken_table(tmp_path, format_, content):
    target = save(tmp_path, format_)
    target.joinpath(f"people.{format_}").write_bytes(content)
    for hashed in (False, True):
        if hashed:
            rehash(target)
        with pytest.raises(ReleaseError) as caught:
            open_release(target)
        assert caught.value.reason in ("unreadable-table", "changed-file")
        assert caught.value.reason == "unreadable-table" or not hashed
        assert "SECRET" not in str(caught.value)
        assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_hierarchy_file_in_another_encoding(tmp_path):
    target = save(tmp_path)
    target.joinpath("hierarchy_2.csv").write_bytes(b"\xff")
    rehash(target)
    with pytest.raises(ReleaseError, match=r"hierarchy_2\.csv cannot be read"):
        open_release(target)


# What disks say.


@pytest.mark.parametrize(
    ("error", "reason", "said"),
    [
        (OSError(errno.ENOSPC, "x"), "disk-full", "the disk is full"),
        (OSError(errno.EDQUOT, "x"), "disk-full", "the disk is full"),
        (OSError(errno.EFBIG, "x"), "disk-full", "the disk is full"),
        (OSError("File too large (os error 27)"), "disk-full", "the disk is full"),
        (
            pl.exceptions.ComputeError("parquet: IO: No space left on device (os error 28)"),
            "disk-full",
            "the disk is full",
        ),
        (PermissionError(errno.EACCES, "x"), "cannot-write", "Permission denied"),
        (OSError("SECRET"), "cannot-write", "Input/output error"),
    ],
)
def test_disk_faults(error, reason, said):
    with pytest.raises(OutputError) as caught, disk_faults(Path("target")):
        raise error
    assert caught.value.reason == reason
    assert said in str(caught.value)
    assert str(caught.value).startswith("target")
    assert "SECRET" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("error", [pl.exceptions.ComputeError("x"), ValueError("x")])
def test_other_errors_pass(error):
    with pytest.raises(type(error)), disk_faults(Path("target")):
        raise error


# One file.


def test_whole_file(tmp_path):
    write_whole(tmp_path / "draft.yaml", "größe\n")
    assert left_in(tmp_path) == ["draft.yaml"]
    assert tmp_path.joinpath("draft.yaml").read_text(encoding="utf-8") == "größe\n"


@pytest.mark.parametrize(
    "step", ["papilio.release.draft.flush_file", "pathlib.Path.replace", "os.write"]
)
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_no_part_of_a_file_is_left(tmp_path, monkeypatch, step, error):
    def fail(path, *arguments, **options):
        raise error

    monkeypatch.setattr(step, fail)
    expected = OutputError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        write_whole(tmp_path / "draft.yaml", "text")
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("kind", ["file", "empty", "link"])
def test_whole_file_replaces_nothing(tmp_path, kind):
    _make(tmp_path / "draft.yaml", kind)
    with pytest.raises(OutputError) as caught:
        write_whole(tmp_path / "draft.yaml", "text")
    assert caught.value.reason == "target-exists"
    assert left_in(tmp_path) == ["draft.yaml"]
    _check(tmp_path / "draft.yaml", kind)


def test_a_panic_of_a_reader_is_one_line(tmp_path, monkeypatch):
    target = save(tmp_path)

    def panic(*_, **__):
        raise pl.exceptions.PanicException("SECRET")

    monkeypatch.setattr(pl, "read_parquet", panic)
    with pytest.raises(ReleaseError, match="cannot be read") as caught:
        open_release(target)
    assert "SECRET" not in str(caught.value)
