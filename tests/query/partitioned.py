"""Releases of a small table by a given partition: permuted, and generalised."""

from __future__ import annotations

import numpy as np
import polars as pl

from papilio.data.encode import encode
from papilio.data.table import Role
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.families.generalising.safe_cells import safe_lines
from papilio.families.permutation.make import Permutation, permuted_release
from papilio.kernels.draw_groups import shuffle_classes
from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness

#: Table 2.1, in the order of the groups of Tables 2.2 and 2.3.
PAPER = pl.DataFrame(
    {
        "age": [35, 38, 40, 41, 43, 47, 52, 53, 58],
        "zipcode": [
            "27101",
            "27120",
            "27130",
            "27229",
            "27269",
            "27243",
            "27656",
            "27686",
            "27635",
        ],
        "gender": ["M", "M", "M", "F", "F", "M", "M", "F", "M"],
        "salary": [54000, 55000, 56000, 65000, 75000, 70000, 80000, 75000, 85000],
    }
)
PAPER_GROUPS = [0, 0, 0, 1, 1, 1, 2, 2, 2]
PAPER_COLUMNS = {
    "age": "quasi",
    "zipcode": "quasi",
    "gender": "quasi",
    "salary": {"role": "sensitive", "type": "numeric"},
}


def classes_of(groups):
    """Classes from the group of each row."""
    order = np.argsort(groups, kind="stable").astype(np.int32)
    sizes = np.unique(groups, return_counts=True)[1]
    return Classes(order, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))


def table_of(frame, columns, name="patients"):
    policy = Policy(columns=columns, privacy={"k": 1})
    return order_of(frame, policy, name)[0].table


def permuted(frame, groups, columns, name="patients", seed=1):
    """A permuted release; values and people are shuffled independently."""
    table = table_of(frame, columns, name)
    classes = classes_of(groups)
    randomness = Randomness(seed)
    order = randomness.permutation(classes.count)
    twice = [
        Classes(
            *shuffle_classes(classes.rows, classes.starts, order, randomness.keys(frame.height))
        )
        for _ in range(2)
    ]
    (sensitive,) = (column.name for column in table.with_role(Role.SENSITIVE))
    return permuted_release(
        table, Permutation(*twice), KeAnonymity(sensitive, 1, 0), randomness=randomness
    ).release


def generalised(frame, groups, columns, name="patients", *, text=False, safe=False, seed=1):
    """A generalised release by the same partition."""
    table = table_of(frame, columns, name)
    encoded, classes = encode(table, table.with_role(Role.QUASI)), classes_of(groups)
    return generalised_release(
        table,
        encoded,
        classes,
        (KAnonymity(1),),
        method="any",
        text=text,
        randomness=Randomness(seed),
        lines=safe_lines(encoded, classes, Randomness(seed)) if safe else None,
    ).release
