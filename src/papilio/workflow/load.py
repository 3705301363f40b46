"""Load a release into a database."""

from __future__ import annotations

from pathlib import Path

from papilio.engines.postgres import load_postgres
from papilio.progress import Progress, silent
from papilio.release.release import Release


def load(
    release: Release | str | Path,
    database: str,
    *,
    schema: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Load the tables of a release, all or none, and index what rewritten queries join by.

    Parameters
    ----------
    release
        A release or the directory of one.
    database
        Address of a PostgreSQL database: ``postgresql://…``.
    schema
        Where the tables go; made if it is not there. Left out: where the server puts new tables.
    replace
        Replace tables of the same names; else they are left as they are and nothing is loaded.
    progress
        Told of each stage.

    Returns
    -------
    dict
        Rows by table.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> pp.load(release, "postgresql://localhost/statistics", schema="published")
    {'people': 300}
    """
    tell = progress or silent
    tell("reading", 0.0)
    opened = release if isinstance(release, Release) else Release.open(release)
    tell("loading", 0.2)
    return load_postgres(opened, database, schema=schema, replace=replace)
