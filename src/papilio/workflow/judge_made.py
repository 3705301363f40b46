"""The verdict on a release that is about to go out, beside the original it was made of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from papilio.families.family import Original
from papilio.release.made import Witness
from papilio.release.manifest import Manifest
from papilio.release.release import Release
from papilio.release.store import read_manifest
from papilio.verify.judge import judge
from papilio.verify.kinds import check_source_order, check_witness, promise_of
from papilio.verify.opened import OpenedHere
from papilio.verify.promise.promise import Promise
from papilio.verify.verdict import Finding, Status, Verdict
from papilio.workflow.verify import VIEW, check_loss, opened_release, show_original


def judge_made(release: Release | Path, original: Original, witness: Witness) -> Verdict:
    """Judge a release: its claims, what its policy and original promise, the truth of every line.

    Last of all, that lines do not stand in the order of the source.

    Nothing of the original enters a database that may put aside on a disk what does not fit.

    Parameters
    ----------
    release
        The release, or the directory it was written to.
    original
        What it was made of.
    witness
        What the method says its lines are made of.

    Notes
    -----
    Cost: that of :func:`papilio.workflow.verify.verify` without an original, and a linear one for
    truthfulness, which is left out if something else is wrong already.
    """
    promise = promise_of(original.policy, original.facts(), _manifest(release))
    with opened_release(release, not promise.checks, None) as opened:
        verdict = judge(opened, promise=promise)
        if not verdict.holds:
            return verdict
        beside = _beside(opened, promise, original)
        truth = check_witness(opened, original.frames(), witness)
        findings = [*verdict.findings, *beside, *truth]
        if all(found.status is Status.HOLDS for found in findings):
            findings.append(check_source_order(opened, witness))
            findings += check_loss(opened, original)
        return Verdict(tuple(findings))


def _manifest(release: Release | Path) -> Manifest:
    return release.manifest if isinstance(release, Release) else read_manifest(release)


def _beside(opened: OpenedHere, promise: Promise, original: Original) -> Iterator[Finding]:
    """Check what is promised and only the original can show."""
    if promise.checks:
        show_original(opened, original)
    for check in promise.checks:
        yield from check(opened, VIEW)
