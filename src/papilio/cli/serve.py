"""``papilio serve``: the workbench in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from papilio.cli.output import clear_leftovers, print_json, say, tell_leftover
from papilio.data.wording import bytes_of
from papilio.errors import PapilioError

NAME = "serve"


def command(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen at; 0: any free one.")
    ] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.")
    ] = False,
    workspace: Annotated[
        Path | None,
        typer.Option("--workspace", help="The one folder projects are kept in; private to you."),
    ] = None,
    expires: Annotated[
        int,
        typer.Option("--expires", min=1, help="Minutes without use after which access ends."),
    ] = 60,
    limit: Annotated[str, typer.Option("--limit", help="Largest upload.")] = "2GiB",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print address and workspace as JSON.")
    ] = False,
) -> None:
    """Open the workbench in a browser."""
    largest = upload_limit(limit)
    from papilio.web.project import default_folder
    from papilio.web.server import Settings, serve

    folder = default_folder() if workspace is None else workspace
    settings = Settings(folder, port, not no_browser, expires * 60.0, largest)
    clear_leftovers()
    serve(settings, _tell_json if as_json else _tell, tell_leftover)
    if not as_json:
        say("The workbench has ended.")


def _tell(address: str, workspace: Path) -> None:
    say(f"The workbench is at {address}")
    say(f"Workspace: {workspace}. End with Ctrl-C.")


def _tell_json(address: str, workspace: Path) -> None:
    print_json({"address": address, "workspace": str(workspace)})


def upload_limit(text: str) -> int:
    """Read the size of the largest upload, such as ``500MB`` or ``2GiB``."""
    size = bytes_of(text)
    if size is None or size < 1:
        raise PapilioError(
            "--limit: not a size; a number with a unit is accepted, such as 500MB or 2GiB",
            reason="misuse",
        )
    return size
