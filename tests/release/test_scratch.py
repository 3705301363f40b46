"""The private place: who may enter it, what is left in it, what is removed at the next start."""

import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from papilio.errors import OutputError
from papilio.release import locked_folder as module
from papilio.release.locked_folder import (
    HIDDEN,
    LOCK,
    MARK,
    is_held,
    locked_folder,
    remove_leftovers,
)
from papilio.release.scratch import clear, path_of, scratch_folder, scratch_place, unnamed_file

DEAD = "0123456789abcdef"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The private place of a test."""
    base = tmp_path / "base"
    base.mkdir()
    monkeypatch.setenv("PAPILIO_SCRATCH", str(base))
    return base / f"papilio-scratch-{os.geteuid()}"


def left(parent, name=f"run-{DEAD}", mark=MARK):
    """A folder as a killed run leaves it."""
    folder = parent / name
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "rows").write_bytes(b"x" * 1500)
    if mark is not None:
        (folder / LOCK).write_bytes(mark)
    return folder


# The place.


def test_the_place_is_private(place):
    assert scratch_place() == place
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    with scratch_folder() as run:
        assert run.path.parent == place
        assert stat.S_IMODE(run.path.stat().st_mode) == 0o700
        (run.path / "rows").write_text("x")
    assert list(place.iterdir()) == []


def test_without_a_variable_it_is_in_the_users_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("PAPILIO_SCRATCH")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert tmp_path / "home" in scratch_place().parents
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert tmp_path / "state" / "papilio" == scratch_place().parent


def test_a_user_without_a_folder_takes_the_one_for_temporary_files(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("PAPILIO_SCRATCH")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert scratch_place() == tmp_path / f"papilio-scratch-{os.geteuid()}"


def entered_by_others(place):
    place.mkdir(mode=0o700)
    place.chmod(0o750)


def a_link(place):
    place.with_name("elsewhere").mkdir(mode=0o700)
    place.symlink_to(place.with_name("elsewhere"))


def a_file(place):
    place.write_text("")
    place.chmod(0o600)


def exchangeable(place):
    place.parent.chmod(0o777)


@pytest.mark.parametrize("spoil", [entered_by_others, a_link, a_file, exchangeable])
def test_a_place_that_is_not_private_is_refused(place, spoil):
    spoil(place)
    with pytest.raises(OutputError, match="is not a folder that only you can enter") as refused:
        scratch_place()
    assert refused.value.reason == "scratch-not-private"
    assert clear() == ()


def test_a_place_of_somebody_else_is_refused(place, monkeypatch):
    scratch_place()
    mine = os.geteuid()
    other = place.with_name(f"papilio-scratch-{mine + 1}")
    other.mkdir(mode=0o700)
    monkeypatch.setattr("os.geteuid", lambda: mine + 1)
    with pytest.raises(OutputError, match="PAPILIO_SCRATCH"):
        scratch_place()


def test_everybodys_folder_will_do_if_nobody_can_rename_in_it(place):
    place.parent.chmod(0o1777)
    assert scratch_place() == place


def test_a_place_that_is_not_there_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PAPILIO_SCRATCH", str(tmp_path / "nowhere"))
    with pytest.raises(OutputError, match="PAPILIO_SCRATCH") as refused, scratch_folder():
        pass
    assert refused.value.reason == "scratch-unusable"


# Files without names.


def test_a_file_without_a_name(tmp_path):
    import polars as pl
    import pyarrow.parquet as pq

    frame = pl.DataFrame({"a": [1, 2, 3]})
    with unnamed_file(tmp_path) as file:
        frame.write_parquet(file)
        file.flush()
        assert list(tmp_path.iterdir()) == []
        assert pq.read_table(path_of(file)).num_rows == 3
        assert pl.read_parquet(path_of(file)).equals(frame)


# What is left.


def test_what_a_killed_run_left_is_removed_and_named(place):
    folder = left(scratch_place())
    (found,) = clear()
    assert not folder.exists()
    expected = f"removed what a run that was killed left behind: {folder}, 1.6 kB"
    assert str(found) == expected
    assert clear() == ()


def test_unfinished_work_beside_a_target_is_removed(place, tmp_path):
    beside = tmp_path / "beside"
    folder = left(beside, HIDDEN + DEAD)
    (found,) = clear(beside)
    assert (found.path, found.removed) == (folder, True)
    assert list(beside.iterdir()) == []


@pytest.mark.parametrize("mark", [b"", MARK[:7], None])
def test_a_run_killed_before_it_wrote_its_mark(place, mark):
    folder = scratch_place() / f"run-{DEAD}"
    folder.mkdir()
    if mark is not None:
        (folder / LOCK).write_bytes(mark)
    (found,) = clear()
    assert found.path == folder
    assert not folder.exists()


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        (f"run-{DEAD}", None),
        (f"run-{DEAD}", b""),
        (f"run-{DEAD}", b"mine"),
        ("run-me", MARK),
        (f"run-{DEAD}0", MARK),
        (f"ran-{DEAD}", MARK),
    ],
)
def test_what_is_not_ours_stays(place, name, mark):
    folder = left(scratch_place(), name, mark)
    assert clear() == ()
    assert (folder / "deep" / "rows").read_bytes() == b"x" * 1500


def test_links_are_not_followed(place, tmp_path):
    outside = left(tmp_path / "outside", "kept")
    (scratch_place() / f"run-{DEAD}").symlink_to(outside)
    assert clear() == ()
    inside = left(scratch_place(), "run-fedcba9876543210")
    (inside / "folder").symlink_to(outside)
    (inside / "file").symlink_to(outside / "deep" / "rows")
    (found,) = clear()
    assert found.size < 2000
    assert not inside.exists()
    assert (outside / "deep" / "rows").exists()


def test_a_lock_that_is_a_link_is_not_touched(place, tmp_path):
    (tmp_path / "victim").write_bytes(MARK)
    folder = left(scratch_place(), mark=None)
    (folder / LOCK).symlink_to(tmp_path / "victim")
    assert clear() == ()
    assert folder.exists()


def test_what_belongs_to_somebody_else_stays(place, monkeypatch):
    folder = left(scratch_place())
    mine = os.geteuid()
    monkeypatch.setattr("os.geteuid", lambda: mine + 1)
    assert remove_leftovers(folder.parent, "run-") == ()
    assert folder.exists()


def test_what_cannot_be_removed_is_told(place, monkeypatch):
    folder = left(scratch_place())
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)
    (found,) = clear()
    assert str(found) == (
        f"a run that was killed left something behind: {folder}, 1.6 kB; it cannot be removed"
    )


# Runs that live.


def test_a_run_that_lives_keeps_its_folder(place):
    with scratch_folder() as run:
        (run.path / "rows").write_text("x")
        assert is_held(run.path)
        assert clear() == ()
        assert (run.path / "rows").exists()


SCRIPT = """
    import subprocess, sys
    from pathlib import Path
    from papilio.release.locked_folder import locked_folder
    from papilio.release.scratch import scratch_folder
    with scratch_folder() as run, locked_folder(Path(sys.argv[1]), ".papilio-") as draft:
        (run.path / "rows").write_text("x" * 100)
        (draft.path / "rows").write_text("x" * 100)
        child = subprocess.Popen(["cat"], stdin=0, stdout=2, pass_fds=(run.lock,))
        print(run.path, draft.path, child.pid, sep="\\n", flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def other_run(place, tmp_path):
    """A run in a process of its own, with a child that holds the lock as well."""
    arguments = [sys.executable, "-c", textwrap.dedent(SCRIPT), str(tmp_path)]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def test_the_folder_of_another_process_goes_when_it_and_its_children_have_gone(
    place, tmp_path, other_run
):
    run, draft, child = (other_run.stdout.readline().strip() for _ in range(3))
    assert clear(tmp_path) == ()
    other_run.send_signal(signal.SIGKILL)
    other_run.wait()
    # The child still lives, and may still write to the folder whose lock it has.
    assert [str(each.path) for each in clear(tmp_path)] == [draft]
    assert Path(run).exists()
    os.kill(int(child), signal.SIGKILL)
    other_run.stdin.close()
    _wait_until_gone(int(child))
    assert [str(each.path) for each in clear(tmp_path)] == [run]
    assert not Path(run).exists()


def _wait_until_gone(number):
    """Wait until a process that is not our child has given its locks back."""
    handle = os.pidfd_open(number)
    try:
        import select

        assert select.select([handle], [], [], 100)[0]
    finally:
        os.close(handle)


@pytest.mark.parametrize("moment", ["after mkdir", "after open", "after lock"])
def test_who_cleans_up_while_a_folder_is_made_does_no_harm(place, monkeypatch, moment):
    """At each step of making a folder somebody else may look at it, and take it for left."""
    parent, calls = scratch_place(), []

    def then_clear(function):
        def run(*arguments, **options):
            made = function(*arguments, **options)
            if not calls:
                calls.append(None)
                with monkeypatch.context() as undone:
                    undone.undo()
                    clear()
            return made

        return run

    target, name = {
        "after mkdir": (Path, "mkdir"),
        "after open": (module.os, "open"),
        "after lock": (module.fcntl, "flock"),
    }[moment]
    original = getattr(target, name)
    with monkeypatch.context() as patched:
        patched.setattr(target, name, then_clear(original))
        with locked_folder(parent, "run-") as made:
            patched.setattr(target, name, original)
            assert calls
            (made.path / "rows").write_text("x")
            assert clear() == ()
            assert (made.path / "rows").exists()
    assert list(parent.iterdir()) == []
