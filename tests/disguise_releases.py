"""Disguised releases of every kind, for tests of what happens to them."""

import numpy as np
import polars as pl

from papilio import Policy, publish

COLUMNS = {
    "zipcode": {"role": "quasi", "type": "category"},
    "area": {"role": "quasi", "type": "category"},
    "gender": "quasi",
    "salary": "sensitive",
}

_LAST = ["91310", "91320", "91330", "91340"]

#: Table 3.1, with what people demand.
PAPER = pl.DataFrame(
    {
        "zipcode": [*["91110"] * 3, "91130", "91210", "91220", "91240", *_LAST],
        "area": ["911"] * 4 + ["912"] * 3 + ["913"] * 4,
        "gender": list("FMMFFFFMMMF"),
        "salary": [30, 40, 50, 60, 40, 30, 50, 40, 60, 60, 60],
        "level": ["1", "0", "2", "[30,60]", "[30, 40]", "0", None, "2", "0", "1", "0"],
    }
)

#: By name: the privacy of a policy.
KINDS = {
    "whole": {"target": {"salary": "uniform"}},
    "parts": {"target": {"salary": {"distribution": "uniform", "by": ["area"]}}},
    "same": {"target": {"salary": {"distribution": "same", "by": ["area"]}}},
    "classes": {"target": {"salary": {"distribution": "uniform", "mode": "per-class"}}},
    "fakes": {
        "target": {"salary": {"distribution": "uniform", "by": ["area"]}},
        "fakes": "50%",
    },
    "shift": {"target": {"salary": {"distribution": "zipf", "largest_weight": 9}}, "shift": 0.1},
    "both": {"target": {"salary": "uniform"}, "shift": 0.1, "fakes": "20%"},
    "chance": {"target": {"salary": {"distribution": "uniform", "allocation": "randomised"}}},
    "personal": {"target": {"salary": "uniform"}, "personal": "level"},
    "width": {
        "target": {
            "salary": {
                "distribution": "normal",
                "tree": {"lowest": 0, "highest": 99, "width": 10, "arity": 3},
            }
        }
    },
}


def policy_of(kind, **columns):
    return Policy(columns={**COLUMNS, **columns}, privacy=KINDS[kind])


def release_of(kind, frame=PAPER, seed=None):
    policy = policy_of(kind)
    return publish(frame, policy, name="people", seed=seed), policy


def random_frame(seed, rows=60, values=(30, 40, 50, 60), kind=int):
    chance = np.random.default_rng(seed)
    area = chance.choice(["911", "912", "913"], rows)
    return pl.DataFrame(
        {
            "zipcode": np.char.add(area, chance.integers(10, 13, rows).astype(str)),
            "area": area,
            "gender": chance.choice(["F", "M"], rows),
            "salary": [kind(v) for v in chance.choice(values, rows)],
            "level": chance.choice(["0", "1", "2"], rows),
        }
    )
