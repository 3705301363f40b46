"""``papilio init``: a commented draft policy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from papilio.cli.output import print_json, progress_bar, say

NAME = "init"


def command(
    data: Annotated[
        str, typer.Argument(help="A file, a folder, or postgresql://…/database#table.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The policy file to write; must not exist yet.")
    ] = Path("policy.yaml"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write a commented draft policy."""
    from papilio.workflow.draft import draft

    with progress_bar() as progress:
        roles = draft(data, output, progress=progress)
    if as_json:
        print_json({"policy": str(output), "roles": roles})
        return
    say(f"Draft written to {output}. Go through its roles, then run:")
    say(f"  papilio publish {output} -o release")
