"""SQL over a released graph: the three tables as if they were the original, answered with bounds.

* ``FROM authors``: entities of one side.
* ``FROM authors JOIN writes ON … JOIN papers ON …``: edges, with one or both sides.
* ``degree(authors)``: number of links, in conditions and, over one side, in aggregates.
* ``max((SELECT count(*) FROM writes JOIN papers ON … WHERE writes.author = authors.id AND …))``:
  over one side, the number of links that fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

import duckdb
import numpy as np
import polars as pl
from sqlglot import exp

from papilio.query.answer import Answer, AnswerRow, Bounds
from papilio.query.graph.grouped import GroupedGraph, GroupedSide, Mask, grouped_graph
from papilio.query.graph.question import Filter, Name, Question, ask_graph
from papilio.query.graph.sql_parts import (
    Asked,
    Part,
    about,
    conditions,
    joins_key,
    parse_graph,
    read_select,
)
from papilio.release.release import Release

#: Most rows of an answer.
MOST_GROUPS = 1000

_NAMES: dict[type[exp.Expr], Name] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
}
_VALUE = "papilio value"

Masks = dict[tuple[Part, bool], Mask]


def ask_graph_sql(release: Release, sql: str, dialect: str = "duckdb") -> Answer:
    """Answer a query over a released graph.

    Raises
    ------
    QueryError
        If it cannot be answered with bounds; it says which piece of the text is to blame.
    """
    graph = grouped_graph(release)
    asked = parse_graph(sql, graph, dialect)
    masks = _masks(asked, conditions(asked))
    keys = _keys(asked)
    outputs = _outputs(asked, keys)
    rows = []
    for group in _groups(asked, keys):
        chosen = dict(masks)
        for key, value in zip(keys, group, strict=True):
            _narrow(chosen, (key.part, False), key.codes == value)
        row = _row(asked, keys, group, outputs, chosen)
        if row is not None:
            rows.append(row)
    return Answer(tuple(rows), _notes(release))


def _notes(release: Release) -> tuple[str, ...]:
    """What to know of an answer if links of the original are missing."""
    (claim,) = (c for c in release.manifest.claims if c.claim == "safe-grouping")
    missing = claim.parameters.get("dropped", 0)
    if not missing:
        return ()
    every = missing + release.frames[claim.table].height
    return (
        f"The answer is about the links of the release; {missing:,} of the original's {every:,} "
        "are missing from it.",
    )


@dataclass(frozen=True, eq=False)
class _Key:
    """A column of GROUP BY: its name in the query, whose it is, its values and their numbers."""

    name: str
    sql: str
    part: Part
    values: list[Any]
    codes: Any


@dataclass(frozen=True, eq=False)
class _Output:
    """An aggregate: its name in the query, and the question without what is selected."""

    name: str
    graph: GroupedGraph
    question: Question
    #: What the subquery of a number of links selects on the other side.
    inner: Masks


def _masks(asked: Asked, wanted: Iterator[exp.Expr]) -> Masks:
    """What conditions select: entities by attributes, nodes by degrees."""
    found: Masks = {}
    for node in wanted:
        part, structural = about(asked, node)
        if part is None:
            asked.refuse(node, "a condition names a column or a degree", "constant-condition")
        side = asked.side(part)
        values = _evaluated(asked, node, side, structural=structural)
        try:
            mask = values.cast(pl.Boolean).fill_null(False).to_numpy()
        except pl.exceptions.PolarsError:
            asked.refuse(node, "a condition is true or false", "sql-types")
        _narrow(found, (part, structural), mask)
    return found


def _narrow(masks: Masks, where: tuple[Part, bool], mask: Mask) -> None:
    masks[where] = masks[where] & mask if where in masks else mask


def _evaluated(asked: Asked, node: exp.Expr, side: GroupedSide, *, structural: bool) -> pl.Series:
    """An expression for every entity of a side, or for every node."""
    frame = pl.DataFrame({"degree": side.degrees}) if structural else side.entities
    copy = node.copy()
    if structural:
        copy = copy.transform(_degree_column)
    for column in copy.find_all(exp.Column):
        column.set("table", None)
        if not structural:
            name = next(n for n in frame.columns if n.casefold() == column.name.casefold())
            column.set("this", exp.to_identifier(name, quoted=True))
    expression = copy.sql("duckdb", comments=False)
    statement = f"SELECT ({expression}) AS it FROM papilio_rows ORDER BY papilio_row"
    try:
        with duckdb.connect(
            ":memory:", config={"python_enable_replacements": "false", "temp_directory": ""}
        ) as connection:
            connection.execute("SET enable_external_access = false")
            numbered = frame.with_columns(papilio_row=np.arange(_height(side, structural)))
            connection.register("papilio_rows", numbered.to_arrow())
            found = connection.sql(statement).to_arrow_table()
            return pl.DataFrame(pl.from_arrow(found)).get_column("it")
    except duckdb.Error:
        # What DuckDB says may repeat a cell.
        asked.refuse(node, "this cannot be computed for every entity", "sql-failed")


def _height(side: GroupedSide, structural: bool) -> int:
    return len(side.group_of_node if structural else side.group_of_entity)


def _degree_column(node: exp.Expr) -> exp.Expr:
    return exp.column("degree") if isinstance(node, exp.Anonymous) else node


def _keys(asked: Asked) -> list[_Key]:
    group = asked.select.args.get("group")
    return [_key(asked, node) for node in (group.expressions if group is not None else ())]


def _key(asked: Asked, node: exp.Expr) -> _Key:
    part, structural = about(asked, node)
    if part is None or structural:
        asked.refuse(node, "GROUP BY takes attributes of entities", "bad-group")
    values = _evaluated(asked, node, asked.side(part), structural=False)
    distinct = values.unique().sort(nulls_last=True)
    codes = values.to_frame().join(
        distinct.to_frame().with_row_index("number"),
        on="it",
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    name = node.sql(comments=False)
    return _Key(name, name, part, distinct.to_list(), codes.get_column("number").to_numpy())


def _groups(asked: Asked, keys: list[_Key]) -> list[tuple[int, ...]]:
    if np.prod([len(key.values) for key in keys]) > MOST_GROUPS:
        asked.refuse(
            asked.select.args.get("group"), f"more than {MOST_GROUPS} groups", "too-many-groups"
        )
    return list(product(*(range(len(key.values)) for key in keys)))


def _outputs(asked: Asked, keys: list[_Key]) -> list[_Output | str]:
    """Aggregates in order; a key that is selected as its text."""
    outputs: list[_Output | str] = []
    for item in asked.select.expressions:
        node = item.this if isinstance(item, exp.Alias) else item
        name = item.alias if isinstance(item, exp.Alias) else node.sql(comments=False).lower()
        if type(node) in _NAMES:
            outputs.append(_output(asked, node, name))
        elif node.sql(comments=False) in [key.sql for key in keys]:
            outputs.append(node.sql(comments=False))
        else:
            asked.refuse(node, "select aggregates, and what GROUP BY names", "not-an-aggregate")
    if not any(isinstance(each, _Output) for each in outputs):
        asked.refuse(asked.select, "select at least one aggregate", "no-aggregate")
    return outputs


def _output(asked: Asked, node: exp.Expr, name: str) -> _Output:
    aggregate, argument = _NAMES[type(node)], node.this
    over: Literal["edges", "left", "right"] = (
        "edges" if "edges" in asked.tables.values() else next(iter(asked.tables.values()))
    )
    if isinstance(argument, exp.Distinct):
        return _distinct(asked, node, argument, aggregate, name)
    if aggregate == "count" and isinstance(argument, exp.Star):
        return _Output(name, asked.graph, Question("count", over), {})
    if argument is None or isinstance(argument, exp.Star):
        asked.refuse(node, "an aggregate takes one expression", "not-allowed")
    while isinstance(argument, exp.Paren):
        argument = argument.this
    if isinstance(argument, exp.Subquery):
        return _links(asked, node, argument, aggregate, name, over)
    return _of_value(asked, node, argument, aggregate, name, over)


def _distinct(
    asked: Asked, node: exp.Expr, argument: exp.Distinct, aggregate: Name, name: str
) -> _Output:
    """COUNT(DISTINCT key): entities of a side that are linked to a selected one."""
    column = argument.expressions[0] if len(argument.expressions) == 1 else None
    end = asked.is_end(*asked.part_of(column)) if isinstance(column, exp.Column) else None
    if aggregate != "count" or end is None:
        asked.refuse(node, "DISTINCT is for counting keys: count(DISTINCT key)", "not-allowed")
    # Joined through the edges, an entity must have a link, whatever it is linked to.
    linked = Filter() if "edges" in asked.tables.values() else None
    left = linked if end == "right" else None
    right = linked if end == "left" else None
    return _Output(name, asked.graph, Question("count", end, left=left, right=right), {})


def _links(
    asked: Asked, node: exp.Expr, query: exp.Subquery, aggregate: Name, name: str, over: Part
) -> _Output:
    """An aggregate of the number of links that a subquery counts."""
    if over == "edges" or aggregate == "count" or not isinstance(query.this, exp.Select):
        asked.refuse(node, "links are aggregated over the entities of one side", "not-allowed")
    inner = read_select(asked.text, asked.graph, query.this, asked.tables)
    counted = query.this.expressions
    plain = len(counted) == 1 and isinstance(counted[0], exp.Count)
    tied = [each for each in conditions(inner) if joins_key(inner, each)]
    if (
        not plain
        or not isinstance(counted[0].this, exp.Star)
        or len(tied) != 1
        or over in inner.tables.values()
    ):
        asked.refuse(
            query,
            "links are counted by (SELECT count(*) FROM edges … WHERE edges.end = entity.key …)",
            "bad-subquery",
        )
    masks = _masks(inner, (each for each in conditions(inner) if each not in tied))
    return _Output(name, asked.graph, Question(aggregate, over, "links"), masks)


def _of_value(
    asked: Asked,
    node: exp.Expr,
    argument: exp.Expr,
    aggregate: Name,
    name: str,
    over: Part,
) -> _Output:
    part, structural = about(asked, argument)
    if part is None or part == "edges":
        asked.refuse(node, "aggregate an attribute or a degree", "not-allowed")
    if structural:
        if over == "edges" or not isinstance(argument, exp.Anonymous):
            asked.refuse(
                node,
                "a degree is aggregated by itself over the entities of one side",
                "not-allowed",
            )
        return _Output(name, asked.graph, Question(aggregate, over, "degree"), {})
    values = _evaluated(asked, argument, asked.side(part), structural=False)
    if aggregate != "count" and not values.dtype.is_numeric():
        asked.refuse(node, "only numbers can be aggregated here", "sql-types")
    side = asked.side(part)
    richer = replace(side, entities=side.entities.with_columns(values.alias(_VALUE)))
    graph = (
        replace(asked.graph, left=richer) if part == "left" else replace(asked.graph, right=richer)
    )
    return _Output(name, graph, Question(aggregate, over, _VALUE, of=part), {})


def _row(
    asked: Asked,
    keys: list[_Key],
    group: tuple[int, ...],
    outputs: list[_Output | str],
    masks: Masks,
) -> AnswerRow | None:
    """One row; ``None`` if it cannot be there."""
    labels = {key.sql: key.values[at] for key, at in zip(keys, group, strict=True)}
    sure = True
    if keys:
        over: Any = "edges" if "edges" in asked.tables.values() else keys[0].part
        there = _answer(_Output("", asked.graph, Question("count", over), {}), masks)
        if there.hi == 0:
            return None
        sure = there.lo != 0
    shown = {each: labels[each] for each in outputs if isinstance(each, str)}
    answers = {each.name: _answer(each, masks) for each in outputs if isinstance(each, _Output)}
    return AnswerRow(shown, answers, sure)


def _answer(output: _Output, masks: Masks) -> Bounds:
    """Put what is selected into a question and ask it."""
    question = output.question
    merged = dict(masks)
    for where, mask in output.inner.items():
        _narrow(merged, where, mask)
    left = _filter(merged, "left") or question.left
    right = _filter(merged, "right") or question.right
    return ask_graph(output.graph, replace(question, left=left, right=right))


def _filter(masks: Masks, part: Part) -> Filter | None:
    where, nodes = masks.get((part, False)), masks.get((part, True))
    return None if where is None and nodes is None else Filter(where, nodes)
