"""The verdict on the content of a disguised release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.disguised_help import check_disguised_help
from papilio.verify.disguised_layout import Layout, layout_faults, layout_of
from papilio.verify.disguised_parts import Claimed, load_subdomains, read_claim
from papilio.verify.disguised_truth import check_disguised_truth
from papilio.verify.integrity import check_rows
from papilio.verify.opened import Opened
from papilio.verify.target_distribution import check_personal_levels, check_target_distribution
from papilio.verify.verdict import Finding, Status, finding

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
    known = [claim for claim in opened.manifest.claims if claim.claim in _CHECKS]
    if len(known) != 1:
        yield finding("claims", "one about the disguised column", str(len(known)), holds=False)
    for claim in opened.manifest.claims:
        if claim in known[:1]:
            yield from _claim(opened, layout, claim, original)
        else:
            yield _not_checked(claim)


def _claim(opened: Opened, layout: Layout, claim: Claim, original: str | None) -> Iterator[Finding]:
    claimed = read_claim(opened, layout, claim)
    if isinstance(claimed, str):
        yield finding(claim.claim, "as claimed", claimed, False, recipient=claim.recipient)
        return
    strange = load_subdomains(opened, layout, claimed.tree)
    measured = f"{strange} are none" if strange else "all cells"
    yield finding(
        f"cells of {layout.values}", "subdomains of the tree", measured, not strange,
        column=layout.sensitive.name,
    )  # fmt: skip
    if strange:
        yield _not_checked(claim)
        return
    yield _check_fakes(opened, layout, claimed)
    yield _CHECKS[claim.claim](opened, claim, claimed)
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
