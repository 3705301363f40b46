"""k-anonymity from the released rows: group by the published cells and count.

SQL's ``GROUP BY`` puts NULL cells into one group, which is what NULL means here. A recipient who
knows no column cannot tell any rows apart: for them the whole table is one class.
"""

from __future__ import annotations

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding


def check_k_anonymity(opened: Opened, claim: Claim) -> Finding:
    """Check that every combination of the claim's cells occurs in at least k rows."""
    k = claim.parameters.get("k")
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        return _finding(claim, "k >= 1", "the claim has no k", holds=False)
    demanded = f"k >= {k}"
    quasi = {
        column.name: column.published
        for column in opened.manifest.table(claim.table).columns
        if column.role == "quasi"
    }
    strangers = [name for name in claim.columns if name not in quasi]
    if strangers:
        named = ", ".join(f"'{name}'" for name in strangers)
        return _finding(claim, demanded, f"{named} is no quasi-identifier", holds=False)
    columns = [name for column in claim.columns for name in quasi[column]]
    counts = f"SELECT count(*) AS n FROM {sql.name(claim.table)}"
    if columns:
        counts += f" GROUP BY {sql.names(columns)}"
    least, classes, short, rows = opened.row(
        f"SELECT min(n), count(*), {sql.count_where(f'n < {k}')}, "
        f"{sql.sum_where('n', f'n < {k}')} FROM ({counts})"
    )
    measured = f"k = {least or 0} over {classes} classes"
    if short:
        measured += f"; {rows} rows in {short} classes fall short"
    return _finding(claim, demanded, measured, holds=least is not None and least >= k)


def _finding(claim: Claim, demanded: str, measured: str, *, holds: bool) -> Finding:
    return finding("k-anonymity", demanded, measured, holds, recipient=claim.recipient)
