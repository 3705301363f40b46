"""Files of a project that the browser may fetch; names are checked in one place."""

from __future__ import annotations

import asyncio
import secrets
import zipfile
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response
from nicegui import ui
from starlette.background import BackgroundTask

from papilio.errors import DataError, PapilioError
from papilio.web.project import Project
from papilio.web.safe_name import inside
from papilio.web.security.refusal import page_of
from papilio.web.workspace import Workspace

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


def download_link(text: str, project: Project, kind: str, name: str) -> ui.link:
    """A link that saves a file of a project."""
    link = ui.link(text, download_address(project, kind, name)).classes("button secondary")
    link.props["download"] = True
    return link


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
