"""Ask a release: SQL in, bounds out."""

from __future__ import annotations

from pathlib import Path

from papilio.families import family_of_release
from papilio.query.answer import Answer
from papilio.release.manifest import Manifest
from papilio.release.release import Release
from papilio.release.store import read_manifest


def ask(release: Release | str | Path, sql: str, *, dialect: str = "duckdb") -> Answer:
    """Answer a query over a release with bounds that are always right.

    Parameters
    ----------
    release
        A release or the directory of one.
    sql
        One SELECT over the table of the release, as if it were the original; see
        ``docs/query.md``.
    dialect
        What the query is written in: ``duckdb``, ``postgres`` or ``spark``.

    Raises
    ------
    QueryError
        If the query cannot be bounded; it says which piece of the text is to blame.
    ReleaseError
        If no family knows this kind of release.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> answer = pp.ask(release, "SELECT count(*) FROM people WHERE age > 50")
    >>> answer["count(*)"].lo <= people.filter(people["age"] > 50).height <= answer["count(*)"].hi
    True
    """
    return family_of_release(_manifest(release)).ask(_place(release), sql, dialect)


def rewrite(release: Release | str | Path, sql: str, *, to: str, dialect: str = "duckdb") -> str:
    """Rewrite a query over a release into SQL that gives the bounds on another engine.

    Parameters
    ----------
    release, sql, dialect
        As for :func:`ask`.
    to
        Dialect of the text: ``duckdb``, ``postgres`` or ``spark``. It runs over the tables of the
        release, as ``papilio load`` puts them into a database.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> sql = pp.rewrite(release, "SELECT count(*) FROM people WHERE age > 50", to="postgres")
    >>> sql.startswith("WITH")
    True
    """
    family = family_of_release(_manifest(release))
    return family.rewrite(_place(release), sql, to, dialect)


def _manifest(release: Release | str | Path) -> Manifest:
    return release.manifest if isinstance(release, Release) else read_manifest(Path(release))


def _place(release: Release | str | Path) -> Release | Path:
    return release if isinstance(release, Release) else Path(release)
