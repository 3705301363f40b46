"""The three lights of a release, from one reading of its original and one verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.attack.certain_rows import NAME as CERTAIN_ROWS
from papilio.attack.lights import Lights, lights_of, not_looked
from papilio.attack.result import Exposed
from papilio.families import family_of_release
from papilio.families.family import Original
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.release.release import Release
from papilio.verify.verdict import Verdict
from papilio.workflow.risk import another_policy, run_attacks
from papilio.workflow.verify import (
    called_as,
    frame_name,
    judge_beside,
    not_as_described,
    opened_release,
    read_original,
)

#: Why no attack is tried on a release that the verifier refuses to read on.
_BROKEN = "Nobody looked, because the release is not what its manifest says."


def lights(
    release: Release | str | Path,
    *,
    original: Policy,
    data: Any = None,
    progress: Progress | None = None,
) -> Lights:
    """Say of a release whether its claims hold, what is learnt of people, and who stands alone.

    Parameters
    ----------
    release
        A release or the directory of one.
    original
        The policy it was made with; its key ``lights`` says when a light is amber, and red.
    data
        The original as a frame, instead of the policy's source.
    progress
        Told of each attack.

    Raises
    ------
    ReleaseError
        If the release was made with another policy.

    Notes
    -----
    Cost: one reading of release and original, one verification, and all attacks of its family.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "sex": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5), cells="safe")
    >>> release = pp.publish(people, policy, name="people")
    >>> lights = pp.lights(release, original=policy, data=people)
    >>> [(light.title, light.colour.value) for light in lights]
    [('the claims hold', 'green'), ('what is marked secret stays secret', 'green'), \
('nobody stands alone', 'green')]
    """
    tell = progress or silent
    tell("reading", 0.0)
    opened = release if isinstance(release, Release) else Release.open(release)
    manifest = opened.manifest
    if original.family.kind != family_of_release(manifest).kind:
        raise another_policy()
    read = read_original(original, data, frame_name(original, manifest))
    tell("verifying", 0.05)
    with opened_release(opened.directory or opened, alone=False, memory=None) as judged:
        verdict = judge_beside(judged, read)
    named = read if data is None else called_as(read, manifest)
    return lights_beside(opened, named, original, verdict, tell)


#: What is told of tight cells where nobody looks.
_UNCOUNTED = (
    "Tight cells: complete rows may follow from the release alone, and nobody counted them; cells: "
    "safe leaves none that few share."
)


def lights_unseen(verdict: Verdict, reason: str, policy: Policy) -> Lights:
    """Light a release that no attack was tried on, though nothing is wrong with it.

    What its cells may give away is told all the same, where the policy could say less.
    """
    attacks = (each for each in policy.family.attacks if each.name == CERTAIN_ROWS)
    asked = [each.remedy(Exposed(1, 1), policy) for each in attacks]
    paths = [[path for path, _ in each.changes] for each in asked if each is not None]
    told = (_UNCOUNTED,) if [("cells",)] in paths else ()
    return not_looked(verdict, reason, policy.lights, told)


def lights_beside(
    release: Release,
    original: Original,
    policy: Policy,
    verdict: Verdict,
    tell: Progress = silent,
) -> Lights:
    """Light a release that was judged, beside the original that was read for it.

    Parameters
    ----------
    release, original
        The release and what it was made of.
    policy
        The policy, as its owner wrote it.
    verdict
        What the verifier says of it.
    tell
        Told of each attack.
    """
    limits = policy.lights
    if not_as_described(verdict) is not None:
        return not_looked(verdict, _BROKEN, limits)
    family_of_release(release.manifest).check_policy(release, original.policy, original)
    return lights_of(verdict, run_attacks(release, original, tell, policy), limits)
