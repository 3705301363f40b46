"""What linked tables lost: cells that became coarser, and rows that were removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from papilio.data.link import LinkedTable, Snowflake
from papilio.data.table import Role, Table
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.release.release import Release


@dataclass(frozen=True)
class TableLoss:
    """What one table lost.

    Attributes
    ----------
    name
        The table.
    rows, removed
        Rows of the original, and how many of them are not published.
    over
        How many of the removed rows are more than the policy's ``at_most`` allows below one row;
        rows that hung off these are not among them.
    columns
        Mean normalised certainty penalty of the published cells of each quasi-identifier, from 0
        (as it was) to 1 (anything).
    """

    name: str
    rows: int
    removed: int
    over: int
    columns: dict[str, float]

    @property
    def share_removed(self) -> float:
        """Share of the rows that were removed."""
        return self.removed / self.rows


def linked_loss(
    original: Snowflake, release: Release, at_most: Mapping[str, int] | None = None
) -> tuple[TableLoss, ...]:
    """Measure a release of linked tables, table by table; see :func:`papilio.measure.losses.ncp`.

    Parameters
    ----------
    original, release
        The tables before and after.
    at_most
        Limits of the policy on rows below one row, by table.
    """
    limits = at_most or {}
    return tuple(
        TableLoss(
            each.name,
            each.height,
            each.height - release.manifest.table(each.name).rows,
            rows_over(each, limits.get(each.name)),
            _per_column(each.table, release),
        )
        for each in original.tables
    )


def overall_loss(losses: Sequence[TableLoss]) -> float:
    """One number for all tables, from 0 to 1: the mean over them.

    Rows that are gone lose everything, the others what their cells leave open.
    """
    return sum(map(_of_table, losses)) / len(losses)


def _of_table(table: TableLoss) -> float:
    cells = sum(table.columns.values()) / len(table.columns) if table.columns else 0.0
    return table.share_removed + (1 - table.share_removed) * cells


def rows_over(table: LinkedTable, at_most: int | None) -> int:
    """How many rows of a table are more than a limit allows below one row."""
    if at_most is None:
        return 0
    return int(np.maximum(np.bincount(table.up) - at_most, 0).sum())


def _per_column(table: Table, release: Release) -> dict[str, float]:
    if not table.with_role(Role.QUASI) or not release.manifest.table(table.name).rows:
        return {}
    return ncp(published_classes(release, table)).per_column
