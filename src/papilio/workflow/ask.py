"""Ask a release: SQL in, bounds out."""

from __future__ import annotations

from pathlib import Path

from papilio.errors import ReleaseError
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
        If releases of this kind cannot be asked.
    """
    match _manifest(release).kind:
        case "permuted" | "disguised" | "generalised" | "projected":
            from papilio.query.ask import ask_table

            return ask_table(_place(release), sql, dialect)
        case "graph":
            from papilio.query.graph.sql import ask_graph_sql

            opened = release if isinstance(release, Release) else Release.open(release)
            return ask_graph_sql(opened, sql, dialect)
        case "linked":
            from papilio.query.linked.ask import ask_linked

            opened = release if isinstance(release, Release) else Release.open(release)
            return ask_linked(opened, sql, dialect)
        case kind:
            raise _cannot(kind)


def rewrite(release: Release | str | Path, sql: str, *, to: str, dialect: str = "duckdb") -> str:
    """Rewrite a query over a release into SQL that gives the bounds on another engine.

    Parameters
    ----------
    release, sql, dialect
        As for :func:`ask`.
    to
        Dialect of the text: ``duckdb``, ``postgres`` or ``spark``. It runs over the tables of the
        release, as ``papilio load`` puts them into a database.
    """
    match _manifest(release).kind:
        case "permuted" | "disguised" | "generalised" | "projected":
            from papilio.query.ask import rewrite_table

            return rewrite_table(_place(release), sql, to, dialect)
        case "graph":
            raise ReleaseError(
                "questions about a graph are answered by Papilio and cannot be rewritten into SQL",
                reason="no-rewrite",
            )
        case "linked":
            raise ReleaseError(
                "bounds over linked tables also count rows that may be missing, and are not "
                "printed as SQL; ask without --sql",
                reason="no-rewrite",
            )
        case kind:
            raise _cannot(kind)


def _manifest(release: Release | str | Path) -> Manifest:
    return release.manifest if isinstance(release, Release) else read_manifest(Path(release))


def _place(release: Release | str | Path) -> Release | Path:
    return release if isinstance(release, Release) else Path(release)


def _cannot(kind: str) -> ReleaseError:
    return ReleaseError(f"a release of kind '{kind}' cannot be asked", reason="no-query")
