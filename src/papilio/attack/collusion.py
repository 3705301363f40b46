"""Collusion: what recipients of one release learn if they put together what they know.

Each of two recipients finds at least k rows that may be a person's. Together they know the person's
values on both their columns, and only rows that fit both remain: the intersection of what each is
left with. A release that is k-anonymous for each promises nothing about that intersection, unless
it also claims k-anonymity on what they know together (``collusion``, ``collusion_k``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from papilio.attack.people_rows import Known, exposed_among, findings_of, known_by
from papilio.attack.result import (
    AttackResult,
    k_for,
    recipients_of,
    sensitive_names,
    someone_knowing,
    together,
)
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.policy.recipient_policy import coalitions
from papilio.policy.recipients import called_together
from papilio.release.release import Release

NAME = "collusion"
#: Recipients of the largest coalition that is tried, but for all of them together.
LARGEST = 4
#: Of more coalitions than this, those that know most are tried, and all together.
_MANY = 60
#: Columns that somebody knows, in the order of the policy.
Columns = tuple[str, ...]


def collusion(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    r"""Let every two, three and four recipients collude, and then all of them.

    The figures are those of :meth:`papilio.attack.candidates.Candidates.figures` for somebody who
    knows all columns of the coalition. More colluders never have more candidates, so that the last
    result is the worst one.

    Exposed are people with fewer candidates than are promised to the coalition, or with one if
    nothing is; and per sensitive column the people whose candidates share one value. Promised is
    the largest k that the policy demands for any coalition (``collusion``, ``collusion_k``) that
    knows all columns S of this one, as what it sees are unions of the other's classes:

    .. math:: k(S) = \max \{k_C : S \subseteq S_C\}

    Not tried: coalitions that know no more than a smaller one or a single recipient; those of more
    than four recipients but not all, unless the policy names them; and of more than 60 those with
    fewer columns than the 60 that know most, in which case a further result says so. One with fewer
    columns is left out for a wider one only if at least as much is promised to the wider one.

    Cost: that of the candidates for each coalition. Source: Pei, Tao, Li, Xiao, "Butterfly", TR
    2008-18, example 1 and section 5.2.
    """
    recipients = recipients_of(policy)
    if len(recipients) < 2:
        nobody = "Not tried: the release has one recipient, who has nobody to collude with."
        yield AttackResult(NAME, "one recipient", nobody)
        return
    sensitive = sensitive_names(release, original)
    every = every_coalition(recipients, policy)
    chosen = _widest(every, policy)
    tried: dict[Columns, Known] = {}
    for names, columns in chosen.items():
        if columns not in tried:
            tried[columns] = known_by(release, original, columns, sensitive)
        sentence, figures = findings_of(tried[columns])
        attacker = someone_knowing(called_together(names), columns)
        exposed = exposed_among(tried[columns], figures, promised_to(columns, policy))
        yield AttackResult(NAME, attacker, sentence, figures, exposed)
    if len(chosen) < len(every):
        left = (
            f"Not tried: {len(every) - len(chosen)} of {len(every)} coalitions, which know less "
            f"than the {len(chosen)} that were."
        )
        yield AttackResult(NAME, "further coalitions", left)


def promised_to(columns: Columns, policy: Policy) -> int | None:
    """Least class size that a policy demands on these columns or more, for any coalition."""
    fitting = (each.k for each in coalitions(policy) if {*columns} <= {*each.columns(policy)})
    return max(fitting, default=None)


def coalitions_of(
    recipients: Mapping[str, Columns], policy: Policy
) -> dict[tuple[str, ...], Columns]:
    """Coalitions that are tried and what each knows, smaller ones first, all together last."""
    return _widest(every_coalition(recipients, policy), policy)


def every_coalition(
    recipients: Mapping[str, Columns], policy: Policy
) -> dict[tuple[str, ...], Columns]:
    """Coalitions and what each knows, smaller ones first and all together last.

    A coalition that knows as much as one before it is not there, nor is one that knows as much as
    one of its members, unless more is promised of it than for that member.
    """
    sizes = range(2, min(LARGEST, len(recipients) - 1) + 1)
    some = [names for size in sizes for names in combinations(recipients, size)]
    named = {each.names for each in coalitions(policy)} - {*some, tuple(recipients)}
    alone: dict[Columns, int] = {}
    for name, own in recipients.items():
        columns = tuple(column for column in policy.quasi if column in own)
        alone[columns] = max(k_for(policy, name) or 1, alone.get(columns, 1))
    kept: dict[tuple[str, ...], Columns] = {}
    for names in [*some, *sorted(named, key=len)]:
        columns = together({name: recipients[name] for name in names}, policy)
        more = columns in alone and (promised_to(columns, policy) or 1) > alone[columns]
        if columns not in kept.values() and (columns not in alone or more):
            kept[names] = columns
    return kept | {tuple(recipients): together(recipients, policy)}


def _widest(
    every: Mapping[tuple[str, ...], Columns], policy: Policy
) -> dict[tuple[str, ...], Columns]:
    """The coalitions that are tried: all, or of too many the ones that know most."""
    if len(every) <= _MANY + 1:
        return dict(every)
    last, all_columns = list(every.items())[-1]
    promised = {columns: promised_to(columns, policy) or 1 for columns in every.values()}
    others = {
        names: own
        for names, own in every.items()
        if names != last and not _is_within(own, promised, {all_columns})
    }
    chosen = {*sorted(others, key=lambda names: (-len(others[names]), names))[:_MANY]}
    return {names: own for names, own in every.items() if names in chosen or names == last}


def _is_within(columns: Columns, promised: Mapping[Columns, int], apart: set[Columns]) -> bool:
    """Whether another coalition knows more, and has at least as much promised to it."""
    return any(
        {*columns} < {*other} and k >= promised[columns]
        for other, k in promised.items()
        if other not in apart
    )
