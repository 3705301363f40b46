"""Attack a release as someone who gets it could, and say what they would learn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.attack.result import AttackResult
from papilio.errors import ReleaseError
from papilio.families import family_of_release
from papilio.families.family import Original
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.release.release import Release
from papilio.workflow.as_described import check_as_described
from papilio.workflow.original import read_original
from papilio.workflow.verify import verify


def attack(
    release: Release | str | Path,
    *,
    original: Policy,
    data: Any = None,
    progress: Progress | None = None,
) -> tuple[AttackResult, ...]:
    """Run every attack there is on this kind of release.

    Parameters
    ----------
    release
        A release or the directory of one.
    original
        The policy it was made with; the attacks need the original to tell who is right.
    data
        The original as a frame, instead of the policy's source.
    progress
        Told of each attack.

    Raises
    ------
    ReleaseError
        If no attack is known for this kind of release, or it was made with another policy.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> results = pp.attack(release, original=policy, data=people)
    >>> [result.attack for result in results]
    ['linkage', 'homogeneity', 'collusion']
    """
    opened = release if isinstance(release, Release) else Release.open(release)
    tell = progress or silent
    return run_attacks(opened, original_of(opened, original, data, tell), tell)


def original_of(release: Release, policy: Policy, data: Any, tell: Progress) -> Original:
    """Read what a release was made of; refuse the policy of another release."""
    family = family_of_release(release.manifest)
    if policy.family.kind != family.kind:
        raise another_policy()
    if not family.classes:
        # Keys that lead nowhere would lead an attack astray.
        check_as_described(verify(release.directory or release), "attacked")
    tell("reading", 0.0)
    original = read_original(policy, data, release.manifest.tables[0].name)
    family.check_policy(release, policy, original)
    return original


def another_policy() -> ReleaseError:
    """Build the error for a policy that orders another kind of release."""
    return ReleaseError(
        "the policy orders another kind of release; give the policy the release was made with",
        reason="another-policy",
    )


def run_attacks(release: Release, original: Original, tell: Progress) -> tuple[AttackResult, ...]:
    """Run every attack of the family of a release, one after the other."""
    attacks = family_of_release(release.manifest).attacks
    results: list[AttackResult] = []
    for number, each in enumerate(attacks):
        tell(each.name, 0.1 + 0.9 * number / len(attacks))
        results += each.run(release, original)
    return tuple(results)
