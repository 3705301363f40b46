"""``papilio publish``: anonymise, verify, write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from papilio.cli.output import Allow, clear_leftovers, print_json, print_verdict, progress_bar, say
from papilio.errors import shown

if TYPE_CHECKING:
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
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Anonymise, verify and write a release."""
    from papilio.policy.policy import Policy
    from papilio.workflow.publish import publish_to

    clear_leftovers(output.absolute().parent)
    order = Policy.load(policy, allow=allow or ())
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
        )
    if as_json:
        print_json(_content(publication))
    else:
        _show(publication)


def _content(publication: Publication) -> dict[str, object]:
    return {
        "release": str(publication.directory),
        "method": publication.choice.method,
        "why": publication.choice.why,
        "left_out": list(publication.left_out),
        **({"notes": list(publication.notes)} if publication.notes else {}),
        "verdict": publication.verdict.to_dict(),
    }


def _show(publication: Publication) -> None:
    print_verdict(publication.verdict)
    say(f"Method: {publication.choice.method} ({publication.choice.why}).")
    if publication.left_out:
        names = ", ".join(map(shown, publication.left_out))
        say(f"Not published, because the policy does not mention them: {names}.")
    for note in publication.notes:
        say(note)
    if publication.release.manifest.seeded:
        say("Made with a seed: for tests only, do not publish it.")
    say(f"Release written to {publication.directory}.")
