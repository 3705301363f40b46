"""The best number of fake values, and where: the corrected Algorithm 4 as a table per node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def reach(
    count: NDArray[np.int64],
    more: int,
    end: NDArray[np.int32],
    weight: NDArray[np.int64],
    total: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Push down as far as possible if every node had ``more`` values than it has.

    Returns
    -------
    lots, size
        Node -> how often its weights are pushed to its children; node -> subdomains in its subtree.
    """
    lots = np.zeros(len(end), dtype=np.int64)
    size = np.zeros(len(end), dtype=np.int64)
    size[0] = count[0] + more
    for node in range(len(end)):
        if size[node] == 0 or total[node] == 0:
            continue
        most = size[node] // total[node]
        child = node + 1
        while child < end[node]:
            if weight[child] > 0:
                most = min(most, (count[child] + more) // weight[child])
            child = end[child]
        lots[node] = most
        child = node + 1
        while child < end[node]:
            size[child] = most * weight[child]
            child = end[child]
    return lots, size


@kernel
def table_shapes(
    limit: int,
    parent: NDArray[np.int32],
    low_lots: NDArray[np.int64],
    high_lots: NDArray[np.int64],
    high_size: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Rows, columns and place of each node's table; nodes that get nothing have none.

    A row is a number of subdomains in the subtree (at the root ``count + row``, elsewhere the
    weight times ``low_lots[parent] + row``); a column is a number of fake values in it.
    """
    rows = np.zeros(len(parent), dtype=np.int64)
    columns = np.zeros(len(parent), dtype=np.int64)
    place = np.zeros(len(parent) + 1, dtype=np.int64)
    for node in range(len(parent)):
        if high_size[node] > 0:
            above = parent[node]
            rows[node] = limit + 1 if node == 0 else high_lots[above] - low_lots[above] + 1
            columns[node] = min(limit, high_size[node]) + 1
        place[node + 1] = place[node] + rows[node] * columns[node]
    return rows, columns, place


@kernel
def _join(
    node: int,
    step: int,
    width: int,
    end: NDArray[np.int32],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    place: NDArray[np.int64],
    table: NDArray[np.float64],
    joined: NDArray[np.float64],
) -> int:
    """Least cost of the first c children together with x fake values, for one push of the node.

    Row c of ``joined`` is about the first c children, column x about at most x fake values.
    Returns the number of children that have a table.
    """
    joined[0, :width] = 0.0
    done = 0
    child = node + 1
    while child < end[node]:
        if rows[child] > 0:
            start = place[child] + step * columns[child]
            wide = columns[child]
            for x in range(width):
                best = np.inf
                for of_child in range(min(x, wide - 1) + 1):
                    cost = joined[done, x - of_child] + table[start + of_child]
                    if cost < best:
                        best = cost
                joined[done + 1, x] = best
            done += 1
        child = end[child]
    return done


@kernel
def fill_tables(
    count: NDArray[np.int64],
    parent: NDArray[np.int32],
    end: NDArray[np.int32],
    weight: NDArray[np.int64],
    total: NDArray[np.int64],
    span: NDArray[np.float64],
    low_lots: NDArray[np.int64],
    high_lots: NDArray[np.int64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    place: NDArray[np.int64],
    joined: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Fill every node's table, children first.

    An entry is the least sum of ranges of u subdomains in the subtree if it holds its own values
    and at most x fake ones; infinite if u is more than these. With B(j) the least cost of pushing
    j lots, it is u * span + min over j <= u / total of B(j) - j * total * span.
    """
    table = np.full(place[-1], np.inf)
    for node in range(len(end) - 1, -1, -1):
        if rows[node] == 0:
            continue
        least = np.full(columns[node], np.inf)
        joined_until = low_lots[node]
        for row in range(rows[node]):
            above = parent[node]
            size = count[0] + row if node == 0 else (low_lots[above] + row) * weight[node]
            most = min(size // total[node], high_lots[node]) if total[node] > 0 else 0
            if end[node] == node + 1 or total[node] == 0:
                least[:] = 0.0
            while end[node] > node + 1 and total[node] > 0 and joined_until <= most:
                done = _join(
                    node,
                    joined_until - low_lots[node],
                    columns[node],
                    end,
                    rows,
                    columns,
                    place,
                    table,
                    joined,
                )
                for x in range(columns[node]):
                    cost = joined[done, x] - joined_until * total[node] * span[node]
                    least[x] = min(least[x], cost)
                joined_until += 1
            start = place[node] + row * columns[node]
            for x in range(columns[node]):
                if size <= count[node] + x:
                    table[start + x] = size * span[node] + least[x]
    return table


@kernel
def choose_sizes(
    fakes: int,
    count: NDArray[np.int64],
    end: NDArray[np.int32],
    weight: NDArray[np.int64],
    total: NDArray[np.int64],
    span: NDArray[np.float64],
    low_lots: NDArray[np.int64],
    high_lots: NDArray[np.int64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    place: NDArray[np.int64],
    table: NDArray[np.float64],
    joined: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Walk back through the tables: node -> subdomains in its subtree, for a number of fakes."""
    size = np.zeros(len(end), dtype=np.int64)
    allowed = np.zeros(len(end), dtype=np.int64)
    size[0] = count[0] + fakes
    allowed[0] = fakes
    for node in range(len(end)):
        if size[node] == 0 or total[node] == 0 or rows[node] == 0:
            continue
        width = min(allowed[node], columns[node] - 1) + 1
        best, lots = np.inf, low_lots[node]
        for j in range(low_lots[node], min(size[node] // total[node], high_lots[node]) + 1):
            done = _join(node, j - low_lots[node], width, end, rows, columns, place, table, joined)
            cost = joined[done, width - 1] - j * total[node] * span[node]
            if cost <= best:
                best, lots = cost, j
        step = lots - low_lots[node]
        done = _join(node, step, width, end, rows, columns, place, table, joined)
        _share(node, step, width - 1, done, end, rows, columns, place, table, joined, allowed)
        child = node + 1
        while child < end[node]:
            size[child] = lots * weight[child]
            child = end[child]
    return size


@kernel
def _share(
    node: int,
    step: int,
    fakes: int,
    done: int,
    end: NDArray[np.int32],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    place: NDArray[np.int64],
    table: NDArray[np.float64],
    joined: NDArray[np.float64],
    allowed: NDArray[np.int64],
) -> None:
    """Divide a node's fake values among its children so that the joined cost is reached."""
    with_table = np.empty(done, dtype=np.int32)
    found = 0
    child = node + 1
    while child < end[node]:
        if rows[child] > 0:
            with_table[found] = child
            found += 1
        child = end[child]
    for number in range(done, 0, -1):
        child = with_table[number - 1]
        start = place[child] + step * columns[child]
        for of_child in range(min(fakes, columns[child] - 1) + 1):
            cost = joined[number - 1, fakes - of_child] + table[start + of_child]
            if cost == joined[number, fakes]:
                allowed[child] = of_child
                fakes -= of_child
                break
