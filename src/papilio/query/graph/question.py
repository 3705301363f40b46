"""A question to a released graph, in Python.

========  =========================================================================================
over      what is aggregated
========  =========================================================================================
edges     edges between selected left and selected right entities: ``count``; ``sum``, ``avg``,
          ``min``, ``max`` of an attribute of one end
left      selected left entities; with ``right``, only those linked to a selected right one:
          ``count`` (COUNT DISTINCT). Without: also ``sum``, ``avg``, ``min``, ``max`` of an
          attribute, or of ``degree``. ``links`` is the number of links to selected right entities
right     the same with the sides exchanged
========  =========================================================================================

COUNT DISTINCT of right entities that are linked to a selected left entity (Example 7).

Bounds: the sums over pairs of groups of Example 7, sharpened by what is sure or possible of single
nodes, and by a linear program where it is small. The paper's expectation is wrong (papers D4.9);
with b of l right entities and a of k left ones selected in their groups, and d neighbours of y in
left group i,

    E = sum_y b/l (1 - U(y)),  U(y) = prod_i C(k - d, a) / C(k, a),

which needs neither safety nor independence. Variance: pairs (y, z) by P(both selected) and
P(both linked) = 1 - U(y) - U(z) + U(y, z) (docs/papers.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl

from papilio.errors import PapilioError
from papilio.kernels.covered_pairs import miss_all, sum_dependence, sum_safe_dependence
from papilio.query.answer import Bounds
from papilio.query.graph.edge_sums import count_edges, program_distinct, sum_edges
from papilio.query.graph.extremes import (
    average_links,
    average_value,
    largest_links,
    largest_value,
    smallest_links,
    smallest_value,
)
from papilio.query.graph.grouped import (
    Chosen,
    Floats,
    GroupedGraph,
    GroupedSide,
    Ints,
    Mask,
    Selection,
    blocks_of,
    bounds,
    select,
    top_edges,
)
from papilio.query.graph.urns import (
    average_drawn,
    count_drawn,
    entity_urns,
    largest_drawn,
    node_urns,
    smallest_drawn,
    sum_drawn,
)

#: Pairs of nodes up to which the variance is computed, where no node has two neighbours in one
#: group and elsewhere: some seconds.
MOST_SAFE_PAIRS, MOST_PAIRS = 100_000_000, 10_000_000


def count_distinct(selection: Selection, *, program: bool = True) -> Bounds:
    """Count the selected right entities with a selected left neighbour.

    Parameters
    ----------
    selection
        What is selected.
    program
        Sharpen the bounds by a linear program where it is small enough.
    """
    low, high = sum_bounds(selection)
    if program and low < high:
        low, high = program_distinct(selection, low, high)
    return bounds(low, high, *_moments(selection))


def sum_bounds(selection: Selection) -> tuple[int, int]:
    """Example 7's bounds, for unsafe pairs of groups their likes; O(|E| log|E|)."""
    blocks = blocks_of(selection)
    a, k = selection.left.per_group[blocks.left], selection.left.side.sizes[blocks.left]
    b = selection.right.per_group
    size = selection.right.side.sizes
    pairs, groups = len(blocks.edges), len(size)
    touched = np.bincount(blocks.head_block, minlength=pairs)
    reached = np.minimum(top_edges(blocks, a), touched)
    most = np.bincount(blocks.right, np.minimum(reached, b[blocks.right]), minlength=groups).astype(
        np.int64
    )
    # A node is missed only if all its neighbours in the group are left out.
    fragile = blocks.head_edges <= (k - a)[blocks.head_block]
    fragile_nodes = np.bincount(blocks.head_block[fragile], minlength=pairs)
    missed = np.minimum(fragile_nodes, top_edges(blocks, k - a))
    least = np.zeros(groups, np.int64)
    np.maximum.at(least, blocks.right, b[blocks.right] + touched - missed - size[blocks.right])
    sure, possible = _nodes(selection, blocks.heads[~fragile])
    least = np.maximum(least, b + sure - size)
    most = np.minimum(np.minimum(most, b), possible)
    return int(np.maximum(least, 0).sum()), int(most.sum())


def _nodes(selection: Selection, linked: Ints) -> tuple[Ints, Ints]:
    """Right nodes of each group that are linked in any case, and that may be linked."""
    side = selection.right.side
    sure = np.zeros(len(side.group_of_node), bool)
    sure[linked] = True
    possible = np.zeros(len(side.group_of_node), bool)
    possible[selection.heads[selection.left.possible[selection.tails]]] = True
    return side.nodes_per_group(sure), side.nodes_per_group(possible)


