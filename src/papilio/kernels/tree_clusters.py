"""Clusters of at least k people with similar trees, by growing one cluster after the other.

Source: Byun, Kamra, Bertino, Li, Efficient k-Anonymization Using Clustering Techniques, DASFAA 2007
(k-member clustering), with the cost of generalising trees to the same tree as distance.
"""

from __future__ import annotations

import numpy as np

from papilio.kernels.jit import kernel
from papilio.kernels.tree_labels import joined_loss
from papilio.kernels.tree_pairing import Floats, Ints, pair_cost, take_in
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


@kernel
def least_cost(
    node: int,
    members: int,
    capacity: float,
    cheapest: float,
    rep_label: Ints,
    rep_loss: Floats,
    table: Ints,
    label: Ints,
    burden: Floats,
    first: Ints,
    kind: Ints,
    word: Ints,
    size: Ints,
    base: Ints,
    values: Floats,
) -> float:
    """A lower bound of what taking in a tree costs, from its root and its size alone.

    Parameters
    ----------
    capacity
        Burden of the representative's lines before any loss: more than that of the tree cannot be
        kept.
    cheapest
        Least share of a row's burden that its removal still costs when all its cells are lost.
    """
    own = table[node]
    cost = (members + 1) * joined_loss(
        rep_label, 0, label, node, first[own], first[own + 1], kind, word, size, base, values
    )
    cost -= members * rep_loss[0]
    surplus = burden[node] - capacity
    return float(cost + (surplus if surplus > 0 else -surplus * members * cheapest))


@kernel
def k_member(
    people: Ints,
    k: int,
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
    """Divide people into clusters of at least k.

    Each cluster starts with the person furthest from where the one before started, and takes in
    whoever costs least, until it has k. Those who are left at the end join where they cost least.

    Parameters
    ----------
    people
        Rows of the person table, at least k.
    k, local
        Least size, and how children are paired.
    room
        Largest number of rows of a person's tree.

    Returns
    -------
    cluster
        Cluster of each person, and how many there are.

    Notes
    -----
    Cost: n**2 pairs of trees for n people, less what lower bounds spare.
    """
    count = len(people)
    cluster = np.full(count, -1, np.int64)
    place_of = np.empty(room, np.int64)
    rep_table = np.empty(room, np.int64)
    rep_label = np.empty((room, label.shape[1]), np.int64)
    rep_loss = np.empty(room)
    rep_burden = np.empty(room)
    rep_first = np.empty(room, np.int64)
    rep_count = np.empty(room, np.int64)
    rep_child = np.empty(room, np.int64)
    work = (
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64),
        np.empty(room, np.int64), np.empty(room, np.int64),
    )  # fmt: skip
    lines = 0
    most = 0
    for each in range(len(first) - 1):
        most = max(most, first[each + 1] - first[each])
    cheapest = 1.0 / (1 + most)
    seed = 0
    number = 0
    left = count
    while left >= k:
        # A bound is enough to find someone far away.
        unfold(
            people[seed], place_of, row_node, row_start, row_child, rep_table, rep_label,
            rep_loss, rep_burden, rep_first, rep_count, rep_child, table, label, burden,
        )  # fmt: skip
        furthest = -1.0
        capacity = burden[row_node[people[seed]]]
        for other in range(count):
            if cluster[other] < 0:
                bound = least_cost(
                    row_node[people[other]], 1, capacity, cheapest, rep_label, rep_loss,
                    table, label, burden, first, kind, word, size, base, values,
                )  # fmt: skip
                if bound > furthest:
                    furthest = bound
                    seed = other
        lines = unfold(
            people[seed], place_of, row_node, row_start, row_child, rep_table, rep_label,
            rep_loss, rep_burden, rep_first, rep_count, rep_child, table, label, burden,
        )  # fmt: skip
        cluster[seed] = number
        capacity = burden[row_node[people[seed]]]
        for members in range(1, k):
            best = np.inf
            chosen = -1
            for other in range(count):
                if cluster[other] >= 0:
                    continue
                node = row_node[people[other]]
                bound = least_cost(
                    node, members, capacity, cheapest, rep_label, rep_loss,
                    table, label, burden, first, kind, word, size, base, values,
                )  # fmt: skip
                if bound >= best:
                    continue
                cost = pair_cost(
                    lines, node, members, local, work, rep_table, rep_label, rep_loss, rep_burden,
                    rep_first, rep_count, rep_child, table, label, start, child, burden,
                    first, kind, word, size, base, values,
                )  # fmt: skip
                if cost < best:
                    best = cost
                    chosen = other
            cluster[chosen] = number
            capacity = take_in(
                lines, people[chosen], members, local, place_of, work, row_node, row_start,
                row_child, rep_table, rep_label, rep_loss, rep_burden, rep_first, rep_count,
                rep_child, table, label, start, child, burden, first, kind, word, size, base,
                values,
            )  # fmt: skip
        left -= k
        number += 1
    if left > 0:
        best_cost = np.full(count, np.inf)
        best_cluster = np.full(count, -1, np.int64)
        for each in range(number):
            members = 0
            for person in range(count):
                if cluster[person] != each:
                    continue
                if members == 0:
                    lines = unfold(
                        people[person], place_of, row_node, row_start, row_child, rep_table,
                        rep_label, rep_loss, rep_burden, rep_first, rep_count, rep_child,
                        table, label, burden,
                    )  # fmt: skip
                else:
                    take_in(
                        lines, people[person], members, local, place_of, work, row_node,
                        row_start, row_child, rep_table, rep_label, rep_loss, rep_burden, rep_first,
                        rep_count, rep_child, table, label, start, child, burden, first,
                        kind, word, size, base, values,
                    )  # fmt: skip
                members += 1
            for person in range(count):
                if cluster[person] < 0:
                    cost = pair_cost(
                        lines, row_node[people[person]], members, local, work, rep_table,
                        rep_label, rep_loss, rep_burden, rep_first, rep_count, rep_child,
                        table, label, start, child, burden, first, kind, word, size, base, values,
                    )  # fmt: skip
                    if cost < best_cost[person]:
                        best_cost[person] = cost
                        best_cluster[person] = each
        for person in range(count):
            if cluster[person] < 0:
                cluster[person] = best_cluster[person]
    return cluster, number
