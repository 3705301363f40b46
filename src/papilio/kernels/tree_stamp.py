"""Give all members of each cluster the tree of its representative."""

from __future__ import annotations

import numpy as np

from papilio.kernels.jit import kernel
from papilio.kernels.tree_pairing import Floats, Ints, take_in
from papilio.kernels.tree_unfold import unfold


@kernel
def stamp(
    people: Ints,
    starts: Ints,
    local: bool,
    room: int,
    row_node: Ints,
    row_start: Ints,
    row_child: Ints,
    table: Ints,
    label: Ints,
    start: Ints,
    child: Ints,
    burden: Floats,
    first: Ints,
    kind: Ints,
    word: Ints,
    size: Ints,
    base: Ints,
    values: Floats,
) -> tuple[Ints, int]:
    """Find which rows of the members of a cluster stand for the same row of the representative.

    Parameters
    ----------
    people, starts
        The members of cluster ``c`` are ``people[starts[c] : starts[c + 1]]``; they are taken in
        in this order.
    room
        Largest number of rows of a person's tree.

    Returns
    -------
    group
        Per row of all tables the group of rows that get the same label, or -1: the row has no
        partner in some member and is removed.
    groups
        Number of groups. Each has one row of each member of its cluster, and the parents of a
        group's rows are a group.
    """
    group = np.full(len(row_node), -1, np.int64)
    rep_table = np.empty(room, np.int64)
    rep_label = np.empty((room, label.shape[1]), np.int64)
    rep_loss = np.empty(room)
    rep_burden = np.empty(room)
    rep_first = np.empty(room, np.int64)
    rep_count = np.empty(room, np.int64)
    rep_child = np.empty(room, np.int64)
    scratch = np.empty(room, np.int64)
    work = (
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64),
        np.empty(room, np.int64), np.empty(room, np.int64),
    )  # fmt: skip
    alive = np.empty(room, np.int64)
    groups = 0
    for cluster in range(len(starts) - 1):
        begin, end = starts[cluster], starts[cluster + 1]
        lines = unfold(
            people[begin], scratch, row_node, row_start, row_child, rep_table, rep_label,
            rep_loss, rep_burden, rep_first, rep_count, rep_child, table, label, burden,
        )  # fmt: skip
        rows = np.empty((end - begin, lines), np.int64)
        rows[0, :] = scratch[:lines]
        same = 1
        while begin + same < end and row_node[people[begin + same]] == row_node[people[begin]]:
            unfold(
                people[begin + same], scratch, row_node, row_start, row_child, rep_table,
                rep_label, rep_loss, rep_burden, rep_first, rep_count, rep_child, table, label,
                burden,
            )  # fmt: skip
            rows[same, :] = scratch[:lines]
            same += 1
        for member in range(same, end - begin):
            take_in(
                lines, people[begin + member], member, local, rows[member], work, row_node,
                row_start, row_child, rep_table, rep_label, rep_loss, rep_burden, rep_first,
                rep_count, rep_child, table, label, start, child, burden, first, kind, word,
                size, base, values,
            )  # fmt: skip
        alive[0] = 0
        total = 1
        line = 0
        while line < total:
            here = alive[line]
            for member in range(end - begin):
                group[rows[member, here]] = groups
            groups += 1
            for place in range(rep_first[here], rep_first[here] + rep_count[here]):
                alive[total] = rep_child[place]
                total += 1
            line += 1
    return group, groups
