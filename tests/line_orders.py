"""Sources of every family whose columns go together, so that an order that says something shows."""

import numpy as np
import polars as pl

from papilio import Policy

ROWS = 600


def people(rows=ROWS, seed=5):
    """People sorted by nothing; what they earn goes with their height."""
    generator = np.random.default_rng(seed)
    pay = generator.permutation(rows) * 10 + 1000
    return pl.DataFrame(
        {
            "height": pay + generator.integers(-15, 15, rows),
            "town": generator.choice(["Bern", "Genf", "Zug"], rows),
            "pay": pay,
            "ill": np.where(pay > 1000 + 5 * rows, "flu", "gout"),
            "drug": np.where(pay > 1000 + 5 * rows, "rest", "pill"),
        }
    )


def shopping(customers=150, products=150, seed=5):
    """Customers and products, each bought by those with numbers close by."""
    generator = np.random.default_rng(seed)
    degree = 1 + np.arange(customers) % 5
    left = np.repeat(np.arange(customers), degree)
    right = (left + 7 * (np.arange(len(left)) % 3)) % products
    pairs = np.unique(np.column_stack([left, right]), axis=0)
    pairs = pairs[generator.permutation(len(pairs))]
    return {
        "left": pl.DataFrame({"id": range(customers), "visits": degree}),
        "right": pl.DataFrame({"id": range(products), "price": range(products)}),
        "edges": pl.DataFrame({"a": pairs[:, 0], "b": pairs[:, 1]}),
    }


def students(count=200, seed=5):
    """Students and the courses they take, both in the order of their keys."""
    generator = np.random.default_rng(seed)
    up = np.repeat(np.arange(count), 2)
    return {
        "student": pl.DataFrame({"sid": range(count), "gpa": np.arange(count) // 4}),
        "takes": pl.DataFrame(
            {
                "cid": range(2 * count),
                "sid": up,
                "course": generator.choice(list("ab"), 2 * count),
                "grade": np.arange(2 * count) // 8,
            }
        ),
    }


_QUASI = {"height": "quasi", "town": "quasi"}
_PAY = {"role": "sensitive", "type": "numeric"}

POLICIES = {
    "generalised": Policy(
        columns={**_QUASI, "pay": "sensitive"}, privacy={"k": 12}, method="mondrian"
    ),
    "recipients": Policy(
        columns={**_QUASI, "pay": "sensitive"},
        privacy={"k": 12},
        recipients={"one": ["height"], "two": ["town"]},
        method="butterfly",
    ),
    "projected": Policy(
        columns={**_QUASI, "pay": "sensitive", "ill": "sensitive", "drug": "sensitive"},
        privacy={"k": 12, "exposure": 0.1},
        method="projections",
    ),
    "permuted": Policy(
        columns={**_QUASI, "pay": _PAY}, privacy={"k": 12, "e": 10}, method="permutation"
    ),
    "disguised": Policy(columns={**_QUASI, "pay": _PAY}, privacy={"target": {"pay": "uniform"}}),
    "linked": Policy(
        tables={
            "student": {"source": "s.csv", "key": "sid", "columns": {"gpa": "sensitive"}},
            "takes": {
                "source": "t.csv",
                "key": "cid",
                "parent": {"student": "sid"},
                "columns": {"course": "quasi", "grade": "sensitive"},
            },
        },
        person="student",
        privacy={"k": 4},
    ),
    "graph": Policy(
        graph={
            "left": {"source": "l.csv", "key": "id", "columns": {"visits": "plain"}},
            "right": {"source": "r.csv", "key": "id", "columns": {"price": "plain"}},
            "edges": {"source": "e.csv", "left": "a", "right": "b"},
        },
        privacy={"k": 3, "l": 3},
    ),
}


def source_of(kind):
    if kind == "linked":
        return students()
    return shopping() if kind == "graph" else people()
