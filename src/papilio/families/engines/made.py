"""What a family hands over when the files of its tables are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeAlias

from papilio.families.family import Choice
from papilio.release.manifest import Manifest
from papilio.verify.opened import Opened, OpenedHere
from papilio.verify.promise.promise import Promise, TableFacts
from papilio.verify.verdict import Finding, finding
from papilio.verify.witness.table import DEMANDED

#: Says what is known of the truth of a release that has everything else.
Truth: TypeAlias = Callable[[Opened], Iterable[Finding]]

#: Shows the original beside a release: one that answers for both, and the original's name.
Beside: TypeAlias = Callable[[OpenedHere], AbstractContextManager[tuple[Opened, str]]]


@dataclass(frozen=True, eq=False)
class MadeInPieces:
    """A release whose tables lie in the draft folder already.

    Attributes
    ----------
    manifest
        What it says, without its files.
    hierarchies
        Files of paths and their texts.
    left_out
        Columns of the source that the policy does not mention.
    facts
        What the verifier is told of the original.
    truth
        Says what was found out about the truth of the tables. That nothing is said is a violation.
    notes
        What else the owner should know, in sentences.
    choice
        The method, if that was decided only when the rows had been counted.
    beside
        Shows the original to checks of the promise that need it.
    """

    manifest: Manifest
    hierarchies: Mapping[str, str]
    left_out: tuple[str, ...]
    facts: TableFacts
    truth: Truth
    notes: tuple[str, ...] = ()
    choice: Choice | None = None
    beside: Beside | None = None


def checked_truth(truth: Truth, opened: Opened) -> list[Finding]:
    """Findings about the truth of a release; that there are none is one that is violated."""
    found = list(truth(opened))
    if any(each.claim.startswith("truthfulness") for each in found):
        return found
    return [*found, finding("truthfulness", DEMANDED, "nobody looked", holds=False)]


def checked_beside(
    beside: Beside | None, promise: Promise, opened: OpenedHere
) -> Iterator[Finding]:
    """Check what is promised and only the original can show; that nobody looks is a violation."""
    if not promise.checks:
        return
    if beside is None:
        yield finding("promised beside the original", "looked at", "nobody looked", holds=False)
        return
    with beside(opened) as (seen, original):
        for check in promise.checks:
            yield from check(seen, original)
