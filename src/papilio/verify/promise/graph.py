"""The promise of a bipartite graph whose nodes are grouped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from papilio.release.manifest import Claim, Manifest
from papilio.verify.promise.check import EVERYONE
from papilio.verify.promise.columns import AS_IT_WAS, rows_between
from papilio.verify.promise.promise import (
    Facts,
    Promise,
    PromisedColumn,
    PromisedTable,
    TableFacts,
)

if TYPE_CHECKING:
    from papilio.policy.graph_policy import EntitiesPolicy
    from papilio.policy.policy import Policy


def promise_graph(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """Entities with their groups, nodes with theirs, and the edges between nodes."""
    assert policy.graph is not None  # noqa: S101 - this is what makes it a graph
    left, right, edges = _named(facts, manifest)
    ends = (policy.graph.edges.left, policy.graph.edges.right)
    demanded = policy.privacy.l.get("*", ())
    least = max((one.distinct or 1 for one in demanded), default=1)
    sizes = {"k": policy.privacy.k or 1, "l": least}
    parameters = {**sizes, "left": left.name, "right": right.name}
    claims = [Claim("safe-grouping", str(edges.name), EVERYONE, ends, parameters)]
    if policy.privacy.known == "degree":
        size = {"s": max(sizes.values())}
        claims.append(Claim("known-degree", str(edges.name), EVERYONE, ends, size))
    share = policy.privacy.suppress
    links = replace(
        _numbers(str(edges.name), ends, edges.rows),
        rows=rows_between(share, edges.rows),
        left_out_at_most=share,
    )
    tables = (
        _entities(policy.graph.left, left),
        _entities(policy.graph.right, right),
        links,
        _numbers(f"{left.name}_nodes", ("node", "group"), left.rows),
        _numbers(f"{right.name}_nodes", ("node", "group"), right.rows),
    )
    return Promise("graph", tables, tuple(claims))


def _named(facts: Facts, manifest: Manifest) -> list[TableFacts]:
    """The three tables; frames without names are called as the manifest has them."""
    names = [table.name for table in manifest.tables[:3]]
    return [
        TableFacts(facts_.name or name, facts_.types, facts_.rows)
        for facts_, name in zip(facts.tables, names or ["", "", ""], strict=False)
    ]


def _entities(said: EntitiesPolicy, facts: TableFacts) -> PromisedTable:
    plain = tuple(
        PromisedColumn(name, "plain", facts.types[name], AS_IT_WAS)
        for name, column in said.columns.items()
        if column.role.value == "plain"
    )
    key = PromisedColumn(said.key, "plain", "numeric", frozenset({"group"}))
    return PromisedTable(str(facts.name), (*plain, key), (facts.rows, facts.rows))


def _numbers(name: str, columns: tuple[str, ...], rows: int) -> PromisedTable:
    described = tuple(PromisedColumn(each, "plain", "numeric", AS_IT_WAS) for each in columns)
    return PromisedTable(name, described, (rows, rows))
