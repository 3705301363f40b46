"""P-privacy from the release alone, in whole numbers.

A group is P-private if at every node of the tree the numbers of subdomains inside its children
stand in the ratio of their weights: subtract, from Definition 3.3.1, what subdomains above the node
add, which follows the weights inside it by itself. With a tolerance x, each child's share may
differ from its weight's share by x.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.disguised_layout import Claimed, Layout, Part
from papilio.verify.opened import WORK, Opened
from papilio.verify.target_tree import TargetTree, raised
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


def check_group_floor(opened: Opened, layout: Layout, claim: Claim, claimed: Claimed) -> Finding:
    """Check how many people every group has, and what its published shares leave.

    A value has a share above 0 if from some cell of the group down to it no step has weight 0
    while a sibling has some. Where such a step would be taken the tree falls apart; in each piece a
    cell below another one adds nothing, so that values can be counted by the highest cells.
    """
    column, least = claim.parameters.get("column"), claim.parameters
    if column != layout.sensitive.name:
        measured = "not about the column that is disguised"
        return finding(claim.claim, "as claimed", measured, False, recipient=claim.recipient)
    group = sql.name(layout.group)
    (few,) = opened.row(
        f"SELECT count(*) FROM (SELECT {group} FROM {sql.name(layout.people)} GROUP BY {group} "
        f"HAVING count(*) < {int(least['k'])}) AS small"
    )
    _load_reaches(opened, claimed)
    part = " ".join(
        f"WHEN g BETWEEN {each.first} AND {each.last} THEN {each.place}" for each in claimed.parts
    )
    opened.keep(
        "reached",
        f"SELECT g, c.node AS node, piece, leaves, low, high FROM (SELECT g, node, CASE {part} END "
        f"AS place FROM {WORK}.cells) AS c JOIN {WORK}.reaches AS r USING (node, place)",
    )
    covered = (
        f"SELECT c.g AS g, c.node AS node FROM {WORK}.reached AS c JOIN {WORK}.above AS a "
        f"ON a.node = c.node JOIN {WORK}.reached AS h ON h.g = c.g AND h.node = a.above "
        "AND h.piece = c.piece WHERE a.above <> c.node"
    )
    rows = opened.rows(
        f"SELECT r.g, sum(CASE WHEN o.g IS NULL THEN leaves ELSE 0 END), min(low), max(high) "
        f"FROM {WORK}.reached AS r LEFT JOIN (SELECT DISTINCT g, node FROM ({covered}) AS every) "
        "AS o ON o.g = r.g AND o.node = r.node GROUP BY r.g"
    )
    ends = sorted({*claimed.tree.low, *claimed.tree.high}, key=_order)
    wide = Fraction(str(least["e"]))
    narrow = sum(
        int(left) < least["l"] or (wide > 0 and _span(ends, int(low), int(high)) < wide)
        for _, left, low, high in rows
    )
    broken = f"{few} groups have fewer people, {narrow} leave less"
    groups = claimed.parts[-1].last
    holds = not few and not narrow and len(rows) == groups
    measured = f"all {groups} groups do" if holds else broken
    demanded = f"groups of {least['k']} people that leave {least['l']} values"
    demanded += f" over {least['e']}" if wide else ""
    return finding(claim.claim, demanded, measured, holds, recipient=claim.recipient)


def _order(text: str) -> tuple[Fraction, str]:
    try:
        return Fraction(text), text
    except (ValueError, ZeroDivisionError):
        return Fraction(0), text


def _span(ends: list[str], low: int, high: int) -> Fraction:
    return Fraction(ends[high]) - Fraction(ends[low])


def _load_reaches(opened: Opened, claimed: Claimed) -> None:
    """Put what each node leaves into the work schema, for each target, as ``reaches``.

    ``piece`` is the highest node from which the way down to the node has weight; ``leaves`` counts
    the values it leaves, ``low`` and ``high`` are places of their ends among all ends.
    """
    tree = claimed.tree
    ends = {end: at for at, end in enumerate(sorted({*tree.low, *tree.high}, key=_order))}
    columns: dict[str, list[int]] = {
        name: [] for name in ("node", "place", "piece", "leaves", "low", "high")
    }
    for place, name in enumerate(tree.weights):
        piece, leaves, low, high = _reaches(tree, name, ends)
        for key, numbers in zip(
            columns, (range(tree.size), [place] * tree.size, piece, leaves, low, high), strict=True
        ):
            columns[key] += numbers
    opened.keep_columns("reaches", columns)


def _reaches(
    tree: TargetTree, target: str, ends: dict[str, int]
) -> tuple[list[int], list[int], list[int], list[int]]:
    piece = list(range(tree.size))
    for node in range(1, tree.size):
        above = tree.parent[node]
        if tree.weights[target][node] > 0 or tree.total(target, above) == 0:
            piece[node] = piece[above]
    leaves = [0] * tree.size
    low, high = [len(ends)] * tree.size, [-1] * tree.size
    for node in range(tree.size - 1, -1, -1):
        if not tree.children[node]:
            leaves[node], low[node] = 1, ends[tree.low[node]]
            high[node] = ends[tree.high[node]]
        for child in tree.children[node]:
            if piece[child] == piece[node]:
                leaves[node] += leaves[child]
                low[node], high[node] = min(low[node], low[child]), max(high[node], high[child])
    return piece, leaves, low, high


class BlindPools:
    """In which pool people are if nothing but what they demand says so, for each target.

    Everybody who says the same is in a pool at the same depth: that of the highest node which any
    value would make of what they say, raised until the floor is met. Who says that their own value
    may be known stays with it, unless the floor wants more.
    """

    def __init__(self, claimed: Claimed, demand: Callable[[int, str | None], int | None]) -> None:
        self._claimed, self._demand = claimed, demand
        tree = claimed.tree
        self._leaves = [node for node in range(tree.size) if not tree.children[node]]
        self._depth = [0] * tree.size
        for node in range(1, tree.size):
            self._depth[node] = self._depth[tree.parent[node]] + 1
        self._known: dict[tuple[int, str | None], int | None] = {}
        self._enough: dict[int, list[bool]] = {}

    def pool(self, place: int, leaf: int, said: str | None) -> int | None:
        """Pool of somebody with a value; ``None`` if what they say is not understood."""
        node = self._demand(leaf, said)
        if node is None:
            return None
        tree, own = self._claimed.tree, leaf
        if (place, said) not in self._known:
            self._known[place, said] = self._wanted(place, node, said)
        depth = self._known[place, said]
        while depth is not None and self._depth[own] > depth:
            own = tree.parent[own]
        return raised(tree, list(tree.weights)[place])[own]

    def _wanted(self, place: int, node: int, said: str | None) -> int | None:
        nodes = [self._demand(leaf, said) for leaf in self._leaves]
        if any(each is None for each in nodes):
            nodes = [node]
        floor = self._claimed.values > 1 or self._claimed.span > 0
        if nodes == self._leaves and not floor:
            return None
        return min(self._depth[self._up(place, each)] for each in nodes if each is not None)

    def _up(self, place: int, node: int) -> int:
        if self._claimed.values <= 1 and self._claimed.span <= 0:
            return node
        tree = self._claimed.tree
        if place not in self._enough:
            ends = sorted({*tree.low, *tree.high}, key=_order)
            places = {end: at for at, end in enumerate(ends)}
            piece, leaves, low, high = _reaches(tree, list(tree.weights)[place], places)
            wide = self._claimed.span
            self._enough[place] = [
                piece[at] == 0
                and leaves[at] >= self._claimed.values
                and (wide <= 0 or _span(ends, low[at], high[at]) >= wide)
                for at in range(tree.size)
            ]
        while node and not self._enough[place][node]:
            node = tree.parent[node]
        return node