def _moments(selection: Selection) -> tuple[float, float | None]:
    left, right = selection.left.side, selection.right.side
    order = np.lexsort((selection.tails, left.group_of_node[selection.tails], selection.heads))
    starts, links = _lists(selection.heads, selection.tails, order, len(right.group_of_node))
    chosen = selection.left.per_group
    miss = miss_all(starts, links, left.group_of_node, left.sizes, chosen)
    linked = 1 - miss
    n, b = right.sizes, selection.right.per_group
    single = selection.right.share
    both = b * (b - 1) / np.maximum(n * (n - 1), 1)
    total = np.bincount(right.group_of_node, linked, minlength=len(n))
    square = np.bincount(right.group_of_node, linked**2, minlength=len(n))
    mean = float((single * total).sum())
    per_group = np.bincount(left.group_of_node[selection.tails], minlength=len(left.sizes))
    undecided = (chosen > 0) & (chosen < left.sizes)
    safe = _is_safe(starts, left.group_of_node[links])
    most = MOST_SAFE_PAIRS if safe else MOST_PAIRS
    if (per_group[undecided].astype(float) ** 2).sum() > most:
        return mean, None
    alone = float((single * total - single**2 * square).sum())
    together = float(((both - single**2) * (total**2 - square)).sum())
    back = _lists(
        selection.tails, selection.heads,
        np.argsort(selection.tails, kind="stable"), len(left.group_of_node),
    )  # fmt: skip
    members = _lists(
        left.group_of_node, np.arange(len(left.group_of_node)),
        np.argsort(left.group_of_node, kind="stable"), len(left.sizes),
    )  # fmt: skip
    dependence = sum_safe_dependence if safe else sum_dependence
    dependent = dependence(
        starts, links, *back, *members, left.group_of_node, left.sizes, chosen, miss,
        right.group_of_node, single, both,
    )  # fmt: skip
    return mean, alone + together + dependent


def _is_safe(starts: Ints, groups: Ints) -> bool:
    """Whether no node has two neighbours in one group; neighbours are sorted by group."""
    same = np.flatnonzero(groups[1:] == groups[:-1]) + 1
    return not np.setdiff1d(same, starts).size


def _lists(ends: Ints, others: Ints, order: Ints, count: int) -> tuple[Ints, Ints]:
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(ends, minlength=count), out=starts[1:])
    return starts, others[order]


Name = Literal["count", "sum", "avg", "min", "max"]


Over = Literal["edges", "left", "right"]


_DRAWN = {
    "sum": sum_drawn,
    "avg": average_drawn,
    "min": smallest_drawn,
    "max": largest_drawn,
}


@dataclass(frozen=True, eq=False)
class Filter:
    """What is selected on one side.

    Attributes
    ----------
    where
        A condition on the attributes of entities, such as ``pl.col("country") == "US"``, or one
        boolean per entity.
    nodes
        A condition on the structure: on the column ``degree``, the number of links; or one boolean
        per node.
    """

    where: pl.Expr | Mask | None = None
    nodes: pl.Expr | Mask | None = None


@dataclass(frozen=True, eq=False)
class Question:
    """One aggregate over a released graph; see the module.

    Attributes
    ----------
    aggregate
        ``count``, ``sum``, ``avg``, ``min`` or ``max``.
    over
        ``edges``, ``left`` or ``right``.
    value
        What is aggregated, unless counted: an attribute, ``degree`` or ``links``.
    of
        Over edges: the end the attribute belongs to.
    left, right
        What is selected; ``None`` selects all, and over one side asks nothing of the other.
    """

    aggregate: Name
    over: Over
    value: str | None = None
    of: Literal["left", "right"] = "left"
    left: Filter | None = None
    right: Filter | None = None


def ask_graph(graph: GroupedGraph, question: Question, *, program: bool = True) -> Bounds:
    """Answer a question.

    Parameters
    ----------
    graph
        A released graph.
    question
        What is asked.
    program
        Sharpen counts by linear programs where they are small enough.

    Raises
    ------
    PapilioError
        If this cannot be asked (``reason="cannot-ask"``).
    """
    if question.over == "right" or (question.over == "edges" and question.of == "right"):
        turned = Question(
            question.aggregate,
            "left" if question.over == "right" else "edges",
            question.value,
            "left",
            question.right,
            question.left,
        )
        return ask_graph(graph.flipped(), turned, program=program)
    if question.over == "edges":
        answer = _over_edges(graph, question, program=program)
    else:
        answer = _over_entities(graph, question, program=program)
    return answer if question.aggregate == "count" else _maybe_null(graph, question, answer)


