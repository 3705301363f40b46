"""``papilio attack``: what somebody who gets a release could learn from it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from papilio.cli.output import print_json, print_table, progress_bar

NAME = "attack"


def command(
    release: Annotated[Path, typer.Argument(help="Directory of the release.")],
    original: Annotated[Path, typer.Option(help="The policy it was made with.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Attack a release: who can be singled out, what can be learnt."""
    from papilio.policy.policy import Policy
    from papilio.workflow.attack import attack

    with progress_bar() as progress:
        results = attack(release, original=Policy.load(original), progress=progress)
    if as_json:
        print_json({"attacks": [result.to_dict() for result in results]})
        return
    rows = [(result.attack, result.attacker, result.sentence) for result in results]
    print_table("Attacks", ("attack", "attacker", "what they could learn"), rows)
