"""What a disguised release promises, and what it does not, in plain sentences."""

from __future__ import annotations

from papilio.release.manifest import Claim
from papilio.report.number_text import listing, percentage

ASSUMPTIONS = (
    "The attacker knows values of the quasi-identifiers, and nobody’s sensitive value.",
    "The attacker takes published ranges as they are, and does not ask which values would have led "
    "the method to publish them.",
    "The attacker has this release and no other release about the same people.",
    "The attacker learns nothing from the order of rows or groups: Papilio shuffles both tables.",
)

_MINIMALITY = (
    "Knowing the method",
    "Someone who knows that ranges are as narrow as the target allows can reason about which "
    "values would have led to them, and believes something else than the target afterwards. The "
    "attack ‘minimality’ measures how far; a randomised allocation lowers it.",
)
_COMMON = (
    (
        "Presence",
        "Quasi-identifiers are published as they are. That a person is in the table can be seen.",
    ),
    (
        "Sums over groups",
        "Ranges are true. The sum over all people of a group is known as precisely as its ranges "
        "are narrow, whatever the target.",
    ),
    (
        "Knowing others",
        "Someone who knows the values of other people of a group can strike out the ranges that "
        "must be theirs.",
    ),
    (
        "Joining two releases",
        "Two releases about the same people with different targets or groups tell more than each "
        "by itself. Do not publish the same people twice.",
    ),
)
_PERSONAL = (
    "Inside one’s own demand only",
    "That a person’s value lies inside the range of their pool is public. Who names their own "
    "value as all they demand has it published.",
)


def disguised_promise(claim: Claim) -> str:
    """Say what the claim of a disguised release promises."""
    said = claim.parameters
    known = listing([f"‘{name}’" for name in claim.columns])
    if claim.claim == "personal-levels":
        return (
            f"Someone who knows the {known} of a person in this table learns a range in which "
            f"their ‘{said.get('column')}’ lies; inside what the person demanded, they learn the "
            "target distribution and nothing else."
        )
    shift = float(said.get("shift") or 0)
    near = f", up to {percentage(shift)} in each share of a split" if shift else ""
    return (
        f"Someone who knows the {known} of a person in this table learns of their "
        f"‘{said.get('column')}’ the target distribution{near}, whatever the values are."
    )


def disguised_limits(claim: Claim) -> tuple[tuple[str, str], ...]:
    """Name what a disguised release does not protect against."""
    own = (_PERSONAL,) if claim.claim == "personal-levels" else ()
    return (_MINIMALITY, *own, *_COMMON)
