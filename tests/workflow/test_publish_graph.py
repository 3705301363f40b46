"""Graphs through publish: what is released, and that it tells nothing it should not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import chisquare

from graph_arrays import EXAMPLE, bare, frames, graph_policy, random_pairs
from papilio import Policy, Release, publish, publish_to
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.families.graph.make import graph_notes, graph_order_of, make_graph
from papilio.progress import silent
from papilio.randomness import Randomness
from sizes import tries


def test_the_example_of_the_paper_can_be_published():
    release = publish(EXAMPLE, graph_policy())
    assert set(release.frames) == {"left", "right", "edges", "left_nodes", "right_nodes"}
    assert release.frames["left"].columns == ["location", "group"]
    assert release.frames["edges"].columns == ["author", "paper"]
    assert release.manifest.claims[0].parameters["strict"] is True


def test_keys_and_identifiers_never_leave():
    data = {**EXAMPLE, "left": EXAMPLE["left"].with_columns(name=pl.lit("secret"))}
    policy = Policy(
        graph={
            "left": {"key": "author", "columns": {"name": "identifier", "location": "plain"}},
            "right": {"key": "paper"},
            "edges": {"left": "author", "right": "paper"},
        },
        privacy={"k": 3, "l": 3},
    )
    release = publish(data, policy)
    text = "".join(frame.write_csv() for frame in release.frames.values())
    assert "secret" not in text
    assert not any(key in text for key in ("a1", "p6"))


def test_frames_of_other_libraries_come_back():
    data = {part: frame.to_pandas() for part, frame in EXAMPLE.items()}
    assert isinstance(publish(data, graph_policy()).tables["left"], pd.DataFrame)


def test_entities_carry_nothing_of_the_graph():
    """Over many releases an entity has each row, and its node each number, equally often."""
    data = frames([(x, x) for x in range(6)], 6, 6)
    data["left"] = data["left"].with_columns(name=pl.Series(list("abcdef")))
    data["right"] = data["right"].with_columns(name=pl.Series(list("uvwxyz")))
    policy = graph_policy(6, 1, ("name",), ("name",))
    order, kind = graph_order_of(data, policy)
    rows, nodes = [], []
    for seed in range(300):
        release = make_graph(order, policy, Randomness(seed), kind, silent).release
        rows.append(release.frames["left"]["name"].to_list().index("a"))
        # The right side is known by name, so the node of 'a' can be found: that of 'u'.
        group = release.frames["right"].filter(pl.col("name") == "u")["group"][0]
        paper = release.frames["right_nodes"].filter(pl.col("group") == group)["node"][0]
        nodes.append(release.frames["edges"].filter(pl.col("paper") == paper)["author"][0])
    together = np.array(rows) * 6 + nodes
    assert chisquare(np.bincount(rows, minlength=6)).pvalue > 1e-4
    assert chisquare(np.bincount(nodes, minlength=6)).pvalue > 1e-4
    assert chisquare(np.bincount(together, minlength=36)).pvalue > 1e-4


def test_entity_tables_do_not_depend_on_the_edges():
    """With the same seed and one group, another structure gives the very same entity tables."""
    first = frames([(0, 0), (1, 1)], 4, 4)
    second = frames([(3, 0), (2, 3), (1, 1)], 4, 4)
    for data in (first, second):
        data["left"] = data["left"].with_columns(age=pl.Series([30, 40, 50, 60]))
    policy = graph_policy(4, 4, ("age",), ())
    one, two = (publish(data, policy, seed=9).frames["left"] for data in (first, second))
    assert one.equals(two)


def test_columns_that_are_degrees_are_refused():
    data = frames([(0, 0), (0, 1), (1, 2), (2, 3)], 4, 4)
    data["left"] = data["left"].with_columns(papers=pl.Series([2, 1, 1, 0]))
    with pytest.raises(DataError, match="'papers' is the number of links") as error:
        publish(data, graph_policy(2, 1, ("papers",), ()))
    assert error.value.reason == "derived-from-graph"


def test_rows_and_nodes_do_not_stand_in_source_order():
    data = frames([(x, x) for x in range(200)], 200, 200)
    data["left"] = data["left"].with_columns(age=np.arange(200))
    release = publish(data, graph_policy(10, 10, ("age",), ()))
    assert release.frames["left"]["age"].to_list() != list(range(200))
    assert release.frames["edges"]["paper"].to_list() != list(range(200))


def test_duplicate_edges_are_merged_and_dangling_ones_refused():
    twice = {**EXAMPLE, "edges": pl.concat([EXAMPLE["edges"], EXAMPLE["edges"].head(2)])}
    assert publish(twice, graph_policy()).frames["edges"].height == 11
    lost = pl.DataFrame({"author": ["a9", None], "paper": ["p1", "p2"]})
    astray = {**EXAMPLE, "edges": pl.concat([EXAMPLE["edges"], lost])}
    with pytest.raises(DataError, match="2 of 13 edges have an end that is no entity") as error:
        publish(astray, graph_policy())
    assert error.value.reason == "dangling-edges"
    release = publish(astray, graph_policy(edges={"dangling": "drop"}))
    assert release.frames["edges"].height == 11


@pytest.mark.parametrize(
    "keys", [["a1", "a1", "a3", "a4", "a5", "a6"], ["a1", None, "a3", "a4", "a5", "a6"]]
)
def test_bad_keys_are_refused(keys):
    bad = {**EXAMPLE, "left": EXAMPLE["left"].with_columns(author=pl.Series(keys))}
    with pytest.raises(DataError, match="a key is different in every row"):
        publish(bad, graph_policy())


def test_tables_without_rows_are_refused():
    with pytest.raises(DataError, match="'right': the table is empty"):
        publish({**EXAMPLE, "right": EXAMPLE["right"].clear()}, graph_policy())


def test_merged_and_dropped_edges_are_told():
    lost = pl.DataFrame({"author": ["a1", "a9", "a8"], "paper": ["p2", "p1", "p1"]})
    data = {**EXAMPLE, "edges": pl.concat([EXAMPLE["edges"], lost])}
    policy = graph_policy(edges={"dangling": "drop"})
    order, kind = graph_order_of(data, policy)
    release = make_graph(order, policy, Randomness(1), kind, silent).release
    assert graph_notes(order, release, policy) == (
        "1 edge stands in 'edges' more than once; counted once.",
        "2 edges have an end that is no entity; left out.",
    )


def test_numbers_and_texts_are_the_same_key():
    data = frames([(0, 0), (1, 1)], 2, 2)
    data["edges"] = data["edges"].with_columns(pl.col("author").cast(pl.String))
    assert publish(data, bare(2, 2)).frames["edges"].height == 2


def test_what_cannot_be_met_names_what_can():
    star = frames([(x, 0) for x in range(8)], 8, 1)
    with pytest.raises(InfeasibleError, match="found to work is 1") as error:
        publish(star, bare(2, 1))
    assert error.value.reason == "no-safe-grouping"
    with pytest.raises(InfeasibleError, match="there are only 1 entities"):
        publish(star, bare(1, 3))


@pytest.mark.parametrize(("k", "l"), [(1, 3), (3, 1)])
def test_one_sided_groupings(k, l):
    release = publish(EXAMPLE, graph_policy(k, l))
    sides = {"left_nodes": k, "right_nodes": l}
    for table, size in sides.items():
        counts = release.frames[table].group_by("group").len()["len"]
        assert counts.min() == size


@pytest.mark.searches
@pytest.mark.parametrize("order", ["random", "degree"])
def test_random_graphs_hold(order):
    for seed in range(tries(2, 10)):
        random = np.random.default_rng(seed)
        pairs = random_pairs(random, 30, 40, 0.03)
        release = publish(frames(pairs, 30, 40), bare(3, 4, order=order), seed=seed)
        assert release.verify().holds


FOLDER = """
papilio: 1
graph:
  left: {source: people.csv, key: id, columns: {country: plain}}
  right: {source: things.parquet, key: thing, columns: {price: plain}}
  edges: {source: {sql: "SELECT who, what FROM 'bought.csv'", name: bought}, left: who, right: what}
