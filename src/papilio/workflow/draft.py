"""A commented draft policy from a profile."""

from __future__ import annotations

import os
import re
from pathlib import Path

from papilio.errors import OutputError
from papilio.policy.draft import DraftColumn, draft_policy
from papilio.release.store import disk_faults
from papilio.workflow.profile import profile
from papilio.workflow.progress import Progress


def draft(
    data: str | Path, policy: str | Path, *, progress: Progress | None = None
) -> dict[str, str]:
    """Write a draft policy for a source.

    Parameters
    ----------
    data
        A file, a folder, or ``postgresql://…/database#table``.
    policy
        The file to write; it must not exist.
    progress
        Told of each stage.

    Returns
    -------
    dict
        The suggested role of each column.
    """
    target = Path(policy)
    if target.exists():
        raise OutputError(
            f"{target} exists already; name a file that does not, or remove it first",
            reason="target-exists",
        )
    found = profile(data, progress=progress)
    columns = [DraftColumn(each.name, each.role, each.type, each.reason) for each in found.columns]
    text = draft_policy(columns, _from(str(data), target), rows=found.rows)
    with disk_faults(target), target.open("x", encoding="utf-8") as file:
        file.write(text)
    return {each.name: each.role.value for each in found.columns}


def _from(source: str, policy: Path) -> str:
    """Source as the policy names it: a path relative to its folder, an address without password."""
    if "://" in source:
        without = re.sub(r"^([a-z]+://[^:@/?#]*):[^@/]*@", r"\1@", source)
        return re.sub(r"([?&])password=[^&#]*&?", r"\1", without)
    return os.path.relpath(Path(source).absolute(), policy.absolute().parent)
