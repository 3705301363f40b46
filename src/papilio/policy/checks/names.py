"""Names that would collide in a release, or that no release may have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.data.wording import can_be_shown
from papilio.errors import Fault

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

#: Columns that the verifier adds to tables of the owner.
_OWN = ("papilio_row", "papilio_up", "papilio_place", "papilio_person")


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


def unusable_names(policy: Policy) -> list[Fault]:
    """Find columns, of whatever family, whose names no release may have.

    These are names that would do something when printed, such as ending the line, and those of
    columns that the verifier adds.
    """
    faults = []
    for path, name in _columns(policy):
        if not can_be_shown(name):
            message = "a column has a control character in its name; rename it in the source"
            faults.append(policy.fault(message, *path))
        elif name.casefold() in _OWN:
            message = f"the name '{name}' is Papilio's own; rename it in the source"
            faults.append(policy.fault(message, *path))
    return faults


def _columns(policy: Policy) -> Iterator[tuple[tuple[str, ...], str]]:
    """Columns that are published or keys, and the key of the policy each stands below."""
    yield from ((("columns",), name) for name in policy.published)
    if policy.link and policy.person_column is not None:
        yield ("person",), policy.person_column
    for table, said in policy.tables.items():
        named = (*said.published, said.key, said.foreign_key)
        yield from ((("tables", table), name) for name in named if name is not None)
    if policy.graph is not None:
        for side in ("left", "right"):
            entities = getattr(policy.graph, side)
            yield from ((("graph", side), name) for name in (*entities.columns, entities.key))
        edges = policy.graph.edges
        yield from ((("graph", "edges"), name) for name in (edges.left, edges.right))
