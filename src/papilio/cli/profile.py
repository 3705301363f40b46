"""``papilio profile`` and ``papilio init``: what is in the data, and a commented draft policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from papilio.cli.output import print_json, print_table, progress_bar, say

if TYPE_CHECKING:
    from papilio.measure.profile import Profile

NAME = "profile"


def command(
    data: Annotated[
        str, typer.Argument(help="A file, a folder, or postgresql://…/database#table.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what singles people out, and suggest roles."""
    from papilio.workflow.draft import profile

    with progress_bar() as progress:
        found = profile(data, progress=progress)
    if as_json:
        print_json(found.to_dict())
    else:
        _show_columns(found)
        _show_person(found)
        _show_sets(found)


def _show_columns(found: Profile) -> None:
    rows = [
        (
            each.name,
            each.type.value,
            each.distinct,
            f"{each.missing_share:.1%}",
            each.role.value,
            each.reason,
        )
        for each in found.columns
    ]
    header = ("column", "type", "distinct", "missing", "suggested role", "why")
    print_table(f"{found.rows:,} rows, {len(rows)} columns", header, rows)


def _show_person(found: Profile) -> None:
    if found.person is not None:
        say(f"Column '{found.person.name}' seems to name people: {found.person.in_words()}.")
        if found.person.about_link():
            say(f"{found.person.about_link().capitalize()}.")
        say("Say so in the policy (person:), or k counts rows instead of people.")


def _show_sets(found: Profile) -> None:
    rows = [
        (
            ", ".join(each.columns),
            f"{each.unique_share:.1%}",
            f"{each.distinctness:.3f}",
            f"{each.separation:.4f}",
        )
        for each in found.risky_sets
    ]
    title = f"Column sets that single people out (up to {found.largest_set} columns)"
    header = ("columns", "rows alone", "distinctness", "separation")
    if rows:
        print_table(title, header, rows)
    else:
        say("No column set singles people out.")
    if found.looked_at < found.rows:
        say(
            f"Column sets were counted in a sample of {found.looked_at:,} rows, "
            "which overstates how many rows are alone."
        )
