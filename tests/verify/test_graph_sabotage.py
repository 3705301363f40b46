"""The verifier on graphs: holds where it must, and every damage is found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from graph_arrays import EXAMPLE, bare, frames, graph_policy, random_pairs
from oracles import degrees as oracle
from papilio import K, Policy, publish
from papilio.errors import VerificationError
from papilio.families.graph.level import GraphGroups
from papilio.families.graph.make import graph_order_of, graph_release
from papilio.families.graph.safe_grouping import NodeGroups
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import grouped_graph
from papilio.randomness import Randomness
from papilio.release.release import Release
from papilio.verify.verdict import Status
from papilio.workflow.verify import verify
from sizes import tries


@pytest.fixture(scope="module")
def release():
    return publish(EXAMPLE, graph_policy(), seed=4)


def damaged(release, table, frame, rows=True):
    tables = release.manifest.tables
    if rows:
        tables = tuple(replace(t, rows=frame.height) if t.name == table else t for t in tables)
    manifest = replace(release.manifest, tables=tables)
    return Release(manifest, {**release.frames, table: frame}, {})


def claimed(release, **parameters):
    claim = release.manifest.claims[0]
    new = replace(claim, parameters={**claim.parameters, **parameters})
    return Release(replace(release.manifest, claims=(new,)), release.frames, {})


def outcome(release, claim, **more):
    found = {each.claim: each.status for each in verify(release, **more).findings}
    return found[claim]


def swapped_groups(frame):
    """Move the first node or entity into another group."""
    groups = frame["group"].to_list()
    groups[0] = next(g for g in groups if g != groups[0])
    return frame.with_columns(group=pl.Series(groups))


def test_a_good_release_holds_also_beside_its_original(release):
    assert verify(release).holds
    assert verify(release, original=graph_policy(), data=EXAMPLE).holds


def test_it_holds_on_disk_in_both_formats(release, tmp_path):
    for kind in ("parquet", "csv"):
        folder = release.save(tmp_path / kind, format=kind)
        assert verify(folder).holds
        assert verify(folder, original=graph_policy(), data=EXAMPLE).holds


@pytest.mark.parametrize("parameters", [{"k": 4}, {"l": 4}, {"k": 0}, {"k": "3"}, {"k": True}])
def test_claims_of_other_sizes(release, parameters):
    assert not verify(claimed(release, **parameters)).holds


@pytest.mark.parametrize(
    "parameters", [{"left": "right"}, {"left": "nobody"}, {"strict": "yes"}, {"right": 3}]
)
def test_claims_about_other_tables(release, parameters):
    bad = claimed(release, **parameters)
    assert outcome(bad, "tables of the graph") is Status.VIOLATED
    assert outcome(bad, "safe-grouping") is Status.NOT_CHECKED


def test_a_claim_of_strictness_is_checked():
    data, policy = frames([], 5, 3), bare(3, 3)
    loose = publish(data, policy, seed=1)
    assert loose.manifest.claims[0].parameters["strict"] is False
    assert verify(loose).holds
    assert outcome(claimed(loose, strict=True), "safe-grouping") is Status.VIOLATED


def test_an_unsafe_grouping_is_found(release):
    # Nodes of one group get a neighbour in common.
    nodes = release.frames["left_nodes"]
    one, two = nodes.filter(pl.col("group") == 0)["node"].to_list()[:2]
    edges = release.frames["edges"]
    paper = edges.filter(pl.col("author") == one)["paper"][0]
    more = pl.concat([edges, pl.DataFrame({"author": [two], "paper": [paper]})])
    bad = damaged(release, "edges", more)
    assert outcome(bad, "safe-grouping") is Status.VIOLATED


@pytest.mark.parametrize("table", ["left_nodes", "right_nodes", "left", "right"])
def test_a_moved_node_or_entity_is_found(release, table):
    bad = damaged(release, table, swapped_groups(release.frames[table]))
    assert outcome(bad, "groups") is Status.VIOLATED
    assert outcome(bad, "safe-grouping") is Status.NOT_CHECKED


def test_a_dropped_entity_is_found(release):
    bad = damaged(release, "left", release.frames["left"].head(5))
    assert outcome(bad, "groups") is Status.VIOLATED


@pytest.mark.parametrize(
    "change",
    [
        lambda edges: edges.with_columns(author=pl.lit(99)),
        lambda edges: edges.with_columns(paper=pl.lit(None, pl.Int64)),
        lambda edges: pl.concat([edges, edges.head(1)]),
    ],
)
def test_edges_that_do_not_fit_are_found(release, change):
    bad = damaged(release, "edges", change(release.frames["edges"]))
    assert outcome(bad, "structure") is Status.VIOLATED


@pytest.mark.parametrize(
    "change",
    [
        lambda nodes: nodes.with_columns(node=pl.col("node") + 1),
        lambda nodes: nodes.with_columns(node=pl.lit(0)),
    ],
)
def test_nodes_that_are_not_numbered_are_found(release, change):
    bad = damaged(release, "left_nodes", change(release.frames["left_nodes"]))
    assert outcome(bad, "structure") is Status.VIOLATED


def beside(release, claim):
    return outcome(release, claim, original=graph_policy(), data=EXAMPLE)


def test_a_lost_edge_is_found_beside_the_original(release):
    bad = damaged(release, "edges", release.frames["edges"].head(10))
    assert verify(bad).holds
    assert beside(bad, "structure of the original") is Status.VIOLATED


def test_a_changed_attribute_is_found_beside_the_original(release):
    frame = release.frames["left"].with_columns(location=pl.lit("US"))
    bad = damaged(release, "left", frame)
    assert verify(bad).holds
    assert beside(bad, "entities") is Status.VIOLATED


def test_entities_in_the_wrong_group_are_found_beside_the_original():
    # Two groups whose nodes have different degrees; entities are told apart by their names.
    pairs = [(x, y) for x in (0, 1) for y in (2 * x, 2 * x + 1)]
    data = frames(pairs, 4, 4)
    data["left"] = data["left"].with_columns(name=pl.Series(["a", "b", "c", "d"]))
    policy = graph_policy(2, 1, ("name",), (), order="degree")
    good = publish(data, policy, seed=2)
    assert verify(good, original=policy, data=data).holds
    frame = good.frames["left"]
    bad = damaged(good, "left", frame.with_columns(group=1 - pl.col("group")))
    assert verify(bad).holds
    assert outcome(bad, "entities in groups", original=policy, data=data) is Status.VIOLATED


def test_the_policy_of_a_table_does_not_promise_a_graph(release):
    found = outcome(
        release, "promised kind", original=Policy(columns={"age": "quasi"}, privacy=K(2))
    )
    assert found is Status.VIOLATED
    table = publish(pl.DataFrame({"age": [1, 1]}), Policy(columns={"age": "quasi"}, privacy=K(2)))
    found = outcome(table, "promised kind", original=graph_policy(), data=EXAMPLE)
    assert found is Status.VIOLATED


def test_a_release_with_the_wrong_kind_is_refused(release):
    other = Release(replace(release.manifest, kind="garden"), release.frames, {})
    assert not verify(other).holds


def test_findings_hold_no_value(release):
    texts = [each.measured + each.demanded for each in verify(release).findings]
    assert not any(word in text for text in texts for word in ("US", "SIGMOD", "a1"))


#: Twelve pairs, and two of one side with a link more.
LEVEL = frames([(x, x) for x in range(12)] + [(0, 12), (1, 13)], 12, 14)


def known(**privacy):
    policy = bare(3, 1)
    changes = {"known": "degree", "suppress": 0.6, **privacy}
    return policy.varied([(("privacy", key), value) for key, value in changes.items()])


@pytest.fixture(scope="module")
def level():
    return publish(LEVEL, known(), seed=1)


def test_a_level_release_holds_beside_its_original(level):
    found = verify(level, original=known(), data=LEVEL)
    assert found.holds
    assert {"known-degree", "structure of the original"} <= {each.claim for each in found.findings}


def test_a_release_that_speaks_of_no_degrees_is_not_what_was_demanded():
    plain = publish(LEVEL, bare(3, 1), seed=1)
    assert outcome(plain, "promised claims", original=known(), data=LEVEL) is Status.VIOLATED


def test_more_links_missing_than_a_stricter_policy_allows(level):
    strict = known(suppress=0.01)
    assert outcome(level, "promised rows", original=strict, data=LEVEL) is Status.VIOLATED


def test_a_node_with_a_link_less_than_its_group_is_found(level):
    bad = damaged(level, "edges", level.frames["edges"].head(level.frames["edges"].height - 1))
    assert outcome(bad, "known-degree") is Status.VIOLATED


@pytest.mark.parametrize("said", [{"s": 4}, {"s": 0}, {"s": "3"}, {}])
def test_a_claim_about_degrees_that_is_not_true_or_not_one(level, said):
    safe, claim = level.manifest.claims
    claims = (safe, replace(claim, parameters=said))
    bad = Release(replace(level.manifest, claims=claims), level.frames, {})
    expected = Status.VIOLATED if said == {"s": 4} else Status.NOT_CHECKED
    assert outcome(bad, "known-degree") is expected
    assert not verify(bad).holds


@pytest.mark.parametrize("dropped", [1, 9])
def test_another_number_of_missing_links_is_found_beside_the_original(level, dropped):
    safe, claim = level.manifest.claims
    claims = (replace(safe, parameters={**safe.parameters, "dropped": dropped}), claim)
    bad = Release(replace(level.manifest, claims=claims), level.frames, {})
    assert verify(bad).holds
    found = outcome(bad, "structure of the original", original=known(), data=LEVEL)
    assert found is Status.VIOLATED


def test_a_link_that_moved_to_a_node_is_found_where_links_are_missing(level):
    """As many links as said, but a node that has more than any in the original."""
    edges = level.frames["edges"]
    papers = edges["paper"].to_list()
    moved = edges.with_columns(paper=pl.Series([papers[0]] * 3 + papers[3:]))
    bad = damaged(level, "edges", moved.unique())
    found = outcome(bad, "structure of the original", original=known(), data=LEVEL)
    assert found is Status.VIOLATED


def test_entities_without_enough_links_are_found_where_links_are_missing():
    """Who never had a link stands in the group of those who have one."""
    data = frames([(x, x) for x in range(6)] + [(0, 6)], 12, 7)
    data["left"] = data["left"].with_columns(name=pl.Series(list("abcdefghijkl")))
    policy = graph_policy(3, 1, ("name",), ()).varied(
        [(("privacy", key), value) for key, value in (("known", "degree"), ("suppress", 0.9))]
    )
    good = publish(data, policy, seed=2)
    assert good.manifest.claims[0].parameters["dropped"]
    assert verify(good, original=policy, data=data).holds
    linked = pl.col("name").is_in(list("abcdef"))
    frame = good.frames["left"]
    ones, none = (frame.filter(linked == side)["group"][0] for side in (True, False))
    swapped = pl.when(pl.col("group") == ones).then(none).when(pl.col("group") == none)
    bad = damaged(good, "left", frame.with_columns(group=swapped.then(ones).otherwise("group")))
    assert verify(bad).holds
    assert outcome(bad, "entities in groups", original=policy, data=data) is Status.VIOLATED


def test_losses_that_would_name_somebody_are_not_written(monkeypatch):
    """A method that drops a single link: who knows all degrees knows whose it was."""
    monkeypatch.setattr("papilio.families.graph.level._Drops.enough", lambda *_: True)
    data = frames([(x, x) for x in range(6)] + [(0, 6)], 6, 7)
    with pytest.raises(VerificationError, match="losses of edges"):
        publish(
            data,
            bare(3, 1).varied([(("privacy", "known"), "degree"), (("privacy", "suppress"), 0.5)]),
            seed=1,
        )


def test_what_is_found_of_known_degrees_is_what_all_worlds_say():
    for seed in range(tries(15, 1000, "PAPILIO_LEVEL_CASES")):
        random = np.random.default_rng(seed)
        n, m = (int(each) for each in random.integers(2, 6, 2))
        data = frames(random_pairs(random, n, m, 0.3), n, m)
        if not data["edges"].height:
            continue
        graph = graph_order_of(data, bare(2, 1))[0].graph
        sides = [_random_groups(random, count) for count in (n, m)]
        size = int(random.integers(2, 4))
        demanded = SafeGrouping(size, 1)
        made = graph_release(
            GraphGroups(graph, *sides), demanded, randomness=Randomness(seed), levelled=True
        )
        shown = grouped_graph(made.release)
        edges = list(zip(shown.left.ends.tolist(), shown.right.ends.tolist(), strict=True))
        groups = [side.group_of_node.tolist() for side in (shown.left, shown.right)]
        worlds = oracle.worlds(edges, *groups, range(n), range(m))
        worst = max(oracle.belief(edges, worlds, v, w) for v, w in edges)
        expected = Status.HOLDS if worst <= 1 / size + 1e-9 else Status.VIOLATED
        assert outcome(made.release, "known-degree") is expected


def _random_groups(random, count):
    _, group = np.unique(random.integers(0, 3, count), return_inverse=True)
    return NodeGroups(group.astype(np.int32), int(group.max()) + 1)
