"""What a query asks: groups, aggregates, conditions, order; every name resolved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from sqlglot import exp

from papilio.errors import InternalError
from papilio.query.refusal import AGGREGATES
from papilio.query.sql import Question
from papilio.query.subject import Field, Known, Subject, bare, fresh_name, function_of, name_of


@dataclass(frozen=True, eq=False)
class Key:
    """An expression of ``GROUP BY``; ``label`` is its name inside the rewritten query."""

    expression: exp.Expr
    label: str


@dataclass(frozen=True, eq=False)
class Aggregate:
    """An aggregate of the query.

    Attributes
    ----------
    function
        ``sum``, ``avg``, ``min``, ``max``, ``count``, ``count_star`` or ``count_distinct``; an
        exact aggregate may be ``sum_distinct`` or ``avg_distinct`` too.
    argument
        What it is taken over; ``None`` for ``COUNT(*)``.
    node
        As it stands in the query, names resolved.
    exact
        Whether the release determines it.
    label
        Its name inside the rewritten query.
    """

    function: str
    argument: exp.Expr | None
    node: exp.Expr
    exact: bool
    label: str


@dataclass(frozen=True, eq=False)
class Output:
    """A column of the answer.

    Attributes
    ----------
    name
        Its alias, or the expression itself.
    expression
        Over labels of keys and of exact aggregates; for a bounded aggregate ``None``.
    bounded
        The aggregate, if the column is one that is bounded.
    grouped
        Whether it says which group the row is about.
    """

    name: str
    expression: exp.Expr | None
    bounded: Aggregate | None
    grouped: bool

    @property
    def aggregate(self) -> Aggregate:
        """The bounded aggregate, where there is no expression."""
        if self.bounded is None:
            raise InternalError("a column of an answer is neither", reason="no-aggregate")
        return self.bounded


@dataclass(frozen=True, eq=False)
class Order:
    """One expression of ``ORDER BY``: over labels, or a bounded aggregate."""

    expression: exp.Expr | None
    bounded: Aggregate | None
    descending: bool
    nulls_first: bool

    @property
    def aggregate(self) -> Aggregate:
        """The bounded aggregate, where there is no expression."""
        if self.bounded is None:
            raise InternalError("an order is neither", reason="no-aggregate")
        return self.bounded


@dataclass(frozen=True, eq=False)
class Plan:
    """What a query asks.

    Attributes
    ----------
    question
        The query, for refusals.
    subject
        What it asks about.
    where
        Condition on rows; names resolved.
    uncertain
        Whether ``where`` uses a column of which only possible values are known.
    grouped
        Whether there is a ``GROUP BY``.
    keys, aggregates, outputs, order
        See their classes.
    having
        Condition on groups, over labels.
    limit, offset
        Rows wanted and skipped.
    """

    question: Question
    subject: Subject
    where: exp.Expr | None
    uncertain: bool
    grouped: bool
    keys: tuple[Key, ...]
    aggregates: tuple[Aggregate, ...]
    outputs: tuple[Output, ...]
    having: exp.Expr | None
    order: tuple[Order, ...]
    limit: int | None
    offset: int | None

    @property
    def bounded(self) -> tuple[Aggregate, ...]:
        """Aggregates that the release does not determine."""
        return tuple(each for each in self.aggregates if not each.exact)


def make_plan(question: Question, subject: Subject) -> Plan:
    """Find out what is asked.

    Raises
    ------
    QueryError
        If a name is unknown, or something is asked that cannot be bounded.
    """
    subject.check_table(question)
    return _Planner(question, subject).plan()


class _Planner:
    """Goes through the clauses once; keeps what was found so far."""

    def __init__(self, question: Question, subject: Subject) -> None:
        self.question = question
        self.subject = subject
        self.select: exp.Select = question.select.copy()
        self.items = list(self.select.expressions)
        self.keys: list[Key] = []
        self.aggregates: list[Aggregate] = []
        self.where: exp.Expr | None = None
        self.uncertain = False

    def plan(self) -> Plan:
        self._where()
        grouped = self._group()
        outputs = self._outputs()
        having = self._having()
        order = self._order()
        limit, offset = self._number("limit"), self._number("offset")
        self._check_limit(order, limit, offset, grouped)
        if not grouped and not self.aggregates:
            self._refuse(
                self.items[0],
                "a query asks for aggregates; rows are in the table of the release itself",
                "no-aggregate",
            )
        return Plan(
            self.question, self.subject, self.where, self.uncertain, grouped, tuple(self.keys),
            tuple(self.aggregates), outputs, having, order, limit, offset,
        )  # fmt: skip

    def _refuse(self, node: exp.Expr | None, message: str, reason: str) -> NoReturn:
        self.question.refuse(node, message, reason)

    # -- rows ------------------------------------------------------------------------------------

    def _where(self) -> None:
        clause = self.select.args.get("where")
        if clause is None:
            return
        if clause.find(*AGGREGATES):
            self._refuse(clause.find(*AGGREGATES), "WHERE has no aggregates", "aggregate-in-where")
        for field, node in self._fields(clause.this):
            self._not_hidden(field, node, "WHERE")
            self.uncertain |= field.known is Known.VAGUE
        self.where = self._resolved(clause.this)

    def _fields(self, expression: exp.Expr) -> list[tuple[Field, exp.Column]]:
        return [
            (self.subject.find(self.question, node), node)
            for node in expression.find_all(exp.Column)
        ]

    def _not_hidden(self, field: Field, node: exp.Expr, where: str) -> None:
        if field.known is Known.HIDDEN:
            self._refuse(
                node,
                f"'{field.name}' is sensitive: the release does not say whose values are whose, so "
                f"it cannot stand in {where}; ask for SUM, AVG, MIN, MAX or COUNT of it",
                "sensitive-column",
            )

    def _resolved(self, expression: exp.Expr) -> exp.Expr:
        """Replace columns by their names in the source, quoted and without a table."""

        def name(node: exp.Expr) -> exp.Expr:
            if not isinstance(node, exp.Column):
                return node
            found = exp.column(exp.to_identifier(self._field(node).name, quoted=True))
            found.this.update_positions(node.this)
            return found

        return expression.copy().transform(name, copy=False)

    def _field(self, node: exp.Column) -> Field:
        return self.subject.find(self.question, node)

    # -- groups ----------------------------------------------------------------------------------

    def _group(self) -> bool:
        clause = self.select.args.get("group")
        if clause is None:
            return False
        if any(value for name, value in clause.args.items() if name not in ("expressions", "all")):
            self._refuse(clause, "GROUP BY takes a list of expressions here", "clause-not-allowed")
        wanted = list(clause.expressions)
        if clause.args.get("all"):
            wanted = [bare(item) for item in self.items if not item.find(*AGGREGATES)]
        for node in wanted:
            self._key(self._meant(node, columns_first=True))
        return True

    def _key(self, node: exp.Expr) -> None:
        if node.find(*AGGREGATES):
            self._refuse(node, "GROUP BY has no aggregates", "aggregate-in-group-by")
        for field, column in self._fields(node):
            self._not_hidden(field, column, "GROUP BY")
            if field.known is Known.VAGUE:
                self._refuse(
                    column,
                    f"'{field.name}' is generalised: rows cannot be told apart by it; only columns "
                    "whose cells are single values can stand in GROUP BY",
                    "generalised-column",
                )
        resolved = self._resolved(node)
        if all(key.expression != resolved for key in self.keys):
            self.keys.append(Key(resolved, f"k{len(self.keys) + 1}"))

    def _meant(self, node: exp.Expr, *, columns_first: bool) -> exp.Expr:
        """What an ordinal or an alias stands for, else the node itself."""
        if isinstance(node, exp.Literal) and not node.is_string:
            return self._ordinal(node)
        if not isinstance(node, exp.Column) or node.table:
            return node
        known = {name.casefold() for name in self.subject.fields}
        if columns_first and node.name.casefold() in known:
            return node
        for item in self.items:
            if isinstance(item, exp.Alias) and item.alias.casefold() == node.name.casefold():
                return bare(item)
        return node

    def _ordinal(self, node: exp.Literal) -> exp.Expr:
        if node.this.isdigit() and 1 <= int(node.this) <= len(self.items):
            return bare(self.items[int(node.this) - 1])
        return self._refuse(node, f"there is no column {node.this} in SELECT", "unknown-column")

    # -- what is selected ------------------------------------------------------------------------

    def _outputs(self) -> tuple[Output, ...]:
        names: list[str] = []
        outputs = []
        for item in self.items:
            name = (
                item.alias if isinstance(item, exp.Alias) else name_of(item, self.question.dialect)
            )
            names.append(fresh_name(name, names))
            outputs.append(self._output(bare(item), names[-1]))
        return tuple(outputs)

    def _output(self, node: exp.Expr, name: str) -> Output:
        bare = node.unnest()
        if isinstance(bare, AGGREGATES):
            aggregate = self._aggregate(bare)
            if not aggregate.exact:
                return Output(name, None, aggregate, grouped=False)
        bound = self._bound(node, "an expression over it; select the aggregate by itself")
        return Output(name, bound, None, grouped=node.find(*AGGREGATES) is None)

    def _bound(self, node: exp.Expr, where: str) -> exp.Expr:
        """Write an expression over the labels of keys and exact aggregates."""
        for key in self.keys:
            if self._resolves_to(node, key.expression):
                return exp.column(key.label)
        if isinstance(node, AGGREGATES):
            aggregate = self._aggregate(node)
            if not aggregate.exact:
                self._refuse(node, f"it is only known within bounds, so it cannot stand in {where}",
                             "bounded-aggregate")  # fmt: skip
            return exp.column(aggregate.label)
        if isinstance(node, exp.Column):
            self._not_hidden(self._field(node), node, "SELECT")
            self._refuse(
                node, f"'{node.name}' must stand in GROUP BY or in an aggregate", "not-grouped"
            )
        copy = node.copy()
        for child, own in zip(
            list(copy.iter_expressions()), list(node.iter_expressions()), strict=True
        ):
            if not isinstance(child, exp.Identifier | exp.DataType | exp.Var):
                child.replace(self._bound(own, where))
        return copy

    def _resolves_to(self, node: exp.Expr, wanted: exp.Expr) -> bool:
        if isinstance(node, AGGREGATES) or node.find(*AGGREGATES):
            return False
        return type(node) is type(wanted) and self._resolved(node) == wanted

    def _aggregate(self, node: exp.Expr) -> Aggregate:
        resolved = self._resolved(node)
        for each in self.aggregates:
            if each.node == resolved:
                return each
        function, argument = function_of(resolved)
        exact = self._is_exact(node)
        label = f"a{len(self.aggregates) + 1}"
        found = Aggregate(function, argument, resolved, exact, label)
        if not exact:
            self._check_argument(node, found)
        self.aggregates.append(found)
        return found

    def _is_exact(self, node: exp.Expr) -> bool:
        known = {field.known for field, _ in self._fields(node)}
        return not self.uncertain and known <= {Known.EXACT}

    def _check_argument(self, node: exp.Expr, found: Aggregate) -> None:
        """Sensitive and generalised columns stand alone in an aggregate."""
        if found.function.endswith("_distinct") and found.function != "count_distinct":
            self._refuse(node, "DISTINCT can be bounded in COUNT only", "distinct")
        fields = self._fields(node)
        loose = [(field, column) for field, column in fields if field.known is not Known.EXACT]
        if not loose or isinstance(found.argument, exp.Column):
            self._check_cells(found, loose)
            return
        self._refuse(
            loose[0][1],
            f"'{loose[0][0].name}' is not known row by row; it can stand in an aggregate by itself "
            "only, not inside an expression",
            "sensitive-column" if loose[0][0].known is Known.HIDDEN else "generalised-column",
        )

    def _check_cells(self, found: Aggregate, loose: Sequence[tuple[Field, exp.Column]]) -> None:
        for field, column in loose:
            if field.known is not Known.VAGUE or found.function == "count":
                continue
            numbers = field.column.type == "numeric" or found.function in ("min", "max")
            if field.column.cells != "range" or not numbers or found.function == "count_distinct":
                self._refuse(
                    column,
                    f"{found.function.upper().replace('_', ' ')} of the generalised column "
                    f"'{field.name}' cannot be bounded",
                    "generalised-column",
                )

    # -- after grouping --------------------------------------------------------------------------

    def _having(self) -> exp.Expr | None:
        clause = self.select.args.get("having")
        if clause is None:
            return None
        for column in list(clause.find_all(exp.Column)):
            meant = self._meant(column, columns_first=True)
            if meant is not column:
                column.replace(exp.paren(meant.copy()))
        return self._bound(clause.this, "HAVING")

    def _order(self) -> tuple[Order, ...]:
        clause = self.select.args.get("order")
        if clause is None:
            return ()
        return tuple(self._ordered(each) for each in clause.expressions)

    def _ordered(self, node: exp.Ordered) -> Order:
        if node.args.get("with_fill"):
            self._refuse(node, "WITH FILL cannot stand in ORDER BY", "clause-not-allowed")
        descending, first = bool(node.args.get("desc")), bool(node.args.get("nulls_first"))
        meant = self._meant(node.this, columns_first=False)
        if isinstance(meant.unnest(), AGGREGATES):
            aggregate = self._aggregate(meant.unnest())
            if not aggregate.exact:
                return Order(None, aggregate, descending, first)
        return Order(self._bound(meant, "ORDER BY"), None, descending, first)

    def _number(self, name: str) -> int | None:
        clause = self.select.args.get(name)
        if clause is None:
            return None
        node = clause.args.get("expression")
        plain = not any(value for key, value in clause.args.items() if key != "expression")
        if plain and isinstance(node, exp.Literal) and node.this.isdigit() and not node.is_string:
            return int(node.this)
        return self._refuse(
            clause, f"{name.upper()} takes a whole number here", "clause-not-allowed"
        )

    def _check_limit(
        self, order: Sequence[Order], limit: int | None, offset: int | None, grouped: bool
    ) -> None:
        if (limit is None and not offset) or not grouped:
            return
        clause = self.select.args.get("limit") or self.select.args.get("offset")
        if any(each.bounded is not None for each in order):
            self._refuse(
                clause,
                "which rows come first is only known within bounds; leave LIMIT out, or order by "
                "what is exact",
                "bounded-order",
            )
        if self.uncertain:
            self._refuse(
                clause,
                "it is not known for sure which groups there are, so LIMIT cannot be answered",
                "uncertain-groups",
            )
