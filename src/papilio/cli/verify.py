"""``papilio verify``: the independent verdict on a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from papilio.cli.output import print_json, print_verdict

NAME = "verify"


def command(
    release: Annotated[Path, typer.Argument(help="Directory of the release.")],
    original: Annotated[
        Path | None,
        typer.Option(help="The policy it was made with: also check truthfulness and losses."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Judge a release; exit 0 if everything holds, 1 if not."""
    from papilio.policy.policy import Policy
    from papilio.workflow.verify import verify

    policy = None if original is None else Policy.load(original)
    verdict = verify(release, original=policy)
    if as_json:
        print_json(verdict.to_dict())
    else:
        print_verdict(verdict)
    return 0 if verdict.holds else 1
