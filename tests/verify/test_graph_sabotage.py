"""The verifier on graphs: holds where it must, and every damage is found."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from graph_arrays import EXAMPLE, bare, frames, graph_policy
from papilio import K, Policy, publish
from papilio.release.release import Release
from papilio.verify.verdict import Status
from papilio.workflow.verify import verify


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
