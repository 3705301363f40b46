"""What projections lose and expose, judged beside the original in the engine."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import polars as pl

from papilio.errors import DataError
from papilio.policy.policy import Policy
from papilio.release.manifest import Manifest
from papilio.verify.dependence import check_dependence
from papilio.verify.verdict import Verdict
from papilio.workflow.spark.opened import MOST_ROWS, OpenedInSpark
from papilio.workflow.spark.source_rows import SourceRows, map_rows
from papilio.workflow.verify import allowed_by


def verify_limits_with_spark(
    rows: SourceRows, manifest: Manifest, policy: Policy, folder: Path
) -> Verdict:
    """Judge what a release of projections loses and exposes, by the verifier's own statements.

    As :func:`papilio.workflow.verify.verify_limits`; the original stays in the engine, and counts
    of pairs of values come back.

    Parameters
    ----------
    rows
        The original.
    manifest
        What the release says of its tables.
    policy
        The limits.
    folder
        A private folder.
    """
    with _original(rows) as view:
        opened = OpenedInSpark(
            session=rows.session,
            manifest=manifest,
            directory=folder,
            hierarchies={},
            tables=frozenset(),
            faults={},
            work=folder,
            views={view: view},
            prefix=f"papilio_{secrets.token_hex(8)}",
        )
        return Verdict(tuple(check_dependence(opened, view, allowed_by(policy, {}))))


def check_countable(names: tuple[str, ...], pairs: dict[tuple[int, int], int]) -> None:
    """Refuse columns with more pairs of values than the verifier can look at.

    Raises
    ------
    DataError
        Names the two columns.
    """
    for i, j in combinations(range(len(names)), 2):
        if pairs[i, j] > MOST_ROWS:
            raise DataError(
                f"columns '{names[i]}' and '{names[j]}' have {pairs[i, j]:,} pairs of values, and "
                f"at most {MOST_ROWS:,} can be verified; round the values of one of them",
                reason="too-many-pairs",
            )


@contextmanager
def _original(rows: SourceRows) -> Iterator[str]:
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
