"""Collusion: what recipients of one release learn if they put together what they know.

Each of two recipients finds at least k rows that may be a person's. Together they know the person's
values on both their columns, and only rows that fit both remain: the intersection of what each is
left with. A release that is k-anonymous for each promises nothing about that intersection, unless
it also claims k-anonymity on the union of the columns (``collusion_k``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from papilio.attack.candidates import candidates
from papilio.attack.confront import sensitive_names
from papilio.attack.knowledge import findings, recipients_of, someone_knowing, together
from papilio.attack.result import AttackResult
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "collusion"


def collusion(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Let every two recipients collude, and then all of them.

    The figures are those of :meth:`papilio.attack.candidates.Candidates.figures` for somebody who
    knows all columns of the coalition. With ``collusion_k`` in the policy, ``smallest`` is at least
    that for every coalition. More colluders never have more candidates, so that the last result is
    the worst one.

    Source: Pei, Tao, Li, Xiao, "Butterfly", TR 2008-18, example 1 and section 5.2.
    """
    recipients = recipients_of(policy)
    if len(recipients) < 2:
        nobody = "Not tried: the release has one recipient, who has nobody to collude with."
        yield AttackResult(NAME, "one recipient", nobody)
        return
    sensitive = sensitive_names(release, original)
    for names in _coalitions(tuple(recipients)):
        columns = together({name: recipients[name] for name in names}, policy)
        figures = candidates(release, original, columns, sensitive).figures()
        attacker = someone_knowing(" and ".join(names) + " together", columns)
        yield AttackResult(NAME, attacker, findings(figures), figures)


def _coalitions(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield from combinations(names, 2)
    if len(names) > 2:
        yield names
