"""Whose published tree may be part of somebody's whole tree, by trying every choice of rows."""

from __future__ import annotations

from itertools import permutations


def fits(whole, part, allows):
    """Whether a published tree may be what is left of a person's.

    Parameters
    ----------
    whole, part
        Trees: table, label, children.
    allows
        Whether the cells of a label of the release allow a label of the original, by table.
    """
    table, label, children = whole
    _, cells, kept = part
    if not allows(table, cells, label) or len(kept) > len(children):
        return False
    return any(
        all(
            one[0] == other[0] and fits(one, other, allows)
            for one, other in zip(chosen, kept, strict=True)
        )
        for chosen in permutations(children, len(kept))
    )


def counts(whole, tables):
    """Rows of each table in a tree."""
    table, _, children = whole
    found = [int(each == table) for each in tables]
    for child in children:
        found = [a + b for a, b in zip(found, counts(child, tables), strict=True)]
    return found
