"""Linkage: which published rows may be a person's, to one recipient by themselves.

The attacker is a *prosecutor*: they know that the person is in the table, and the person's values
of the quasi-identifiers. What is counted is :class:`papilio.attack.candidates.Candidates`.
"""

from __future__ import annotations

from collections.abc import Iterator

from papilio.attack.people_rows import exposed_among, findings_of, known_by
from papilio.attack.result import (
    AttackResult,
    in_part,
    k_for,
    parts_of,
    recipients_of,
    sensitive_names,
    someone_knowing,
)
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "linkage"


def linkage(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    r"""Try everybody, one recipient after the other; of projections in each table by itself.

    The figures are those of :meth:`papilio.attack.candidates.Candidates.figures`. Under
    k-anonymity ``smallest`` is at least k and ``expected`` at most (rows / k). Exposed are people
    with fewer than k candidates, and per sensitive column those whose candidates share one value.

    Not tried: excluding rows that are surely somebody else's. If rows were left out of the
    release, people who are not in it are counted as if they were, which makes ``expected`` too
    large.

    Source: Sweeney, "k-anonymity: a model for protecting privacy", 2002, section 3; the expected
    number is the prosecutor risk of El Emam and Dankar, JAMIA 2008.
    """
    for part in parts_of(release, original):
        sensitive = sensitive_names(release, part)
        for name, columns in recipients_of(policy).items():
            known = known_by(release, part, columns, sensitive)
            sentence, figures = findings_of(known)
            exposed = exposed_among(known, figures, k_for(policy, name))
            attacker = in_part(someone_knowing(name, columns), part, release)
            yield AttackResult(NAME, attacker, sentence, figures, exposed)
