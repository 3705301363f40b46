"""The content of a released graph: numbers that fit together, the claim, and the original."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.release.manifest import Claim
from papilio.verify.graph_original import check_graph_original
from papilio.verify.graph_parts import Parts, Side, parts_of
from papilio.verify.integrity import check_rows
from papilio.verify.opened import Opened
from papilio.verify.safe_grouping import check_safe_grouping
from papilio.verify.verdict import Finding, Status, finding


def judge_graph(opened: Opened, original: str | None) -> Iterator[Finding]:
    """Judge a release of kind ``graph``.

    Parameters
    ----------
    opened
        The release.
    original
        Views of the original are called so with `` left``, `` right`` and `` edges`` behind it.
    """
    for table in opened.manifest.tables:
        yield check_rows(opened, table)
    claims = opened.manifest.claims
    said = [claim for claim in claims if claim.claim == "safe-grouping"]
    parts = parts_of(opened.manifest, said[0]) if len(said) == 1 else None
    demanded = "one claim of safe grouping that names the five tables"
    described = "as described" if parts is not None else "none that fits the tables"
    yield finding("tables of the graph", demanded, described, parts is not None)
    yield from (_unknown(claim) for claim in claims if parts is None or claim not in said)
    if parts is None:
        return
    structure = [_numbers(opened, parts), _groups(opened, parts)]
    yield from structure
    if any(each.status is not Status.HOLDS for each in structure):
        yield _unknown(said[0])
        return
    yield check_safe_grouping(opened, said[0], parts)
    if original is not None:
        yield from check_graph_original(opened, parts, original)


def _unknown(claim: Claim) -> Finding:
    return Finding(
        claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, recipient=claim.recipient
    )


def _numbers(opened: Opened, parts: Parts) -> Finding:
    """Nodes are numbered 0, 1, …, each once; edges join nodes that there are, each pair once."""
    faults = []
    for side in (parts.left, parts.right):
        nodes, different, least, most = opened.row(
            f"SELECT count(*), count(DISTINCT node), min(node), max(node) FROM {side.nodes}"
        )
        if nodes == 0 or different != nodes or least != 0 or most != nodes - 1:
            faults.append(f"the nodes of {side.label} are not numbered from 0 on")
        (astray,) = opened.row(
            f"SELECT count(*) FROM {parts.edges} AS e ANTI JOIN {side.nodes} AS n "
            f"ON e.{side.end} = n.node"
        )
        if astray:
            faults.append(f"{astray} edges lead to no node of {side.label}")
    edges, different = opened.row(
        f"SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT * FROM {parts.edges})) "
        f"FROM {parts.edges}"
    )
    if edges != different:
        faults.append(f"{edges - different} edges are there twice")
    demanded = "each node once, edges between them, each once"
    text = "; ".join(faults) or f"{edges} edges"
    return finding("structure", demanded, text, not faults)


def _groups(opened: Opened, parts: Parts) -> Finding:
    """Every group has as many entities as nodes, so that entities can be nodes one to one."""
    faults = [
        f"{count} groups of {side.label} differ in entities and nodes"
        for side in (parts.left, parts.right)
        if (count := _different(opened, side))
    ]
    demanded = "as many entities as nodes in each group"
    return finding("groups", demanded, "; ".join(faults) or "equally many", not faults)


def _different(opened: Opened, side: Side) -> int:
    (count,) = opened.row(
        'SELECT count(*) FROM (SELECT "group" AS g, count(*) AS n FROM '
        f'{side.entities} GROUP BY g) AS e FULL JOIN (SELECT "group" AS g, count(*) AS n FROM '
        f"{side.nodes} GROUP BY g) AS v ON e.g = v.g WHERE e.n IS DISTINCT FROM v.n"
    )
    return int(count)
