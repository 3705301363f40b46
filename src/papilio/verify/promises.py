"""Whether a release promises each recipient what its owner demanded.

A release speaks for itself only about what it claims: drop a claim, and what is left may still
hold. With the owner's demands at hand, what is missing comes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from papilio.release.manifest import Claim
from papilio.verify.verdict import Finding, finding


def check_promises(claims: Sequence[Claim], demanded: Iterable[Claim]) -> Finding:
    """Check that every demand is claimed: for the recipient, on all columns they may know.

    A claim on more columns, or of a greater k, promises more and is enough.
    """
    wanted = tuple(demanded)
    missing = [each for each in wanted if not any(_keeps(claim, each) for claim in claims)]
    faults = "; ".join(f"no such {each.claim} for {each.recipient}" for each in missing)
    return finding(
        "promises",
        "what the policy demands, for each recipient",
        faults or f"all {len(wanted)} claimed",
        not missing,
    )


def _keeps(claim: Claim, wanted: Claim) -> bool:
    same = (claim.claim, claim.table, claim.recipient)
    if same != (wanted.claim, wanted.table, wanted.recipient):
        return False
    enough = {
        name: _at_least(claim.parameters.get(name), least) if name == "k" else least
        for name, least in wanted.parameters.items()
    }
    return {*wanted.columns} <= {*claim.columns} and claim.parameters == enough


def _at_least(claimed: object, least: object) -> object:
    """What is claimed, if it is enough, else what is demanded."""
    if isinstance(claimed, int) and isinstance(least, int) and claimed > least:
        return claimed
    return least
