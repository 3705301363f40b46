"""Adult as methods and measures want it: a table, its codes, and releases made of classes."""

from __future__ import annotations

import polars as pl

from papilio import samples
from papilio.data.encode import EncodedTable, encode
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.privacy.k_anonymity import KAnonymity
from papilio.randomness import Randomness
from papilio.release.release import Release

LABEL = "income"


def adult_table(frame: pl.DataFrame | None = None) -> Table:
    """Complete training rows, or another table with these columns: quasi-identifiers and income."""
    source = (samples.adult() if frame is None else frame).select(*samples.ADULT_QUASI, LABEL)
    columns = [
        Column(
            series.name,
            Role.SENSITIVE if series.name == LABEL else Role.QUASI,
            ColumnType.NUMERIC if series.dtype.is_integer() else ColumnType.CATEGORY,
        )
        for series in source
    ]
    return Table("adult", source, tuple(columns))


def encoded(table: Table) -> EncodedTable:
    """Encode the quasi-identifiers."""
    return encode(table, table.with_role(Role.QUASI))


def release_of(table: Table, codes: EncodedTable, classes: Classes, k: int) -> Release:
    """Publish classes without running the verifier, to be measured."""
    return generalised_release(
        table,
        codes,
        classes,
        (KAnonymity(k),),
        method="benchmark",
        text=False,
        randomness=Randomness(1),
    ).release
