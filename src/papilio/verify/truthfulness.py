"""Whether every published row is true of one original row, and none is lost.

A release is truthful if its rows can be matched one to one with the rows of the original so that
every generalised cell covers the original value and every other cell equals it. The rows of a
release are shuffled, so the matching has to be found. Equal rows are counted together: originals
are supplies, published rows demands, and a matching exists exactly if a maximum flow serves all.

Candidates (which original may be which published row) come from SQL joins on the cells. Where every
original has one candidate, as with boxes that do not overlap, comparing sums is enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.readings import node_cover, range_bounds, set_values
from papilio.verify.verdict import Finding, Status, finding

#: Most rows an intermediate table of the search for candidates may have.
_LIMIT = 40_000_000

_CLAIM = "truthfulness"
_DEMANDED = "every original row is covered by one published row, none is lost or invented"


def check_truthfulness(opened: Opened, table: PublishedTable, original: str) -> Finding:
    """Check a table against the original.

    Parameters
    ----------
    opened
        The release.
    table
        The table in question.
    original
        Name of a view with the original's columns, registered on the same connection.
    """
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(original)}")
    if count != table.rows:
        measured = f"{count} rows in the original, {table.rows} published"
        return finding(_CLAIM, _DEMANDED, measured, holds=False)
    _prepare(opened, table, original)
    candidates = _candidates(opened, table)
    if candidates is None:
        measured = f"more than {_LIMIT} candidates; too many to decide"
        return Finding(_CLAIM, _DEMANDED, measured, Status.NOT_CHECKED)
    matched = _matched(opened, candidates)
    measured = f"{matched} of {count} rows can be matched"
    return finding(_CLAIM, _DEMANDED, measured, matched == count)


def _prepare(opened: Opened, table: PublishedTable, original: str) -> None:
    """Count equal rows on both sides: tables ``supply`` and ``demand``."""
    kept = [column for column in table.columns if column.role != "quasi"]
    quasi = [column for column in table.columns if column.role == "quasi"]
    ours = [f"{_value(column)} AS o{index}" for index, column in enumerate(quasi)] + [
        f"{sql.name(column.name)} AS p{index}" for index, column in enumerate(kept)
    ]
    theirs = [part for index, column in enumerate(quasi) for part in _cell_parts(column, index)] + [
        f"{sql.name(column.published[0])} AS p{index}" for index, column in enumerate(kept)
    ]
    for name, parts, source in (("supply", ours, original), ("demand", theirs, table.name)):
        opened.connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {name} AS "
            f"SELECT row_number() OVER () - 1 AS id, * FROM (SELECT {', '.join(parts)}, "
            f"count(*) AS n FROM {sql.name(source)} GROUP BY ALL)"
        )


def _value(column: PublishedColumn) -> str:
    """Original value as it is compared: as it is for ranges, as text otherwise."""
    name = sql.name(column.name)
    return name if column.cells == "range" else f"CAST({name} AS VARCHAR)"


def _cell_parts(column: PublishedColumn, index: int) -> list[str]:
    if column.cells != "range":
        return [f"{sql.name(column.published[0])} AS c{index}"]
    low, high, null = range_bounds(column, "TIMESTAMP" if column.type == "date" else "DOUBLE")
    return [f"{low} AS lo{index}", f"{high} AS hi{index}", f"{null} AS nu{index}"]


def _candidates(opened: Opened, table: PublishedTable) -> NDArray[np.int64] | None:
    """Pairs (supply, demand) that fit, as an array of two columns, or ``None`` if too many."""
    quasi = [column for column in table.columns if column.role == "quasi"]
    kept = len(table.columns) - len(quasi)
    connection = opened.connection
    connection.execute("CREATE OR REPLACE TEMP TABLE wide AS SELECT * FROM demand")
    joined, filtered = [], []
    for index, column in enumerate(quasi):
        if column.cells == "range":
            continue
        _cover_table(opened, table, column, index)
        # A plain "=" would lose NULL cells.
        join = f"wide JOIN cover{index} AS f ON wide.c{index} IS NOT DISTINCT FROM f.c{index}"
        (size,) = opened.row(f"SELECT count(*) FROM {join}")
        if size > _LIMIT // 4:
            filtered.append(index)
            continue
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE wide AS SELECT wide.*, v{index} FROM {join}"
        )
        joined.append(index)
    conditions = [f"o{i} IS NOT DISTINCT FROM v{i}" for i in joined]
    conditions += [f"s.p{i} IS NOT DISTINCT FROM w.p{i}" for i in range(kept)]
    conditions += [
        f"(o{i} BETWEEN lo{i} AND hi{i} OR (o{i} IS NULL AND nu{i}))"
        for i, column in enumerate(quasi)
        if column.cells == "range"
    ]
    conditions += [
        f"EXISTS (FROM cover{i} AS f WHERE f.c{i} IS NOT DISTINCT FROM w.c{i} "
        f"AND f.v{i} IS NOT DISTINCT FROM s.o{i})"
        for i in filtered
    ]
    pairs = connection.execute(
        f"SELECT s.id AS supply, w.id AS demand FROM supply AS s JOIN wide AS w "
        f"ON {' AND '.join(conditions)} LIMIT {_LIMIT + 1}"
    ).fetchnumpy()
    if len(pairs["supply"]) > _LIMIT:
        return None
    return np.column_stack([pairs["supply"], pairs["demand"]]).astype(np.int64)


def _cover_table(
    opened: Opened, table: PublishedTable, column: PublishedColumn, index: int
) -> None:
    """Make ``cover<index>``: which original values (``v``) each published cell (``c``) allows."""
    connection = opened.connection
    cell = sql.name(column.published[0])
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE cells AS "
        f"SELECT DISTINCT {cell} AS cell FROM {sql.name(table.name)}"
    )
    if column.cells == "set":
        of_cell = set_values(column).replace(cell, "cell")
        cover = f"SELECT cell, unnest({of_cell}) AS value FROM cells"
    else:
        _distinct_values(opened, column, index)
        cover = node_cover(opened, column, "cells", "distinct_values")
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE cover{index} AS "
        f"SELECT cell AS c{index}, value AS v{index} FROM ({cover})"
    )


def _distinct_values(opened: Opened, column: PublishedColumn, index: int) -> None:
    kind = {"numeric": "DOUBLE", "date": "TIMESTAMP"}.get(column.type, "VARCHAR")
    opened.connection.execute(
        "CREATE OR REPLACE TEMP TABLE distinct_values AS "
        f"SELECT DISTINCT o{index} AS value, TRY_CAST(o{index} AS {kind}) AS raw FROM supply"
    )


def _matched(opened: Opened, pairs: NDArray[np.int64]) -> int:
    """Number of rows a best matching serves."""
    supply = _counts(opened, "supply")
    demand = _counts(opened, "demand")
    per_supply = np.bincount(pairs[:, 0], minlength=len(supply))
    if per_supply.max(initial=0) <= 1:
        served = np.bincount(
            pairs[:, 1], weights=supply[pairs[:, 0]].astype(float), minlength=len(demand)
        )
        return int(np.minimum(served.astype(np.int64), demand).sum())
    return _flow(pairs, supply, demand)


def _counts(opened: Opened, side: str) -> NDArray[np.int64]:
    counts: dict[str, Any] = opened.connection.execute(
        f"SELECT n FROM {side} ORDER BY id"
    ).fetchnumpy()
    return np.asarray(counts["n"], np.int64)


def _flow(pairs: NDArray[np.int64], supply: NDArray[np.int64], demand: NDArray[np.int64]) -> int:
    # SciPy is needed only here and takes a while to load.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    first_demand = 1 + len(supply)
    sink = first_demand + len(demand)
    tails = np.concatenate(
        [np.zeros(len(supply), int), 1 + pairs[:, 0], first_demand + np.arange(len(demand))]
    )
    heads = np.concatenate(
        [1 + np.arange(len(supply)), first_demand + pairs[:, 1], np.full(len(demand), sink)]
    )
    capacity = np.concatenate([supply, supply[pairs[:, 0]], demand]).astype(np.int32)
    graph = csr_array((capacity, (tails, heads)), shape=(sink + 1, sink + 1))
    return int(maximum_flow(graph, 0, sink).flow_value)
