"""How recipients are called, and all sensitive columns at once."""

from __future__ import annotations

from collections.abc import Iterable

#: Name of the recipient when a policy names none: anyone who may know every quasi-identifier.
EVERYONE = "everyone"
#: For whom a claim about recipients who put together what they know holds; no recipient's own name.
ALL_RECIPIENTS = "all recipients together"
#: Stands for every sensitive column in ``l`` and ``t``.
EVERY = "*"
#: How the name of some recipients who put together what they know ends; no recipient's own does.
_TOGETHER = " together"


def called_together(names: Iterable[str]) -> str:
    """What some recipients who put together what they know are called, in claims and sentences."""
    return " and ".join(names) + _TOGETHER


def is_together(name: str) -> bool:
    """Whether a claim for this name is about recipients who put together what they know."""
    return name.strip().casefold().endswith(_TOGETHER)
