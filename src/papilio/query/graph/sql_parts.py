"""The tables, joins and conditions of a query over a graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn

import sqlglot
from sqlglot import errors, exp

from papilio.query.graph.grouped import GroupedGraph, GroupedSide
from papilio.query.refusal import AGGREGATES, EXPRESSIONS, QueryError
from papilio.query.sql import DIALECTS

Part = Literal["left", "right", "edges"]

#: The function that gives the number of links of an entity.
DEGREE = "degree"

#: Clauses of a SELECT that are understood.
_CLAUSES = {"expressions", "from_", "joins", "where", "group"}


@dataclass(frozen=True, eq=False)
class Asked:
    """A SELECT over tables of a graph.

    Attributes
    ----------
    text
        The query.
    graph
        The graph.
    select
        The syntax tree.
    tables
        Which part each name in the query stands for.
    outer
        The same of the query around it, if there is one.
    """

    text: str
    graph: GroupedGraph
    select: exp.Select
    tables: dict[str, Part]
    outer: dict[str, Part]

    def refuse(self, node: exp.Expr | None, message: str, reason: str) -> NoReturn:
        """Refuse the query because of a node."""
        raise QueryError(message, reason=reason, sql=self.text, span=_span(node))

    def side(self, part: Part) -> GroupedSide:
        """Entities of a side."""
        return self.graph.left if part == "left" else self.graph.right

    def part_of(self, column: exp.Column) -> tuple[Part, str]:
        """Which part a column belongs to, and its name there.

        Keys of entities and ends of edges are columns too, though they hold masked numbers.
        """
        known = {**self.outer, **self.tables}
        if column.table:
            part = known.get(column.table.casefold())
            if part is None:
                self.refuse(column, f"no table '{column.table}' in FROM", "unknown-table")
            name = _named(column.name, self.columns(part))
            if name is None:
                self.refuse(
                    column, f"'{column.table}' has no column '{column.name}'", "unknown-column"
                )
            return part, name
        found = [
            (part, name)
            for part in dict.fromkeys(self.tables.values())
            if (name := _named(column.name, self.columns(part))) is not None
        ]
        if len(found) != 1:
            what = "no table in FROM has it" if not found else "several tables have it; qualify it"
            self.refuse(column, f"column '{column.name}': {what}", "unknown-column")
        return found[0]

    def columns(self, part: Part) -> tuple[str, ...]:
        """Columns of a part."""
        if part == "edges":
            return self.graph.columns
        return (self.side(part).key, *self.side(part).entities.columns)

    def is_end(self, part: Part, name: str) -> Literal["left", "right"] | None:
        """Which side a key or an end of an edge stands for; ``None`` for an attribute."""
        if part == "edges":
            return "left" if name == self.graph.columns[0] else "right"
        return part if name == self.side(part).key else None


def parse_graph(text: str, graph: GroupedGraph, dialect: str) -> Asked:
    """Parse a query over a graph."""
    if dialect not in DIALECTS:
        raise QueryError(
            f"unknown dialect '{dialect}'; use one of {', '.join(DIALECTS)}",
            reason="unknown-dialect",
        )
    try:
        found = [each for each in sqlglot.parse(text, read=dialect) if each is not None]
    except (errors.SqlglotError, RecursionError):
        raise QueryError("the query has a syntax error", reason="sql-syntax", sql=text) from None
    if len(found) != 1 or not isinstance(found[0], exp.Select):
        raise QueryError("a query is one SELECT statement", reason="not-a-select", sql=text)
    return read_select(text, graph, found[0], {})


def read_select(
    text: str, graph: GroupedGraph, select: exp.Select, outer: dict[str, Part]
) -> Asked:
    """Find out which tables a SELECT is over, and check how they are joined."""
    asked = Asked(text, graph, select, {}, outer)
    for name, value in select.args.items():
        if name not in _CLAUSES and value:
            node = value[0] if isinstance(value, list) else value
            asked.refuse(
                node if isinstance(node, exp.Expr) else None,
                "a query over a graph is SELECT … FROM … JOIN … ON … WHERE … GROUP BY …",
                "clause-not-allowed",
            )
    source = select.args.get("from_")
    if source is None:
        asked.refuse(select, "name a table of the graph in FROM", "not-one-table")
    _add_table(asked, source.this)
    for join in select.args.get("joins") or ():
        _add_join(asked, join)
    if len(asked.tables) > 1 and "edges" not in asked.tables.values():
        asked.refuse(source, "entities are joined through the table of edges", "bad-join")
    return asked


def _add_table(asked: Asked, table: exp.Expr) -> Part:
    plain = isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier)
    if not plain or {key for key, value in table.args.items() if value} - {"this", "alias"}:
        asked.refuse(table, "FROM takes tables of the graph", "not-one-table")
    graph = asked.graph
    parts: dict[str, Part] = {
        graph.left.name.casefold(): "left",
        graph.right.name.casefold(): "right",
        graph.name.casefold(): "edges",
    }
    part = parts.get(table.name.casefold())
    if part is None:
        names = f"{graph.left.name}, {graph.right.name}, {graph.name}"
        asked.refuse(table, f"no table '{table.name}'; the graph has {names}", "unknown-table")
    if part in asked.tables.values():
        asked.refuse(table, "each table of the graph may stand in FROM once", "bad-join")
    asked.tables[(table.alias or table.name).casefold()] = part
    return part


def _add_join(asked: Asked, join: exp.Join) -> None:
    if join.side or join.kind not in ("", "INNER"):
        asked.refuse(join, "only inner joins can be bounded", "bad-join")
    part = _add_table(asked, join.this)
    using = join.args.get("using")
    if using:
        names = [each.name.casefold() for each in using]
        ends = asked.graph.columns
        keys = (asked.graph.left.key, asked.graph.right.key)
        other = part if part != "edges" else _only_side(asked, join)
        place = 0 if other == "left" else 1
        if names != [ends[place].casefold()] or names != [keys[place].casefold()]:
            asked.refuse(join, "USING needs the key's name on both sides", "bad-join")
        return
    condition = join.args.get("on")
    if condition is None or not joins_key(asked, condition):
        asked.refuse(
            join, "tables are joined by ON, an entity's key = its end in the edges", "bad-join"
        )


def _only_side(asked: Asked, join: exp.Join) -> Part:
    sides = [part for part in asked.tables.values() if part != "edges"]
    if len(sides) != 1:
        asked.refuse(join, "join one table after the other", "bad-join")
    return sides[0]


def joins_key(asked: Asked, condition: exp.Expr) -> bool:
    """Whether a condition says that an entity is the end of an edge."""
    while isinstance(condition, exp.Paren):
        condition = condition.this
    if not isinstance(condition, exp.EQ):
        return False
    ends = (condition.left, condition.right)
    if not all(isinstance(each, exp.Column) for each in ends):
        return False
    parts = [asked.part_of(each) for each in ends]  # type: ignore[arg-type]
    kinds = {part for part, _ in parts}
    sides = {asked.is_end(part, name) for part, name in parts}
    return "edges" in kinds and len(kinds) == 2 and len(sides) == 1 and None not in sides


def conditions(asked: Asked) -> Iterator[exp.Expr]:
    """Conditions of WHERE that must all hold."""
    where = asked.select.args.get("where")
    yield from _conjuncts(where.this) if where is not None else ()


def _conjuncts(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node, exp.And):
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    elif isinstance(node, exp.Paren) and isinstance(node.this, exp.And):
        yield from _conjuncts(node.this)
    else:
        yield node


def about(asked: Asked, node: exp.Expr) -> tuple[Part | None, bool]:
    """Which side an expression is about, and whether about its structure instead of attributes.

    Raises
    ------
    QueryError
        If it is about both, or uses something that is not on the list.
    """
    found: set[tuple[Part, bool]] = set()
    for each in node.walk():
        if isinstance(each, exp.Anonymous) and each.name.casefold() == DEGREE:
            found.add((_degree_of(asked, each), True))
        elif isinstance(each, exp.Column) and not isinstance(each.parent, exp.Anonymous):
            part, name = asked.part_of(each)
            if asked.is_end(part, name) is not None:
                asked.refuse(
                    each, "keys are masked; they may be joined and counted only", "masked-key"
                )
            found.add((part, False))
        elif isinstance(each, AGGREGATES) or not (
            type(each) in EXPRESSIONS or isinstance(each, exp.Column)
        ):
            asked.refuse(each, "this cannot stand in a condition or a value here", "not-allowed")
    if len(found) > 1:
        asked.refuse(
            node,
            "a condition is about the attributes or the degree of one side; join several by AND",
            "mixed-condition",
        )
    return found.pop() if found else (None, False)


def _degree_of(asked: Asked, call: exp.Anonymous) -> Part:
    names = [each.name.casefold() for each in call.expressions]
    part = {**asked.outer, **asked.tables}.get(names[0]) if len(names) == 1 else None
    if part is None or part == "edges":
        asked.refuse(call, "degree takes a table of entities in FROM", "unknown-table")
    return part


def _named(name: str, known: tuple[str, ...]) -> str | None:
    if name in known:
        return name
    alike = [each for each in known if each.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else None


def _span(node: exp.Expr | None) -> tuple[int, int] | None:
    places = [
        (each.meta["start"], each.meta["end"])
        for each in (node.walk() if node is not None else ())
        if "start" in each.meta
    ]
    if not places:
        return None
    return min(start for start, _ in places), max(end for _, end in places)
