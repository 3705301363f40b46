"""Where a release cannot go: exit 2, one line, nothing changed."""

import ctypes
import errno
import os
import resource
import shutil
import signal
import subprocess

import polars as pl
import pytest
from cli_bench import POLICY

from sizes import some, spread

OUTPUTS = {
    "publish": ("publish", "policy.yaml", "-o"),
    "demo": ("demo", "-o"),
    "init": ("init", "people.csv", "-o"),
    "report": ("report", "made", "--original", "policy.yaml", "-o"),
}


@pytest.fixture
def made(bench):
    """The bench with a release, which reports are about."""
    assert bench.run("publish", "policy.yaml", "-o", "made").code == 0
    return bench


@pytest.mark.parametrize("command", OUTPUTS)
@pytest.mark.parametrize("kind", spread(["full", "empty", "file", "dangling", "link"], 2))
def test_target_exists(made, command, kind):
    target = made.folder / "target"
    if kind == "file":
        target.write_text("mine")
    elif kind in ("full", "empty"):
        target.mkdir()
        if kind == "full":
            target.joinpath("mine").write_text("mine")
    else:
        target.symlink_to("nowhere" if kind == "dangling" else "policy.yaml")
    (message,) = made.refused(*OUTPUTS[command], "target")
    assert message.startswith("target ")
    assert "exists already" in message or "is a directory" in message


@pytest.mark.parametrize("command", OUTPUTS)
def test_parent_is_missing(made, command):
    (message,) = made.refused(*OUTPUTS[command], "no/where")
    assert "no is not a directory; create it first" in message


@pytest.mark.parametrize("command", OUTPUTS)
def test_parent_is_a_file(made, command):
    (message,) = made.refused(*OUTPUTS[command], "people.csv/release")
    assert "people.csv is not a directory" in message


@pytest.mark.parametrize("command", OUTPUTS)
def test_name_too_long(made, command):
    (message,) = made.refused(*OUTPUTS[command], "x" * 300)
    assert "cannot be written (File name too long)" in message


@pytest.mark.parametrize("length", [200, 255])
def test_long_names_that_the_disk_takes_are_fine(bench, length):
    assert bench.run("publish", "policy.yaml", "-o", "r" * length).code == 0
    assert bench.run("init", "people.csv", "-o", "p" * length).code == 0


def test_existing_targets_are_told_before_the_data_is_read(bench):
    bench.folder.joinpath("people.csv").unlink()
    bench.folder.joinpath("release").mkdir()
    (message,) = bench.refused_publish()
    assert "release exists already" in message


def test_report_inside_the_release(made):
    (message,) = made.refused(*OUTPUTS["report"], "made/report.html")
    assert "lies inside a release" in message


def test_unknown_format(bench):
    (message,) = bench.refused_publish("--format", "xlsx")
    assert message == "unknown format 'xlsx'; use one of parquet, csv"


def test_table_named_like_a_file_of_the_release(bench):
    bench.folder.joinpath("people.csv").rename("hierarchy_1.csv")
    bench.write("job.csv", "job0,*\njob1,*\njob2,*\n")
    policy = POLICY.replace("people.csv", "hierarchy_1.csv").replace("age: quasi", "age: plain")
    bench.write(
        "policy.yaml", policy.replace("job: quasi", "job: {role: quasi, hierarchy: job.csv}")
    )
    (message,) = bench.refused_publish("--format", "csv")
    assert "'hierarchy_1'" in message
    assert "'name'" in message
    assert bench.publish("--format", "parquet").code == 0


# A folder that may not be written to. Root may write everywhere; so the command gives up that
# right first, which leaves root with the rights of an owner.


def _heed_permissions():
    drop_from_bounding_set, override_permissions = 24, 1
    ctypes.CDLL(None).prctl(drop_from_bounding_set, override_permissions, 0, 0, 0)


@pytest.fixture
def shut_folder(bench):
    folder = bench.folder / "shut"
    folder.mkdir()
    folder.chmod(0o555)
    probe = subprocess.run(
        ["mkdir", str(folder / "probe")], preexec_fn=_heed_permissions, check=False
    )
    if probe.returncode == 0:
        pytest.skip("there is no folder here that may not be written to")
    yield folder
    folder.chmod(0o755)


