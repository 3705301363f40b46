"""Clusters and what is stamped on them, against the definition."""

import numpy as np
import pytest

import linked
from oracles import trees as oracle
from papilio.families.linked.make import cap
from papilio.families.linked.methods.forest import forest_of
from papilio.families.linked.methods.miracle import Clusters, cluster, features_of, stamp_clusters
from papilio.kernels.tree_cuts import cut_people
from papilio.privacy.entity_k import EntityK
from papilio.randomness import Randomness
from sizes import COMPILED

SEEDS = range(6 if COMPILED else 2)


def snowflake(seed, folder, people=24, most=2):
    return linked.random_snowflake(np.random.default_rng(seed), folder, people=people, most=most)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("skeleton", ["k-member", "divide"])
@pytest.mark.parametrize("local", [False, True])
def test_everybody_is_in_one_cluster_of_at_least_k(seed, skeleton, local, tmp_path):
    tables = snowflake(seed, tmp_path)
    found = cluster(forest_of(tables), tables, 3, skeleton=skeleton, local=local)
    assert sorted(found.people.tolist()) == list(range(24))
    assert np.diff(found.starts).min() >= 3


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("local", [False, True])
def test_a_group_has_a_row_of_each_member_below_a_group(seed, local, tmp_path):
    tables = snowflake(seed, tmp_path)
    forest = forest_of(tables)
    found = cluster(forest, tables, 3)
    stamped = stamp_clusters(forest, found, local=local)
    number = np.empty(24, np.int64)
    number[found.people] = np.repeat(np.arange(found.count), np.diff(found.starts))
    above_of_group = {}
    for place, table in enumerate(tables.tables):
        group = stamped.group[forest.row_base[place] : forest.row_base[place + 1]]
        people = tables.person_of(place)
        for each in np.unique(group[group >= 0]):
            members = people[group == each]
            (mine,) = set(number[members])
            assert sorted(members) == sorted(np.flatnonzero(number == mine))
        if place == 0:
            assert (group >= 0).all()
            continue
        base = forest.row_base[tables.above(place)]
        above = stamped.group[base : forest.row_base[tables.above(place) + 1]][table.up]
        assert (above[group >= 0] >= 0).all()
        for each, over in zip(group[group >= 0], above[group >= 0], strict=True):
            assert above_of_group.setdefault(each, over) == over


@pytest.mark.parametrize("seed", SEEDS)
def test_two_people_lose_what_their_distance_says(seed, tmp_path):
    tables = snowflake(seed, tmp_path, people=2, most=3)
    forest = forest_of(tables)
    stamped = stamp_clusters(forest, Clusters(np.arange(2), np.array([0, 2])))
    loss, cost = linked.losses(tables), 0.0
    for place, table in enumerate(tables.tables):
        group = stamped.group[forest.row_base[place] : forest.row_base[place + 1]]
        names = linked.quasi(tables, place)
        labels = table.table.frame.select(names).rows()
        cost += (group < 0).sum() * (1 + len(names))
        for each in np.unique(group[group >= 0]):
            one, other = np.flatnonzero(group == each)
            cost += 2 * loss(place, labels[one], labels[other])
    trees = [linked.tree(tables, 0, person) for person in range(2)]
    assert cost == pytest.approx(oracle.distance(*trees, loss))


def test_people_alike_are_left_to_themselves(tmp_path):
    tables = snowflake(1, tmp_path, people=6)
    forest = forest_of(tables)
    found = cluster(forest, tables, 1)
    stamped = stamp_clusters(forest, found)
    assert found.count == len(np.unique(forest.row_node[:6]))
    assert (stamped.group >= 0).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_cuts_keep_k_and_lose_nobody(seed, tmp_path):
    tables = snowflake(seed, tmp_path, people=40)
    forest = forest_of(tables)
    features = features_of(forest, tables)
    lines = features.codes[forest.row_node[:40] - features.first_node]
    people = np.arange(40)
    kinds = (features.kind, features.size, features.base, features.weight)
    ends = cut_people(lines, people, 3, 6, *kinds, forest.labels.values)
    assert sorted(people.tolist()) == list(range(40))
    sizes = np.diff(ends, prepend=0)
    assert sizes.sum() == 40
    assert sizes.min() >= 3
    assert len(ends) > 3


def test_at_most_keeps_random_rows_and_what_hangs_off_them(tmp_path):
    tables = snowflake(2, tmp_path, people=10, most=4)
    kept, stay = cap(tables, {"t1": 1}, Randomness(1))
    assert np.bincount(kept.tables[1].up).max() == 1
    assert kept.tables[1].height == len(np.unique(tables.tables[1].up))
    assert tables.tables[1].table.frame[stay["t1"]].equals(kept.tables[1].table.frame)
    chosen = {
        tuple(cap(tables, {"t1": 1}, Randomness(seed))[0].tables[1].table.frame.rows())
        for seed in range(8)
    }
    assert len(chosen) > 1


@pytest.mark.parametrize("k", [0, -1, True, 2.5, "2"])
def test_k_is_a_whole_number(k):
    with pytest.raises(ValueError, match="whole number"):
        EntityK(k)
