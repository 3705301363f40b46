"""What a family hands over when the files of its tables are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from papilio.families.family import Choice
from papilio.release.manifest import Manifest
from papilio.verify.opened import Opened
from papilio.verify.promise.promise import TableFacts
from papilio.verify.verdict import Finding, finding
from papilio.verify.witness.table import DEMANDED

#: Says what is known of the truth of a release that has everything else.
Truth: TypeAlias = Callable[[Opened], Iterable[Finding]]


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
    """

    manifest: Manifest
    hierarchies: Mapping[str, str]
    left_out: tuple[str, ...]
    facts: TableFacts
    truth: Truth
    notes: tuple[str, ...] = ()
    choice: Choice | None = None


def checked_truth(truth: Truth, opened: Opened) -> list[Finding]:
    """Findings about the truth of a release; that there are none is one that is violated."""
    found = list(truth(opened))
    if any(each.claim.startswith("truthfulness") for each in found):
        return found
    return [*found, finding("truthfulness", DEMANDED, "nobody looked", holds=False)]
