"""``papilio query``: bounds for SQL aggregates over a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from papilio.cli.output import print_json, print_table, say
from papilio.errors import PapilioError

if TYPE_CHECKING:
    from papilio.query.answer import Answer

NAME = "query"


def command(
    release: Annotated[Path, typer.Argument(help="Directory of the release.")],
    sql: Annotated[str, typer.Argument(help="One SELECT over the table of the release.")],
    to: Annotated[
        str | None,
        typer.Option(
            "--sql",
            metavar="DIALECT",
            help="Print the rewritten SQL instead: postgres, spark or duckdb.",
        ),
    ] = None,
    dialect: Annotated[
        str, typer.Option(help="What the query is written in: duckdb, postgres or spark.")
    ] = "duckdb",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Answer SQL over a release with bounds that are always right."""
    from papilio.query.refusal import QueryError
    from papilio.workflow.ask import ask, rewrite

    try:
        if to is not None:
            text = rewrite(release, sql, to=to, dialect=dialect)
            print_json({"sql": text}) if as_json else say(f"{text};")
            return
        answer = ask(release, sql, dialect=dialect)
    except QueryError as error:
        refused = PapilioError(str(error), reason=error.reason)
        # A message has one line; this one has a picture below it.
        refused.args = (error.pictured(),)
        raise refused from None
    print_json(answer.to_dict()) if as_json else _print(answer)


def _print(answer: Answer) -> None:
    groups = list(answer.rows[0].group) if answer.rows else []
    header = (*groups, "aggregate", "lo", "hi", "estimate", "std", "exact")
    rows = [tuple(_cell(line, name) for name in header) for line in answer.lines()]
    print_table("Answer", header, rows)
    if any(line["null"] for line in answer.lines()):
        say("NULL or …: perhaps no value is aggregated; if one is, the bounds hold.")
    if any(not row.sure for row in answer.rows):
        say("Groups with (?) may have no row that matches.")
    for note in answer.notes:
        say(note)


def _cell(line: dict[str, Any], name: str) -> str:
    from papilio.query.answer import shown, shown_bound

    value = line[name]
    if name in ("lo", "hi"):
        return shown_bound(line, name)
    if name == "aggregate" and not line["sure"]:
        return f"{value} (?)"
    return "NULL" if value is None and name not in ("estimate", "std") else shown(value)
