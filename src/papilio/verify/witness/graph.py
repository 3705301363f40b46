"""Truthfulness of a released graph: entities, the node of each, and every edge between nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.made import Witness
from papilio.release.manifest import Claim, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.permuted import groups_of, without_group
from papilio.verify.witness.rows import Rows, row_faults
from papilio.verify.witness.table import check_table

_ENTITY = "papilio entity"


def check_graph(
    opened: Opened, originals: Mapping[str, pl.DataFrame], witness: Witness
) -> Iterator[Finding]:
    """Check entities and their groups, and that the masked edges are those of the original.

    The witness names the entity of each line of the tables of entities and of the tables of nodes.
    """
    (claim,) = (each for each in opened.manifest.claims if each.claim == "safe-grouping")
    nodes = []
    for part in ("left", "right"):
        table = opened.manifest.table(str(claim.parameters[part]))
        found = _side(opened, table, originals[part], witness)
        yield from found
        if any(each.status is not Status.HOLDS for each in found):
            return
        nodes.append(_entity_of_node(opened, f"{table.name}_nodes", witness))
    dropped = int(claim.parameters.get("dropped", 0))
    yield from _edges(opened, claim, originals["edges"], nodes, dropped)


def _side(
    opened: Opened, table: PublishedTable, original: pl.DataFrame, witness: Witness
) -> list[Finding]:
    """Entities with their attributes, and the group of each, which is that of its node."""
    attributes, masked = original.drop(_ENTITY), opened.manifest.table(f"{table.name}_nodes")
    found = check_table(
        opened,
        without_group(table),
        attributes,
        witness.get(table.name),
        f"truthfulness of {table.name}",
        height=original.height,
    )
    both = [found, _named(opened, masked, original.height, witness)]
    if any(each.status is not Status.HOLDS for each in both):
        return both
    sides = [
        groups_of(opened, each, "group", witness[each.name], original.height)
        for each in (table, masked)
    ]
    astray = int((sides[0] != sides[1]).sum())
    measured = f"{astray} entities are not" if astray else "all entities are"
    demanded = "every entity is in the group of its node"
    return [*both, finding(f"groups of {table.name}", demanded, measured, not astray)]


def _named(opened: Opened, table: PublishedTable, count: int, witness: Witness) -> Finding:
    faults = row_faults(opened, table, witness.get(table.name), count)
    demanded = "every line is an entity of its own, and none is lost"
    measured = "; ".join(faults) or f"all {count} lines are"
    return finding(f"truthfulness of {table.name}", demanded, measured, not faults)


def _entity_of_node(opened: Opened, table: str, witness: Witness) -> Rows:
    """Entity behind each node; nodes are numbered from 0."""
    (numbers,) = opened.arrays(f"SELECT CAST(node AS BIGINT) AS n FROM {sql.name(table)}")
    entity = np.full(len(numbers), -1, np.int64)
    entity[np.asarray(numbers, np.int64)] = witness[table]
    return entity


def _edges(
    opened: Opened,
    claim: Claim,
    original: pl.DataFrame,
    nodes: list[NDArray[np.integer[Any]]],
    dropped: int,
) -> Iterator[Finding]:
    """The edges of the release, read back as edges between entities, are those of the original.

    As many of the original's are missing as the release says. If it speaks of known degrees, nobody
    holds so many of them that the number of their links tells whose they are.
    """
    listed = ", ".join(
        f"CAST({sql.name(c)} AS BIGINT) AS e{i}" for i, c in enumerate(claim.columns)
    )
    ends = opened.arrays(f"SELECT {listed} FROM {sql.name(claim.table)}")
    left, right = (
        entity[np.asarray(end, np.int64)] for entity, end in zip(nodes, ends, strict=True)
    )
    wide = max(len(nodes[1]), 1)
    published = np.unique(left * wide + right)
    known = np.unique(
        original.get_column("left").to_numpy().astype(np.int64) * wide
        + original.get_column("right").to_numpy()
    )
    added = len(np.setdiff1d(published, known, assume_unique=True))
    lost = np.setdiff1d(known, published, assume_unique=True)
    wrong = added + abs(len(lost) - dropped)
    measured = f"{wrong} edges differ" if wrong else f"all {len(published)} edges are"
    demanded = "the edges are those of the original, each between the nodes of its ends"
    yield finding(f"truthfulness of {claim.table}", demanded, measured, not wrong)
    for each in opened.manifest.claims:
        if each.claim == "known-degree" and len(lost):
            yield _losses(claim.table, each.parameters["s"], *np.divmod(lost, wide))


def _losses(table: str, size: int, left: Rows, right: Rows) -> Finding:
    """No pair of ends holds more than 1 in ``size`` of the links that were left out."""
    most = int(np.bincount(left).max()) * int(np.bincount(right).max())
    demanded = f"no two ends hold more than 1 in {size} of the links that are missing"
    measured = f"at most {most} of {len(left)}"
    return finding(f"losses of {table}", demanded, measured, size * most <= len(left))
