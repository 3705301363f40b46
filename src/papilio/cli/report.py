"""``papilio report``: the owner's report on a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from papilio.cli.output import Allow, clear_leftovers, print_json, progress_bar, say

NAME = "report"


def command(
    release: Annotated[Path, typer.Argument(help="Directory of the release.")],
    original: Annotated[Path, typer.Option(help="The policy it was made with.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The HTML file to write; must not exist yet.")
    ] = Path("report.html"),
    population: Annotated[
        int | None,
        typer.Option(
            min=1, help="People the table was drawn from; left out, it is taken for all of them."
        ),
    ] = None,
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write a report for the owner's eyes."""
    from papilio.policy.policy import Policy
    from papilio.workflow.report import report

    clear_leftovers(output.absolute().parent)
    with progress_bar() as progress:
        report(
            release,
            output,
            original=Policy.load(original, allow=allow or ()),
            population=population,
            progress=progress,
        )
    if as_json:
        print_json({"report": str(output)})
    else:
        say(f"Report written to {output}. It shows the original: keep it to yourself.")
