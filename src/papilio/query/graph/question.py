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
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl

from papilio.errors import PapilioError
from papilio.query.bounds import Bounds
from papilio.query.graph.distinct import count_distinct
from papilio.query.graph.edge_sums import count_edges, sum_edges
from papilio.query.graph.extremes import (
    average_links,
    average_value,
    largest_links,
    largest_value,
    smallest_links,
    smallest_value,
)
from papilio.query.graph.grouped import Floats, GroupedGraph, GroupedSide, Mask
from papilio.query.graph.selection import Chosen, Selection, select
from papilio.query.graph.urns import (
    average_drawn,
    count_drawn,
    entity_urns,
    largest_drawn,
    node_urns,
    smallest_drawn,
    sum_drawn,
)

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
