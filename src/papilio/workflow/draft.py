"""A commented draft policy from a profile."""

from __future__ import annotations

import os
import re
from pathlib import Path

from papilio.families.one_table.draft import DraftColumn, draft_policy
from papilio.progress import Progress
from papilio.release.whole_file import check_new, write_whole
from papilio.workflow.profile import profile


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

    Examples
    --------
    >>> import papilio as pp
    >>> pp.samples.adult().head(300).write_csv("people.csv")
    >>> roles = pp.draft("people.csv", "draft.yaml")
    >>> roles["age"]
    'quasi'
    >>> pp.Policy.load("draft.yaml").privacy.k
    10
    """
    target = Path(policy)
    check_new(target)
    found = profile(data, progress=progress)
    columns = [DraftColumn(each.name, each.role, each.type, each.reason) for each in found.columns]
    source, allow = _from(str(data), target), must_allow(data, target)
    text = draft_policy(
        columns, source, rows=found.rows, allow=None if allow is None else str(allow)
    )
    write_whole(target, text)
    return {each.name: each.role.value for each in found.columns}


def must_allow(data: str | Path, policy: str | Path) -> Path | None:
    """Folder that has to be allowed so that a policy may name the data; ``None`` if none has.

    Parameters
    ----------
    data
        A file, a folder, or an address, which needs no leave.
    policy
        The policy file; names that lead out of its folder need the owner's leave.
    """
    if "://" in str(data):
        return None
    path = Path(data)
    if path.resolve().is_relative_to(Path(policy).absolute().parent.resolve()):
        return None
    return path if path.is_dir() else path.resolve().parent if path.is_symlink() else path.parent


def _from(source: str, policy: Path) -> str:
    """Source as the policy names it: a path relative to its folder, an address without password."""
    if "://" in source:
        without = re.sub(r"^([a-z]+://[^:@/]*):[^@/]*@", r"\1@", source)
        return re.sub(r"([?&])(?:ssl)?password=[^&#]*&?", r"\1", without)
    path = Path(source).absolute()
    # The way up from a folder that is a link starts where the link leads.
    return os.path.relpath(path.parent.resolve() / path.name, policy.absolute().parent.resolve())
