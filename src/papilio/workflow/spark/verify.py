"""Let the independent verifier judge a release, with Spark doing the counting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from papilio.errors import EngineError
from papilio.families import family_of_release
from papilio.release.disk import disk_faults
from papilio.release.locked_folder import HIDDEN, locked_folder
from papilio.release.scratch import scratch_folder
from papilio.release.store import read_manifest
from papilio.verify.judge import judge
from papilio.verify.opened import Opened
from papilio.verify.promise.promise import Promise
from papilio.verify.verdict import Finding, Verdict
from papilio.workflow.spark.opened import OpenedInSpark, open_in_spark
from papilio.workflow.spark.original_view import original_view
from papilio.workflow.spark.source_rows import SourceRows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def verify_with_spark(
    directory: str | Path,
    session: SparkSession,
    *,
    work: Path | None = None,
    promise: Promise | None = None,
    rows: SourceRows | None = None,
    truth: Callable[[Opened], Iterable[Finding]] | None = None,
) -> Verdict:
    """Judge a release on disk by the same statements as :func:`papilio.workflow.verify.verify`.

    The hashes of the files are taken here, everything else is counted in the engine; only counts,
    and the distinct cells of columns whose cells are texts, come back.

    Parameters
    ----------
    directory
        The release; this program and the workers see it under the same name.
    session
        A session of :func:`papilio.engines.spark.session.spark_session`.
    work
        A folder, seen alike as well, for tables that several checks read; the folder the release
        lies in if left out. What is put there comes from the release alone, and is removed.
    promise
        What policy and original demand; compared with what the release has and claims.
    rows
        The original, for what only that can show of the promise.
    truth
        Says what is known of the truth of the tables, if everything else holds.

    Raises
    ------
    EngineError
        If the release is of a kind that is verified on one machine only.
    """
    place = Path(directory)
    family = family_of_release(read_manifest(place))
    if family.spark is None:
        raise EngineError(
            f"releases of kind '{family.kind}' are verified on one machine, with papilio verify",
            reason="kind-not-distributed",
        )
    parent = work or place.absolute().parent
    with ExitStack() as stack:
        with disk_faults(parent):
            folder = stack.enter_context(locked_folder(parent, HIDDEN))
        session.conf.set("spark.sql.session.timeZone", "UTC")
        # Rows are never left out by what a file says about its values, true or not.
        session.conf.set("spark.sql.parquet.filterPushdown", "false")
        with open_in_spark(place, session, folder.path) as opened:
            verdict = judge(opened, promise=promise)
            if not verdict.holds:
                return verdict
            findings = list(verdict.findings)
            if promise is not None and rows is not None:
                findings += _beside(opened, promise, rows)
            if truth is not None:
                findings += truth(opened)
            return Verdict(tuple(findings))


def _beside(opened: OpenedInSpark, promise: Promise, rows: SourceRows) -> Iterator[Finding]:
    """Check what is promised beside the original, which stays in the engine."""
    with original_view(rows) as view, scratch_folder() as scratch:
        seen = replace(opened, views={**opened.views, view: view}, work=scratch.path)
        for check in promise.checks:
            yield from check(seen, view)
