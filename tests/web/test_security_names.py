"""No name leads out of the workspace."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx
import pytest
from asking import client
from running import Running

from papilio.errors import DataError
from papilio.web.project import Project, Workspace, opened
from papilio.web.safe_name import inside, make_safe, safe_name
from sizes import spread

BAD = ["", ".", "..", "../x", "a/b", "a\\b", "/etc/passwd", ".hidden", "a\0b", "a\nb", "x ", "x.",
       "-rf", "a" * 200, "é" * 70, "a:b", "a*b", "~"]  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_names_are_refused_and_not_repeated(name: str, tmp_path: Path) -> None:
    for check in (safe_name, lambda text: inside(tmp_path, text), Workspace(tmp_path).project):
        with pytest.raises(DataError) as refused:
            check(name)
        assert len(name) < 5 or name not in str(refused.value)


@pytest.mark.parametrize("name", ["a", "patients.csv", "Übung 2", "a-b_c.tar.gz", "x (1).csv"])
def test_good_names_stay(name: str, tmp_path: Path) -> None:
    assert safe_name(name) == name
    assert inside(tmp_path, name) == tmp_path / name


@pytest.mark.parametrize("name", [*BAD, "Ü" * 300, "../../etc/passwd", "…"])
def test_any_text_can_be_made_safe(name: str) -> None:
    assert safe_name(make_safe(name, "file"))


def test_links_out_of_a_folder_lead_nowhere(tmp_path: Path) -> None:
    folder, secret = tmp_path / "in", tmp_path / "secret"
    folder.mkdir()
    secret.mkdir()
    (folder / "link").symlink_to(secret)
    (folder / "own").symlink_to(folder)
    with pytest.raises(DataError, match="leads out"):
        inside(folder, "link")
    with pytest.raises(DataError, match="leads out"):
        inside(folder, "link", "file")
    assert inside(folder, "own") == folder / "own"


@pytest.fixture(scope="session")  # with the workbench: tests of a file need not follow each other
def project(shared_workbench: Running) -> Project:
    made = Workspace(shared_workbench.workspace).create("names")
    (made.reports / "report-1.html").write_text("<p>for the owner</p>")
    outside = shared_workbench.workspace.parent / "outside"
    outside.mkdir()
    (outside / "policy.yaml").write_text("papilio: 1\n# OUTSIDE\n")
    (outside / "release.json").write_text('{"OUTSIDE": 1}')
    (made.reports / "link.html").symlink_to(outside / "policy.yaml")
    (made.releases / "1").symlink_to(outside)
    (shared_workbench.workspace / "linked").symlink_to(outside)
    (shared_workbench.workspace / "loose.txt").write_text("OUTSIDE")
    return made


PATHS = [
    "/p/../data", "/p/%2e%2e/data", "/p/..%2f..%2fetc/data", "/p/%2e%2e%2foutside/data",
    "/p/linked/data", "/p/names%2f..%2f..%2foutside/data", "/p/.papilio-workspace/data",
    "/download/names/reports/..%2f..%2floose.txt", "/download/names/reports/%2e%2e",
    "/download/names/../policy/policy.yaml", "/download/..%2foutside/policy/policy.yaml",
    "/download/linked/policy/policy.yaml", "/download/names/reports/link.html",
    "/download/names/releases/1", "/download/names/releases/01", "/download/names/data/x.csv",
    "/download/names/state/profiles.json", "/download/names/policy/%2fetc%2fpasswd",
    "/download/names/reports/%5c..%5cx", "/download/names/reports/x%00.html",
    "/static/../server.py", "/static/%2e%2e/server.py", "/static/..%2fserver.py",
    "/static//etc/passwd", "//etc/passwd", "/download/names/reports//etc/passwd",
]  # fmt: skip


@pytest.mark.parametrize("path", spread(PATHS, 6))
def test_no_path_leads_out(shared_workbench: Running, project: Project, path: str) -> None:
    status, text = raw_get(shared_workbench, path)
    assert 400 <= status < 500, text
    assert "OUTSIDE" not in text
    assert "root:" not in text
    assert "<h1>" in text or "Not Found" in text
    if ".." in path or "%2" in path or "%5c" in path or "%00" in path:
        assert status == 400
        assert "could lead out of the workspace" in text


def raw_get(server: Running, path: str) -> tuple[int, str]:
    """Ask for a path exactly as it is written; clients would tidy it up first."""
    made = client(server)
    ((name, value),) = made.cookies.items()
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}",
             f"Cookie: {name}={value}", "Connection: close", "", ""]  # fmt: skip
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as wire:
        wire.sendall("\r\n".join(lines).encode())
        answer = b"".join(iter(lambda: wire.recv(65536), b"")).decode()
    return int(answer.split()[1]), answer


def test_what_belongs_to_the_project_is_given_out(
    shared_workbench: Running, project: Project
) -> None:
    made = client(shared_workbench)
    answer = made.get("/download/names/reports/report-1.html")
    assert answer.text == "<p>for the owner</p>"
    assert "attachment" in answer.headers["content-disposition"]
    shown = made.get("/download/names/reports/report-1.html?inline=1")
    assert "sandbox" in shown.headers["content-security-policy"]
    assert made.get("/download/names/policy/policy.yaml").text == "papilio: 1\n"


UPLOADS = ["/upload/names/data/%2e%2e", "/upload/names/data/..%2fx.csv", "/upload/names/state/x",
           "/upload/names/releases/x", "/upload/linked/data/x", "/upload/nobody/data/x",
           "/upload/..%2foutside/data/x"]  # fmt: skip


@pytest.mark.parametrize("path", UPLOADS)
def test_uploads_go_to_folders_for_uploads_only(
    shared_workbench: Running, project: Project, path: str
) -> None:
    before = everything(shared_workbench.workspace.parent)
    answer = put(shared_workbench, path, b"a\n1\n")
    assert 400 <= answer.status_code < 500
    assert everything(shared_workbench.workspace.parent) == before


def test_an_upload_overwrites_nothing(shared_workbench: Running, project: Project) -> None:
    first = put(shared_workbench, "/upload/names/data/x.csv", b"a\n1\n").json()["name"]
    second = put(shared_workbench, "/upload/names/data/x.csv", b"a\n2\n").json()["name"]
    hidden = put(shared_workbench, "/upload/names/data/.profile", b"a\n3\n").json()["name"]
    assert (first, second, hidden) == ("x.csv", "x-2.csv", "profile")
    assert (project.data / "x.csv").read_bytes() == b"a\n1\n"
    assert (project.data / "x-2.csv").read_bytes() == b"a\n2\n"


def put(server: Running, path: str, body: bytes) -> httpx.Response:
    return client(server).put(path, content=body, headers={"Origin": server.base})


def everything(folder: Path) -> set[str]:
    return {str(path) for path in folder.rglob("*")}


def test_a_project_is_made_under_a_free_name(tmp_path: Path) -> None:
    with opened(tmp_path / "w") as workspace:
        names = [workspace.create("../../adult data").name for _ in range(3)]
        assert names == ["adult-data", "adult-data-2", "adult-data-3"]
        assert {each.name for each in workspace.projects()} == set(names)
        workspace.remove("adult-data-2")
        assert workspace.create("adult data").name == "adult-data-2"
