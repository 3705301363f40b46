"""How a hierarchy would generalise a column, for the owner's eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.progress import Progress
from papilio.web.allowed import allowed
from papilio.web.verbs.reading import column_of, source_of
from papilio.workflow.hierarchy_preview import preview_hierarchy


def hierarchy_preview(
    folder: Path, tell: Progress, *, source: Any, column: str, said: Any
) -> dict[str, Any]:
    """Build the hierarchy of a column over its values.

    Parameters
    ----------
    folder, tell
        As for every verb.
    source
        What a policy says to read the table.
    column, said
        The column, and what the policy says of it.
    """
    where = source_of(source, folder)
    policy = column_of(said)
    found = preview_hierarchy(where, column, policy, folder, allowed=allowed(folder), progress=tell)
    return found.to_dict()
