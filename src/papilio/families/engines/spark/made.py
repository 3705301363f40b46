"""What a family hands over when its part files are written by workers."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.families.engines.made import MadeInPieces
from papilio.families.engines.spark.source_rows import SourceRows


@dataclass(frozen=True, eq=False)
class SparkMade(MadeInPieces):
    """A release whose tables lie in the draft folder already.

    Attributes
    ----------
    rows
        The original in the engine, where the promise can only be checked beside it.
    """

    rows: SourceRows | None = None
