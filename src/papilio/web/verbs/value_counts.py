"""How often the values of a table's columns occur, for the owner's eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.progress import Progress
from papilio.web.verbs.reading import source_of
from papilio.workflow.value_counts import count_values


def value_counts(folder: Path, tell: Progress, *, source: Any) -> list[dict[str, Any]]:
    """Count the values of all columns of a table.

    Parameters
    ----------
    folder, tell
        As for every verb.
    source
        What a policy says to read the table.
    """
    where = source_of(source, folder)
    return [each.to_dict() for each in count_values(where, progress=tell)]
