"""A policy applied to the three tables of a bipartite graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.bipartite import BipartiteGraph, Entities, adjacency, nodes_name
from papilio.data.io.frames import choose_columns
from papilio.data.io.read import Raw, header, load_table, read
from papilio.data.table import Column, Role, Table
from papilio.errors import DataError, InternalError, PolicyError
from papilio.policy.graph_policy import EdgesPolicy, EntitiesPolicy, GraphPolicy
from papilio.policy.policy import Policy

#: The parts of a graph, as a policy names them.
PARTS = ("left", "right", "edges")


@dataclass(frozen=True, eq=False)
class GraphOrder:
    """A graph that is ready to be published under a policy.

    Attributes
    ----------
    graph
        The entities and edges.
    left_out
        Columns of the three sources that the policy does not mention, as ``table.column``.
    notes
        What the owner should know about how the data was read.
    """

    graph: BipartiteGraph
    left_out: tuple[str, ...]
    notes: tuple[str, ...] = ()


def graph_order(policy: Policy, frames: Mapping[str, pl.DataFrame] | None = None) -> GraphOrder:
    """Read what the policy names, and only that, from its sources or from frames.

    Parameters
    ----------
    policy
        A policy with a graph.
    frames
        The tables by the names ``left``, ``right`` and ``edges``, instead of the sources.

    Raises
    ------
    PolicyError
        If a source or a column is missing.
    DataError
        If keys are missing or not unique, or edges lead nowhere; with counts, without values.
    """
    graph = _graph(policy)
    raws: dict[str, Raw] = {}
    left_out: list[str] = []
    for part in PARTS:
        said: EntitiesPolicy | EdgesPolicy = getattr(graph, part)
        raw, names = _raw(policy, part, said, frames)
        raws[part] = raw
        known = _mentioned(said)
        left_out += [f"{raw.name}.{name}" for name in names if name not in known]
    _check_table_names([raws[part].name for part in PARTS])
    return GraphOrder(_build(graph, raws), tuple(left_out))


def _graph(policy: Policy) -> GraphPolicy:
    if policy.graph is None:
        raise InternalError("the policy has no graph", reason="no-graph")
    return policy.graph


def _mentioned(said: EntitiesPolicy | EdgesPolicy) -> tuple[str, ...]:
    if isinstance(said, EdgesPolicy):
        return (said.left, said.right)
    return tuple(dict.fromkeys((said.key, *said.columns)))


def _wanted(said: EntitiesPolicy | EdgesPolicy) -> tuple[str, ...]:
    """Columns that are read: keys and what is published."""
    if isinstance(said, EdgesPolicy):
        return (said.left, said.right)
    return (said.key, *_attributes(said))


def _attributes(said: EntitiesPolicy) -> tuple[str, ...]:
    return tuple(name for name, column in said.columns.items() if column.role is Role.PLAIN)


def _raw(
    policy: Policy,
    part: str,
    said: EntitiesPolicy | EdgesPolicy,
    frames: Mapping[str, pl.DataFrame] | None,
) -> tuple[Raw, tuple[str, ...]]:
    """Read one table; also the names of all columns of its source."""
    if frames is not None:
        frame = frames[part]
        choose_columns(frame.columns, _mentioned(said), f"the frame '{part}'")
        name = said.source.name if said.source is not None else None
        return Raw(name or part, frame.select(_wanted(said)), typed=True), tuple(frame.columns)
    if said.source is None:
        fault = policy.fault("this key is required to read the data", "graph", part, "source")
        raise PolicyError([fault])
    source = said.source.source(policy.base, policy.allowed)
    names = header(source)
    choose_columns(names, _mentioned(said), f"graph.{part}")
    raw = read(source, _wanted(said))
    return Raw(said.source.name or raw.name, raw.frame, raw.typed), names


def _check_table_names(names: list[str]) -> None:
    """Refuse tables of the release that would have one name."""
    left, right, edges = names
    published = [left, right, edges, nodes_name(left), nodes_name(right)]
    if len({name.casefold() for name in published}) < len(published):
        raise DataError(
            "two tables of the release would have one name; give the tables of the graph "
            "different names with 'name' in their sources",
            reason="name-clash",
        )


def _build(said: GraphPolicy, raws: Mapping[str, Raw]) -> BipartiteGraph:
    edges = raws["edges"].frame
    left, tails = _side(raws["left"], said.left, edges.get_column(said.edges.left))
    right, heads = _side(raws["right"], said.right, edges.get_column(said.edges.right))
    dangling = (tails < 0) | (heads < 0)
    dropped = int(dangling.sum())
    if dropped and said.edges.dangling == "refuse":
        raise DataError(
            f"'{raws['edges'].name}': {dropped} of {len(tails)} edges have an end that is no "
            "entity; add the entities, or say dangling: drop in graph.edges",
            reason="dangling-edges",
        )
    forward, backward, merged = adjacency(
        tails[~dangling], heads[~dangling], left.count, right.count
    )
    graph = BipartiteGraph(
        left, right, raws["edges"].name, (said.edges.left, said.edges.right), forward, backward,
        merged, dropped,
    )  # fmt: skip
    _check_underived(left, forward.degrees)
    _check_underived(right, backward.degrees)
    return graph


def _side(raw: Raw, said: EntitiesPolicy, ends: pl.Series) -> tuple[Entities, NDArray[np.int64]]:
    """Entities of a side, and the entity at this end of each edge, -1 for none."""
    if not raw.frame.height:
        raise DataError(
            f"'{raw.name}': the table is empty; it needs at least one row", reason="empty-table"
        )
    found_keys = raw.frame.get_column(said.key)
    whole = found_keys.dtype.is_integer() and ends.dtype.is_integer()
    keys = _as_key(found_keys, raw.name, whole=whole)
    missing, repeated = keys.null_count(), len(keys) - keys.n_unique()
    if missing or repeated:
        raise DataError(
            f"'{raw.name}': the key '{said.key}' is NULL in {missing} rows and repeats an earlier "
            f"row in {repeated}; a key is different in every row",
            reason="bad-key",
        )
    known = pl.DataFrame({"key": keys, "entity": np.arange(len(keys))})
    found = pl.DataFrame({"key": _as_key(ends, "edges", whole=whole)}).join(
        known, on="key", how="left", maintain_order="left"
    )
    entities = Entities(raw.name, said.key, raw.frame.height, _attributes_of(raw, said))
    return entities, found.get_column("entity").fill_null(-1).to_numpy()


def _as_key(series: pl.Series, where: str, *, whole: bool) -> pl.Series:
    """Keys as text unless both tables have whole numbers, so that ``1`` finds ``"1"``."""
    if series.dtype.is_float():
        raise DataError(
            f"'{where}': the key '{series.name}' is a floating number; whole numbers and text are "
            "accepted",
            reason="bad-key",
        )
    return series.cast(pl.Int128 if whole else pl.String)


def _attributes_of(raw: Raw, said: EntitiesPolicy) -> Table | None:
    names = _attributes(said)
    if not names:
        return None
    chosen = Raw(raw.name, raw.frame.select(names), raw.typed)
    return load_table(
        chosen,
        {name: said.columns[name].type for name in names},
        lambda name, kind: Column(name, Role.PLAIN, kind),
    )


def _check_underived(entities: Entities, degrees: NDArray[np.int64]) -> None:
    """Refuse attributes that are the number of links: they would tell which node an entity is."""
    if entities.table is None or len(np.unique(degrees)) < 2:
        return
    for series in entities.table.frame.iter_columns():
        known = series.dtype.is_numeric() and not series.null_count()
        if known and bool((series.to_numpy() == degrees).all()):
            raise DataError(
                f"'{entities.name}': the column '{series.name}' is the number of links of each "
                "entity, which would tell its node; make it an identifier",
                reason="derived-from-graph",
            )