def _maybe_null(graph: GroupedGraph, question: Question, answer: Bounds) -> Bounds:
    """Say whether perhaps nothing is aggregated, which SQL answers with NULL."""
    counted = replace(question, aggregate="count")
    if question.over == "left":
        # Links and degrees are aggregated over entities, whatever they are linked to.
        counted = replace(counted, right=None)
        value = question.value if question.value in graph.left.entities.columns else None
        counted = replace(counted, value=value)
    count = ask_graph(graph, counted, program=False)
    if count.hi == 0:
        return Bounds.known(None)
    return replace(answer, null=count.lo == 0)


def _over_edges(graph: GroupedGraph, question: Question, *, program: bool) -> Bounds:
    selection = _selection(graph, question)
    if question.aggregate == "count":
        return count_edges(_without_null(selection, question), program=program)
    values = _attribute(graph.left, question.value)
    selection = _without_null(selection, question)
    match question.aggregate:
        case "sum":
            return sum_edges(selection, values)
        case "avg":
            return average_value(selection, values)
        case "min":
            return smallest_value(selection, values)
        case _:
            return largest_value(selection, values)


def _over_entities(graph: GroupedGraph, question: Question, *, program: bool) -> Bounds:
    selection = _selection(graph, question)
    chosen = selection.left
    if question.value == "links":
        return _links(selection, question.aggregate, program=program)
    if question.right is not None:
        if question.aggregate != "count":
            raise _cannot("only count and links are known for entities that are linked")
        return count_distinct(_without_null(selection, question).flipped(), program=program)
    if question.value == "degree":
        degrees = graph.left.degrees.astype(float)
        urns = node_urns(chosen.side, chosen.entities, chosen.nodes, degrees)
    else:
        chosen = _without_null(selection, question).left
        counted = question.aggregate == "count"
        values = (
            np.zeros(len(chosen.entities)) if counted else _attribute(graph.left, question.value)
        )
        urns = entity_urns(chosen.side, chosen.entities, chosen.nodes, values)
    return count_drawn(urns) if question.aggregate == "count" else _DRAWN[question.aggregate](urns)


def _links(selection: Selection, aggregate: Name, *, program: bool) -> Bounds:
    match aggregate:
        case "sum":
            return count_edges(selection, program=program)
        case "avg":
            return average_links(selection)
        case "min":
            return smallest_links(selection)
        case "max":
            return largest_links(selection)
        case _:
            raise _cannot("links are not counted themselves; use sum")


def _selection(graph: GroupedGraph, question: Question) -> Selection:
    return select(
        graph, chosen_by(graph.left, question.left), chosen_by(graph.right, question.right)
    )


def chosen_by(side: GroupedSide, said: Filter | None) -> Chosen:
    """Apply a filter; a condition that is NULL does not select."""
    said = said or Filter()
    nodes = pl.DataFrame({"degree": side.degrees})
    return Chosen(
        side,
        _mask(side.entities, said.where, len(side.group_of_entity)),
        _mask(nodes, said.nodes, len(side.group_of_node)),
    )


def _mask(frame: pl.DataFrame, condition: pl.Expr | Mask | None, count: int) -> Mask:
    if condition is None:
        return np.ones(count, bool)
    if isinstance(condition, np.ndarray):
        return condition
    try:
        found = frame.select(condition.alias("it")).get_column("it")
    except pl.exceptions.PolarsError:
        # What Polars says may quote a value.
        raise _cannot("a condition does not fit the published columns") from None
    mask: Mask = found.cast(pl.Boolean).fill_null(False).to_numpy()
    return np.broadcast_to(mask, (count,)).copy()


def _attribute(side: GroupedSide, name: str | None) -> Floats:
    if name is None or name not in side.entities.columns:
        raise _cannot(f"'{side.name}' publishes no such column")
    series = side.entities.get_column(name)
    if not series.dtype.is_numeric():
        raise _cannot(f"the column '{name}' of '{side.name}' is not numeric")
    return series.cast(pl.Float64).fill_null(0.0).to_numpy()


def _without_null(selection: Selection, question: Question) -> Selection:
    """Leave out entities whose value is NULL, as SQL's aggregates do."""
    side, chosen = selection.left.side, selection.left
    if question.value is None or question.value not in side.entities.columns:
        return selection
    there = side.entities.get_column(question.value).is_not_null().to_numpy()
    left = Chosen(side, chosen.entities & there, chosen.nodes)
    return Selection(left, selection.right, selection.tails, selection.heads)


def _cannot(message: str) -> PapilioError:
    return PapilioError(message, reason="cannot-ask")
