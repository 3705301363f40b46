"""Truthfulness of a release of any kind, with the source row of each line at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import polars as pl

from papilio.release.made import Witness
from papilio.verify.opened import Opened, UnreadableError
from papilio.verify.verdict import Finding, finding
from papilio.verify.witness.disguised import check_disguised
from papilio.verify.witness.graph import check_graph
from papilio.verify.witness.linked import check_linked
from papilio.verify.witness.permuted import check_permuted
from papilio.verify.witness.projected import check_projected
from papilio.verify.witness.table import check_table

#: Tables of the original; that of a release made of one table is called :data:`ORIGINAL`.
Originals: TypeAlias = Mapping[str, pl.DataFrame]

ORIGINAL = "original"

_Check: TypeAlias = Callable[[Opened, pl.DataFrame, Witness], Iterator[Finding]]


def check_witness(opened: Opened, originals: Originals, witness: Witness) -> list[Finding]:
    """Check that every line of a release is true of the source row it is made of.

    Parameters
    ----------
    opened
        The release as it was written, opened so that the order of its lines is kept.
    originals
        The original as typed frames, all rows, with the columns that are published.
    witness
        Per table, the source row of each line, as the method says it. Nothing of it is believed.

    Notes
    -----
    To be asked after :func:`papilio.verify.judge.judge` has found tables and columns as described.
    Cost: linear in the cells of both sides. Does not protect against an original that was read
    wrongly in the first place.
    """
    kind = opened.manifest.kind
    check = CHECKS.get(kind)
    if check is None:
        measured = "nobody knows how to check releases of this kind"
        return [finding("truthfulness", "as in the original", measured, holds=False)]
    try:
        # With the setting off, lines come back in any order.
        opened.execute("SET preserve_insertion_order = true")
        return list(check(opened, originals, witness))
    except UnreadableError:
        return [finding("truthfulness", "as in the original", "cannot be read", holds=False)]


def _generalised(opened: Opened, originals: Originals, witness: Witness) -> Iterator[Finding]:
    for table in opened.manifest.tables:
        yield check_table(opened, table, originals[ORIGINAL], witness.get(table.name))


def _of_one(check: _Check) -> Callable[[Opened, Originals, Witness], Iterator[Finding]]:
    """Check a release that is made of one table."""
    return lambda opened, originals, witness: check(opened, originals[ORIGINAL], witness)


CHECKS: Mapping[str, Callable[[Opened, Originals, Witness], Iterator[Finding]]] = {
    "generalised": _generalised,
    "projected": _of_one(check_projected),
    "permuted": _of_one(check_permuted),
    "disguised": _of_one(check_disguised),
    "linked": check_linked,
    "graph": check_graph,
}
