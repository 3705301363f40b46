"""Whether a release has and claims what its policy and its original promise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TypeAlias

from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.promise.promise import Promise, PromisedColumn, PromisedTable
from papilio.verify.promise.strength import keeps
from papilio.verify.promise.trees import tree_faults
from papilio.verify.verdict import Finding, Status, finding

#: Findings without which rows cannot be compared with those of the original.
SHAPE = ("promised kind", "promised tables", "promised columns")

_Pair: TypeAlias = tuple[PublishedTable, PromisedTable]


def check_promise(
    opened: Opened, promise: Promise, original: str | None = None
) -> Iterator[Finding]:
    """Compare a release with the promise: kind, tables, columns, trees, rows and claims.

    Parameters
    ----------
    opened
        The release.
    promise
        What it must have and claim.
    original
        Name of a view with the original, for what only that can show.

    Notes
    -----
    Tables whose files or columns are not as the manifest says have been found before; here it is
    the manifest that is compared. Without the right kind and tables there is nothing further to
    compare, and the release does not keep its promise.
    """
    manifest = opened.manifest
    shape = [_kind(manifest, promise), _tables(manifest, promise)]
    yield from shape
    if any(found.status is not Status.HOLDS for found in shape):
        return
    pairs = [(manifest.table(wanted.name), wanted) for wanted in promise.tables]
    columns = _columns(opened, pairs)
    yield columns
    yield _rows(opened, pairs)
    yield _claims(manifest, promise)
    if original is not None and columns.status is Status.HOLDS:
        for check in promise.checks:
            yield from check(opened, original)


def _kind(manifest: Manifest, promise: Promise) -> Finding:
    same = manifest.kind == promise.kind
    measured = promise.kind if same else "another"
    return finding("promised kind", promise.kind, measured, same)


def _tables(manifest: Manifest, promise: Promise) -> Finding:
    names = [table.name for table in manifest.tables]
    wanted = [table.name for table in promise.tables]
    faults = [f"'{name}' is missing" for name in wanted if name not in names]
    faults += [f"'{name}' is not promised" for name in names if name not in wanted]
    demanded = "those of the policy"
    return _found("promised tables", demanded, faults, f"{len(wanted)} as promised")


def _columns(opened: Opened, pairs: Iterable[_Pair]) -> Finding:
    faults = [
        f"{table.name}: {fault}"
        for table, wanted in pairs
        for fault in _table_faults(opened, table, wanted)
    ]
    demanded = "roles, types, cells and trees of the policy"
    return _found("promised columns", demanded, faults, "as promised")


def _table_faults(opened: Opened, table: PublishedTable, wanted: PromisedTable) -> Iterator[str]:
    published = {c.name: c for c in table.columns if c.cells not in wanted.helping}
    promised = {column.name: column for column in wanted.columns}
    yield from (f"'{name}' is not published" for name in promised if name not in published)
    yield from (f"'{name}' is not promised" for name in published if name not in promised)
    for name, column in promised.items():
        if name in published:
            yield from _column_faults(published[name], column)
            yield from tree_faults(opened, table, published[name], column)
    if (table.key, table.parent) != (wanted.key, _parent(wanted)):
        yield "another key or another table above"


def _parent(wanted: PromisedTable) -> dict[str, str] | None:
    return None if wanted.parent is None else dict(wanted.parent)


def _column_faults(column: PublishedColumn, promised: PromisedColumn) -> Iterator[str]:
    if column.role != promised.role:
        yield f"'{column.name}' is {promised.role} in the policy, not {column.role}"
    if column.type != promised.type:
        yield f"'{column.name}' is {promised.type} in the original, not {column.type}"
    if column.cells not in promised.cells:
        allowed = " or ".join(sorted(promised.cells))
        yield f"'{column.name}' has other cells than {allowed}"
    if promised.text is not None and column.text is not promised.text:
        yield f"'{column.name}' is {'' if promised.text else 'not '}to be written as text"


def _rows(opened: Opened, pairs: Iterable[_Pair]) -> Finding:
    faults = [
        f"{table.name}: {fault}"
        for table, wanted in pairs
        for fault in _row_faults(opened, table, wanted)
    ]
    demanded = "as many as the original has, less what the policy lets be left out"
    return _found("promised rows", demanded, faults, "as promised")


def _row_faults(opened: Opened, table: PublishedTable, wanted: PromisedTable) -> Iterator[str]:
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    if wanted.rows is not None and not wanted.rows[0] <= count <= wanted.rows[1]:
        least, most = wanted.rows
        yield f"{count} rows instead of {most if least == most else f'{least} to {most}'}"
    share = table.left_out_at_most
    if not math.isfinite(share) or Fraction(str(share)) > Fraction(str(wanted.left_out_at_most)):
        yield "a larger share may be left out than the policy says"
    if wanted.at_most is not None and wanted.parent is not None:
        yield from _above_limit(opened, table, next(iter(wanted.parent.values())), wanted.at_most)


def _above_limit(opened: Opened, table: PublishedTable, above: str, most: int) -> list[str]:
    """Rows of the table above that have more rows below them than the policy allows."""
    counts = f"SELECT count(*) AS n FROM {sql.name(table.name)} GROUP BY {sql.name(above)}"
    (many,) = opened.row(f"SELECT {sql.count_where(f'n > {most}')} FROM ({counts}) AS below")
    return [f"{many} times more than {most} rows below one"] if many else []


def _claims(manifest: Manifest, promise: Promise) -> Finding:
    missing = [
        wanted
        for wanted in promise.claims
        if not any(keeps(claim, wanted) for claim in manifest.claims)
    ]
    faults = [f"no such {claim.claim} of {claim.table} for {claim.recipient}" for claim in missing]
    demanded = "what the policy demands, for each recipient"
    kept = f"all {len(promise.claims)} claimed"
    return _found("promised claims", demanded, dict.fromkeys(faults), kept)


def _found(claim: str, demanded: str, faults: Iterable[str], kept: str) -> Finding:
    told = list(faults)
    return finding(claim, demanded, "; ".join(told) or kept, not told)
