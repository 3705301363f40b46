"""``papilio attack``: what somebody who gets a release could learn from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from papilio.cli.output import (
    Allow,
    clear_leftovers,
    print_content,
    print_json,
    print_lights,
    progress_bar,
    say,
    width,
)

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from papilio.attack.exposure import Exposure
    from papilio.attack.population_uniqueness import PopulationUniqueness
    from papilio.attack.result import AttackResult
    from papilio.attack.risk import Risk, RiskView


#: Width of the names on the left, and the least that sentences get.
_NAMES, _LEAST = 18, 30
_Row = tuple[str, str, str, str]


def print_risk(risk: Risk) -> None:
    """Print lights, and then measures and attacks, grouped by attacker."""
    if risk.lights is not None:
        print_lights(risk.lights)
        say("")
    tried = [each for each in risk.attacks if each.tried]
    several = len({view.table for view in risk.views}) > 1
    for view in risk.views:
        _heading(f"{view.attacker}, in {view.table}" if several else view.attacker)
        print_content(_measures(view))
        _findings([each for each in tried if each.attacker == view.attacker and not several])
        say("")
    seen = set() if several else {view.attacker for view in risk.views}
    for who in dict.fromkeys(each.attacker for each in tried if each.attacker not in seen):
        _heading(who)
        _findings([each for each in tried if each.attacker == who])
        say("")
    _closing(risk)


def _heading(text: str) -> None:
    for line in _wrapped(text[:1].upper() + text[1:], 0):
        print_content(_styled(line, "bold"))


def _wrapped(text: str, left: int) -> list[str]:
    """Lines that fit beside a margin; laid out here, as Rich would fill them up with blanks."""
    return wrap(text, max(_LEAST, width() - left), break_long_words=False)


def _styled(text: str, style: str) -> Text:
    from rich.text import Text

    return Text(text, style=style, overflow="ignore", no_wrap=True)


def _measures(view: RiskView) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(width=_NAMES - 2, no_wrap=True, style="cyan")
    grid.add_column()
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_row("", "", Text("original", style="dim"), Text("release", style="dim"))
    for name, what, once, now in _rows(view.before, view.after):
        grid.add_row(f"  {name}", what, once, Text(now, style="bold"))
    return grid


def _rows(before: Exposure, after: Exposure) -> Iterator[_Row]:
    """Lines of one attacker: who, what they achieve, before, after."""
    from papilio.attack.risk_words import share

    once, now = before.prosecutor, after.prosecutor
    yield (
        "prosecutor",
        "knows who is in it: chance at most",
        share(once.largest),
        share(now.largest),
    )
    yield "", "chance on average", share(once.average), share(now.average)
    limit = share(now.threshold)
    yield "", f"people above {limit}", _of(once.at_risk, before), _of(now.at_risk, after)
    first, second = before.journalist, after.journalist
    yield (
        "journalist",
        "looks for anyone: chance at most",
        share(first.largest),
        share(second.largest),
    )
    matched, still = before.marketer.expected, after.marketer.expected
    yield "marketer", "matches everybody: right about", _of(matched, before), _of(still, after)
    yield from _alone(before, after)
    for old, new in zip(before.population, after.population, strict=False):
        said = f"among {old.population:,} people, estimated"
        yield "", said, _estimate(old, before), _estimate(new, after)
    yield from _smallest(before, after)


def _alone(before: Exposure, after: Exposure) -> Iterator[_Row]:
    """Lines about people who are like nobody else in the table, and about the smallest class."""
    unique = _of(before.unique, before), _of(after.unique, after)
    if before.several is None or after.several is None:
        yield "alone", "in the table", *unique
        return
    yield "alone", "in the table by one row", *unique
    once, now = before.several.together, after.several.together
    yield "", "by all rows of a person together", _of(once, before), _of(now, after)


def _smallest(before: Exposure, after: Exposure) -> Iterator[_Row]:
    """Lines about the smallest class, where it has fewer people than rows."""
    if before.several is not None and after.several is not None:
        yield "smallest class", "rows", f"{before.smallest:,}", f"{after.smallest:,}"
        yield "", "people", f"{before.several.smallest:,}", f"{after.several.smallest:,}"


def _of(number: float, exposure: Exposure) -> str:
    if number < 0.5:
        return "nobody"
    from papilio.attack.risk_words import share

    return f"{round(number):,} ({share(number / exposure.people)})"


def _estimate(found: PopulationUniqueness, exposure: Exposure) -> str:
    number = found.chosen.in_table
    if found.chosen.model == "none":
        return "not defined"
    return "unknown" if number is None else _of(number, exposure)


def _findings(results: Sequence[AttackResult]) -> None:
    """What simulated attacks found, each name once."""
    last = ""
    for each in results:
        name = "" if each.attack == last else each.attack.replace("_", " ")
        last = each.attack
        first, *rest = _wrapped(each.sentence, _NAMES)
        heading = f"  {name}"
        if len(heading) >= _NAMES:
            print_content(_styled(heading, "cyan"))
            heading = ""
        print_content(_styled(heading.ljust(_NAMES), "cyan").append(first, style="default"))
        for line in rest:
            print_content(_styled(" " * _NAMES + line, ""))


def _closing(risk: Risk) -> None:
    """What was not tried, and what the numbers take for granted."""
    left_out = [
        f"Not tried: {each.attack.replace('_', ' ')}; {each.reason}"
        for each in risk.attacks
        if not each.tried
    ]
    for text in [*risk.notes, risk.assumption, *dict.fromkeys(left_out)]:
        for line in _wrapped(text, 0):
            print_content(_styled(line, "dim"))


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
    external: Annotated[
        Path | None,
        typer.Option(help="A list of people from elsewhere, to be joined on the common columns."),
    ] = None,
    who: Annotated[
        str | None, typer.Option("--as", help="The recipient who has that list.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(help="Column that names people in that list and in the original."),
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(help="Directory of another release of the same people; may be repeated."),
    ] = None,
    learn: Annotated[
        bool,
        typer.Option(
            "--learn",
            help="Make the release once more without a tenth of the people, and let somebody "
            "learn from it.",
        ),
    ] = False,
    limit: Annotated[
        float | None,
        typer.Option(
            help="Seconds after which no further attack is begun; whoever learns is then tried too."
        ),
    ] = None,
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Attack a release: who can be singled out, what can be learnt."""
    from papilio.policy.policy import Policy
    from papilio.workflow.risk import Beside, risk

    clear_leftovers()
    with progress_bar() as progress:
        found = risk(
            release,
            original=Policy.load(original, allow=allow or ()),
            population=population,
            threshold=threshold,
            beside=Beside(None, external, who, key, tuple(also or ()), learn),
            limit=limit,
            progress=progress,
        )
    if as_json:
        content = found.to_dict()
        attacks, lights = content.pop("attacks"), content.pop("lights")
        print_json({"lights": lights, "attacks": attacks, "risk": content})
        return
    print_risk(found)
