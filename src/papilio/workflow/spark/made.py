"""What a family of methods hands over when its part files are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from papilio.methods.choose import Choice
from papilio.release.manifest import Manifest


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
    notes
        What else the owner should know, in sentences.
    choice
        The method, if that was decided only when the rows had been counted.
    """

    manifest: Manifest
    hierarchies: Mapping[str, str]
    left_out: tuple[str, ...]
    notes: tuple[str, ...] = ()
    choice: Choice | None = None
