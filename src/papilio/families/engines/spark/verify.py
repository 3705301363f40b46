"""Let the independent verifier judge a release, with Spark doing the counting."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from papilio.errors import DataError, EngineError
from papilio.families import family_of_release
from papilio.families.engines.spark.opened import MOST_ROWS, OpenedInSpark, open_in_spark
from papilio.families.engines.spark.source_rows import SourceRows, map_rows
from papilio.families.facts import types_of
from papilio.release.locked_folder import HIDDEN, locked_folder
from papilio.release.scratch import disk_faults, scratch_folder
from papilio.release.store import read_manifest
from papilio.verify.judge import judge
from papilio.verify.opened import Opened
from papilio.verify.promise.promise import Promise, TableFacts
from papilio.verify.verdict import Finding, Verdict

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def facts_of_rows(rows: SourceRows) -> TableFacts:
    """What the verifier is told of an original."""
    return TableFacts(rows.name, types_of(rows.columns), rows.rows)


@contextmanager
def original_view(rows: SourceRows) -> Iterator[str]:
    """A view of the columns of the original, with their own names."""
    name = f"papilio_original_{secrets.token_hex(8)}"
    names = [column.name for column in rows.columns]
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        return typing.give(frame, names)

    map_rows(rows, work, dict(rows.dtypes)).createOrReplaceTempView(name)
    try:
        yield name
    finally:
        rows.session.catalog.dropTempView(name)


def check_countable(names: Sequence[str], pairs: Mapping[tuple[str, str], int]) -> None:
    """Refuse columns with more pairs of values than the verifier can look at.

    Raises
    ------
    DataError
        Names the two columns.
    """
    for one, other in combinations(names, 2):
        if pairs[one, other] > MOST_ROWS:
            raise DataError(
                f"columns '{one}' and '{other}' have {pairs[one, other]:,} pairs of values, and "
                f"at most {MOST_ROWS:,} can be verified; round the values of one of them",
                reason="too-many-pairs",
            )


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
