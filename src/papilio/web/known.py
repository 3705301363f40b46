"""What is known of a project's tables, and values of columns; values stay in memory."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from papilio.web.forms.fields import Facts, facts_of
from papilio.web.jobs.run import Job, latest, start
from papilio.web.project import Project
from papilio.web.records import TableProfile, load_profiles, save_profiles, sources_of

Counts = Mapping[str, Mapping[str, Any]]
#: Waits for a job, telling somebody what is done, and gives its result.
Wait = Callable[[Job, str], Awaitable[Any]]
#: Most tables whose counts are kept.
_MOST = 40
_COUNTS: dict[tuple[str, str], Counts] = {}


async def plainly(job: Job, title: str) -> Any:
    """Wait for a job without telling anybody."""
    del title
    return (await job.over()).result()


def facts(project: Project) -> Facts:
    """Facts about the tables of a project that have a profile."""
    found = []
    for each in load_profiles(project):
        table = facts_of(each.name, each.source, each.profile)
        counts = counts_at_hand(project, each.source)
        columns = tuple(
            replace(column, spread=_spread(counts.get(column.name, {}))) for column in table.columns
        )
        found.append(replace(table, columns=columns))
    return tuple(found)


async def profiled(project: Project, wait: Wait = plainly) -> Facts:
    """Facts about all tables at hand; those without a profile get one, in a child process.

    Raises
    ------
    JobError
        If a table cannot be read.
    """
    sources = sources_of(project)
    known = [each.source for each in load_profiles(project)]
    if any(each["source"] not in known for each in sources):
        before = latest(project, "profile")
        if before is None or not before.running:
            before = start(project, "profile", {"sources": sources})
        made = await wait(before, "Looking at the data")
        save_profiles(project, [TableProfile(**each) for each in made])
    return facts(project)


async def counted(project: Project, source: Any, wait: Wait = plainly) -> Counts:
    """How often the values of each column of a table occur, counted in a child process once.

    Raises
    ------
    JobError
        If the table cannot be read.
    """
    key = _key(project, source)
    if key not in _COUNTS:
        job = start(project, "value_counts", {"source": source})
        found = await wait(job, "Counting values")
        while len(_COUNTS) >= _MOST:
            _COUNTS.pop(next(iter(_COUNTS)))
        _COUNTS[key] = {each["column"]: each for each in found}
    return _COUNTS[key]


def counts_at_hand(project: Project, source: Any) -> Counts:
    """Counts of a table if they were made already."""
    return _COUNTS.get(_key(project, source), {})


def _key(project: Project, source: Any) -> tuple[str, str]:
    name = source.get("file") if isinstance(source, Mapping) else source
    path = project.folder / name if isinstance(name, str) and "://" not in name else None
    changed = path.stat().st_mtime_ns if path is not None and path.exists() else 0
    return str(project.folder), json.dumps([source, changed], sort_keys=True)


def _spread(counts: Mapping[str, Any]) -> float | None:
    low, high = counts.get("lowest"), counts.get("highest")
    return None if low is None or high is None else float(high) - float(low)
