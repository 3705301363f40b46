"""Several settings of the policy of a project, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from papilio.progress import Progress
from papilio.web.allowed import allowed, policy_in
from papilio.web.attempts import save_attempts
from papilio.workflow.settings import settings_for
from papilio.workflow.try_settings import Attempt, try_settings


def compare(
    folder: Path, tell: Progress, text: str, series: Sequence[str], values: Sequence[float]
) -> tuple[Attempt, ...]:
    """Try every line at every value; nothing is published.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy.
    series, values
        What is tried, see :func:`papilio.workflow.settings.choices_for`.
    """
    settings = settings_for(policy_in(folder, text), series, values)
    found = try_settings(text, folder, settings, allow=allowed(folder), progress=tell)
    save_attempts(folder, found)
    return found
