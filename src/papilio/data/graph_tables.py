"""Names of what a release of a graph holds; ``docs/release-format.md`` describes it."""

from __future__ import annotations

#: Column of a group's number, in tables of entities and of nodes.
GROUP = "group"

#: Column of a node's number in tables of nodes.
NODE = "node"


def nodes_name(entities: str) -> str:
    """Name of the table of nodes that belongs to a table of entities."""
    return f"{entities}_nodes"
