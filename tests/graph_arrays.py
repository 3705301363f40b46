"""Small bipartite graphs for tests."""

from __future__ import annotations

import numpy as np
import polars as pl

from papilio import Policy
from papilio.data.bipartite import adjacency

AUTHORS = pl.DataFrame(
    {"author": ["a1", "a2", "a3", "a4", "a5", "a6"], "location": ["US", "EU", "AS"] * 2}
)
PAPERS = pl.DataFrame(
    {
        "paper": ["p1", "p2", "p3", "p4", "p5", "p6"],
        "venue": ["SIGMOD", "VLDB", "VLDB", "VLDB", "SIGMOD", "VLDB"],
    }
)
#: Table 4.1 (c) of Zhang.
WRITES = [
    ("a1", "p2"), ("a1", "p6"), ("a2", "p3"), ("a2", "p4"), ("a3", "p2"), ("a3", "p4"),
    ("a4", "p5"), ("a5", "p1"), ("a5", "p5"), ("a6", "p3"), ("a6", "p6"),
]  # fmt: skip
EXAMPLE = {
    "left": AUTHORS,
    "right": PAPERS,
    "edges": pl.DataFrame(WRITES, schema=["author", "paper"], orient="row"),
}


def graph_policy(k=3, l=3, left=("location",), right=("venue",), edges=None, **graph):
    return Policy(
        graph={
            "left": {"key": "author", "columns": dict.fromkeys(left, "plain")},
            "right": {"key": "paper", "columns": dict.fromkeys(right, "plain")},
            "edges": {"left": "author", "right": "paper", **(edges or {})},
            **graph,
        },
        privacy={"k": k, "l": l},
    )


def frames(pairs, n, m):
    """A graph of numbers as three frames without attributes."""
    return {
        "left": pl.DataFrame({"author": np.arange(n)}),
        "right": pl.DataFrame({"paper": np.arange(m)}),
        "edges": pl.DataFrame(
            {"author": [x for x, _ in pairs], "paper": [y for _, y in pairs]},
            schema={"author": pl.Int64, "paper": pl.Int64},
        ),
    }


def bare(k, l, **graph):
    """A policy for :func:`frames`."""
    return graph_policy(k, l, (), (), **graph)


def arrays(pairs, n, m):
    """Neighbours of both sides."""
    tails = np.array([x for x, _ in pairs], np.int64)
    heads = np.array([y for _, y in pairs], np.int64)
    return adjacency(tails, heads, n, m)[:2]


def random_pairs(random, n, m, share):
    return [(x, y) for x in range(n) for y in range(m) if random.random() < share]


def neighbours(pairs, n):
    return [[y for x, y in pairs if x == node] for node in range(n)]
