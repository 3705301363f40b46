"""Shares that a policy may write as percentages."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any


def share_of(said: Any) -> Any:
    """``2%`` as 0.02; anything else as it is."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*", said) if isinstance(said, str) else None
    return said if match is None else float(Decimal(match[1]) / 100)


def percent_text(share: float) -> str | float:
    """0.02 as ``2%``; what is no share of 1 stays a number, which the policy then refuses."""
    percent = Decimal(repr(float(share))) * 100
    if share < 0:
        return share
    text = f"{percent.normalize():f}"
    return f"{text}%"
