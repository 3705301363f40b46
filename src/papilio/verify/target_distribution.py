"""P-privacy from the release alone, in whole numbers.

A group is P-private if at every node of the tree the numbers of subdomains inside its children
stand in the ratio of their weights: subtract, from Definition 3.3.1, what subdomains above the node
add, which follows the weights inside it by itself. With a tolerance x, each child's share may
differ from its weight's share by x.
"""

from __future__ import annotations

from papilio.release.manifest import Claim
from papilio.verify.disguised_parts import Claimed, Part
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding, finding


def check_target_distribution(opened: Opened, claim: Claim, claimed: Claimed) -> Finding:
    """Check that every group's subdomains follow its target within the tolerance."""
    broken = {group for part in claimed.parts for group in _broken(opened, claimed, part, "0 = 1")}
    groups = claimed.parts[-1].last
    demanded = (
        "the target exactly" if not claimed.shift else f"shares within {float(claimed.shift):.6g}"
    )
    measured = f"{groups - len(broken)} of {groups} groups follow it"
    return finding(claim.claim, demanded, measured, not broken, recipient=claim.recipient)


def check_personal_levels(opened: Opened, claim: Claim, claimed: Claimed) -> Finding:
    """Check that every group's subdomains follow the target given the subdomain of its pool.

    The pool is the lowest node that holds all subdomains of the group; nodes above it, where one
    child has everything, are no part of what is promised. Whether people demanded no more than the
    pool can only be seen with the original.
    """
    load_pools(opened, claimed)
    above = (
        f"EXISTS (SELECT 1 FROM {WORK}.pools AS p JOIN {WORK}.above AS a ON a.node = p.pool "
        "WHERE p.g = r.g AND a.above = r.parent AND a.above <> p.pool)"
    )
    broken = {group for part in claimed.parts for group in _broken(opened, claimed, part, above)}
    groups = claimed.parts[-1].last
    measured = f"{groups - len(broken)} of {groups} pools follow the target"
    demanded = "the target inside each pool"
    return finding(claim.claim, demanded, measured, not broken, recipient=claim.recipient)


def load_pools(opened: Opened, claimed: Claimed) -> None:
    """Put the node of each group's pool into the work schema, as ``pools``.

    It is the lowest node that holds all subdomains of the group, raised as long as the target gives
    its siblings no weight: the group then follows the target inside the node above as well.
    """
    raised = " ".join(
        f"WHEN g BETWEEN {part.first} AND {part.last} THEN u{part.place}" for part in claimed.parts
    )
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.pools AS SELECT g, CASE {raised} END AS pool FROM "
        f"(SELECT g, max(node) AS node FROM {WORK}.inside "
        f"JOIN (SELECT g, sum(n) AS cells FROM {WORK}.cells GROUP BY g) USING (g) "
        f"WHERE s = cells GROUP BY g) JOIN {WORK}.tree USING (node)"
    )


def _broken(opened: Opened, claimed: Claimed, part: Part, excused: str) -> list[int]:
    """Groups of a part in which the share of some child is off, but for nodes that are excused."""
    weight, total = f"c.w{part.place}", f"p.t{part.place}"
    near, scale = claimed.shift.numerator, claimed.shift.denominator
    pushes = (
        f"SELECT g, parent, sum(s) AS pushed FROM {WORK}.inside JOIN {WORK}.tree USING (node) "
        f"WHERE parent >= 0 AND g BETWEEN {part.first} AND {part.last} GROUP BY g, parent"
    )
    rows = opened.rows(
        f"SELECT DISTINCT r.g FROM ({pushes}) AS r JOIN {WORK}.tree AS p ON p.node = r.parent "
        f"JOIN {WORK}.tree AS c ON c.parent = r.parent "
        f"LEFT JOIN {WORK}.inside AS i ON i.g = r.g AND i.node = c.node "
        f"WHERE ({total} = 0 OR abs(coalesce(i.s, 0) * {total} - {weight} * r.pushed) * {scale} "
        f"> {near} * r.pushed * {total}) AND NOT ({excused})"
    )
    return [int(group) for (group,) in rows]
