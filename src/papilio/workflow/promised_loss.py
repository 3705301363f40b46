"""Whether projected tables lose no more than the policy allows, beside the original."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.families.family import Original
from papilio.measure.ncp import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import Order
from papilio.release.release import Release
from papilio.verify import sql
from papilio.verify.opened import OpenedHere
from papilio.verify.verdict import Finding, finding

#: What rounding may add to a mean.
_TOLERANCE = 1e-9


def check_loss(opened: OpenedHere, original: Original) -> Iterator[Finding]:
    """Compare the loss of every table with ``generalisation_loss``, if the policy has one.

    To be asked when everything else holds. Unlike what protects people, this limit is measured by
    the code that the method measures it with, :mod:`papilio.measure.ncp`.

    Parameters
    ----------
    opened
        The release; all of its cells are true.
    original
        What it was made of.
    """
    limit, order = original.policy.privacy.generalisation_loss, original.order
    if limit is None or not isinstance(order, Order):
        return
    release = Release(opened.manifest, _frames(opened), opened.hierarchies)
    columns = order.table.with_role(Role.QUASI)
    known = order.table.frame.select(column.name for column in columns)
    for table in opened.manifest.tables:
        loss = ncp(published_classes(release, Table(table.name, known, columns))).overall
        claim = f"generalisation loss of {table.name}"
        yield finding(claim, f"at most {limit:g}", f"{loss:.6f}", loss <= limit + _TOLERANCE)


def _frames(opened: OpenedHere) -> dict[str, pl.DataFrame]:
    """Quasi-identifiers of all tables as they are published."""
    frames = {}
    for table in opened.manifest.tables:
        names = [n for c in table.columns if c.role == Role.QUASI for n in c.published]
        query = f"SELECT {sql.names(names)} FROM {sql.name(table.name)}"
        frames[table.name] = pl.DataFrame(opened.connection.sql(query).to_arrow_table())
    return frames
