"""``papilio publish``: anonymise, verify, write."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from papilio.cli.output import (
    Allow,
    Bar,
    clear_leftovers,
    print_json,
    print_lights,
    print_verdict,
    progress_bar,
    say,
    tell_leftover,
)
from papilio.errors import shown

if TYPE_CHECKING:
    from papilio.attack.lights import Lights
    from papilio.workflow.publish import Publication

NAME = "publish"


def command(
    policy: Annotated[Path, typer.Argument(help="The policy file.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Directory of the release; must not exist yet.")
    ],
    format: Annotated[str, typer.Option(help="Format of the tables: parquet or csv.")] = "parquet",  # noqa: A002
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, help="Repeatable shuffling, for tests; such a release must not be published."
        ),
    ] = None,
    engine: Annotated[str, typer.Option(help="Where the work is done: local or spark.")] = "local",
    remote: Annotated[
        str | None,
        typer.Option(
            help="Spark Connect server, sc://host:port; left out, Spark runs on this machine."
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Most memory to use, such as 8GiB; a larger table is published piece by piece."
        ),
    ] = None,
    attacks: Annotated[
        bool,
        typer.Option(
            "--attacks/--no-attacks",
            help="Attack the release, to say what somebody could learn from it.",
        ),
    ] = True,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Write nothing if a light of the release is amber or red."),
    ] = False,
    yes: Annotated[
        bool,
        typer.Option("--yes", "-y", help="Write it without asking, whatever its lights are."),
    ] = False,
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Anonymise, verify and write a release."""
    from papilio.policy.policy import Policy
    from papilio.workflow.publish import publish_to

    clear_leftovers(output.absolute().parent)
    order = Policy.load(policy, allow=allow or ())
    asked = _somebody_is_there() and not (yes or as_json)
    with progress_bar() as progress:
        publication = publish_to(
            output,
            order,
            format=format,
            seed=seed,
            progress=progress,
            engine=engine,
            remote=remote,
            memory=memory,
            attacks=attacks,
            strict=strict,
            agree=partial(_agree, progress) if asked else None,
        )
    if publication.lights.exposing and not asked:
        _warn(publication.lights)
    if as_json:
        print_json(_content(publication))
    else:
        _show(publication)


def _somebody_is_there() -> bool:
    """Whether somebody can be asked; a pipeline never is."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def _agree(progress: Bar | None, lights: Lights) -> bool:
    """Show the lights and ask whether to write the release all the same."""
    with nullcontext() if progress is None else progress.paused():
        print_lights(lights)
        question = f"A light is {lights.worst}. Write the release all the same?"
        return typer.confirm(question, default=False, err=True)


def _warn(lights: Lights) -> None:
    """Say on standard error that somebody could learn something, where no one reads the rest."""
    worst = max(lights, key=lambda light: light.colour.rank)
    tell_leftover(f"a light of the release is {worst.colour}: {worst.title}: {worst.sentence}")


def _content(publication: Publication) -> dict[str, object]:
    return {
        "release": str(publication.directory),
        "method": publication.choice.method,
        "why": publication.choice.why,
        "left_out": list(publication.left_out),
        **({"notes": list(publication.notes)} if publication.notes else {}),
        "verdict": publication.verdict.to_dict(),
        "lights": publication.lights.to_dict(),
    }


def _show(publication: Publication) -> None:
    print_verdict(publication.verdict)
    print_lights(publication.lights)
    say(f"Method: {publication.choice.method} ({publication.choice.why}).")
    if publication.left_out:
        names = ", ".join(map(shown, publication.left_out))
        say(f"Not published, because the policy does not mention them: {names}.")
    for note in publication.notes:
        say(note)
    if publication.release.manifest.seeded:
        say("Made with a seed: for tests only, do not publish it.")
    say(f"Release written to {publication.directory}.")
