"""Whether a disguised release has the tables and columns that make it one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.group_tables import (
    columns_with,
    group_names,
    has_only,
    holds_people,
    is_help_table,
)
from papilio.verify.opened import WORK, Opened
from papilio.verify.target_tree import TargetTree, load_tree, read_tree


@dataclass(frozen=True)
class Layout:
    """Names in a disguised release.

    Attributes
    ----------
    people, values
        The two tables every disguised release has.
    help
        The help table, which releases about numbers have.
    group
        The column with the number of the group, in all of them.
    sensitive
        How the disguised column is published, in ``values`` only.
    shown
        Columns of ``people`` that are published as they were.
    """

    people: str
    values: str
    help: str | None
    group: str
    sensitive: PublishedColumn
    shown: tuple[PublishedColumn, ...]


def layout_faults(manifest: Manifest) -> list[str]:
    """Say in what a manifest differs from that of a disguised release."""
    names = [table.name for table in manifest.tables]
    wanted = [names[0], f"{names[0]}_values", f"{names[0]}_help"] if names else []
    if len(names) < 2 or names != wanted[: len(names)]:
        return ["the tables are not people, values and help table"]
    people, values, *helping = manifest.tables
    faults = []
    if len({group_names(table) for table in manifest.tables}) != 1 or len(group_names(people)) != 1:
        faults.append("the tables do not have one group column each, of the same name")
    if not holds_people(people):
        faults.append(f"'{people.name}' does not hold quasi-identifiers, plain columns and group")
    if not _holds_ranges(values):
        faults.append(f"'{values.name}' does not hold group and one sensitive column in ranges")
    elif bool(helping) != (columns_with(values, "range")[0].type == "numeric"):
        faults.append("a help table goes with numbers, and with nothing else")
    if not all(is_help_table(table) for table in helping):
        faults.append("the help table does not hold group, hits and bounds")
    if any(table.left_out_at_most for table in manifest.tables):
        faults.append("rows are left out")
    return faults


#: Claims about the disguised column, of which a release has exactly one.
TARGET_CLAIMS = ("target-distribution", "personal-levels")


def target_claims(manifest: Manifest) -> list[Claim]:
    """Claims that name tree and parts."""
    return [claim for claim in manifest.claims if claim.claim in TARGET_CLAIMS]


def layout_of(manifest: Manifest) -> Layout:
    """Names in a manifest without :func:`layout_faults`."""
    people, values, *helping = manifest.tables
    (group,) = group_names(people)
    (sensitive,) = columns_with(values, "range")
    name = helping[0].name if helping else None
    return Layout(
        people.name, values.name, name, group, sensitive, tuple(columns_with(people, "value"))
    )


def _holds_ranges(table: PublishedTable) -> bool:
    found = [(c.role, len(c.published), c.text) for c in columns_with(table, "range")]
    return found == [("sensitive", 2, False)] and has_only(table, "range", "group")


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
    blind
        Whether who is in which pool is claimed to be told by what people demand.
    values, span
        What a floor wants every group to leave; pools are raised to nodes that do.
    """

    tree: TargetTree
    parts: tuple[Part, ...]
    shift: Fraction
    fakes: Fraction
    blind: bool = False
    values: int = 1
    span: Fraction = Fraction(0)


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
    blind = claim.parameters.get("volunteers") == "blind"
    floors = [_floor(each) for each in opened.manifest.claims if each.claim == "group-floor"]
    known = [each for each in floors if each is not None]
    if len(known) < len(floors):
        return "the claim of a floor has no such k, l and e"
    values = max((values for values, _ in known), default=1)
    span = max((span for _, span in known), default=Fraction(0))
    return Claimed(tree, parts, shift, fakes, blind, values, span)


def _floor(claim: Claim) -> tuple[int, Fraction] | None:
    """How many values a floor wants, and how far apart; nothing if it says no such numbers."""
    match claim.parameters:
        case {"k": int(k), "l": int(values), "e": int(e) | float(e)}:
            said = k, values, e
        case _:
            return None
    strange = any(isinstance(each, bool) for each in said) or not math.isfinite(e)
    return None if strange or min(k, values) < 1 or e < 0 else (values, Fraction(str(e)))


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
