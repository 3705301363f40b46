"""Questions that a release answers, for people who ask one for the first time."""

from __future__ import annotations

from papilio.errors import PapilioError
from papilio.families import family_of_release
from papilio.release.release import Release
from papilio.workflow.ask import ask

#: Most questions that are offered.
MOST = 4


def example_questions(release: Release) -> tuple[str, ...]:
    """Write up to four queries that the release answers; every one is tried before."""
    found: list[str] = []
    for sql in family_of_release(release.manifest).questions(release):
        if len(found) < MOST and sql not in found and _works(release, sql):
            found.append(sql)
    return tuple(found)


def _works(release: Release, sql: str) -> bool:
    try:
        ask(release, sql)
    except PapilioError:
        return False
    return True
