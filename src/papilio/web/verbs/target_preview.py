"""A target distribution beside the data, for the owner's eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.progress import Progress
from papilio.web.allowed import policy_in
from papilio.workflow.target_preview import preview_target


def target_preview(folder: Path, tell: Progress, *, text: str) -> dict[str, Any]:
    """Compare the target of a policy with the data.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy.
    """
    return preview_target(policy_in(folder, text), progress=tell).to_dict()
