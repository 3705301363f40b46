"""A model in which exactly one of several keys must be given."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel


def pick_one(model: BaseModel, keys: Sequence[str]) -> str:
    """Return the one key out of ``keys`` that is set.

    Raises
    ------
    ValueError
        If none or more than one is set; pydantic turns it into a fault of the policy.
    """
    given = [key for key in keys if getattr(model, key) not in (None, False)]
    if len(given) != 1:
        raise ValueError(f"give exactly one of {', '.join(keys)}")
    return given[0]
