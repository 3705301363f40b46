"""Bipartite graphs from lists of edges."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from graph_arrays import arrays
from papilio import Policy, publish_to
from papilio.data.bipartite import Entities, adjacency
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.errors import InternalError
from papilio.policy.apply_graph import graph_order
from postgres_server import run


def lists(side):
    return [side.links[a:b].tolist() for a, b in zip(side.starts, side.starts[1:], strict=False)]


def test_neighbours_both_ways_sorted_and_once():
    tails, heads = np.array([2, 0, 2, 0, 2]), np.array([1, 3, 0, 3, 1])
    forward, backward, merged = adjacency(tails, heads, 3, 4)
    assert lists(forward) == [[3], [], [0, 1]]
    assert lists(backward) == [[2], [2], [], [0]]
    assert merged == 2
    assert forward.degrees.tolist() == [1, 0, 2]


def test_random_graphs_agree_with_sets():
    for seed in range(50):
        random = np.random.default_rng(seed)
        n, m = (int(each) for each in random.integers(1, 8, 2))
        pairs = [(int(random.integers(n)), int(random.integers(m))) for _ in range(10)]
        forward, backward = arrays(pairs, n, m)
        assert lists(forward) == [sorted({y for x, y in pairs if x == u}) for u in range(n)]
        assert lists(backward) == [sorted({x for x, y in pairs if y == w}) for w in range(m)]


def test_no_edges():
    forward, backward, merged = adjacency(np.array([], int), np.array([], int), 2, 3)
    assert (lists(forward), lists(backward), merged) == ([[], []], [[], [], []], 0)


def test_attributes_of_other_length_are_a_defect():
    column = Column("a", Role.PLAIN, ColumnType.NUMERIC)
    table = Table("t", pl.DataFrame({"a": [1, 2]}), (column,))
    with pytest.raises(InternalError):
        Entities("t", "id", 3, table)


@pytest.mark.postgres
def test_from_a_database(tmp_path, postgres):
    run(
        postgres,
        "CREATE TABLE people (id int, town text)",
        "INSERT INTO people VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, 'c')",
        "CREATE TABLE things (thing text)",
        "INSERT INTO things VALUES ('x'), ('y'), ('z'), ('w')",
        "CREATE TABLE bought (who int, what text)",
        "INSERT INTO bought VALUES (1, 'x'), (2, 'y'), (3, 'z'), (3, 'z')",
    )
    policy = Policy(
        graph={
            "left": {
                "source": {"postgresql": postgres, "table": "people"},
                "key": "id",
                "columns": {"town": "plain"},
            },
            "right": {"source": {"postgresql": postgres, "table": "things"}, "key": "thing"},
            "edges": {
                "source": {"postgresql": postgres, "table": "bought"},
                "left": "who",
                "right": "what",
            },
        },
        privacy={"k": 2, "l": 2},
    )  # fmt: skip
    assert graph_order(policy).graph.merged == 1
    done = publish_to(tmp_path / "out", policy)
    assert done.notes == ("1 edge stands in 'bought' more than once; counted once.",)
    assert set(done.release.frames) >= {"people", "things", "bought"}
