"""The verdict on the content of a disguised release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.disguised_layout import (
    Claimed,
    Layout,
    end_kind,
    layout_faults,
    layout_of,
    load_subdomains,
    read_claim,
    target_claims,
)
from papilio.verify.disguised_truth import check_disguised_truth
from papilio.verify.group_tables import wrong_columns
from papilio.verify.integrity import check_rows
from papilio.verify.opened import WORK, Opened
from papilio.verify.target_distribution import (
    check_group_floor,
    check_personal_levels,
    check_target_distribution,
)
from papilio.verify.target_tree import TargetTree
from papilio.verify.verdict import Finding, Status, finding

#: What rounding may change, as a part of the sum of all absolute values of a group.
_ROUNDING = 1e-10


def check_disguised_help(opened: Opened, layout: Layout, claimed: Claimed) -> Finding:
    """Check that the help table says of every group and number of hits what its subdomains do.

    h hits are any h of the group's N subdomains; the least sum is that of the h smallest lower
    ends, the largest that of the h largest upper ends. Mean and variance are those of values that
    follow the target inside their subdomain: h m and h S (N - h) / (N - 1) + h v, with mean m and
    variance S of the subdomains' means and mean v of their variances.
    """
    claim = f"help of {layout.help}"
    demanded = "what the subdomains of each group allow"
    _prepare(opened, layout, claimed)
    missing, strange = _extent(opened, layout)
    if missing or strange:
        measured = f"{missing} rows are missing, {strange} are too many"
        return finding(claim, demanded, measured, holds=False)
    faults = wrong_columns(opened, _tests(opened, layout), _compared(layout))
    return finding(claim, demanded, "; ".join(faults) or "all rows", not faults)


def _prepare(opened: Opened, layout: Layout, claimed: Claimed) -> None:
    """Groups with sizes and moments, and ends by rank with sums up to them."""
    kind = end_kind(opened, layout)
    _load_moments(opened, claimed, whole=kind == sql.WHOLE)
    part = " ".join(
        f"WHEN g BETWEEN {part.first} AND {part.last} THEN {part.place}" for part in claimed.parts
    )
    held = f"(SELECT g, node, n, CASE {part} END AS place FROM {WORK}.cells) AS held"
    opened.keep(
        "sized",
        "SELECT g, sum(n) AS cells, sum(n * m) / sum(n) AS mean, sum(n * v) / sum(n) AS within, "
        "min(low) AS low, max(high) AS high, "
        "sum(n * greatest(abs(CAST(low AS DOUBLE)), abs(CAST(high AS DOUBLE)))) AS weight "
        f"FROM {held} JOIN {WORK}.moments USING (node, place) JOIN {WORK}.tree USING (node) "
        "GROUP BY g",
    )
    opened.keep(
        "spread",
        "SELECT g, sum(n * (m - mean) * (m - mean)) / max(cells) AS spread "
        f"FROM {held} JOIN {WORK}.moments USING (node, place) JOIN {WORK}.sized USING (g) "
        "GROUP BY g",
    )
    opened.keep("ranked", _ranked(layout, kind))


def _ranked(layout: Layout, kind: str) -> str:
    low, high = (sql.name(name) for name in layout.sensitive.published)

    def end(value: str, order: str) -> str:
        own = f"OVER (PARTITION BY g ORDER BY v {order}"
        return (
            f"SELECT g, row_number() {own}) AS i, v, sum(v) {own} ROWS UNBOUNDED PRECEDING) AS s "
            f"FROM (SELECT {sql.name(layout.group)} AS g, CAST({value} AS {kind}) AS v "
            f"FROM {sql.name(layout.values)}) AS ends"
        )

    return (
        "SELECT g, i, a.v AS small, a.s AS small_sum, b.v AS large, b.s AS large_sum "
        f"FROM ({end(low, 'ASC')}) AS a JOIN ({end(high, 'DESC')}) AS b USING (g, i)"
    )


def _load_moments(opened: Opened, claimed: Claimed, *, whole: bool) -> None:
    """Put mean and variance inside each node, for each target, into the work schema."""
    nodes: list[int] = []
    places: list[int] = []
    means: list[float] = []
    variances: list[float] = []
    for place, name in enumerate(claimed.tree.weights):
        mean, variance = _moments(claimed.tree, name, whole=whole)
        nodes += range(claimed.tree.size)
        places += [place] * claimed.tree.size
        means += mean
        variances += variance
    opened.keep_columns("moments", {"node": nodes, "place": places, "m": means, "v": variances})


def _moments(tree: TargetTree, target: str, *, whole: bool) -> tuple[list[float], list[float]]:
    """Mean and variance inside each node, children first.

    A leaf is uniform over its whole numbers or over its width. The variance of a node is the mean
    of its children's variances and the variance of their means; children of weight 0 only count by
    their leaves.
    """
    mean, variance = [0.0] * tree.size, [0.0] * tree.size
    leaves = [0] * tree.size
    for node in range(tree.size - 1, -1, -1):
        below = tree.children[node]
        if not below:
            low, high = float(tree.low[node]), float(tree.high[node])
            wide = high - low
            mean[node], leaves[node] = (low + high) / 2, 1
            variance[node] = (wide * wide + 2 * wide) / 12 if whole else wide * wide / 12
            continue
        leaves[node] = sum(leaves[child] for child in below)
        total = tree.total(target, node)
        shares = [
            tree.weights[target][child] / total if total else leaves[child] / leaves[node]
            for child in below
        ]
        pairs = list(zip(shares, below, strict=True))
        mean[node] = sum(share * mean[child] for share, child in pairs)
        variance[node] = sum(
            share * (variance[child] + (mean[child] - mean[node]) ** 2) for share, child in pairs
        )
    return mean, variance


def _people(layout: Layout) -> str:
    group = sql.name(layout.group)
    return (
        f"SELECT {group} AS g, count(*) AS people FROM {sql.name(layout.people)} GROUP BY {group}"
    )


def _extent(opened: Opened, layout: Layout) -> tuple[int, int]:
    """Pairs of group and hits that are missing, and rows of the help table beyond those."""
    group, table = sql.name(layout.group), sql.name(layout.help or "")
    wanted, found, rows = opened.row(
        f"SELECT (SELECT count(*) FROM {sql.name(layout.people)}), "
        f"(SELECT count(*) FROM (SELECT DISTINCT {group} AS g, hits FROM {table}) AS told "
        f"JOIN ({_people(layout)}) AS sizes USING (g) WHERE hits BETWEEN 1 AND people "
        f"AND hits = floor(hits)), (SELECT count(*) FROM {table})"
    )
    return int(wanted - found), int(rows - found)


def _tests(opened: Opened, layout: Layout) -> list[tuple[str, str]]:
    """For each column of the help table, SQL that tells whether it is right."""
    slack = f"{_ROUNDING} * weight"
    types = opened.types(layout.help or "")
    whole = types["sum_lo"] in sql.WHOLE_TYPES and types["sum_hi"] in sql.WHOLE_TYPES
    sums = "{0} = {1}" if whole else f"abs({{0}} - {{1}}) <= {slack}"
    drawn = "hits * (spread * (cells - hits) / greatest(cells - 1, 1) + within)"
    return [
        ("count_lo", "count_lo = hits"),
        ("count_hi", "count_hi = hits"),
        ("sum_lo", sums.format("sum_lo", "small_sum")),
        ("sum_hi", sums.format("sum_hi", "large_sum")),
        ("min_lo", "min_lo = low"),
        ("min_hi", "min_hi = large"),
        ("max_lo", "max_lo = small"),
        ("max_hi", "max_hi = high"),
        ("avg_lo", f"abs(avg_lo - CAST(small_sum AS DOUBLE) / hits) <= {slack}"),
        ("avg_hi", f"abs(avg_hi - CAST(large_sum AS DOUBLE) / hits) <= {slack}"),
        ("sum_mean", f"abs(sum_mean - hits * mean) <= {slack}"),
        ("sum_var", f"abs(sum_var - {drawn}) <= {_ROUNDING} * ({drawn} + weight * weight)"),
    ]


def _compared(layout: Layout) -> str:
    """The help table joined with what it should say."""
    return (
        f"{sql.name(layout.help or '')} AS h "
        f"LEFT JOIN {WORK}.sized AS z ON z.g = h.{sql.name(layout.group)} "
        f"LEFT JOIN {WORK}.spread AS y ON y.g = z.g "
        f"LEFT JOIN {WORK}.ranked AS r ON r.g = z.g AND r.i = hits"
    )


_CHECKS: Mapping[str, Callable[[Opened, Claim, Claimed], Finding]] = {
    "target-distribution": check_target_distribution,
    "personal-levels": check_personal_levels,
}


def judge_disguised(opened: Opened, original: str | None) -> Iterator[Finding]:
    """Judge people, subdomains and help table of a disguised release, and its claim.

    Parameters
    ----------
    opened
        The release.
    original
        Name of a view with the original; then it is checked that its values fit.
    """
    faults = layout_faults(opened.manifest)
    measured = "; ".join(faults) or "people, values and help table"
    yield finding("layout", "that of a disguised release", measured, not faults)
    if faults:
        yield from map(_not_checked, opened.manifest.claims)
        return
    layout = layout_of(opened.manifest)
    for table in opened.manifest.tables:
        yield check_rows(opened, table)
    numbered = _check_groups(opened, layout)
    yield numbered
    if numbered.status is not Status.HOLDS:
        yield from map(_not_checked, opened.manifest.claims)
        return
    known = target_claims(opened.manifest)
    if len(known) != 1:
        yield finding("claims", "one about the disguised column", str(len(known)), holds=False)
    floors = [claim for claim in opened.manifest.claims if claim.claim == "group-floor"]
    for claim in opened.manifest.claims:
        if claim in known[:1]:
            yield from _claim(opened, layout, claim, original, floors if len(known) == 1 else [])
        elif claim not in floors or len(known) != 1:
            yield _not_checked(claim)


def _claim(
    opened: Opened, layout: Layout, claim: Claim, original: str | None, floors: Sequence[Claim]
) -> Iterator[Finding]:
    """Judge the claim about the target, and those about what its groups leave."""
    claimed = read_claim(opened, layout, claim)
    if isinstance(claimed, str):
        yield finding(claim.claim, "as claimed", claimed, False, recipient=claim.recipient)
        yield from map(_not_checked, floors)
        return
    strange = load_subdomains(opened, layout, claimed.tree)
    measured = f"{strange} are none" if strange else "all cells"
    yield finding(
        f"cells of {layout.values}", "subdomains of the tree", measured, not strange,
        column=layout.sensitive.name,
    )  # fmt: skip
    if strange:
        yield from map(_not_checked, (claim, *floors))
        return
    yield _check_fakes(opened, layout, claimed)
    yield _CHECKS[claim.claim](opened, claim, claimed)
    for floor in floors:
        yield check_group_floor(opened, layout, floor, claimed)
    if layout.help is not None:
        yield check_disguised_help(opened, layout, claimed)
    if original is not None:
        personal = claim.claim == "personal-levels"
        yield from check_disguised_truth(opened, layout, claimed, original, personal=personal)


def _check_groups(opened: Opened, layout: Layout) -> Finding:
    """Check that groups are numbered from 1, the same in people and values."""
    group = sql.name(layout.group)
    counts = [
        opened.row(
            f"SELECT count(DISTINCT {group}), min({group}), max({group}), "
            f"{sql.count_where(f'{group} IS NULL OR {group} <> floor({group})')} "
            f"FROM {sql.name(table)}"
        )
        for table in (layout.people, layout.values)
    ]
    right = all(row[1:] == (1, row[0], 0) for row in counts) and counts[0][0] == counts[1][0]
    measured = f"{counts[0][0]} groups" if right else "not numbered from 1 in both tables"
    return finding("groups", "numbered from 1 in both tables", measured, right)


def _check_fakes(opened: Opened, layout: Layout, claimed: Claimed) -> Finding:
    """Check that no group has fewer cells than people, or too many more."""
    group = sql.name(layout.group)
    sizes = [
        f"SELECT {group} AS g, count(*) AS n FROM {sql.name(table)} GROUP BY {group}"
        for table in (layout.people, layout.values)
    ]
    near, scale = claimed.fakes.numerator, claimed.fakes.denominator
    more = f"{sql.whole('v.n - p.n')} * {scale} > {sql.whole('p.n')} * {near}"
    wrong, fakes = opened.row(
        f"SELECT {sql.count_where(f'v.n < p.n OR {more}')}, "
        f"coalesce(sum(v.n - p.n), 0) FROM ({sizes[0]}) AS p JOIN ({sizes[1]}) AS v USING (g)"
    )
    demanded = f"at most {float(claimed.fakes):.6g} of a group's rows" if near else "none"
    measured = f"{wrong} groups have another number" if wrong else f"{fakes} in all"
    return finding("fake values", demanded, measured, not wrong)


def _not_checked(claim: Claim) -> Finding:
    return Finding(claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, claim.recipient)
