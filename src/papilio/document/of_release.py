"""What documents about releases have in common, whatever the family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papilio.attack.exposure import Exposure
from papilio.attack.population_uniqueness import PopulationUniqueness
from papilio.attack.risk import RiskView
from papilio.document.charts.bars import alike_words, band_bars, people_by_class_chart
from papilio.document.contract import Owned, RiskFound
from papilio.document.model import (
    WIDE,
    Bullets,
    Content,
    Document,
    Legend,
    Numbers,
    Part,
    Picture,
    Styled,
    Terms,
    Text,
    Tile,
)
from papilio.document.text import count, percentage, prose, shown
from papilio.release.manifest import PublishedColumn
from papilio.verify.verdict import Finding, Verdict

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
        (alike_words(view).capitalize(), "Original", "Release"),
        tuple((bar.label, count(bar.before), count(bar.after)) for bar in bars),
    )
    drawn = people_by_class_chart(bars, width=WIDE, alike=alike_words(view))
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
    whom = "everybody" if after.several is None else "everybody by one of their rows"
    yield (
        "Marketer",
        f"matches {whom} with a register, and is right about so many people",
        people(before.marketer.expected, before),
        people(after.marketer.expected, after),
    )


def _alone(before: Exposure, after: Exposure) -> Iterator[_Row]:
    by_row = "" if after.several is None else " by one of their rows"
    yield (
        "Alone",
        f"people who are like nobody else in the table{by_row}",
        people(before.unique, before),
        people(after.unique, after),
    )
    if before.several is not None and after.several is not None:
        yield (
            "",
            "… by all their rows together, to somebody who can tell which rows are one person’s",
            people(before.several.together, before),
            people(after.several.together, after),
        )
    for old, new in zip(before.population, after.population, strict=False):
        yield (
            "",
            f"… and among {count(old.population)} people it was drawn from, estimated",
            _estimate(old, before),
            _estimate(new, after),
        )
    yield from _smallest(before, after)


def _smallest(before: Exposure, after: Exposure) -> Iterator[_Row]:
    if before.several is not None and after.several is not None:
        yield "Smallest class", "rows in it", count(before.smallest), count(after.smallest)
        fewest = before.several.smallest, after.several.smallest
        yield "", "people in the class that has fewest", count(fewest[0]), count(fewest[1])


def people(number: float, exposure: Exposure) -> str:
    """Write a number of people with their share: ``31 (15.5%)``."""
    if number < 0.5:
        return "nobody"
    return f"{count(round(number))} ({percentage(number / exposure.people)})"


def _estimate(found: PopulationUniqueness, exposure: Exposure) -> str:
    number = found.chosen.in_table
    if found.chosen.model == "none":
        return "not defined"
    return "unknown" if number is None else people(number, exposure)


#: How each kind of cell is told to people.
CELLS = {
    "value": "as it was",
    "range": "smallest and largest possible value",
    "node": "label in a hierarchy",
    "set": "list of possible values",
}
_HOLDS = (
    "Holds, violated, not checked",
    "A claim holds only if the verifier could confirm it. What could not be checked is not "
    "confirmed.",
)


def document_of_release(
    owned: Owned,
    name: str,
    *,
    size: str,
    loss: float,
    tiles: tuple[Tile, ...],
    promises: Sequence[tuple[str, str]],
    assumptions: Sequence[str],
    limits: tuple[tuple[str, str], ...],
    columns: Numbers,
    parts: Sequence[Part],
    words: tuple[tuple[str, str], ...],
) -> Document:
    """Put a document together.

    Parameters
    ----------
    owned
        The release with its original and its verdict.
    name, size
        Name of what was published, and how much it is.
    loss, tiles
        What sums it up.
    promises
        Sentences that say what is claimed, each followed by the recipient it holds for.
    assumptions, limits
        What the claims assume about the attacker, and what they do not protect against.
    columns
        How columns are published.
    parts
        What only this family has to say.
    words
        What its words mean.
    """
    manifest = owned.release.manifest
    seeded = (
        "Made with a seed, for tests: anyone with the seed can undo the shuffling. Do not publish "
        "it."
    )
    return Document(
        purpose="Anonymisation report",
        name=name,
        subtitle=f"{size} · method {manifest.method}",
        shows="This page shows statistics and rows of the original data.",
        tiles=tiles,
        head=(_promised(promises, assumptions), verdict_part(owned.verdict)),
        parts=(
            *parts,
            *([] if owned.risk is None else [risk_part(owned.risk)]),
            _published(owned, columns),
            *_limits(limits),
            Part("How to read it", contents=(Terms((*words, _HOLDS)),), folded=True, look="whole"),
        ),
        verdict=owned.verdict,
        warnings=(seeded,) if manifest.seeded else (),
        loss=loss,
        lights=owned.lights,
        made=owned.made,
    )


def _promised(promises: Sequence[tuple[str, str]], assumptions: Sequence[str]) -> Part:
    told = [(sentence, f"Recipient: {recipient}") for sentence, recipient in promises]
    items = tuple(told) or (("This release claims nothing.", ""),)
    assumed = (
        Text("This is true as long as the following is:"),
        Bullets(tuple((sentence, "") for sentence in assumptions)),
    )
    contents = (Bullets(items, "promises"), *(assumed if assumptions else ()))
    return Part("What is promised", contents=contents)


def verdict_part(verdict: Verdict) -> Part:
    """Tell everything the verifier checked."""
    return Part(
        "What the verifier found",
        "The verifier knows nothing of the method. It reads the release as a recipient would, "
        "recomputes every claim from the published rows, and compares them with the original and "
        "with what the policy demands.",
        (
            Numbers(
                ("Checked", "Demanded", "Found", "Outcome"),
                tuple(_finding(finding) for finding in verdict.findings),
                look="verdict",
            ),
        ),
        folded=True,
    )


def _finding(finding: Finding) -> tuple[str | Styled, ...]:
    about = [finding.claim]
    about += [] if finding.column is None else [f"of {shown(finding.column)}"]
    about += [] if finding.recipient is None else [f"for {finding.recipient}"]
    return (
        " ".join(about),
        prose(finding.demanded),
        prose(finding.measured),
        outcome(finding),
    )


def outcome(finding: Finding) -> Styled:
    """How a check came out, with its colour."""
    status = finding.status.value
    return Styled(status, f"status {status.replace(' ', '-')}")


def _published(owned: Owned, columns: Numbers) -> Part:
    method = owned.release.manifest.method
    return Part("How it is published", f"The method is {method}: {owned.why}.", (columns,))


def _limits(limits: tuple[tuple[str, str], ...]) -> Iterator[Part]:
    if limits:
        title = "What this release does not protect against"
        yield Part(title, contents=(Terms(limits),), look="limits")


def columns_table(
    columns: Sequence[PublishedColumn], published: dict[str, str] | None = None
) -> Numbers:
    """Tell how columns are published; ``published`` says it by role where cells do not."""
    rows = tuple(
        (
            shown(column.name),
            role(column.role),
            column.type,
            cells_of(column) if published is None else published.get(column.role, published[""]),
        )
        for column in columns
    )
    return Numbers(("Column", "Role", "Type", "Published"), rows, look="plain")


def role(name: str) -> Styled:
    """The role of a column, with its colour."""
    return Styled(name, name)


def cells_of(column: PublishedColumn) -> str:
    """How the cells of a column are published."""
    return CELLS[column.cells] + (", as text" if column.text else "")
