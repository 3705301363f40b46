"""The top of the tree, cut from counts, against the oracle that has all rows before it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grouping import encoded_of, kinds_of, rows_of
from oracles.top_tree import top_pieces
from papilio.data.encode import attributes_of
from papilio.families.generalising.top_down import strict_mondrian
from papilio.families.generalising.top_tree import (
    NodeCounts,
    count_nodes,
    cut_top,
    meets,
    middle_cut,
    piece_numbers,
)
from papilio.kernels.demand import Demand
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.requirement import demand_of
from papilio.privacy.t_closeness import TCloseness
from tables import quasi_tables


class Counting:
    """Counts in as many batches as it is told, and remembers what it was asked."""

    def __init__(self, encoded, demand, sizes, batches):
        self.codes, self.sensitive = encoded.codes, demand.sensitive
        self.sizes = [len(each.values) for each in encoded.columns], sizes
        self.batches, self.asked = batches, []

    def count(self, tree, nodes):
        self.asked.append(list(nodes))
        parts = [
            count_nodes(codes, values, tree, nodes, *self.sizes)
            for codes, values in zip(
                np.array_split(self.codes, self.batches),
                np.array_split(self.sensitive, self.batches),
                strict=True,
            )
        ]
        return [sum(each[1:], each[0]) for each in zip(*parts, strict=True)]


def sensitive_of(made):
    return made.columns[-1].name


def cut(made, demand, piece_rows, batches=2):
    encoded = encoded_of(made)
    sizes = [int(demand.rules[0, 2])] if len(demand.rules) else []
    if not sizes:
        demand = demand._replace(sensitive=np.empty((made.height, 0), np.int32))
    counter = Counting(encoded, demand, sizes, batches)
    tree = cut_top(
        counter,
        attributes_of(encoded),
        demand._replace(total=made.height),
        piece_rows=piece_rows,
    )
    return tree, piece_numbers(tree, encoded.codes), counter


def found_pieces(tree, numbers):
    pieces = [np.flatnonzero(numbers == n).tolist() for n in range(len(tree.rows))]
    return {(tuple(rows), tree.one_class[n]) for n, rows in enumerate(pieces)}


@given(
    made=quasi_tables(min_rows=1, max_rows=60),
    k=st.integers(1, 5),
    piece_rows=st.integers(1, 30),
    batches=st.integers(1, 3),
)
def test_pieces_are_those_of_the_oracle(made, k, piece_rows, batches):
    k = min(k, made.height)
    tree, numbers, _ = cut(made, Demand(k), piece_rows, batches)
    encoded = encoded_of(made)
    expected = top_pieces(rows_of(encoded), kinds_of(encoded), k, piece_rows)
    assert found_pieces(tree, numbers) == {(tuple(rows), uncut) for rows, uncut in expected}
    assert [int((numbers == n).sum()) for n in range(len(tree.rows))] == list(tree.rows)


@given(
    made=quasi_tables(min_rows=6, max_rows=60),
    demanded=st.sampled_from([DistinctDiversity("x", 2), TCloseness("x", 0.3)]),
    piece_rows=st.integers(1, 20),
)
def test_no_piece_fails_what_is_demanded_of_values(made, demanded, piece_rows):
    name = sensitive_of(made)
    column = made.frame.get_column(name).to_list()
    whole = {value: column.count(value) for value in column}
    if len(whole) < 2:
        return
    requirement = type(demanded)(name, demanded.l if hasattr(demanded, "l") else demanded.t)

    def holds(rows):
        own = [column[row] for row in rows]
        if isinstance(requirement, DistinctDiversity):
            return len(set(own)) >= 2
        apart = sum(abs(own.count(v) / len(own) - whole[v] / len(column)) for v in whole)
        return apart / 2 <= 0.3 + 1e-12

    demand = demand_of([requirement], made)
    tree, numbers, _ = cut(made, demand, piece_rows)
    encoded = encoded_of(made)
    least = demand.least_size
    expected = top_pieces(rows_of(encoded), kinds_of(encoded), least, piece_rows, holds)
    assert found_pieces(tree, numbers) == {(tuple(rows), uncut) for rows, uncut in expected}


@given(made=quasi_tables(min_rows=1, max_rows=60), k=st.integers(1, 4))
def test_pieces_of_one_row_are_the_classes_of_mondrian(made, k):
    k = min(k, made.height)
    tree, numbers, _ = cut(made, Demand(k), 1)
    classes = strict_mondrian(encoded_of(made), Demand(k))
    parts = np.split(classes.rows, classes.starts[1:-1])
    assert {frozenset(part.tolist()) for part in parts} == {
        frozenset(np.flatnonzero(numbers == n).tolist()) for n in range(len(tree.rows))
    }


def test_only_one_half_of_each_cut_is_counted_and_the_last_level_not_at_all():
    counted = NodeCounts((np.full(64, 10),), ())

    class Even:
        asked = 0

        def count(self, tree, nodes):
            self.asked += len(nodes)
            if len(tree.attribute) == 1:
                return [counted]
            # All rows up to the cut of the parent and from the border below it on.
            found = []
            for node in nodes:
                parent = int(np.flatnonzero(tree.left == node)[0])
                border = int(tree.cut[parent]) + 1
                size = 64 // 2 ** int(np.log2(parent + 1) + 1)
                counts = np.zeros(64, np.int64)
                counts[border - size : border] = 10
                found.append(NodeCounts((counts,), ()))
            return found

    from papilio.kernels.attributes import SET, Attributes

    attributes = Attributes(
        *(np.array(each) for each in ([SET], [64], [0], [0.0], [0], [0])),
        *(np.zeros(1, np.int32) for _ in range(2)),
        np.zeros(1),
        np.zeros(1, np.int32),
    )
    counter = Even()
    tree = cut_top(counter, attributes, Demand(1), piece_rows=160)
    assert sorted(tree.rows) == [160] * 4
    # The root, and one half of its cut; the halves of the halves follow from counts at hand.
    assert counter.asked == 2


def test_middle_cut_is_nearest_to_the_middle_and_the_lower_of_two():
    assert middle_cut(np.array([2, 0, 2, 2, 2]), 1) == 2
    assert middle_cut(np.array([1, 2, 1]), 1) == 0
    assert middle_cut(np.array([9, 1]), 2) == -1
    assert middle_cut(np.array([0, 5, 0]), 1) == -1


def test_a_node_below_the_least_size_does_not_meet_the_demand():
    assert not meets(Demand(3), NodeCounts((np.array([2]),)))
    assert meets(Demand(3), NodeCounts((np.array([3]),)))
