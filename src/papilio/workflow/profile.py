"""What is in a table, and which columns single people out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.data.io.frames import from_native
from papilio.data.io.read import Raw, read
from papilio.data.source import Source, parse_source
from papilio.data.types import column_type, convert
from papilio.measure.profile import Profile
from papilio.measure.profile import profile as profile_frame
from papilio.progress import Progress, silent


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
