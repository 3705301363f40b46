"""A commented draft policy from a profile."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from papilio.data.io.frames import from_native
from papilio.data.io.read import Raw, read
from papilio.data.source import Source, parse_source
from papilio.data.types import column_type, convert
from papilio.families.one_table.draft import DraftColumn, draft_policy
from papilio.measure.profile import Profile
from papilio.measure.profile import profile as profile_frame
from papilio.progress import Progress, silent
from papilio.release.draft import check_new, write_whole


def profile(data: Any, *, progress: Progress | None = None) -> Profile:
    """Profile a table.

    Parameters
    ----------
    data
        A frame (pandas, Polars, Arrow), or where to find one: a file, a folder,
        ``postgresql://…/database#table``, or the source of a policy (:meth:`Policy.where`).
    progress
        Told of each stage.

    Examples
    --------
    >>> import papilio as pp
    >>> profile = pp.profile(pp.samples.adult().head(300))
    >>> profile.rows
    300
    >>> age = profile.columns[0]
    >>> age.name, age.role.value, age.distinct
    ('age', 'quasi', 56)
    """
    tell = progress or silent
    tell("reading", 0.0)
    raw = _read(data)
    series = [convert(each, None, raw.typed) for each in raw.frame.get_columns()]
    types = {each.name: column_type(each, typed=True) for each in series}
    frame = raw.frame.with_columns(series)
    return profile_frame(frame, types, progress=lambda share: tell("counting", 0.2 + 0.8 * share))


def _read(data: Any) -> Raw:
    if isinstance(data, Source):
        return read(data)
    if isinstance(data, (str, Path)):
        return read(parse_source(str(data), Path()))
    return Raw("table", from_native(data)[0], typed=True)


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
    columns = [
        DraftColumn(
            each.name,
            each.role,
            each.type,
            each.reason,
            each.proposed_l,
            each.most_l,
            each.most_classes,
            each.distinct - (each.missing_share > 0) > 1,
        )
        for each in found.columns
    ]
    source, allow = _from(str(data), target), must_allow(data, target)
    person = found.person
    text = draft_policy(
        columns,
        source,
        rows=found.rows if person is None else person.rows // person.most,
        allow=None if allow is None else str(allow),
        person=None if person is None else (person.name, person.in_words(), person.about_link()),
        repeats=found.repeated_identifier,
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