@pytest.mark.parametrize("command", some(["publish", "init"]))
def test_folder_that_may_not_be_written_to(bench, shut_folder, command):
    result = bench.spawn_and_wait(*OUTPUTS[command], "shut/x", preexec_fn=_heed_permissions)
    assert result.code == 2, result
    assert result.lines == ["shut/x cannot be written (Permission denied); nothing was written"]
    assert list(shut_folder.iterdir()) == []


@pytest.mark.parametrize("command", some(["publish", "report"]))
def test_folder_that_may_not_be_entered(made, shut_folder, command):
    shut_folder.chmod(0o000)
    result = made.spawn_and_wait(*OUTPUTS[command], "shut/x", preexec_fn=_heed_permissions)
    assert result.code == 2, result
    assert result.lines == ["shut/x cannot be written (Permission denied); nothing was written"]


# A full disk.


def _limit_files():
    # Writing beyond the limit then fails with EFBIG instead of ending the process.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))


@pytest.fixture(scope="module")
def many_people():
    rows = "".join(
        f"person{i},{i * 7919 % 70},{i * 31 % 9000:04},ill{i * i % 20011}\n" for i in range(20_000)
    )
    return "name,age,job,disease\n" + rows


@pytest.mark.parametrize("format_", some(["parquet", "csv"]))
def test_disk_that_takes_no_more(bench, many_people, format_):
    bench.write("people.csv", many_people)
    before = bench.content()
    command = ("publish", "policy.yaml", "-o", "release", "--format", format_)
    result = bench.spawn_and_wait(*command, preexec_fn=_limit_files)
    assert result.code == 2, result
    assert result.lines == ["release: the disk is full; nothing was written"]
    assert bench.content() == before


def test_draft_on_a_full_disk(bench):
    names = ",".join("n" * 900 + str(i) for i in range(40))
    bench.write("wide.csv", names + "\n" + "1," * 39 + "1\n")
    before = bench.content()
    result = bench.spawn_and_wait("init", "wide.csv", "-o", "draft.yaml", preexec_fn=_limit_files)
    assert result.code == 2, result
    assert result.lines == ["draft.yaml: the disk is full; nothing was written"]
    assert bench.content() == before


@pytest.mark.long
def test_demonstration_on_a_full_disk(bench):
    before = bench.content()
    result = bench.spawn_and_wait("demo", "-o", "demo", preexec_fn=_limit_files)
    assert result.code == 2, result
    assert result.lines == ["demo: the disk is full; nothing was written"]
    assert bench.content() == before


@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_file_system_that_is_full(bench, many_people, format_):
    """The same on a small file system of its own, which only root can make."""
    room = bench.folder / "room"
    room.mkdir()
    mounted = (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(room)],
            capture_output=True,
            check=False,
        )
        if shutil.which("mount")
        else None
    )
    if mounted is None or mounted.returncode != 0:
        pytest.skip("a file system of a given size cannot be mounted here")
    try:
        bench.write("people.csv", many_people)
        (message,) = bench.refused(
            "publish", "policy.yaml", "-o", "room/release", "--format", format_
        )
        assert message == "room/release: the disk is full; nothing was written"
    finally:
        subprocess.run(["umount", str(room)], check=True)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_every_way_a_disk_is_full(bench, monkeypatch, number):
    def write(*arguments, **options):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(pl.DataFrame, "write_parquet", write)
    (message,) = bench.refused_publish()
    assert message == "release: the disk is full; nothing was written"


def test_disk_that_fails(bench, monkeypatch):
    def write(*arguments, **options):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(pl.DataFrame, "write_parquet", write)
    (message,) = bench.refused_publish()
    assert message == "release cannot be written (Input/output error); nothing was written"


def test_a_defect_of_polars_is_not_taken_for_a_full_disk(bench, monkeypatch):
    def write(*arguments, **options):
        raise pl.exceptions.ComputeError("person3")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", write)
    (message,) = bench.refused_publish(code=70)
    assert "ComputeError" in message
    assert "person3" not in message
