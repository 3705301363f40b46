"""Try variants of a policy, and measure what each loses; nothing is written."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from papilio.errors import PapilioError
from papilio.policy.edit import with_value
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.workflow.compare import compare
from papilio.workflow.publish import publish
from papilio.workflow.report import loss
from papilio.workflow.settings import Setting, compares


@dataclass(frozen=True)
class Attempt:
    """What came of a setting.

    Attributes
    ----------
    setting
        The setting.
    loss
        What it loses, between 0 and 1; ``None`` if it gives no release.
    seconds
        How long it took.
    why_not
        Why there is no release, in a sentence.
    """

    setting: Setting
    loss: float | None = None
    seconds: float | None = None
    why_not: str | None = None


def try_settings(
    text: str,
    base: Path,
    settings: Sequence[Setting],
    *,
    allow: Sequence[Path] = (),
    progress: Progress | None = None,
) -> tuple[Attempt, ...]:
    """Try variants of a policy.

    Settings of generalising methods are tried on a table that is read once; every other one makes
    a release of its own, which is verified and forgotten.

    Parameters
    ----------
    text, base
        The policy, and the folder that file names in it are relative to.
    settings
        What to try.
    allow
        Files and folders elsewhere that the policy may name.
    progress
        Told of each setting.

    Raises
    ------
    PapilioError
        If policy and data do not fit. A setting that fails alone says why in the result.
    """
    tell, policy = progress or silent, Policy.parse(text, base=base, allow=allow)
    if compares(policy):
        return tuple(_compared(policy, settings, tell))
    found = []
    for number, setting in enumerate(settings):
        words = f"{setting.series}, {setting.parameter} = {setting.value:g}"
        tell(words, number / len(settings))
        found.append(_try_one(text, base, allow, setting))
    return tuple(found)


def varied(text: str, setting: Setting) -> str:
    """Write a setting into a policy."""
    for path, value in setting.changes:
        text = with_value(text, path, value)
    return text


def _compared(policy: Policy, settings: Sequence[Setting], tell: Progress) -> Iterator[Attempt]:
    methods = dict.fromkeys(each.series for each in settings)
    sizes = dict.fromkeys(int(each.value) for each in settings)
    result = compare(policy, methods=methods, k=sizes, progress=tell)
    trials = {(each.method, each.k): each for each in result.trials}
    for setting in settings:
        trial = trials[setting.series, int(setting.value)]
        if trial.outcome is None:
            yield Attempt(setting, why_not=trial.why_not)
        else:
            yield Attempt(setting, trial.outcome.ncp, trial.outcome.seconds)


def _try_one(text: str, base: Path, allow: Sequence[Path], setting: Setting) -> Attempt:
    start = time.perf_counter()
    try:
        policy = Policy.parse(varied(text, setting), base=base, allow=allow)
        release = publish(None, policy)
        seconds = time.perf_counter() - start
        lost = loss(release, original=policy)
    except PapilioError as error:
        return Attempt(setting, why_not=str(error))
    return Attempt(setting, lost, seconds)
