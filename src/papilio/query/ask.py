"""Asking a release that is one table with groups or generalised cells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb

from papilio.engines.local import Opened, open_locally
from papilio.errors import ReleaseError
from papilio.query.answer import Answer
from papilio.query.generalised import rewrite_generalised
from papilio.query.generalised_subject import generalised_subject
from papilio.query.permuted import permuted_subject, rewrite_permuted
from papilio.query.planner import make_plan
from papilio.query.refusal import QueryError
from papilio.query.render import render
from papilio.query.run import failure, run
from papilio.query.sql import Question, parse
from papilio.query.statement import PREFIX, Statement
from papilio.release.manifest import Manifest
from papilio.release.release import Release


def ask_table(release: Release | Path, sql: str, dialect: str = "duckdb") -> Answer:
    """Answer a query about a permuted or generalised release with bounds."""
    question = parse(sql, dialect)
    with open_locally(release) as opened:
        statement = rewritten(question, opened, here=True)
        answer = run(statement, opened.connection, question)
        return replace(answer, notes=_notes(opened.manifest))


def rewrite_table(release: Release | Path, sql: str, to: str, dialect: str = "duckdb") -> str:
    """Rewrite a query about a permuted or generalised release for another engine."""
    question = parse(sql, dialect)
    with open_locally(release) as opened:
        return render(rewritten(question, opened), to)


def _grouped(manifest: Manifest) -> bool:
    """Whether values stand in groups apart from their people, with a help table beside them."""
    return any(column.cells == "group" for column in manifest.tables[0].columns)


def rewritten(question: Question, opened: Opened, *, here: bool = False) -> Statement:
    """Rewrite a query for the kind of release there is, to run in this program or anywhere.

    Raises
    ------
    QueryError
        If the query cannot be answered with bounds.
    """
    _check_names(opened.manifest)
    try:
        if _grouped(opened.manifest):
            plan = make_plan(question, permuted_subject(opened.manifest))
            return rewrite_permuted(plan, opened, here=here)
        plan = make_plan(question, generalised_subject(question, opened))
        return rewrite_generalised(plan, opened)
    except RecursionError:
        raise QueryError("the query is nested too deeply", reason="too-deep") from None
    except duckdb.Error as error:
        raise failure(error, question) from None


def _notes(manifest: Manifest) -> tuple[str, ...]:
    missing = max(table.left_out_at_most for table in manifest.tables)
    if not missing:
        return ()
    return (
        f"The answer is about the rows of the release; up to {missing:.2%} of the original's may "
        "be missing from it.",
    )


def _check_names(manifest: Manifest) -> None:
    for table in manifest.tables:
        if table.name.casefold().startswith(PREFIX):
            raise ReleaseError(
                f"the table '{table.name}' cannot be asked: names that begin with '{PREFIX}' are "
                "kept for rewritten queries",
                reason="reserved-name",
            )
