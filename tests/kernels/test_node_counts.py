"""Where rows fall in a tree of cuts and what occurs there, against loops over lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from papilio.kernels.node_counts import count_codes, find_nodes

#: Node 0 cuts attribute 1 after 2, node 1 attribute 0 after 0; nodes 2, 3 and 4 are not cut.
ATTRIBUTE, CUT = [1, 0, -1, -1, -1], [2, 0, -1, -1, -1]
LEFT, RIGHT = [1, 3, -1, -1, -1], [2, 4, -1, -1, -1]


def int32(values):
    return np.array(values, np.int32)


def node_of(row):
    node = 0
    while ATTRIBUTE[node] >= 0:
        node = LEFT[node] if row[ATTRIBUTE[node]] <= CUT[node] else RIGHT[node]
    return node


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), max_size=30),
    st.sampled_from([np.int16, np.int32]),
)
def test_rows_and_counts_are_those_of_plain_loops(rows, dtype):
    codes = np.zeros((len(rows), 4), dtype)
    codes[:, :2] = np.array(rows, dtype).reshape(-1, 2)
    found = np.empty(len(rows), np.int32)
    find_nodes(codes, *map(int32, (ATTRIBUTE, CUT, LEFT, RIGHT)), found)
    assert found.tolist() == [node_of(row) for row in rows]
    # Nodes 4 and 2 are asked for, in this order.
    counts = np.zeros((2, 3 + 5), np.int64)
    count_codes(codes, np.array([0, 3]), found, int32([-1, -1, 1, -1, 0]), counts)
    for slot, node in enumerate((4, 2)):
        own = [row for row in rows if node_of(row) == node]
        expected = [sum(row[0] == code for row in own) for code in range(3)]
        expected += [sum(row[1] == code for row in own) for code in range(5)]
        assert counts[slot].tolist() == expected
