"""Collusion: what recipients of one release learn if they put together what they know.

Each of two recipients finds at least k rows that may be a person's. Together they know the person's
values on both their columns, and only rows that fit both remain: the intersection of what each is
left with. A release that is k-anonymous for each promises nothing about that intersection, unless
it also claims k-anonymity on the union of the columns (``collusion_k``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from papilio.attack.exposed_people import exposed_among
from papilio.attack.people_rows import Known, findings_of, known_by
from papilio.attack.result import (
    AttackResult,
    recipients_of,
    sensitive_names,
    someone_knowing,
    together,
)
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "collusion"
#: Recipients of the largest coalition that is tried, but for all of them together.
LARGEST = 4
#: With more coalitions than this, those whose columns another one knows as well are left out.
_MANY = 60
#: Columns that somebody knows, in the order of the policy.
Columns = tuple[str, ...]


def collusion(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Let every two, three and four recipients collude, and then all of them.

    The figures are those of :meth:`papilio.attack.candidates.Candidates.figures` for somebody who
    knows all columns of the coalition. With ``collusion_k`` in the policy, ``smallest`` is at least
    that for every coalition. More colluders never have more candidates, so that the last result is
    the worst one.

    Exposed are people with fewer candidates than ``collusion_k``, or with one if the policy does
    not have it; and per sensitive column the people whose candidates share one value.

    Not tried: coalitions that know no more than a smaller one or a single recipient, and those of
    more than four recipients but not all.

    Cost: that of the candidates for each coalition. Source: Pei, Tao, Li, Xiao, "Butterfly", TR
    2008-18, example 1 and section 5.2.
    """
    recipients = recipients_of(policy)
    if len(recipients) < 2:
        nobody = "Not tried: the release has one recipient, who has nobody to collude with."
        yield AttackResult(NAME, "one recipient", nobody)
        return
    sensitive = sensitive_names(release, original)
    tried: dict[Columns, Known] = {}
    for names, columns in coalitions_of(recipients, policy).items():
        if columns not in tried:
            tried[columns] = known_by(release, original, columns, sensitive)
        sentence, figures = findings_of(tried[columns])
        attacker = someone_knowing(" and ".join(names) + " together", columns)
        exposed = exposed_among(tried[columns], figures, policy.privacy.collusion_k)
        yield AttackResult(NAME, attacker, sentence, figures, exposed)


def coalitions_of(
    recipients: Mapping[str, Columns], policy: Policy
) -> dict[tuple[str, ...], Columns]:
    """Coalitions that are tried and what each knows, smaller ones first and all together last.

    A coalition that knows as much as one before it, or as one of its members, is not there.
    """
    sizes = range(2, min(LARGEST, len(recipients) - 1) + 1)
    known = {tuple(name for name in policy.quasi if name in own) for own in recipients.values()}
    kept: dict[tuple[str, ...], Columns] = {}
    for names in (some for size in sizes for some in combinations(recipients, size)):
        columns = together({name: recipients[name] for name in names}, policy)
        if columns not in known:
            kept[names] = columns
            known.add(columns)
    if len(kept) > _MANY:
        kept = {names: own for names, own in kept.items() if not _is_within(own, kept)}
    return kept | {tuple(recipients): together(recipients, policy)}


def _is_within(columns: Columns, kept: Mapping[tuple[str, ...], Columns]) -> bool:
    return any({*columns} < {*other} for other in kept.values())
