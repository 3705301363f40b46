"""A target distribution beside the data, for the owner's eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.policy.policy import Policy
from papilio.workflow.progress import Progress
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
    return preview_target(Policy.parse(text, base=folder), progress=tell).to_dict()
