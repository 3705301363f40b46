"""What a column that follows another must be published as, from the definition."""

from __future__ import annotations


def image(pairs, allows):
    """All that goes with a value that a cell allows, anywhere in the original."""
    return {follower for leader, follower in pairs if allows(leader)}
