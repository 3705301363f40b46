"""Nothing larger than the limit comes in, however it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from asking import client
from running import Running, running

from papilio.cli.app import run
from papilio.cli.serve import upload_limit
from papilio.web.project import Project, Workspace
from sizes import spread

LIMIT = 3 * 1024 * 1024


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("limit"), "--limit", "3MiB") as server:
        yield server


@pytest.fixture(scope="module")
def project(small: Running) -> Project:
    return Workspace(small.workspace).create("limits")


def put(server: Running, path: str, content: object) -> httpx.Response:
    return client(server).put(path, content=content, headers={"Origin": server.base})


def parts(size: int) -> Iterator[bytes]:
    """The same without Content-Length."""
    while size > 0:
        yield b"x" * min(size, 50_000)
        size -= 50_000


def test_what_fits_comes_in_whole(small: Running, project: Project) -> None:
    for content in (b"x" * LIMIT, parts(LIMIT)):
        name = put(small, "/upload/limits/data/fits.csv", content).json()["name"]
        assert (project.data / name).stat().st_size == LIMIT
        assert (project.data / name).stat().st_mode & 0o077 == 0
        (project.data / name).unlink()


@pytest.mark.parametrize("size", [LIMIT + 1, 20 * LIMIT])
def test_what_does_not_fit_is_refused_with_a_page(
    small: Running, project: Project, size: int
) -> None:
    answer = put(small, "/upload/limits/data/big.csv", b"x" * size)
    assert answer.status_code == 413
    assert "larger than the limit" in answer.text
    assert "3.0 MiB" in answer.text
    assert list(project.data.iterdir()) == []


def test_it_is_counted_while_it_comes_in(small: Running, project: Project) -> None:
    """Whoever waited for the body to be whole would take all of it before refusing it."""
    sent = 0

    def much() -> Iterator[bytes]:
        nonlocal sent
        while sent < 40 * LIMIT:
            sent += 100_000
            yield b"x" * 100_000

    try:
        answer = put(small, "/upload/limits/data/much.csv", much())
    except httpx.TransportError:
        pass  # the server answered and hung up while the client was still sending
    else:
        assert answer.status_code == 413
    assert sent < 40 * LIMIT
    assert list(project.data.iterdir()) == []


def test_an_upload_that_ends_later_takes_nobodys_name(small: Running, project: Project) -> None:
    """Both begin while the name is free; whoever ends last must not overwrite the other."""

    def slow() -> Iterator[bytes]:
        yield b"slow" * 20_000
        quick = put(small, "/upload/limits/data/same.csv", b"quick")
        assert quick.json() == {"name": "same.csv"}
        yield b"slow"

    assert put(small, "/upload/limits/data/same.csv", slow()).json() == {"name": "same-2.csv"}
    assert (project.data / "same.csv").read_bytes() == b"quick"
    for path in project.data.iterdir():
        path.unlink()


def test_other_requests_may_hold_next_to_nothing(small: Running) -> None:
    assert put(small, "/p/limits/data", b"x" * 70_000).status_code == 413
    assert put(small, "/p/limits/data", b"x").status_code in (404, 405)


def test_an_upload_that_is_broken_off_leaves_nothing(small: Running, project: Project) -> None:
    class BrokenError(Exception):
        pass

    def some() -> Iterator[bytes]:
        yield b"x" * 1_500_000
        raise BrokenError

    with pytest.raises(BrokenError):
        put(small, "/upload/limits/data/broken.csv", some())
    client(small).get("/")  # whatever is still to be done for the broken one is done by now
    assert list(project.data.iterdir()) == []


@pytest.mark.parametrize("text", ["0", "-1", "many", "1 parsec", "5e3"])
def test_a_limit_that_is_no_size_is_misuse(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--no-browser", "--workspace", str(tmp_path / "w"), f"--limit={text}"]
    assert run(["serve", *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "--limit" in said.err
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize(
    ("text", "size"),
    spread([("1", 1), ("2 KiB", 2048), ("3MB", 3_000_000), ("1.5GiB", 3 << 29)], 2),
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert upload_limit(text) == size
