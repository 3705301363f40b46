"""Ask a release: SQL in, bounds out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from papilio.errors import PapilioError, ReleaseError
from papilio.families import family_of_release
from papilio.query.answer import Answer
from papilio.release.manifest import Manifest
from papilio.release.release import Release
from papilio.release.store import read_manifest

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.query.truth import Truth


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


#: Most questions that are offered.
MOST = 4


def example_questions(release: Release) -> tuple[str, ...]:
    """Write up to four queries that the release answers; every one is tried before."""
    found: list[str] = []
    for sql in family_of_release(release.manifest).questions(release):
        if len(found) < MOST and sql not in found and _works(release, sql):
            found.append(sql)
    return tuple(found)


def _works(release: Release, sql: str) -> bool:
    try:
        ask(release, sql)
    except PapilioError:
        return False
    return True


def truth(sql: str, *, original: Policy, dialect: str = "duckdb") -> Truth:
    """Answer a query from the original, for the owner's eyes only.

    Parameters
    ----------
    sql, dialect
        A query that a release of one table answers.
    original
        The policy; its source is read.

    Returns
    -------
    dict
        The true aggregates, by the values of their group.

    Raises
    ------
    ReleaseError
        If the original is more than one table.
    """
    if original.family.data is not None:
        raise ReleaseError(
            "the true answer is looked up for releases of one table; linked tables and graphs have "
            "several",
            reason="several-tables",
        )
    from papilio.data.types import as_text
    from papilio.policy.apply import order_of
    from papilio.query.truth import truth as true_answer

    order, _ = order_of(None, original, "original")
    return true_answer(sql, as_text(order.table.frame), dialect)
