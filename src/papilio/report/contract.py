"""What claims promise, and what they do not, in plain sentences."""

from __future__ import annotations

from typing import Any

from papilio.privacy.k_anonymity import KAnonymity
from papilio.release.manifest import Claim
from papilio.report.number_text import count, listing, plural


def promise(claim: Claim) -> str:
    """Say what a claim of a release promises."""
    if claim.claim == KAnonymity.name:
        return _k_promise(claim.columns, claim.parameters)
    parameters = ", ".join(f"{key} = {value}" for key, value in claim.parameters.items())
    return f"{claim.claim} ({parameters})" if parameters else claim.claim


def _k_promise(columns: tuple[str, ...], parameters: dict[str, Any]) -> str:
    k = int(parameters["k"])
    knowing = f"Someone who knows the {listing([f'‘{name}’' for name in columns])} of a person"
    if k == 1:
        return f"{knowing} may find their row: k = 1 demands nothing."
    return (
        f"{knowing} in this table finds at least {plural(k, 'row', 'rows')} that could be theirs, "
        f"and picks the right one with a chance of at most 1 in {count(k)}."
    )


def assumptions(claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """Say what the claims assume about the attacker."""
    if not _has_k(claims):
        return ()
    return (
        "The attacker knows values of the quasi-identifiers, and of no other column.",
        "The attacker has this release and no other release about the same people.",
        "The attacker learns nothing from the order of the rows: Papilio shuffles them.",
    )


def limits(claims: tuple[Claim, ...]) -> tuple[tuple[str, str], ...]:
    """Name what the claims do not protect against, each with an explanation."""
    if not _has_k(claims):
        return ()
    return (
        (
            "Homogeneity",
            "If all rows of a class share a sensitive value, everyone in that class has it, and it "
            "does not matter which row is whose. k-anonymity hides the row, not the value.",
        ),
        (
            "Background knowledge",
            "Someone who can rule out some rows of a class, from what they know about the person "
            "or about the sensitive values, is left with fewer than k.",
        ),
        (
            "Joining two releases",
            "Two releases about the same people, each k-anonymous by itself, may single people out "
            "when they are put side by side. Do not publish the same people twice with "
            "different classes.",
        ),
    )


def _has_k(claims: tuple[Claim, ...]) -> bool:
    return any(claim.claim == KAnonymity.name for claim in claims)
