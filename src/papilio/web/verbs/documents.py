"""What pages say of a release: its document, report, comparison and risks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papilio.attack.risk import Risk, RiskView
from papilio.document import Document
from papilio.document.charts.bars import alike_words, band_bars, people_by_class_chart
from papilio.document.compare import Comparison
from papilio.progress import Progress
from papilio.web.allowed import policy_in
from papilio.web.project import Project
from papilio.web.records import load_record, save_comparison, with_loss
from papilio.workflow.compare import compare as compare_variants
from papilio.workflow.report import document as document_of_release
from papilio.workflow.report import report as report_on_release
from papilio.workflow.risk import risk as risk_of_release

#: Width of a picture across the page.
_WIDE = 720


def document(folder: Path, tell: Progress, text: str, number: int) -> Document:
    """Gather what the Result page shows.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy the release was made with.
    number
        Number of the release.
    """
    project = Project(folder.name, folder)
    policy = policy_in(folder, text)
    told = document_of_release(project.release(number), original=policy, progress=tell)
    record = load_record(project, number)
    if record is not None:
        with_loss(folder, record, told.loss)
    return told


def report(folder: Path, tell: Progress, text: str, number: int, name: str) -> str:
    """Write the report and give its name.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy the release was made with.
    number
        Number of the release.
    name
        Name of the file; one that exists is replaced.
    """
    report_on_release(
        Project(folder.name, folder).release(number),
        folder / "reports" / name,
        original=policy_in(folder, text),
        overwrite=True,
        progress=tell,
    )
    return name


def compare(
    folder: Path,
    tell: Progress,
    text: str,
    methods: Sequence[str],
    variants: Mapping[str, Sequence[Any]],
) -> Comparison:
    """Try every method with every value; nothing is published.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy.
    methods, variants
        What is tried, see :func:`papilio.workflow.compare.compare`.
    """
    policy = policy_in(folder, text)
    found = compare_variants(policy, methods=methods, variants=variants, progress=tell)
    save_comparison(folder, found)
    return found


@dataclass(frozen=True)
class RiskFound:
    """The risk, and a drawing for each attacker who looks for people."""

    risk: Risk
    pictures: tuple[str, ...]


def risk(
    folder: Path, tell: Progress, text: str, number: int, population: int | None = None
) -> RiskFound:
    """Measure the risk and run every attack.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy the release was made with.
    number
        Number of the release.
    population
        People the table was drawn from, if it is a sample.
    """
    found = risk_of_release(
        Project(folder.name, folder).release(number),
        original=policy_in(folder, text),
        population=population,
        progress=tell,
    )
    return RiskFound(found, tuple(risk_picture(view) for view in found.views))


def risk_picture(view: RiskView) -> str:
    """Draw how many people hide among how many, before and after."""
    return str(people_by_class_chart(band_bars(view), width=_WIDE, alike=alike_words(view)))
