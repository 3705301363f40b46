"""Truthfulness of a permuted release: each person with their group, each value in the same one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.made import Witness
from papilio.release.manifest import PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.permuted_layout import layout_of
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.table import check_table
from papilio.verify.witness.values import Rows

GROUPS = "truthfulness of groups"
AMONG = "every person's value is among those of their group"


def check_permuted(opened: Opened, original: pl.DataFrame, witness: Witness) -> Iterator[Finding]:
    """Check people and values, and that nobody's value is in another group than they are.

    The witness names the rows of both tables: of a person's line and of a value's line. The help
    table follows from the values, which is checked without an original.
    """
    layout = layout_of(opened.manifest)
    people, values, _ = opened.manifest.tables
    shown = original.drop(layout.sensitive, strict=False)
    hidden = original.select(name for name in original.columns if name == layout.sensitive)
    found = [
        check_table(opened, without_group(people), shown, witness.get(people.name)),
        check_table(
            opened,
            without_group(values),
            hidden,
            witness.get(values.name),
            f"truthfulness of {values.name}",
        ),
    ]
    yield from found
    if all(each.status is Status.HOLDS for each in found):
        sides = [
            groups_of(opened, table, layout.group, witness[table.name], original.height)
            for table in (people, values)
        ]
        astray = int((sides[0] != sides[1]).sum())
        measured = f"{astray} rows are not" if astray else "all rows are"
        yield finding(GROUPS, AMONG, measured, not astray)


def without_group(table: PublishedTable) -> PublishedTable:
    """A table as described, but for the number of the group, which no original has."""
    return replace(table, columns=tuple(c for c in table.columns if c.cells != "group"))


def groups_of(
    opened: Opened, table: PublishedTable, group: str, rows: Rows, count: int
) -> NDArray[Any]:
    """Group in which a table has each source row; -1 where it has not."""
    (numbers,) = opened.arrays(
        f"SELECT coalesce(CAST({sql.name(group)} AS BIGINT), -1) AS g FROM {sql.name(table.name)}"
    )
    groups = np.full(count, -1, np.int64)
    groups[rows] = np.asarray(numbers, np.int64)
    return groups
