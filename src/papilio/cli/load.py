"""``papilio load``: a release into a database, for the SQL that ``papilio query --sql`` prints."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from papilio.cli.output import print_json, progress_bar, say

NAME = "load"


def command(
    release: Annotated[Path, typer.Argument(help="Directory of the release.")],
    database: Annotated[str, typer.Argument(help="Address: postgresql://…/database.")],
    schema: Annotated[
        str | None, typer.Option(help="Schema the tables go to; made if it is not there.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace tables that have the same names.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Load the tables of a release into PostgreSQL."""
    from papilio.workflow.load import load

    with progress_bar() as progress:
        tables = load(release, database, schema=schema, replace=replace, progress=progress)
    if as_json:
        print_json({"tables": tables})
    else:
        listed = ", ".join(f"{name} ({rows:,} rows)" for name, rows in tables.items())
        say(f"Loaded {listed}.")
