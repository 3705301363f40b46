"""Files that come in: streamed to their place in the project, whole or not at all."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect

from papilio.errors import DataError, OutputError, PapilioError
from papilio.release.durable import flush_file, flush_folder
from papilio.web.safe_name import inside, make_safe
from papilio.web.security.limit import UPLOADS
from papilio.web.workspace import Workspace

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
