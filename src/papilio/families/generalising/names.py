"""What families that publish one generalised table have in common, in light imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.families.family import Attack, later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from papilio.attack.result import AttackResult
    from papilio.data.table import Table
    from papilio.policy.policy import Policy
    from papilio.release.layout import Layout
    from papilio.release.manifest import Manifest
    from papilio.release.release import Release

MONDRIAN, RELAXED, BOTTOM_UP = "mondrian", "relaxed-mondrian", "bottom-up"
HYBRID, INCOGNITO, RISING = "hybrid", "incognito", "rising"
#: Kind of their releases.
KIND = "generalised"
#: The family of a policy that demands nothing else; others may use its methods.
PLAIN = "one-table"

_REMEDIES = "papilio.families.generalising.remedies"
#: What helps where no line of a policy closes what an attack found.
LARGER = "Demand a larger k, and a larger l of what is learnt."
RULE = (
    "Leave out of the policy the column that gives it away, or what it tells: a rule that anybody "
    "may know is not hidden while both are published."
)
FEWER_COLUMNS = (
    "Publish fewer sensitive columns of these people, and do not publish the others elsewhere."
)
INTERVALS = (
    "Let numbers, dates and labels have levels that do not depend on the data (hierarchies, "
    "intervals), so that no end of a range is somebody's value."
)
LISTING = (
    "Demand a larger k, as few classes list twice as many values of two columns; or give columns "
    "of labels hierarchies."
)
TALKING = "Give recipients who talk to each other one and the same release."
#: What is tried against their releases.
ATTACKS = (
    Attack("linkage", "alone", remedy=later(_REMEDIES, "for_classes"), otherwise=LARGER),
    Attack("homogeneity", "secret", remedy=later(_REMEDIES, "for_classes"), otherwise=LARGER),
    Attack("collusion", "alone", otherwise=TALKING),
    Attack("several_rows", "alone", beyond="which rows are one person's"),
    Attack("dependency", "alone", remedy=later(_REMEDIES, "follow"), otherwise=RULE),
    Attack(
        "background_join",
        "secret",
        remedy=later(_REMEDIES, "for_joins"),
        beyond="another sensitive value of a person",
        otherwise=FEWER_COLUMNS,
    ),
    Attack(
        "certain_rows",
        "alone",
        remedy=later(_REMEDIES, "say_less"),
        otherwise=INTERVALS,
        alone=True,
    ),
    Attack("singling_out", "alone", alone=True),
    Attack("learned_values", "secret", again=True),
)


def minimality(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Ask why classes were not cut, as somebody who knows the method; see the attack.

    Its rule is exact for one method alone: ``improve`` rearranges classes afterwards, and safe
    cells may make two classes look alike, which then seem to be one that was not cut.
    """
    from papilio.attack.refused_cuts import refused_cuts

    method = release.manifest.method
    exact = method == MONDRIAN and policy.improve is None and not policy.safe_cells
    return refused_cuts(release, original, policy, cuts=method != INCOGNITO, exact=exact)


def refinement(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Ask which rows follow as classes were not cut; see the attack, and :func:`minimality`."""
    from papilio.attack.refinement import refinement as attack

    method = release.manifest.method
    exact = method == MONDRIAN and policy.improve is None and not policy.safe_cells
    return attack(release, original, policy, cuts=method != INCOGNITO, exact=exact)


def layout() -> Layout:
    """What their releases consist of."""
    from papilio.release.layout import GENERALISED_LAYOUT

    return GENERALISED_LAYOUT


def is_for_everyone(manifest: Manifest) -> bool:
    """Whether a release is the same for whoever gets it."""
    from papilio.policy.recipients import EVERYONE

    return all(claim.recipient == EVERYONE for claim in manifest.claims)
