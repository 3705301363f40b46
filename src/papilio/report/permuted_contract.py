"""What a permuted release promises, and what it does not, in plain sentences."""

from __future__ import annotations

from papilio.release.manifest import Claim
from papilio.report.number_text import listing, plain_number

ASSUMPTIONS = (
    "The attacker knows values of the quasi-identifiers, and nobody’s sensitive value.",
    "The attacker has this release and no other release about the same people.",
    "The attacker learns nothing from the order of rows or groups: Papilio shuffles both tables.",
)

LIMITS = (
    (
        "Presence",
        "Quasi-identifiers are published as they are. That a person is in the table can be seen; "
        "only whose value is whose cannot.",
    ),
    (
        "Frequencies",
        "A group has k different values, but most of its rows may share one of them, or be NULL. "
        "Then guessing it is right most of the time.",
    ),
    (
        "Values close together",
        "e is the distance of the two ends of a group. All values but one may lie close together.",
    ),
    (
        "Knowing others",
        "Someone who knows the values of other people of a group can strike them out; with k "
        "different values, those of all k - 1 others, if each occurs once.",
    ),
    (
        "Joining two releases",
        "Two releases about the same people, with different groups, tell more than each by itself: "
        "a person’s value is in both groups. Do not publish the same people twice.",
    ),
)


def permuted_promise(claim: Claim) -> str:
    """Say what a claim of (k,e)-anonymity promises."""
    said = claim.parameters
    known = listing([f"‘{name}’" for name in claim.columns])
    apart = plain_number(said.get("e", 0))
    return (
        f"Someone who knows the {known} of a person in this table learns a group of values of "
        f"‘{said.get('column')}’, of which theirs is one: at least {said.get('k')} different ones, "
        f"the largest and the smallest at least {apart} apart. Which of them it is, nothing tells."
    )
