"""What a query asks: groups, aggregates, conditions, order; every name resolved."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from papilio.errors import InternalError
from papilio.query.sql import Question
from papilio.query.subject import Subject


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
