"""``papilio init``: a commented draft policy."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from papilio.cli.output import clear_leftovers, print_json, progress_bar, say

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
    from papilio.workflow.draft import draft, must_allow

    clear_leftovers(output.absolute().parent)
    with progress_bar() as progress:
        roles = draft(data, output, progress=progress)
    allow = must_allow(data, output)
    if as_json:
        needed = {} if allow is None else {"allow": str(allow)}
        print_json({"policy": str(output), **needed, "roles": roles})
        return
    say(f"Draft written to {output}. Go through its roles, then run:")
    option = "" if allow is None else f" --allow {shlex.quote(str(allow))}"
    say(f"  papilio publish {output}{option} -o release")
    if allow is not None:
        say("The data lies outside of the policy's folder, so its folder has to be allowed.")
