"""Every method on tiny tables in which people have several rows, against plain counting."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from grouping import encoded_of, kinds_of, rows_of
from oracles import diversity
from oracles import people as oracle
from oracles.butterfly import classes_of, parts_loss
from oracles.hybrid import box_width
from papilio.data.people import people_of, person_names
from papilio.data.table import ColumnType, Role, Table
from papilio.errors import InfeasibleError
from papilio.families.one_table.make import group
from papilio.families.recipients.methods.butterfly import butterfly
from papilio.policy.policy import Policy
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import demand_of
from papilio.randomness import Randomness
from sizes import COMPILED, tries
from tables import column, table

NUMERIC = ColumnType.NUMERIC
METHODS = ["mondrian", "relaxed-mondrian", "bottom-up", "hybrid", "rising"]
POLICY = Policy(columns={"a": "quasi"}, privacy={"k": 1})
TRIES = tries(50, 1200) if COMPILED else 12
#: All divisions are tried for tables of so many rows.
SMALL = 6


def drawn(seed, rows=None):
    """A table of a few numbers, and whose its rows are."""
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(2, 11)) if rows is None else rows
    owners = chance.integers(0, max(2, int(chance.integers(2, rows + 2))), rows).tolist()
    made = table(
        a=(pl.Series(chance.integers(0, 6, rows)), column("a", NUMERIC)),
        b=(pl.Series(chance.integers(0, 3, rows)), column("b", NUMERIC)),
        s=(pl.Series(chance.integers(0, 4, rows)), column("s", NUMERIC, Role.SENSITIVE)),
    )
    names = person_names(pl.Series("pid", [f"p{each}" for each in owners]))
    return Table("t", made.frame, made.columns, people_of(names)), owners


def demanded(made, owners, k, least):
    """What is demanded, compiled; and the same in plain Python."""
    requirements = [KAnonymity(k, people=True)]
    if least > 1:
        requirements.append(DistinctDiversity("s", least, people=True))
    every = list(zip(owners, made.frame["s"].to_list(), strict=True))

    def meets(rows):
        own = [every[row] for row in rows]
        return oracle.k_over_people(own, k) and oracle.over_people(
            own, every, lambda values: diversity.distinct(values, least)
        )

    return demand_of(requirements, made), meets


def feasible(seed, rows=None):
    """Tables of which all rows together meet the demand."""
    made, owners = drawn(seed, rows)
    for k, least in ((2, 1), (2, 2), (3, 1), (1, 2)):
        demand, meets = demanded(made, owners, k, least)
        if meets(range(made.height)):
            yield made, owners, demand, meets


def parts_of(classes):
    return [classes.rows[a:b].tolist() for a, b in pairwise(classes.starts)]


@pytest.mark.searches
@pytest.mark.parametrize("improving", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_no_class_breaks_the_definition(method, improving):
    policy = POLICY.varied([(("improve",), {"steps": 60})]) if improving else POLICY
    seen = 0
    for seed in range(TRIES):
        for made, _, demand, meets in feasible(seed):
            encoded = encoded_of(made)
            found = group(encoded, demand, method, policy, Randomness(seed)).classes
            parts = parts_of(found)
            assert sorted(row for part in parts for row in part) == list(range(made.height))
            assert all(map(meets, parts)), (seed, parts)
            kinds, rows = kinds_of(encoded), rows_of(encoded)
            loss = sum(len(part) * box_width(rows, kinds, part) for part in parts)
            one = made.height * box_width(rows, kinds, list(range(made.height)))
            assert loss <= one + 1e-9
            seen += len(parts) > 1
    assert seen > TRIES // 10


@pytest.mark.searches
@pytest.mark.parametrize("method", METHODS)
def test_no_method_loses_less_than_the_best_division(method):
    improving = POLICY.varied([(("improve",), {"steps": 60})])
    for seed in range(TRIES // 4):
        for made, _, demand, meets in feasible(seed, SMALL):
            encoded = encoded_of(made)
            kinds, rows = kinds_of(encoded), rows_of(encoded)

            def width(part, rows=rows, kinds=kinds):
                return box_width(rows, kinds, part)

            best = oracle.least_loss(list(range(made.height)), meets, width)
            found = parts_of(group(encoded, demand, method, improving, Randomness(seed)).classes)
            assert sum(len(part) * width(part) for part in found) >= best - 1e-9


@pytest.mark.searches
@pytest.mark.parametrize("suppress", [0, 0.3])
def test_incognito(suppress):
    policy = POLICY.varied([(("privacy", "suppress"), suppress)]) if suppress else POLICY
    policy = policy.varied([(("person",), "pid")])
    seen = 0
    for seed in range(TRIES):
        made, owners = drawn(seed)
        for k, least in ((2, 1), (2, 2), (3, 1)):
            demand, meets = demanded(made, owners, k, least)
            try:
                found = group(encoded_of(made), demand, "incognito", policy, Randomness(seed))
            except InfeasibleError:
                assert suppress or not meets(range(made.height))
                continue
            parts = parts_of(found.classes)
            assert all(map(meets, parts))
            assert sum(map(len, parts)) >= made.height - int(suppress * made.height)
            seen += 1
    assert seen > TRIES // 4


@pytest.mark.searches
@pytest.mark.parametrize("wings", METHODS)
@pytest.mark.parametrize("together", [1, 2])
def test_every_recipient_and_all_together(wings, together):
    known = [frozenset({0}), frozenset({1})]
    seen = 0
    for seed in range(TRIES // 2):
        for made, owners, demand, meets in feasible(seed, 8 + seed % 16):
            all_owners = list(zip(owners, owners, strict=True))
            if not oracle.k_over_people(all_owners, together):
                continue
            encoded = encoded_of(made)
            found = butterfly(
                encoded, known, demand, Randomness(seed), together=together, wings=wings
            )
            divisions = [parts_of(each) for each in found.classes]
            for own in known:
                assert all(map(meets, classes_of(divisions, sorted(own), made.height)))
            for part in classes_of(divisions, [0, 1], made.height):
                assert oracle.k_over_people([all_owners[row] for row in part], together)
            kinds, rows = kinds_of(encoded), rows_of(encoded)
            loss = sum(parts_loss(rows, kinds, [c], parts) for c, parts in enumerate(divisions))
            assert loss == pytest.approx(found.loss)
            assert found.loss <= found.union_loss + 1e-9
            seen += 1
    assert seen > TRIES // 4


def test_three_recipients_are_refined_over_people():
    known = [frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 2})]
    chance = np.random.default_rng(5)
    rows, owners = 60, chance.integers(0, 25, 60).tolist()
    made = table(
        **{name: (pl.Series(chance.integers(0, 2, rows)), column(name, NUMERIC)) for name in "abc"}
    )
    people = people_of(person_names(pl.Series("pid", owners)))
    made = Table("t", made.frame, made.columns, people)
    demand = demand_of([KAnonymity(5, people=True)], made)
    found = butterfly(encoded_of(made), known, demand, Randomness(1), together=3)
    divisions = [parts_of(each) for each in found.classes]
    for own, k in [*((each, 5) for each in known), (frozenset(range(3)), 3)]:
        for part in classes_of(divisions, sorted(own), rows):
            assert oracle.k_over_people([(owners[row], 0) for row in part], k)
