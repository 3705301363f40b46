"""Measures of risk in plain sentences: what someone could learn, and of how many people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papilio.attack import journalist, marketer, population_uniqueness, prosecutor
from papilio.attack.class_counts import Chances
from papilio.attack.exposure import Exposure
from papilio.attack.population_uniqueness import SPREAD, PopulationUniqueness
from papilio.attack.result import AttackResult, people, rows


def results_of(
    attacker: str, before: Exposure, after: Exposure, population: int | None
) -> Iterator[AttackResult]:
    """Say what all measures mean, for one attacker."""
    yield AttackResult(
        prosecutor.NAME, attacker, prosecutor_sentence(before, after), _both(before, after)
    )
    yield AttackResult(
        journalist.NAME,
        attacker,
        journalist_sentence(before, after, population),
        _chances(before.journalist, after.journalist),
    )
    yield AttackResult(
        marketer.NAME,
        attacker,
        marketer_sentence(before, after, population),
        {"before": before.marketer.expected, "after": after.marketer.expected},
    )
    yield AttackResult(
        population_uniqueness.SAMPLE,
        attacker,
        sample_sentence(before, after),
        {"before": before.unique, "after": after.unique, **_together(before, after)},
    )
    for old, new in zip(before.population, after.population, strict=False):
        yield AttackResult(
            population_uniqueness.NAME, attacker, population_sentence(old, new), _alone(old, new)
        )


def prosecutor_sentence(before: Exposure, after: Exposure) -> str:
    """Say what somebody finds who knows that a person is in the table."""
    now, once = after.prosecutor, before.prosecutor
    row = "their row" if after.several is None else "a row of theirs"
    return (
        f"Knows that a person is in the table, and names {row} with a chance of up to "
        f"{share(now.largest)}, {share(now.average)} on average"
        f"{_once(now == once, f'{share(once.largest)} and {share(once.average)}')}. "
        f"{_at_risk(before, after)}"
    )


def journalist_sentence(before: Exposure, after: Exposure, population: int | None) -> str:
    """Say what somebody finds who looks for anyone in a register."""
    if population is None:
        return (
            "Looks for anyone, without knowing who is in the table; has the prosecutor's chances "
            "as long as the table is taken for the whole population."
        )
    now, once = after.journalist, before.journalist
    return (
        f"Looks a row up in a register of {population:,} people, and names the right one with an "
        f"expected chance of up to {share(now.largest)}"
        f"{_once(now == once, share(once.largest))}."
    )


def marketer_sentence(before: Exposure, after: Exposure, population: int | None) -> str:
    """Say what somebody finds who matches everybody."""
    whom = "the same people" if population is None else f"{population:,} people"
    now = about(after.marketer.expected, after.people)
    once = about(before.marketer.expected, before.people)
    what = "all rows" if after.several is None else "everybody by one of their rows"
    return (
        f"Matches {what} with a register of {whom}, and is right about {now}"
        f"{_once(now == once, once)}, without knowing which."
    )


def sample_sentence(before: Exposure, after: Exposure) -> str:
    """Say who is alone in the table."""
    now, once = people(after.unique, after.people), people(before.unique, before.people)
    verb = "is" if after.unique <= 1 else "are"
    if after.several is None or before.several is None:
        what = "what is known"
        return f"{_begin(now)} {verb} alone in the table with {what}{_once(now == once, once)}."
    late, early = (
        people(each.together, total)
        for each, total in ((after.several, after.people), (before.several, before.people))
    )
    return (
        f"{_begin(now)} {verb} alone in the table with what is known of one of their rows"
        f"{_once(now == once, once)}; with all their rows together {late}"
        f"{_once(late == early, early)}, to somebody who can tell which rows are one person's."
    )


def notes_over_people(seen: Sequence[Exposure]) -> tuple[str, ...]:
    """Say how people are counted who have several rows; nothing where rows are people.

    Parameters
    ----------
    seen
        The original and the release as each attacker sees them.
    """
    several = [each.several for each in seen if each.several is not None]
    if not several:
        return ()
    uncertain = max(each.uncertain for each in several)
    doubt = (
        f" {rows(uncertain)[:1].upper()}{rows(uncertain)[1:]} of the original may be in several "
        "classes of the release; there the most that is possible counts, but no more than the "
        "release claims over people."
        if uncertain
        else ""
    )
    spread = any(each.rule == SPREAD for exposed in seen for each in exposed.population)
    how = f"People are counted, each once, by the row that gives them away most.{doubt}"
    return (how, f"Who is alone in the population: {_began(SPREAD)}") if spread else (how,)


def population_sentence(before: PopulationUniqueness, after: PopulationUniqueness) -> str:
    """Say who may be alone in the population."""
    asked = f"If the table was drawn from {before.population:,} people"
    if before.chosen.in_table is None or after.chosen.in_table is None:
        if SPREAD in (before.rule, after.rule):
            return f"{asked}: {_began(SPREAD)}"
        return f"{asked}, it could not be estimated who of it is alone among them."
    total = round(before.fraction * before.population)
    now, once = about(after.chosen.in_table, total), about(before.chosen.in_table, total)
    then = f"{once}{_by(before)}"
    return f"{asked}, {now} of it would be alone among them{_by(after)}{_once(now == once, then)}."


def _by(found: PopulationUniqueness) -> str:
    return "" if found.chosen.model == "count" else f" ({found.chosen.model})"


def _once(same: bool, then: str) -> str:
    """End a sentence about the release with what was true of the original."""
    return ", as in the original" if same else f", instead of {then} in the original"


def share(number: float) -> str:
    """Write a chance: ``20%``, ``0.4%``, ``<0.1%``."""
    text = f"{100 * number:.3g}%"
    return "<0.1%" if 0 < number < 0.0005 else ">99.9%" if 0.9995 < number < 1 else text


def about(number: float, total: int) -> str:
    """Write an expected number of people."""
    return "nobody" if number < 0.5 else people(round(number), total)


def _at_risk(before: Exposure, after: Exposure) -> str:
    limit = share(after.prosecutor.threshold)
    now = people(after.prosecutor.at_risk, after.people)
    once = people(before.prosecutor.at_risk, before.people)
    verb = "is" if after.prosecutor.at_risk <= 1 else "are"
    return f"{_begin(now)} {verb} above {limit}{_once(now == once, once)}."


def _together(before: Exposure, after: Exposure) -> dict[str, int | float]:
    if before.several is None or after.several is None:
        return {}
    return {"together_before": before.several.together, "together": after.several.together}


def _began(text: str) -> str:
    return text[:1].lower() + text[1:]


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def _chances(before: Chances, after: Chances) -> dict[str, int | float]:
    return {
        "largest_before": before.largest,
        "largest": after.largest,
        "average_before": before.average,
        "average": after.average,
        "at_risk_before": before.at_risk,
        "at_risk": after.at_risk,
        "threshold": after.threshold,
    }


def _both(before: Exposure, after: Exposure) -> dict[str, int | float]:
    found = {"people_before": before.people, "people": after.people}
    return found | _chances(before.prosecutor, after.prosecutor)


def _alone(before: PopulationUniqueness, after: PopulationUniqueness) -> dict[str, int | float]:
    numbers = {
        "unique_before": before.chosen.unique,
        "unique": after.chosen.unique,
        "in_table_before": before.chosen.in_table,
        "in_table": after.chosen.in_table,
    }
    known = {name: each for name, each in numbers.items() if each is not None}
    return {"population": before.population, "fraction": before.fraction, **known}
