"""P-privacy from the release alone, in whole numbers.

A group is P-private if at every node of the tree the numbers of subdomains inside its children
stand in the ratio of their weights: subtract, from Definition 3.3.1, what subdomains above the node
add, which follows the weights inside it by itself. With a tolerance x, each child's share may
differ from its weight's share by x.
"""

from __future__ import annotations

from papilio.release.manifest import Claim
from papilio.verify.disguised_layout import Claimed, Part
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding, finding


def check_target_distribution(opened: Opened, claim: Claim, claimed: Claimed) -> Finding:
    """Check that every group's subdomains follow its target within the tolerance."""
    broken = sum(_broken(opened, claimed, part) for part in claimed.parts)
    groups = claimed.parts[-1].last
    demanded = (
        "the target exactly" if not claimed.shift else f"shares within {float(claimed.shift):.6g}"
    )
    measured = f"{groups - broken} of {groups} groups follow it"
    return finding(claim.claim, demanded, measured, not broken, recipient=claim.recipient)


def check_personal_levels(opened: Opened, claim: Claim, claimed: Claimed) -> Finding:
    """Check that every group's subdomains follow the target given the subdomain of its pool.

    The pool is the lowest node that holds all subdomains of the group; nodes above it, where one
    child has everything, are no part of what is promised. Whether people demanded no more than the
    pool can only be seen with the original.
    """
    load_pools(opened, claimed)
    above = (
        f"SELECT p.g AS g, a.above AS node FROM {WORK}.pools AS p "
        f"JOIN {WORK}.above AS a ON a.node = p.pool WHERE a.above <> p.pool"
    )
    broken = sum(_broken(opened, claimed, part, above) for part in claimed.parts)
    groups = claimed.parts[-1].last
    measured = f"{groups - broken} of {groups} pools follow the target"
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
    opened.keep(
        "pools",
        f"SELECT g, CASE {raised} END AS pool FROM "
        f"(SELECT g, max(node) AS node FROM {WORK}.inside "
        f"JOIN (SELECT g, sum(n) AS cells FROM {WORK}.cells GROUP BY g) AS sizes USING (g) "
        f"WHERE s = cells GROUP BY g) AS lowest JOIN {WORK}.tree USING (node)",
    )


def _broken(opened: Opened, claimed: Claimed, part: Part, excused: str | None = None) -> int:
    """Number of groups of a part in which the share of some child is off.

    Nodes that are excused, given as SQL for (g, node), do not count.
    """
    weight, total = f"c.w{part.place}", f"p.t{part.place}"
    near, scale = claimed.shift.numerator, claimed.shift.denominator
    pushes = (
        f"SELECT g, parent, sum(s) AS pushed FROM {WORK}.inside JOIN {WORK}.tree USING (node) "
        f"WHERE parent >= 0 AND g BETWEEN {part.first} AND {part.last} GROUP BY g, parent"
    )
    excuse = f"LEFT JOIN ({excused}) AS x ON x.g = r.g AND x.node = r.parent " if excused else ""
    (count,) = opened.row(
        f"SELECT count(DISTINCT r.g) FROM ({pushes}) AS r "
        f"JOIN {WORK}.tree AS p ON p.node = r.parent "
        f"JOIN {WORK}.tree AS c ON c.parent = r.parent "
        f"LEFT JOIN {WORK}.inside AS i ON i.g = r.g AND i.node = c.node {excuse}"
        f"WHERE ({total} = 0 OR abs(coalesce(i.s, 0) * {total} - {weight} * r.pushed) * {scale} "
        f"> {near} * r.pushed * {total}){' AND x.g IS NULL' if excused else ''}"
    )
    return int(count)
