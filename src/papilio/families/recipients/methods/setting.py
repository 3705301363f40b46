"""What every step of a run for several recipients needs to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.families.recipients.methods.view import View, view_of
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.even_units import middle_codes

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
    """

    table: EncodedTable
    demand: Demand
    together: int
    wings: WingMethod
    keys: NDArray[np.uint64]
    _views: dict[tuple[int, ...], View] = field(default_factory=dict, repr=False)

    @cached_property
    def scratch(self) -> NDArray[np.int64]:
        """Room for a number per row of the table, for whoever works on some rows."""
        return np.empty(self.table.height, np.int64)

    @property
    def union_demand(self) -> Demand:
        """What a class on the union must satisfy to be published as it is."""
        least = max(self.demand.least_size, self.together)
        return self.demand._replace(least_size=least)

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
