"""What a requirement means, in plain language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """How a page explains one requirement.

    Attributes
    ----------
    title
        Its name.
    demands
        What it demands of a release.
    stops
        The attacker it stops.
    does_not_stop
        Who is not stopped by it.
    example
        What it means for one person.
    usual
        What to start with.
    """

    title: str
    demands: str
    stops: str
    does_not_stop: str
    example: str
    usual: str
