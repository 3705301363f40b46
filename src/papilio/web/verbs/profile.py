"""Profiles of the tables of a project, in a child process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from papilio.progress import Progress
from papilio.web.verbs.reading import source_of
from papilio.workflow.profile import profile as profile_of


def profile(
    folder: Path, tell: Progress, *, sources: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Profile tables one after the other.

    Parameters
    ----------
    folder
        Folder of the project, which file names are relative to.
    tell
        Told of each stage.
    sources
        What a policy says to read each (``source``), and its ``name`` or ``None``.

    Returns
    -------
    list
        For each its ``name``, its ``source`` and its ``profile`` as plain data.
    """
    found = []
    for number, each in enumerate(sources):
        source = source_of(each["source"], folder)
        made = profile_of(source, progress=_part(tell, number, len(sources)))
        name = each["name"] or source.name
        found.append({"name": name, "source": each["source"], "profile": made.to_dict()})
    return found


def _part(tell: Progress, number: int, count: int) -> Callable[[str, float], None]:
    return lambda stage, share: tell(stage, (number + share) / count)
