"""Safe (k,l)-groupings from the released tables (Zhang, Definitions 4.4.1 to 4.4.3).

Sizes are counted among the nodes of each group, and again among its entities; safety by looking
for a node whose neighbours include two of one group.
"""

from __future__ import annotations

from papilio.release.manifest import Claim
from papilio.verify.graph_parts import Parts, Side
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding


def check_safe_grouping(opened: Opened, claim: Claim, parts: Parts) -> Finding:
    """Check that groups are as large as claimed, not larger than strict, and safe."""
    measured, faults = [], []
    for side in (parts.left, parts.right):
        least, most, groups = opened.row(
            f"SELECT min(n), max(n), count(*) FROM (SELECT count(*) AS n FROM {side.nodes} "
            'GROUP BY "group")'
        )
        measured.append(f"{side.label} = {least or 0} to {most or 0} over {groups} groups")
        if least is None or least < side.size:
            faults.append(f"a group has fewer than {side.label} nodes")
        if parts.strict and (most or 0) > side.size + 1:
            faults.append(f"a group has more than {side.label} + 1 nodes")
        unsafe = _unsafe(opened, parts, side)
        if unsafe:
            faults.append(f"{unsafe} times nodes of one group of {side.label} share a neighbour")
    strict = "strict and safe" if parts.strict else "safe"
    demanded = f"k >= {parts.left.size}, l >= {parts.right.size}, {strict}"
    text = "; ".join([*measured, *(faults or [strict])])
    return finding("safe-grouping", demanded, text, not faults, recipient=claim.recipient)


def _unsafe(opened: Opened, parts: Parts, side: Side) -> int:
    """How often a node of the other side has several neighbours in one group."""
    (count,) = opened.row(
        f"SELECT count(*) FROM (SELECT 1 FROM {parts.edges} AS e JOIN {side.nodes} AS n "
        f'ON e.{side.end} = n.node GROUP BY n."group", e.{side.other} HAVING count(*) > 1)'
    )
    return int(count)
