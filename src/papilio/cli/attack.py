"""``papilio attack``: what somebody who gets a release could learn from it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from papilio.cli.allow import Allow
from papilio.cli.leftovers import clear_leftovers
from papilio.cli.output import print_json, progress_bar

NAME = "attack"


def command(
    release: Annotated[Path, typer.Argument(help="Directory of the release.")],
    original: Annotated[Path, typer.Option(help="The policy it was made with.")],
    population: Annotated[
        int | None,
        typer.Option(
            min=1, help="People the table was drawn from; left out, it is taken for all of them."
        ),
    ] = None,
    threshold: Annotated[
        float, typer.Option(help="Chance above which somebody counts as at risk.")
    ] = 0.2,
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Attack a release: who can be singled out, what can be learnt."""
    from papilio.cli.risk_output import print_risk
    from papilio.policy.policy import Policy
    from papilio.workflow.risk import risk

    clear_leftovers()
    with progress_bar() as progress:
        found = risk(
            release,
            original=Policy.load(original, allow=allow or ()),
            population=population,
            threshold=threshold,
            progress=progress,
        )
    if as_json:
        content = found.to_dict()
        attacks = content.pop("attacks")
        print_json({"attacks": attacks, "risk": content})
        return
    print_risk(found)
