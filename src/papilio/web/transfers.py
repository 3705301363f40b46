"""Files that come in and files that go out; names are checked in one place."""

from __future__ import annotations

import asyncio
import secrets
import zipfile
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect

from papilio.errors import DataError, OutputError, PapilioError
from papilio.release.draft import flush_file, flush_folder, put_in_place
from papilio.web.project import Project, Workspace
from papilio.web.safe_name import inside, make_safe
from papilio.web.security.access import UPLOADS, page_of

#: A report is one file with everything in it; it needs nothing else and may do nothing else.
_REPORT = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    # The page around it may print it.
    "frame-ancestors 'self'; sandbox allow-same-origin allow-modals"
)
_FOLDERS = ("reports", "hierarchies", "releases")


def download_address(project: Project, kind: str, name: str, *, inline: bool = False) -> str:
    """Address of a file of a project.

    Parameters
    ----------
    project
        Whose file it is.
    kind
        ``releases`` (a release's number, given as a ZIP file), ``reports``, ``hierarchies`` or
        ``policy``.
    name
        Its name there.
    inline
        Show it in the browser instead; for reports only.
    """
    path = "/".join(quote(part, safe="") for part in (project.name, kind, name))
    return f"/download/{path}{'?inline=1' if inline else ''}"


def add_downloads(app: FastAPI, workspace: Workspace) -> None:
    """Add the addresses of downloads to a server."""

    async def download(project: str, kind: str, name: str, inline: int = 0) -> Response:
        try:
            found = workspace.project(project)
            path = _path(found, kind, name)
            if kind == "releases":
                return await _zipped(found, path)
        except PapilioError as error:
            return HTMLResponse(page_of("There is no such file", str(error)), 404)
        if inline and kind == "reports":
            return FileResponse(path, headers={"content-security-policy": _REPORT})
        return FileResponse(path, filename=path.name)

    app.get("/download/{project}/{kind}/{name}", include_in_schema=False)(download)


def _path(project: Project, kind: str, name: str) -> Path:
    if kind == "policy" and name == project.policy_file.name:
        return inside(project.folder, name)
    if kind not in _FOLDERS:
        raise _missing()
    path = inside(project.folder / kind, name)
    if kind == "releases" and name in map(str, project.release_numbers()):
        return path
    if kind == "releases" or not path.is_file():
        raise _missing()
    return path


def _missing() -> DataError:
    return DataError("this project has no file of this name", reason="no-file")


async def _zipped(project: Project, release: Path) -> Response:
    target = project.state / f".papilio-{secrets.token_hex(8)}.zip"
    cleaned = BackgroundTask(target.unlink, missing_ok=True)
    try:
        await asyncio.to_thread(_zip, release, target)
    except OSError as error:
        target.unlink(missing_ok=True)
        raise DataError(
            f"the release cannot be packed ({error.strerror})", reason="cannot-write"
        ) from None
    name = f"{project.name}-release-{release.name}.zip"
    return FileResponse(target, filename=name, background=cleaned)


def _zip(folder: Path, target: Path) -> None:
    # Parquet is compressed already; packing must not take longer than reading.
    with zipfile.ZipFile(target, "x", zipfile.ZIP_STORED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                packed.write(path, Path(folder.name) / path.relative_to(folder))


def replace_text(path: Path, text: str, what: str) -> None:
    """Write a file, in the place of the one that may be there; readers see the old or the new one.

    Parameters
    ----------
    path, text
        The file and what it shall say.
    what
        What it is, for the message.

    Raises
    ------
    OutputError
        If the disk refuses; then the old file is as it was.
    """
    try:
        put_in_place(path, text.encode(), check=_anything)
    except OSError as error:
        raise OutputError(
            f"the {what} cannot be written ({error.strerror})", reason="cannot-write"
        ) from None


def _anything(path: Path) -> None:
    """Take what is there, whatever it is: it is replaced."""
    del path


#: Folders of a project that take uploads.
KINDS = ("data", "hierarchies")
#: Bytes that are gathered before they are written.
_BATCH = 1 << 20


def add_uploads(app: FastAPI, workspace: Workspace) -> None:
    """Add the address of uploads to a server: one file per request, as its whole body."""

    async def upload(project: str, kind: str, name: str, request: Request) -> Response:
        try:
            target = await _receive(request, _folder(workspace, project, kind), name)
        except PapilioError as error:
            return JSONResponse({"message": str(error)}, 400)
        return JSONResponse({"name": target.name})

    app.put(f"{UPLOADS}{{project}}/{{kind}}/{{name}}", include_in_schema=False)(upload)


def _folder(workspace: Workspace, project: str, kind: str) -> Path:
    found = workspace.project(project)
    if kind not in KINDS:
        raise DataError("there is no such folder for uploads", reason="no-folder")
    return found.folder / kind


def _free(folder: Path, name: str) -> Path:
    """Path for a new file; a name that is taken gets a number, so nothing is overwritten."""
    stem, dot, ending = make_safe(name, "file").partition(".")
    target = inside(folder, f"{stem}{dot}{ending}")
    number = 1
    while target.exists():
        number += 1
        target = inside(folder, f"{stem}-{number}{dot}{ending}")
    return target


async def _receive(request: Request, folder: Path, name: str) -> Path:
    _free(folder, name)  # A name that is not accepted is refused before anything comes in.
    hidden = folder / f".papilio-{secrets.token_hex(8)}"
    try:
        with hidden.open("xb") as file:
            hidden.chmod(0o600)
            gathered = bytearray()
            async for part in request.stream():
                gathered += part
                if len(gathered) >= _BATCH:
                    await asyncio.to_thread(file.write, bytes(gathered))
                    gathered.clear()
            await asyncio.to_thread(file.write, bytes(gathered))
        await asyncio.to_thread(flush_file, hidden)
        # Chosen now, and not given up in between: another upload may have taken the name.
        target = _free(folder, name)
        hidden.rename(target)
        await asyncio.to_thread(flush_folder, folder)
    except ClientDisconnect:
        raise DataError("the upload was broken off", reason="broken-off") from None
    except OSError as error:
        raise OutputError(
            f"the file cannot be written ({error.strerror})", reason="cannot-write"
        ) from None
    finally:
        hidden.unlink(missing_ok=True)
    return target
