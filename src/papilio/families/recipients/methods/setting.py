"""What every step of a run for several recipients needs to know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, attributes_of
from papilio.kernels.attributes import Attributes
from papilio.kernels.boxes import Shape, shape_of
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.even_units import middle_codes
from papilio.privacy.requirement import Share, demand_together

#: The attributes a recipient knows, by their places in the table.
Known: TypeAlias = frozenset[int]


@dataclass(frozen=True)
class Plan:
    """How a block of rows is divided for some recipients.

    All rows of the block get equal cells on the body. Each branch is then solved inside the block
    without regard to the others: no two of them have an attribute in common.

    Attributes
    ----------
    recipients
        What each recipient knows of ``attributes``; none knows all that another knows.
    body
        Attributes on which a block is one cell.
    branches
        What is solved apart; a wing, which has one recipient, has neither body nor branches.
    """

    recipients: tuple[Known, ...]
    body: tuple[int, ...] = ()
    branches: tuple[Plan, ...] = ()

    @property
    def attributes(self) -> tuple[int, ...]:
        """All attributes, in the order of the table."""
        return tuple(sorted(frozenset().union(*self.recipients)))

    @property
    def is_wing(self) -> bool:
        """Whether there is a single recipient, so that nothing is shared."""
        return len(self.recipients) == 1


def wing(recipient: Known) -> Plan:
    """Plan for one recipient."""
    return Plan((recipient,))


def widest(recipients: Iterable[Known]) -> tuple[Known, ...]:
    """Recipients who are not contained in another, each once and in a fixed order.

    Whoever knows less sees unions of the other's classes; every requirement is closed under union
    of classes, so what holds for the one who knows more holds for both. If more is demanded for the
    one who knows less, it has to be demanded of the finer classes too; see
    :meth:`Setting.demand_on`.
    """
    different = set(recipients)
    kept = [each for each in different if not any(each < other for other in different)]
    return tuple(sorted((each for each in kept if each), key=sorted))


def without(recipients: Iterable[Known], body: Iterable[int]) -> tuple[Known, ...]:
    """Recipients of a block whose cells on the body are all equal: what is left to them."""
    return widest(each.difference(body) for each in recipients)


@dataclass(frozen=True, eq=False)
class View:
    """A table with some of its attributes.

    Attributes
    ----------
    places
        Which attributes of the table, in order.
    table
        The codes of all rows on them, and what they mean.
    attributes, shape
        The same for kernels.
    """

    places: tuple[int, ...]
    table: EncodedTable
    attributes: Attributes
    shape: Shape


def view_of(table: EncodedTable, places: Sequence[int]) -> View:
    """Take some attributes of a table; there is at least one.

    Cost: a copy of their codes.
    """
    chosen = EncodedTable(_padded(table.codes, places), tuple(table.columns[p] for p in places))
    attributes = attributes_of(chosen)
    return View(tuple(places), chosen, attributes, shape_of(attributes))


def _padded(codes: Codes, places: Sequence[int]) -> Codes:
    """Some columns of codes, padded to a multiple of eight bytes per row."""
    per_word = 8 // codes.dtype.itemsize
    padded = np.zeros((len(codes), -(-len(places) // per_word) * per_word), codes.dtype)
    for column, place in enumerate(places):
        padded[:, column] = codes[:, place]
    return padded


WingMethod: TypeAlias = str


@dataclass(frozen=True, eq=False)
class Setting:
    """A table, what is demanded of it, and the choices of a run.

    Attributes
    ----------
    table
        The quasi-identifiers.
    demand
        What each class of each recipient must satisfy.
    together
        Least size of a class on the union of what all recipients know; 1 demands nothing.
    wings
        Generalising method of the wings.
    keys
        A random key per row, for ties.
    own
        What each recipient knows, and which part of the demand is meant for them; nothing if all
        of it is meant for everybody.
    """

    table: EncodedTable
    demand: Demand
    together: int
    wings: WingMethod
    keys: NDArray[np.uint64]
    own: tuple[tuple[Known, Share], ...] = ()
    _views: dict[tuple[int, ...], View] = field(default_factory=dict, repr=False)

    @cached_property
    def scratch(self) -> NDArray[np.int64]:
        """Room for a number per row of the table, for whoever works on some rows."""
        return np.empty(self.table.height, np.int64)

    @property
    def union_demand(self) -> Demand:
        """What a class on the union must satisfy to be published as it is."""
        return demand_together(self.demand, self.together)

    @cached_property
    def together_demand(self) -> Demand:
        """What all recipients together must not fall below: a size, over people if demanded so."""
        return demand_together(self.demand, self.together, alone=True)

    def demand_on(self, places: Iterable[int]) -> Demand:
        """What classes of a wing on some attributes must satisfy.

        It is meant for every recipient who knows one of them: no other wing of the block has any
        that such a recipient knows, so what they see are unions of these classes. Whoever knows
        none of them sees the block as a whole, which meets all of the demand.
        """
        wing = frozenset(places)
        return self._part(tuple(share for known, share in self.own if known & wing))

    def demand_within(self, known: Known) -> Demand:
        """What is meant for a recipient, and for all who know a part of what they know."""
        return self._part(tuple(share for other, share in self.own if other <= known))

    def _part(self, shares: tuple[Share, ...]) -> Demand:
        return reduce(or_, shares).of(self.demand) if shares else self.demand

    def view(self, places: Sequence[int]) -> View:
        """Some attributes of the table; made once."""
        chosen = tuple(places)
        if chosen not in self._views:
            self._views[chosen] = view_of(self.table, chosen)
        return self._views[chosen]


@dataclass(frozen=True, eq=False)
class Points:
    """Rows to be divided.

    Attributes
    ----------
    rows
        Source row numbers; the rows of a unit next to each other.
    unit
        Unit of each of these rows, which is never divided; ``None`` if each row is its own.
    """

    rows: NDArray[np.int32]
    unit: NDArray[np.int64] | None = None

    def lines(self, view: View) -> Codes:
        """Codes by which the rows are cut: their own, or those of the middle of their unit."""
        codes = view.table.codes[self.rows]
        return codes if self.unit is None else middle_codes(codes, self.starts)

    @property
    def starts(self) -> NDArray[np.int64]:
        """First place of each unit in ``rows``, then their number."""
        if self.unit is None:
            return np.arange(len(self.rows) + 1)
        ends = np.flatnonzero(np.diff(self.unit)) + 1
        return np.concatenate([[0], ends, [len(self.rows)]]).astype(np.int64)
