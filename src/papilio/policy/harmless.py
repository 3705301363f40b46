"""Harmless values of the sensitive columns of a table, as a policy has them."""

from __future__ import annotations

from collections.abc import Mapping

from papilio.data.several_values import bitmap_name
from papilio.policy.policy import Policy


def harmless_values(
    policy: Policy, several: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str | None, ...]]:
    """Values that need no protection, per column of the table.

    Of a column with several values, a harmless value is one whose boolean column says nothing that
    needs protection, neither by true nor by false.
    """
    found: dict[str, tuple[str | None, ...]] = {}
    for name, column in policy.columns.items():
        if name not in several:
            found[name] = column.harmless
            continue
        safe = {bitmap_name(name, value) for value in column.harmless if value is not None}
        found |= {flags: ("true", "false") for flags in several[name] if flags in safe}
    return {name: values for name, values in found.items() if values}
