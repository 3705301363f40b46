"""The verdict on a table that is not a release: what it already meets as it is.

The table's own values are its cells, so its classes are the rows that agree on all
quasi-identifiers. It is judged by the checks for releases, through a manifest that says just that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.verify.opened import open_frames
from papilio.verify.tables import CHECKS
from papilio.verify.verdict import Finding, Verdict, finding


def judge_table(
    rows: Any,
    columns: Sequence[PublishedColumn],
    claims: Sequence[Claim],
    identifiers: Sequence[str],
    hierarchies: Mapping[str, str],
) -> Verdict:
    """Judge a table against what is demanded of it.

    Parameters
    ----------
    rows
        The table, as an Arrow table.
    columns
        Its columns; all their cells are values.
    claims
        What is demanded, as a release would claim it, all about one table.
    identifiers
        Names of columns of the table that identify people by themselves.
    hierarchies
        Text of the files of paths that claims need, by file name.
    """
    (name,) = {claim.table for claim in claims}
    described = PublishedTable(name, tuple(columns), rows.num_rows)
    manifest = Manifest("table", "none", tuple(claims), (described,))
    with open_frames(manifest, {name: rows}, hierarchies) as opened:
        findings = [CHECKS[claim.claim](opened, claim) for claim in claims]
    return Verdict((_identifiers(identifiers), *findings))


def _identifiers(names: Sequence[str]) -> Finding:
    listed = ", ".join(names)
    measured = f"{len(names)} in the table: {listed}" if names else "none"
    return finding("identifiers", "none in the table", measured, not names)
