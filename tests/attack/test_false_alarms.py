"""Attacks that estimate rules from data, on independent data of every family that has them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import papilio as pp
from papilio.families import families
from sizes import tries

#: Attacks that take something for a rule because data say so; chance may look like one.
ESTIMATING = ("dependency", "cross_tables")
COLUMNS = {
    "age": "quasi",
    "town": "quasi",
    "ward": "plain",
    "ill": "sensitive",
    "drug": "sensitive",
}
#: Family -> what its policy says besides.
ORDERS = {
    "one-table": {"privacy": {"k": 5}},
    "recipients": {
        "privacy": {"k": 5},
        "recipients": {"one": ["age"], "two": ["town"], "both": ["age", "town"]},
    },
    "projections": {"privacy": {"k": 5, "l": 2, "exposure": 0}, "method": "projections"},
    "linked": {"privacy": {"k": 3}},
}


def independent(seed):
    """Columns with few and many values, spread evenly or not, which say nothing of each other."""
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(40, 400))
    columns = {}
    for name in COLUMNS:
        values = int(chance.integers(2, max(3, rows // int(chance.integers(2, 20)))))
        drawn = chance.zipf(1.5, rows) if chance.random() < 0.5 else chance.integers(0, 9999, rows)
        columns[name] = drawn % values
    labels = [pl.col(each).cast(pl.String).name.keep() for each in ("ill", "drug", "ward")]
    return pl.DataFrame(columns).with_columns(labels)


def ordered(family, frame):
    """A policy of the family for such a table, and the data as it takes them."""
    if family != "linked":
        return pp.Policy(columns=COLUMNS, **ORDERS[family]), frame
    known = {name: COLUMNS[name] for name in ("town", "ward", "ill")}
    tables = {
        "person": {"key": "id", "columns": {"age": "quasi", "drug": "sensitive"}},
        "visit": {"parent": {"person": "id"}, "columns": known},
    }
    people = frame.height // 2
    who = pl.Series("id", [row % people for row in range(frame.height)])
    data = {
        "person": frame.head(people).select(pl.Series("id", range(people)), "age", "drug"),
        "visit": frame.select(who, "town", "ward", "ill"),
    }
    return pp.Policy(tables=tables, person="person", **ORDERS[family]), data


def test_every_family_with_such_an_attack_is_tried():
    having = {f.name for f in families() for each in f.attacks if each.name in ESTIMATING}
    assert having == set(ORDERS)


@pytest.mark.searches
@pytest.mark.parametrize("family", ORDERS)
def test_at_most_one_alarm_in_a_hundred(family):
    tried = tries(4, 100, "PAPILIO_INDEPENDENT")
    alarms = told = 0
    for seed in range(tried):
        policy, data = ordered(family, independent(seed))
        try:
            release = pp.publish(data, policy, name="people", seed=seed)
        except pp.InfeasibleError:
            continue
        results = pp.attack(release, original=policy, data=data)
        mine = [each for each in results if each.attack in ESTIMATING]
        told += bool(mine)
        alarms += any(found.people for each in mine for found in each.exposed)
    assert told > tried / 2
    assert alarms <= tried / 100
