"""The part of a document about the risk of being found."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.attack.exposure import Exposure
from papilio.attack.population_uniqueness import PopulationUniqueness
from papilio.attack.risk import RiskView
from papilio.document.charts.people_by_class import band_bars, people_by_class_chart
from papilio.document.model import (
    WIDE,
    Bullets,
    Content,
    Legend,
    Numbers,
    Part,
    Picture,
    Styled,
    Text,
)
from papilio.document.owned import RiskFound
from papilio.document.text import count, percentage

#: Who, what they do, before and after; who is empty if as above.
_Row = tuple[str, str, str, str]


def risk_part(found: RiskFound) -> Part:
    """Tell how easily people are found, attacker by attacker. Cost: a drawing for each."""
    several = len({view.table for view in found.views}) > 1
    contents: list[Content] = [Text(note) for note in found.notes]
    contents += [_attacker(view, several=several) for view in found.views]
    if found.learnt:
        sentences = tuple((f"{_begun(r.attacker)}: {r.sentence}", "") for r in found.learnt)
        title = "What is learnt without finding anybody"
        contents.append(Part(title, contents=(Bullets(sentences),)))
    if found.views:
        contents.append(
            Text(
                f"{found.assumption} Estimates are orders of magnitude; columns nobody was "
                "expected to know are not counted.",
                "note",
            )
        )
    lead = (
        "Who gets the release may look for people in it, by the columns they know. Each chance is "
        "that of naming the right row or person, from the sizes of classes in the original and in "
        "the release."
    )
    return Part("Risk of being found", lead if found.views else "", tuple(contents), "report")


def _attacker(view: RiskView, *, several: bool) -> Part:
    bars = band_bars(view)
    numbers = Numbers(
        ("Rows that look alike", "Original", "Release"),
        tuple((bar.label, count(bar.before), count(bar.after)) for bar in bars),
    )
    drawn = people_by_class_chart(bars, width=WIDE)
    table = f", in {view.table}" if several else ""
    return Part(
        f"{_begun(view.attacker)}{table}",
        contents=(
            Numbers(
                ("Attacker", "What they do", "Original", "Release"),
                tuple(risk_rows(view)),
                look="risk",
            ),
            Legend(
                (
                    Styled("people in the original", "before"),
                    Styled("people in the release", "after"),
                )
            ),
            Picture("People by the size of their class", drawn, numbers, titled=False),
        ),
    )


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def risk_rows(view: RiskView) -> list[_Row]:
    """All measures of one attacker in words."""
    return [*_chances(view.before, view.after), *_alone(view.before, view.after)]


def _chances(before: Exposure, after: Exposure) -> Iterator[_Row]:
    old, new = before.prosecutor, after.prosecutor
    yield (
        "Prosecutor",
        "knows that a person is in the table; finds their row with a chance of at most",
        percentage(old.largest),
        percentage(new.largest),
    )
    yield "", "… on average", percentage(old.average), percentage(new.average)
    yield (
        "",
        f"… with a chance above {100 * new.threshold:g}%: people",
        people(old.at_risk, before),
        people(new.at_risk, after),
    )
    yield (
        "Journalist",
        "does not know who is in the table; names the right person with a chance of at most",
        percentage(before.journalist.largest),
        percentage(after.journalist.largest),
    )
    yield (
        "Marketer",
        "matches all rows with a register, and is right about so many people",
        people(before.marketer.expected, before),
        people(after.marketer.expected, after),
    )


def _alone(before: Exposure, after: Exposure) -> Iterator[_Row]:
    yield (
        "Alone",
        "people who are like nobody else in the table",
        people(before.unique, before),
        people(after.unique, after),
    )
    for old, new in zip(before.population, after.population, strict=False):
        yield (
            "",
            f"… and among {count(old.population)} people it was drawn from, estimated",
            _estimate(old, before),
            _estimate(new, after),
        )


def people(number: float, exposure: Exposure) -> str:
    """Write a number of people with their share: ``31 (15.5%)``."""
    if number < 0.5:
        return "nobody"
    return f"{count(round(number))} ({percentage(number / exposure.people)})"


def _estimate(found: PopulationUniqueness, exposure: Exposure) -> str:
    number = found.chosen.in_table
    return "unknown" if number is None else people(number, exposure)
