"""``papilio compare``: methods and values of k side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from papilio.cli.allow import Allow
from papilio.cli.leftovers import clear_leftovers
from papilio.cli.output import print_json, progress_bar, say
from papilio.errors import PapilioError

if TYPE_CHECKING:
    from papilio.document.comparison import Comparison, Outcome

NAME = "compare"


def command(
    policy: Annotated[Path, typer.Argument(help="The policy file; its own k and method aside.")],
    methods: Annotated[
        str | None,
        typer.Option(
            help="Methods with commas between them: mondrian, relaxed-mondrian, bottom-up, hybrid, "
            "incognito, each also with +improve. Left out: mondrian, relaxed-mondrian, hybrid and "
            "the policy's own."
        ),
    ] = None,
    k: Annotated[
        str | None,
        typer.Option(
            "--k", help="Values of k with commas between them. Left out: 5,10,20,50, policy's own."
        ),
    ] = None,
    improve: Annotated[
        str | None,
        typer.Option(
            help="How long +improve lasts, such as 10s. If no method has it, all are also run "
            "with it."
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The HTML file to write; must not exist yet.")
    ] = Path("compare.html"),
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run methods side by side; show what each loses."""
    from papilio.policy.policy import Policy
    from papilio.workflow.compare import compare_to

    clear_leftovers(output.absolute().parent)
    order = Policy.load(policy, allow=allow or ())
    with progress_bar() as progress:
        comparison = compare_to(
            output,
            order,
            methods=None if methods is None else _parts(methods),
            k=None if k is None else _sizes(k),
            improve=improve,
            progress=progress,
        )
    if as_json:
        print_json({**comparison.to_dict(), "page": str(output)})
    else:
        _show(comparison)
        say(f"Page written to {output}. It shows statistics of the original: keep it to yourself.")


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _sizes(text: str) -> list[int]:
    parts = text.split(",")
    if not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        raise PapilioError(
            f"--k {text}: whole numbers of at least 1 with commas between them are accepted, such "
            "as 5,10,20",
            reason="bad-k",
        )
    return [int(part) for part in parts]


def _show(comparison: Comparison) -> None:
    say(f"{comparison.table}: {comparison.rows:,} rows")
    say("")
    for line in _lines(comparison):
        say(line)
    say("")
    say("* least NCP at this k.")
    say(f"The original itself has a query ratio of {comparison.exact_query_ratio:.2%}.")
    if comparison.label is not None:
        say(f"CM is about the column '{comparison.label}'.")


def _lines(comparison: Comparison) -> list[str]:
    """Lines of a table: names to the left, numbers to the right, reasons where numbers would be.

    A table of Rich would cut its columns down to the width of the terminal.
    """
    head = ["method", "k", "NCP", "DM", "classes", "least", "C_avg", "ratio", "CM", "seconds"]
    rows = [head if comparison.label is not None else [*head[:8], *head[9:]]]
    reasons = [""]
    for trial in sorted(comparison.trials, key=lambda each: each.k):
        best = " *" if trial in comparison.best else ""
        numbers = [] if trial.outcome is None else _numbers(trial.outcome)
        rows.append([trial.method + best, str(trial.k), *numbers])
        reasons.append("" if trial.why_not is None else f"  not run: {trial.why_not}")
    widths = [max(len(row[n]) for row in rows if n < len(row)) for n in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) + reason
        for row, reason in zip(rows, reasons, strict=True)
    ]


def _numbers(found: Outcome) -> list[str]:
    return [
        f"{found.ncp:.2%}",
        f"{found.discernibility:,}",
        f"{found.classes:,}",
        f"{found.smallest:,}",
        f"{found.average_class_size:.2f}",
        f"{found.query_ratio:.2%}",
        *([] if found.classification is None else [f"{found.classification:.2%}"]),
        f"{found.seconds:.2f}",
    ]
