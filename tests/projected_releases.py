"""Small tables with several sensitive columns, and releases of them."""

import random

import polars as pl

from papilio import Policy
from papilio.workflow.publish import publish

#: Table 1 (a) of Fang, Ashrafi and Ng, with the rows numbered.
PAPER = pl.DataFrame(
    {
        "race": ["white", "white", "white", "black"],
        "sex": ["f", "m", "m", "m"],
        "diagnosis": ["HT", "HT", "DB", "AS"],
        "family_history": ["HT", "DB", "HT", "AS"],
        "job": ["teacher", "lawyer", "farmer", "teacher"],
    }
)
#: Its 2-anonymous tables (b), (c), (d), as rows of each class.
PARTITIONS = {"b": [[0, 1], [2, 3]], "c": [[0, 2], [1, 3]], "d": [[0, 3], [1, 2]]}
PAPER_COLUMNS = {
    "race": "quasi",
    "sex": "quasi",
    "diagnosis": "sensitive",
    "family_history": "sensitive",
    "job": "sensitive",
}
#: 'number' and 'place' could be joined on: what numbers the rows says no more of one column than of
#: another, so that 'place' goes into the first table.
JOINED = pl.DataFrame(
    {
        "age": [30] * 12,
        "number": range(12),
        "label": [f"a{i % 6}" for i in range(12)],
        "same": [f"b{i % 6}" for i in range(12)],
        "place": [(5 * i) % 12 for i in range(12)],
    }
)
JOINED_COLUMNS = {
    "age": "quasi",
    "label": "sensitive",
    "same": "sensitive",
    "number": "sensitive",
    "place": "plain",
}


def people(rows=60, seed=1):
    chance = random.Random(seed)
    ill = [chance.choice(["flu", "hiv", "none"]) for _ in range(rows)]
    drug = {"flu": "rest", "hiv": "pill", "none": "none"}
    return pl.DataFrame(
        {
            "age": [chance.randrange(20, 60) for _ in range(rows)],
            "sex": [chance.choice("fm") for _ in range(rows)],
            "illness": ill,
            "drug": [drug[i] if chance.random() < 0.8 else "other" for i in ill],
            "job": [chance.choice(["cook", "clerk", None]) for _ in range(rows)],
            "pay": [chance.randrange(4) * 100 for _ in range(rows)],
            "signs": [";".join(chance.sample(["x", "y"], chance.randrange(3))) for _ in ill],
            "town": [chance.choice("AB") for _ in range(rows)],
        }
    )


COLUMNS = {
    "age": "quasi",
    "sex": "quasi",
    "illness": {"role": "sensitive", "harmless": ["none"]},
    "drug": "sensitive",
    "job": "sensitive",
    "pay": "sensitive",
    "signs": {"role": "sensitive", "values": "several"},
    "town": "plain",
}


def policy(columns=None, method="projections", **more):
    privacy = {"k": 3} | more.pop("privacy", {"exposure": 0.4})
    return Policy(columns=columns or COLUMNS, privacy=privacy, method=method, **more)


def release(frame=None, made=None, seed=5):
    frame = people() if frame is None else frame
    return publish(frame, made or policy(), name="people", seed=seed)
