"""Names that would collide in a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.errors import Fault

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def colliding_names(policy: Policy) -> list[Fault]:
    """Find columns whose published names would collide, such as ``age`` and ``age_min``."""
    return [
        policy.fault(
            f"'{name}' may be published under this name; rename one of them in the source",
            "columns",
            f"{name}_{suffix}",
        )
        for name in policy.quasi
        for suffix in ("min", "max", "null")
        if f"{name}_{suffix}" in policy.published and policy.columns[name].hierarchy is None
    ]


def alike_names(policy: Policy) -> list[Fault]:
    """Find columns whose names differ in letter case only, which databases take for one."""
    seen: dict[str, str] = {}
    faults = []
    for name in policy.published:
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            message = f"differs from '{other}' in letter case only; rename one of them"
            faults.append(policy.fault(message, "columns", name))
    return faults
