"""The commands, put together."""

from __future__ import annotations

import typer

from papilio.cli import (
    attack,
    compare,
    demo,
    init,
    load,
    profile,
    publish,
    query,
    report,
    serve,
    verify,
)
from papilio.cli.output import say
from papilio.version import __version__

app = typer.Typer(
    name="papilio",
    help="Publish data about people without exposing them.",
    add_completion=False,
    rich_markup_mode=None,
)
for module in (profile, init, publish, verify, query, attack, report, compare, load, serve, demo):
    app.command(module.NAME)(module.command)


def _version(wanted: bool) -> None:
    if wanted:
        say(__version__)
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Publish data about people without exposing them."""


commands = typer.main.get_command(app)
