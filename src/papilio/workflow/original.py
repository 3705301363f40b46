"""What is to be published, read once: for making a release and for judging it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from papilio.data.column import Column, ColumnType
from papilio.data.io.frames import Kind
from papilio.data.io.read import header, read
from papilio.data.source import FileSource
from papilio.data.types import as_text, convert
from papilio.policy.apply import Order
from papilio.policy.apply_graph import GraphOrder
from papilio.policy.apply_tables import LinkedOrder
from papilio.policy.policy import Policy
from papilio.policy.target_policy import TargetPolicy
from papilio.verify.disguised_truth import PERSONAL
from papilio.verify.opened import OpenedHere
from papilio.verify.promise.promise import Facts, TableFacts, WeightFacts
from papilio.verify.witness.judge import ORIGINAL
from papilio.workflow.order import order_of

#: Name of the view of the original; a blank in it keeps it apart from published tables.
VIEW = "papilio original"


@dataclass(frozen=True, eq=False)
class Original:
    """An original under a policy.

    Attributes
    ----------
    policy
        The order.
    order
        What was read.
    kind
        Which library's frames to give back.
    named
        Whether the table has a name of its own; a frame has none.
    """

    policy: Policy
    order: Order | LinkedOrder | GraphOrder
    kind: Kind
    named: bool


def read_original(policy: Policy, data: Any = None, name: str | None = None) -> Original:
    """Apply a policy to its own source, or to frames.

    Parameters
    ----------
    policy
        The order.
    data
        A frame, or a mapping of frames for linked tables and graphs; ``None`` reads the source.
    name
        Name of a frame; ``None`` if it has none.
    """
    if policy.graph is not None:
        # Tables need nothing of what graphs do.
        from papilio.workflow.make.graph import graph_order_of

        return Original(policy, *graph_order_of(data, policy), named=data is None)
    if policy.tables:
        from papilio.workflow.make.linked import linked_order_of

        return Original(policy, *linked_order_of(data, policy), named=True)
    named = data is None or name is not None
    return Original(policy, *order_of(data, policy, name or "original"), named=named)


def facts_of(original: Original) -> Facts:
    """What the verifier is told of an original beside its rows."""
    order, policy = original.order, original.policy
    if isinstance(order, LinkedOrder):
        return Facts(tuple(_linked_facts(order)))
    if isinstance(order, GraphOrder):
        return Facts(_graph_facts(order, named=original.named))
    name = order.table.name if original.named else None
    table = TableFacts(name, types_of(order.table.columns), order.table.height)
    return Facts((table,), order.several, weight_facts(policy, table.types))


def types_of(columns: tuple[Column, ...]) -> dict[str, str]:
    """Type of each column."""
    return {column.name: column.type.value for column in columns}


def weight_facts(policy: Policy, types: Mapping[str, str]) -> WeightFacts | None:
    """The file of a target, read as it is written; ``None`` if the policy names none."""
    for name, target in policy.privacy.target.items():
        if target.file is not None:
            return _weights(policy, target, ColumnType(types[name]))
    return None


def _weights(policy: Policy, target: TargetPolicy, kind: ColumnType) -> WeightFacts:
    source = FileSource(policy.base / str(target.file))
    names = header(source)
    value = target.column or names[0]
    weight = target.weight if target.column is not None else names[1]
    keys = [column for column in target.by if column in names]
    raw = read(source, dict.fromkeys(c for c in (value, weight, *keys) if c is not None))
    values = convert(raw.frame.get_column(value), kind, raw.typed)
    weights = [1] * raw.frame.height
    if weight is not None:
        weights = convert(raw.frame.get_column(weight), ColumnType.NUMERIC, raw.typed).to_list()
    texts = {key: raw.frame.get_column(key).cast(pl.String).to_list() for key in keys}
    return WeightFacts(values.to_list(), weights, texts)


def _linked_facts(order: LinkedOrder) -> Iterator[TableFacts]:
    for table in order.snowflake.tables:
        parent = None if table.parent is None else {table.parent: str(table.foreign_key)}
        types = types_of(table.table.columns)
        yield TableFacts(table.name, types, table.height, table.key, parent)


def _graph_facts(order: GraphOrder, *, named: bool) -> tuple[TableFacts, ...]:
    graph = order.graph
    sides = [
        TableFacts(
            side.name if named else None,
            {} if side.table is None else types_of(side.table.columns),
            side.count,
        )
        for side in (graph.left, graph.right)
    ]
    return (*sides, TableFacts(graph.name if named else None, {}, graph.edges))


def show_original(opened: OpenedHere, original: Original) -> None:
    """Let a connection see the original: as :data:`VIEW`, or as views whose names begin so."""
    single = isinstance(original.order, Order)
    for name, frame in frames_of(original).items():
        view = VIEW if single else f"{VIEW} {name}"
        opened.connection.register(view, as_text(frame).to_arrow())


def frames_of(original: Original) -> dict[str, pl.DataFrame]:
    """Tables of an original as the verifier takes them; a single one is :data:`ORIGINAL`.

    Rows of linked tables and entities of a graph are numbered and keep no keys; people who demand
    something for themselves have it beside their row.
    """
    order = original.order
    if isinstance(order, LinkedOrder):
        from papilio.workflow.make.linked import original_tables as linked_tables

        return linked_tables(order.snowflake)
    if isinstance(order, GraphOrder):
        from papilio.workflow.make.graph import original_tables as graph_tables

        return graph_tables(order.graph)
    if order.personal is None:
        return {ORIGINAL: order.table.frame}
    demanded = order.personal.cast(pl.String).alias(PERSONAL)
    return {ORIGINAL: order.table.frame.with_columns(demanded)}
