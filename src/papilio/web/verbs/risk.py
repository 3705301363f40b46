"""Who could be found in a release of a project, and what could be learnt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papilio.attack.risk import Risk
from papilio.progress import Progress
from papilio.web.allowed import policy_in
from papilio.web.project import Project
from papilio.workflow.pictures import risk_picture
from papilio.workflow.risk import risk as risk_of_release


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
