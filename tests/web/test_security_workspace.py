"""One folder, one server; nothing is written elsewhere; it ends quietly."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest
from asking import client
from running import Running, launch, running

from papilio.cli.app import run
from papilio.web.project import default_folder, opened
from sizes import some


def test_a_second_server_on_the_same_workspace_is_refused(
    shared_workbench: Running, tmp_path: Path
) -> None:
    second = launch(tmp_path, "--workspace", str(shared_workbench.workspace))
    assert second.wait(timeout=120) == 2
    errors = (tmp_path / "errors").read_text()
    assert errors.count("\n") == 1
    assert "another papilio serve works in this workspace" in errors
    assert client(shared_workbench).get("/").status_code == 200


@pytest.mark.parametrize("how", some([signal.SIGINT, signal.SIGTERM]))
def test_it_ends_quietly_and_leaves_nothing(tmp_path: Path, how: signal.Signals) -> None:
    with running(tmp_path) as server:
        made = client(server)
        assert made.get("/").status_code == 200
        code, said = server.stop(how)
    assert code == 0
    assert said == "The workbench has ended.\n"
    assert list((tmp_path / "cwd").iterdir()) == []
    assert [path.name for path in server.workspace.iterdir()] == [".papilio-workspace"]


@pytest.mark.long
def test_a_workspace_can_be_taken_again_after_a_kill(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.stop(signal.SIGKILL)
    with running(tmp_path) as again:
        assert client(again).get("/").status_code == 200


def test_it_listens_on_this_machine_only(workbench: Running) -> None:
    with socket.socket() as other:
        other.settimeout(120)
        # Every address of 127/8 is this machine; one that was not bound refuses.
        assert other.connect_ex(("127.0.0.2", workbench.port)) != 0


def test_the_workspace_is_private(workbench: Running) -> None:
    assert workbench.workspace.stat().st_mode & 0o077 == 0


def refused(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What is said when the workbench does not even start."""
    assert run(["serve", "--no-browser", *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_a_workspace_that_cannot_be_made_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    said = refused(capsys, "--workspace", str(tmp_path / "file" / "w"))
    assert "the workspace cannot be used" in said


def test_a_port_that_is_taken_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        said = refused(capsys, "--workspace", str(tmp_path / "w"), "--port", port)
    assert f"port {port} cannot be used" in said


def test_a_workspace_is_free_again_after_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(tmp_path / "w"):
        assert "another papilio serve" in refused(capsys, "--workspace", str(tmp_path / "w"))
    with opened(tmp_path / "w") as workspace:
        assert workspace.projects() == ()


def test_a_lock_that_is_a_link_is_not_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".papilio-workspace").symlink_to(tmp_path / "victim")
    assert "the workspace cannot be used" in refused(capsys, "--workspace", str(tmp_path / "w"))
    assert not (tmp_path / "victim").exists()


def test_without_a_folder_the_one_of_the_user_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "papilio" / "workspace"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert default_folder() == Path.home() / ".local" / "state" / "papilio" / "workspace"
