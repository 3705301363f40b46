"""``papilio demo``: the whole way on sample data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from papilio.cli.output import (
    clear_leftovers,
    print_json,
    print_lights,
    print_table,
    print_verdict,
    progress_bar,
    say,
)

if TYPE_CHECKING:
    from papilio.workflow.demonstrate import Demonstration

NAME = "demo"


def command(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder to make; must not exist yet.")
    ] = Path("papilio-demo"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Go the whole way on sample data."""
    from papilio.workflow.demonstrate import demonstrate

    clear_leftovers(output.absolute().parent)
    with progress_bar() as progress:
        shown = demonstrate(output, progress=progress)
    if as_json:
        print_json(_content(shown))
    else:
        _show(shown)


def _content(shown: Demonstration) -> dict[str, object]:
    return {
        "policy": str(shown.policy),
        "release": str(shown.publication.directory),
        "report": str(shown.report),
        "verdict": shown.publication.verdict.to_dict(),
        "lights": shown.publication.lights.to_dict(),
    }


def _show(shown: Demonstration) -> None:
    print_verdict(shown.publication.verdict)
    print_lights(shown.publication.lights)
    example = shown.example
    rows = [(name, value, example.after[name]) for name, value in example.before.items()]
    print_table("One row, before and after", ("column", "before", "after"), rows)
    say(f"Policy:  {shown.policy}")
    say(f"Release: {shown.publication.directory}")
    say(f"Report:  {shown.report}")
    say("Change the policy and try it yourself:")
    say(f"  papilio publish {shown.policy} -o {shown.policy.parent / 'another-release'}")
