"""How a verb tells how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: Told the stage that begins and the share of the work done before it.
Progress: TypeAlias = Callable[[str, float], None]


def silent(stage: str, share: float) -> None:
    """Tell nobody."""
    del stage, share
