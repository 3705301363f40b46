"""``papilio compare``: variants of a policy side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from papilio.cli.output import Allow, clear_leftovers, print_json, progress_bar, say
from papilio.errors import PapilioError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from papilio.document.compare import Comparison, Trial

NAME = "compare"


def command(
    policy: Annotated[Path, typer.Argument(help="The policy file.")],
    methods: Annotated[
        str | None,
        typer.Option(
            help="Methods of the policy's family with commas between them; where there are classes "
            "to improve, each also with +improve. Left out: the usual ones, the policy's own."
        ),
    ] = None,
    k: Annotated[
        str | None, typer.Option("--k", help="Values of k with commas between them.")
    ] = None,
    e: Annotated[
        str | None, typer.Option("--e", help="Values of e with commas between them.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Another key of the policy and its values, such as privacy.exposure=0.1,0.2; may "
            "be given several times. With no key named: what is usual for the family.",
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
    """Publish variants in memory; show loss, risk and time."""
    from papilio.policy.policy import Policy
    from papilio.workflow.compare import compare_to

    variants = _variants(k, e, settings or [])
    clear_leftovers(output.absolute().parent)
    order = Policy.load(policy, allow=allow or ())
    with progress_bar() as progress:
        comparison = compare_to(
            output,
            order,
            methods=None if methods is None else _parts(methods),
            variants=variants or None,
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


def _variants(k: str | None, e: str | None, settings: list[str]) -> dict[str, list[Any]]:
    """Keys and values as they are spelled; the policy says later whether it takes them."""
    spelled = [*([] if k is None else [("k", k)]), *([] if e is None else [("e", e)])]
    for text in settings:
        key, equals, values = text.partition("=")
        if not equals or not key.strip():
            raise PapilioError(
                f"--set {text}: a key and its values are accepted, such as "
                "privacy.exposure=0.1,0.2",
                reason="bad-setting",
            )
        spelled.append((key.strip(), values))
    return {
        key: [_value(key, part, values) for part in values.split(",")] for key, values in spelled
    }


def _value(key: str, part: str, whole: str) -> Any:
    """A number where it is one, else the text; ``k`` is a whole number."""
    text = part.strip()
    if key == "k" and not (text.isascii() and text.isdigit()):
        raise PapilioError(
            f"--k {whole}: whole numbers of at least 1 with commas between them are accepted, such "
            "as 5,10,20",
            reason="bad-k",
        )
    if not text:
        raise PapilioError(
            f"{key}={whole}: a value is missing; values with commas between them are accepted",
            reason="bad-setting",
        )
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _show(comparison: Comparison) -> None:
    say(f"{comparison.table}: {comparison.people:,} people")
    say("")
    for line in _lines(comparison):
        say(line)
    say("")
    if comparison.starred:
        say("* least loss under the same demands.")
    for each in (comparison.loss, comparison.risk):
        say(f"{each.title}: {each.words}")
    for line in _reasons(comparison):
        say(line)
    say("Lights: the claims hold; what is marked secret stays secret; nobody stands alone.")
    say("The page explains the other figures.")


def _reasons(comparison: Comparison) -> Iterator[str]:
    """Say of lights that are amber or red whom they are about, and what would help."""
    from papilio.document.compare import what_helps

    for trial, outcome in comparison.done:
        for reason in outcome.reasons:
            said = f"{trial.words}: {reason['colour']}: {reason['sentence']} {what_helps(reason)}"
            yield said.rstrip()


def _lines(comparison: Comparison) -> list[str]:
    """Lines of a table: names to the left, numbers to the right, reasons where numbers would be.

    A table of Rich would cut its columns down to the width of the terminal.
    """
    measures = [each.title for each in comparison.measures]
    figures = [
        comparison.loss.title,
        comparison.risk.title,
        *measures,
        "people",
        "seconds",
        "lights",
    ]
    rows, reasons = [["method", *comparison.varied, *figures]], [""]
    for trial in sorted(comparison.trials, key=comparison.place):
        best = " *" if trial in comparison.starred else ""
        values = [str(value) for value in trial.values.values()]
        rows.append([trial.method + best, *values, *_numbers(comparison, trial)])
        reasons.append("" if trial.why_not is None else f"  not run: {trial.why_not}")
    widths = [max(len(row[n]) for row in rows if n < len(row)) for n in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) + reason
        for row, reason in zip(rows, reasons, strict=True)
    ]


def _numbers(comparison: Comparison, trial: Trial) -> list[str]:
    if trial.outcome is None:
        return []
    outcome = trial.outcome
    figures = [(comparison.loss, outcome.loss), (comparison.risk, outcome.risk)]
    figures += [(each, outcome.more[each.name] or 0.0) for each in comparison.measures]
    told = [f"{value:.2%}" if each.share else _number(value) for each, value in figures]
    return [*told, f"{outcome.people:,}", f"{outcome.seconds:.2f}", outcome.lit]


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
