"""Every attack of every family on independent data, of which nothing can be learnt.

Attacks that estimate rules may take chance for one, so they are tried beside k alone. All others
count what is certain, or more likely than was demanded: they are tried where policies demand of
sensitive columns what the defaults propose, so that whoever they count is a false alarm.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import papilio as pp
from papilio.errors import InfeasibleError
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
        except InfeasibleError:
            continue
        results = pp.attack(release, original=policy, data=data)
        mine = [each for each in results if each.attack in ESTIMATING]
        told += bool(mine)
        alarms += any(found.people for each in mine for found in each.exposed)
    assert told > tried / 2
    assert alarms <= tried / 100


#: Family -> sensitive columns of a policy that leaves nothing open, and what it says besides.
CAREFUL = {
    "one-table": (("ill",), {"privacy": {"k": 5, "l": 2}, "cells": "safe"}),
    "recipients": (
        ("ill",),
        {
            "privacy": {"k": 5, "l": 2, "collusion": {"all": 5}},
            "cells": "safe",
            "method": "union",
            "recipients": {
                "one": {"knows": ["age"], "secret": {"town": 2}},
                "two": {"knows": ["town"], "secret": {"age": 2}},
            },
        },
    ),
    "projections": (
        ("ill", "pay"),
        {
            "privacy": {"k": 5, "l": 2, "exposure": 0},
            "cells": "safe",
            "classes": "shared",
            "method": "projections",
        },
    ),
    "permutation": (
        ("pay",),
        {"privacy": {"k": 5, "e": "10%", "near": "50% within 5%", "known": 1}},
    ),
    "disguise": (
        ("pay",),
        {"privacy": {"target": {"pay": "uniform"}, "k": 5, "l": 3, "e": 100}},
    ),
    "linked": (("drug", "ill"), {"privacy": {"k": 3, "l": {"person.drug": 2, "visit.ill": 2}}}),
    "graph": ((), {"privacy": {"k": 5, "l": 5, "known": "degree", "suppress": "40%"}}),
}
#: Attacks that count nobody, or that policies like these give nothing to: several sensitive columns
#: in one row, rows of one person, levels of their own, or another recipient.
UNCOUNTED = {
    *("open_identity", "singling_out", "signature", "learned_links", "minimality"),
    *("background_join", "several_rows", "volunteers"),
}
LACKING = {"one-table": {"collusion"}}


def people(seed):
    """Independent columns with a few values each, and pay that hardly anybody shares."""
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(80, 240))
    columns = {}
    for name in COLUMNS:
        values = int(chance.integers(3, max(4, rows // int(chance.integers(4, 20)))))
        even = chance.random() < 0.5
        columns[name] = (
            chance.integers(0, 9999, rows) if even else chance.zipf(1.5, rows)
        ) % values
    labels = [pl.col(each).cast(pl.String) for each in ("ill", "drug", "ward")]
    pay = pl.Series("pay", chance.integers(1000, 2000, rows))
    return pl.DataFrame(columns).with_columns(labels).with_columns(pay)


def links(seed):
    """Links that say nothing: each of one side has some of the other, any with the same chance."""
    chance = np.random.default_rng(seed)
    places = chance.choice(40 * 40, size=int(chance.integers(20, 60)), replace=False)
    ends = {"left": places // 40, "right": places % 40}
    sides = {side: pl.DataFrame({side: range(40)}) for side in ends}
    graph = {side: {"key": side, "columns": {}} for side in ends}
    graph["edges"] = {side: side for side in ends}
    return {"graph": graph}, {**sides, "edges": pl.DataFrame(ends)}


def careful(family, seed):
    """A policy of the family that leaves nothing open, and data of which nothing follows."""
    sensitive, said = CAREFUL[family]
    if family == "graph":
        shape, data = links(seed)
        return pp.Policy(**shape, **said), data
    frame = people(seed)
    if family == "linked":
        policy, data = ordered(family, frame)
        return policy.varied([(("privacy", "l"), said["privacy"]["l"])]), data
    known = {name: role for name, role in COLUMNS.items() if role != "sensitive"}
    columns = known | dict.fromkeys(sensitive, "sensitive")
    return pp.Policy(columns=columns, **said), frame.select(list(columns))


def test_every_family_is_tried_with_care():
    assert {each.name for each in families()} == set(CAREFUL)


@pytest.mark.searches
@pytest.mark.parametrize("family", CAREFUL)
def test_no_light_is_amber_where_nothing_can_be_learnt(family):
    tried = tries(4, 100, "PAPILIO_INDEPENDENT")
    alarms, counted, made = [], set(), 0
    for seed in range(tried):
        policy, data = careful(family, seed)
        try:
            release = pp.publish(data, policy, name="people", seed=seed)
        except InfeasibleError:
            continue
        made += 1
        found = [weak for light in release.lights for weak in light.findings]
        alarms += [(seed, found[0].line)] if found else []
        results = pp.attack(release, original=policy, data=data)
        counted |= {each.attack for each in results if each.exposed}
    assert made > tried / 2
    assert len(alarms) <= tried / 100, alarms
    (having,) = ({a.name for a in f.attacks if not a.again} for f in families() if f.name == family)
    assert counted >= having - UNCOUNTED - LACKING.get(family, set())
