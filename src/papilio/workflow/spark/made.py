"""What a family of methods hands over when its part files are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from papilio.families.family import Choice
from papilio.release.manifest import Manifest
from papilio.verify.promise.promise import TableFacts
from papilio.workflow.spark.source_rows import SourceRows
from papilio.workflow.spark.truth import Truth


@dataclass(frozen=True, eq=False)
class SparkMade:
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
        Says what workers found out about the truth of the tables. That nothing is said is a
        violation.
    notes
        What else the owner should know, in sentences.
    choice
        The method, if that was decided only when the rows had been counted.
    rows
        The original in the engine, where the promise can only be checked beside it.
    """

    manifest: Manifest
    hierarchies: Mapping[str, str]
    left_out: tuple[str, ...]
    facts: TableFacts
    truth: Truth
    notes: tuple[str, ...] = ()
    choice: Choice | None = None
    rows: SourceRows | None = None