privacy: {k: 2, l: %s}
"""


@pytest.fixture
def folder(tmp_path):
    people = pl.DataFrame({"id": range(1, 7), "country": list("AABBCC"), "phone": range(6)})
    people.write_csv(tmp_path / "people.csv")
    things = pl.DataFrame({"thing": range(6), "price": [1.5, 2.0, 2.5, 3.0, None, 9.0]})
    things.write_parquet(tmp_path / "things.parquet")
    bought = {"who": [1, 2, 3, 4, 5, 6, 1], "what": [0, 1, 2, 3, 4, 5, 3]}
    pl.DataFrame(bought).write_csv(tmp_path / "bought.csv")
    return tmp_path


def test_sources_of_several_kinds(folder):
    (folder / "policy.yaml").write_text(FOLDER % 2)
    policy = Policy.load(folder / "policy.yaml")
    done = publish_to(folder / "out", policy)
    assert done.left_out == ("people.phone",)
    assert set(Release.open(folder / "out").frames) == {
        "people", "things", "bought", "people_nodes", "things_nodes",
    }  # fmt: skip
    assert done.release.verify(original=policy).holds
    assert done.notes == ()


def test_an_owner_is_warned_of_the_second_release(folder):
    (folder / "policy.yaml").write_text(FOLDER % 1)
    done = publish_to(folder / "out", Policy.load(folder / "policy.yaml"))
    assert "Never publish a (k,1) and a (1,l) release of the same graph" in done.notes[-1]


def test_policies_that_make_no_sense():
    cases = [
        ({"privacy": {"k": 1, "l": 1}}, "k and l are both 1"),
        ({"privacy": {"k": 2}}, "needs l as a bare number"),
        ({"privacy": {"l": 2}}, "needs k, the least size"),
        ({"privacy": {"k": 2, "l": {"venue": 2}}}, "needs l as a bare number"),
        ({"privacy": {"k": 2, "l": 2, "t": 0.2}}, "does not go with graph"),
        ({"privacy": {"k": 2, "l": 2}, "columns": {"age": "quasi"}}, "does not go with graph"),
        ({"privacy": {"k": 2, "l": 2}, "method": "mondrian"}, "name grouping, or none"),
        ({"privacy": {"k": 2, "l": 2}, "cells": "text"}, "cells: does not go with graph"),
        ({"privacy": {"k": 2, "l": 2}, "source": "a.csv"}, "source: does not go with graph"),
        ({"privacy": {"k": 2, "l": 2, "collusion_k": 2}}, "collusion_k: does not go with graph"),
    ]
    graph = {
        "left": {"key": "author"},
        "right": {"key": "paper"},
        "edges": {"left": "author", "right": "paper"},
    }
    for more, message in cases:
        with pytest.raises(PolicyError, match=message):
            Policy(graph=graph, **more)
    with pytest.raises(PolicyError, match="attributes of entities are plain"):
        graph_columns({"location": "quasi"})
    with pytest.raises(PolicyError, match="the key is never published"):
        graph_columns({"author": "plain"})
    with pytest.raises(PolicyError, match="called group already"):
        graph_columns({"Group": "plain"})
    with pytest.raises(PolicyError, match=r"grouping is for graph.* give the key graph"):
        Policy(columns={"age": "quasi"}, privacy={"k": 2}, method="grouping")


def graph_columns(columns):
    graph = {
        "left": {"key": "author", "columns": columns},
        "right": {"key": "paper"},
        "edges": {"left": "author", "right": "paper"},
    }
    return Policy(graph=graph, privacy={"k": 2, "l": 2})


def test_unknown_columns_and_frames_are_refused():
    with pytest.raises(DataError, match="no column 'location'"):
        publish({**EXAMPLE, "left": EXAMPLE["left"].select("author")}, graph_policy())
    with pytest.raises(DataError, match="a mapping with the frames"):
        publish(EXAMPLE["left"], graph_policy())
