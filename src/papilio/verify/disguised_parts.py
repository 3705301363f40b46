"""What a claim about a disguised column says of groups, and the subdomains groups publish."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.disguised_layout import Layout
from papilio.verify.opened import WORK, Opened
from papilio.verify.target_tree import TargetTree, load_tree, read_tree


@dataclass(frozen=True)
class Part:
    """Groups ``first`` to ``last`` have the target ``weights``, column number ``place``."""

    weights: str
    place: int
    first: int
    last: int


@dataclass(frozen=True)
class Claimed:
    """A claim that can be checked.

    Attributes
    ----------
    tree
        The tree of subdomains.
    parts
        Which groups have which target.
    shift, fakes
        What is tolerated; 0 if the claim says nothing.
    """

    tree: TargetTree
    parts: tuple[Part, ...]
    shift: Fraction
    fakes: Fraction


def read_claim(opened: Opened, layout: Layout, claim: Claim) -> Claimed | str:
    """Read a claim; what is wrong with it, if something is."""
    quasi = {column.name for column in layout.shown if column.role == "quasi"}
    if claim.table != layout.people or set(claim.columns) != quasi:
        return "not about all quasi-identifiers"
    if claim.parameters.get("column") != layout.sensitive.name:
        return "not about the column that is disguised"
    file = claim.parameters.get("tree")
    text = opened.hierarchies.get(file) if isinstance(file, str) else None
    tree = read_tree(text, numeric=layout.sensitive.type == "numeric")
    if isinstance(tree, str):
        return tree
    shift, fakes = (_share(claim.parameters.get(key, 0)) for key in ("shift", "fakes"))
    parts = _parts(claim.parameters.get("parts"), tree)
    if shift is None or fakes is None or not parts:
        return "the claim has no such parts, shift and share of fake values"
    (groups,) = opened.row(f"SELECT max({sql.name(layout.group)}) FROM {sql.name(layout.people)}")
    ends = [0, *(part.last for part in parts)]
    starts = [part.first for part in parts]
    if ends[:-1] != [start - 1 for start in starts] or ends[-1] != groups:
        return "the parts of the claim do not cover the groups"
    return Claimed(tree, parts, shift, fakes)


def _share(number: object) -> Fraction | None:
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
        return None
    return Fraction(str(number))


def _parts(said: Any, tree: TargetTree) -> tuple[Part, ...]:
    names, parts = list(tree.weights), []
    for each in said if isinstance(said, list) else []:
        match each:
            case {"weights": str(weights), "groups": [int(first), int(last)]}:
                if weights not in names or not 1 <= first <= last:
                    return ()
                parts.append(Part(weights, names.index(weights), first, last))
            case _:
                return ()
    return tuple(parts)


def load_subdomains(opened: Opened, layout: Layout, tree: TargetTree) -> int:
    """Put groups' subdomains into the work schema; how many cells are none of the tree.

    ``cells`` has group, node and how often; ``inside`` has group, node and how many subdomains of
    the group are that node or below it.
    """
    low, high = (sql.name(name) for name in layout.sensitive.published)
    kind = end_kind(opened, layout)
    load_tree(opened, tree, kind)
    opened.keep(
        "cells",
        "SELECT g, node, count(*) AS n FROM "
        f"(SELECT {sql.name(layout.group)} AS g, CAST({low} AS {kind}) AS low, "
        f"CAST({high} AS {kind}) AS high FROM {sql.name(layout.values)}) AS held "
        f"LEFT JOIN {WORK}.tree USING (low, high) GROUP BY g, node",
    )
    opened.keep(
        "inside",
        f"SELECT g, above AS node, {sql.whole('sum(n)')} AS s "
        f"FROM {WORK}.cells JOIN {WORK}.above USING (node) GROUP BY g, above",
    )
    (strange,) = opened.row(
        f"SELECT coalesce(sum(n), 0) FROM {WORK}.cells WHERE node IS NULL OR g IS NULL"
    )
    return int(strange)


def end_kind(opened: Opened, layout: Layout) -> str:
    """SQL type in which ends of ranges are compared."""
    if layout.sensitive.type != "numeric":
        return sql.TEXT
    types = opened.types(layout.values)
    whole = all(types[name] in sql.WHOLE_TYPES for name in layout.sensitive.published)
    return sql.WHOLE if whole else "DOUBLE"
