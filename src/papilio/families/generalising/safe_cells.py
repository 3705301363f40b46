"""One invented row for each class in which exactly one column varies.

The cells of such a class would prove complete rows. With the smallest cells of its rows and of the
invented one they prove none, also to whoever knows this rule: the proof stands with
:class:`papilio.privacy.safe_cells.SafeCells`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, EncodedTable, attributes_of
from papilio.data.table import Described, Role
from papilio.errors import DataError
from papilio.families.classes import Classes
from papilio.kernels.attributes import RANGE, SET, Attributes
from papilio.kernels.codes import Codes
from papilio.policy.policy import Policy
from papilio.privacy.requirement import Requirement, least_size
from papilio.privacy.safe_cells import SafeCells
from papilio.randomness import Randomness
from papilio.release.manifest import Claim

_Codes: TypeAlias = NDArray[np.int64]
#: Prices that differ by less are equal but for rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines that the cells of classes cover: those of their rows, and invented ones.

    Attributes
    ----------
    codes
        The lines, those of a class next to each other.
    starts
        First line of each class, then the number of lines.
    widened
        How many classes have an invented line.
    loss
        What that costs: by how much the mean share of the domain that a cell covers grows.
    """

    codes: Codes
    starts: NDArray[np.int64]
    widened: int
    loss: float

    @property
    def note(self) -> str:
        """What the owner should know of it, in a sentence."""
        return (
            f"Safe cells: {self.widened:,} of {len(self.starts) - 1:,} classes say less on one "
            "more column, so that no complete row follows from the release; cells cover "
            f"{self.loss:.2%} of the domain more on average."
        )


def claim_of_safe_cells(
    requirements: Iterable[Requirement], table: Described, recipient: str
) -> Claim:
    """What a table with safe cells claims; none of its columns follows another."""
    names = tuple(each.name for each in table.columns if each.role is Role.QUASI)
    said = SafeCells(least_size(requirements), names)
    return Claim(said.name, table.name, recipient, names, said.parameters())


def check_can_vary(columns: Sequence[EncodedColumn]) -> None:
    """Refuse a table of which not every class could have two columns that vary.

    Of a column with so many values that its codes are different in each piece nobody knows if a
    piece has two of them, so it does not count.

    Raises
    ------
    DataError
        If there are not two columns with two values each.
    """
    several = [each for each in columns if each.span is None and _known(each) > 1]
    if len(several) < 2:
        raise DataError(
            "cells: safe needs two quasi-identifiers with several values each, and this table has "
            f"{len(several)}; give another column the role quasi, or leave out cells: safe",
            reason="no-safe-cells",
        )


def safe_lines(table: EncodedTable, classes: Classes, randomness: Randomness) -> Lines:
    """Rows of classes, and an invented line for each class in which one column varies.

    The line has the values of a row of its class but on one other column, where it has the value
    that makes the cell wider by as little as possible. Among equally cheap columns and values
    chance decides.

    Parameters
    ----------
    table, classes
        Codes of a table, and which rows are in one class.
    randomness
        Decides between equally cheap values.

    Raises
    ------
    DataError
        If there is no such value for some class; see :func:`check_can_vary`.

    Notes
    -----
    Cost: O(n d), and a price for two values of each column for each such class.
    """
    codes, starts = table.codes[classes.rows], classes.starts
    width = len(table.columns)
    low = np.minimum.reduceat(codes[:, :width], starts[:-1], axis=0).astype(np.int64)
    varies = low != np.maximum.reduceat(codes[:, :width], starts[:-1], axis=0)
    chosen = np.flatnonzero(varies.sum(axis=1) == 1)
    if not len(chosen):
        return Lines(codes, starts, 0, 0.0)
    places, values, prices = _cheapest(table, low[chosen], varies[chosen], randomness)
    lines = codes[starts[chosen]]
    lines[np.arange(len(chosen)), places] = values
    whole = np.insert(codes, starts[chosen + 1], lines, axis=0)
    more = np.zeros(len(starts), np.int64)
    more[chosen + 1] = 1
    loss = float((prices * classes.sizes[chosen]).sum()) / (len(classes.rows) * width)
    return Lines(whole, starts + np.cumsum(more), len(chosen), loss)


def lines_of(
    table: EncodedTable, classes: Classes, policy: Policy, randomness: Randomness
) -> Lines | None:
    """Lines that cells are to cover under a policy; ``None`` where rows are all."""
    return safe_lines(table, classes, randomness) if policy.safe_cells else None


def safe_box(box: EncodedTable, randomness: Randomness) -> EncodedTable:
    """Lines that stand for one class, and the invented one if it needs it."""
    rows = np.arange(box.height, dtype=np.int32)
    one = Classes(rows, np.array([0, box.height], np.int64))
    return EncodedTable(safe_lines(box, one, randomness).codes, box.columns)


def _cheapest(
    table: EncodedTable, low: _Codes, varies: NDArray[np.bool_], randomness: Randomness
) -> tuple[_Codes, _Codes, NDArray[np.float64]]:
    """For each class, the column that is widened, by which value, and what that costs."""
    attributes = attributes_of(table)
    found = [
        _options(column, place, attributes, low[:, place], randomness)
        for place, column in enumerate(table.columns)
    ]
    values = np.concatenate([each for each, _ in found], axis=1)
    prices = np.concatenate([each for _, each in found], axis=1)
    prices[np.repeat(varies, 2, axis=1)] = np.inf
    least = prices.min(axis=1)
    if not np.isfinite(least).all():
        raise DataError(
            f"cells: safe: {int((~np.isfinite(least)).sum())} classes have no second column with "
            "several values within their piece of the table; leave out the memory limit, or cells: "
            "safe",
            reason="no-safe-cells",
        )
    keys = randomness.keys(prices.size).reshape(prices.shape) >> np.uint64(1)
    keys[prices > least[:, None] + _ROUNDING] = np.iinfo(np.uint64).max
    which = keys.argmin(axis=1)
    line = np.arange(len(low))
    return which // 2, values[line, which], prices[line, which]


def _options(
    column: EncodedColumn,
    place: int,
    attributes: Attributes,
    code: _Codes,
    randomness: Randomness,
) -> tuple[_Codes, NDArray[np.float64]]:
    """Two values beside the one that each class has, and what the wider cell costs.

    Neighbours where values have an order or a tree, since no other widens it by less; any of the
    others where they have none, or where the class has NULL. NULL is never invented.
    """
    first, size = int(column.has_null), len(column.values)
    drawn = _another(code, first, size, randomness)
    ordered = column.kind != SET
    beside = np.stack([code - 1, code + 1] if ordered else [drawn, drawn], axis=1)
    null = code < first
    beside[null] = drawn[null, None]
    possible = (beside >= first) & (beside < size) & (_known(column) > (~null)[:, None])
    beside = np.where(possible, beside, code[:, None])
    prices = _prices(column, place, attributes, code, beside)
    if not ordered:
        # One draw, not two.
        possible[:, 1] = False
    return beside, np.where(possible, prices, np.inf)


def _known(column: EncodedColumn) -> int:
    """How many values besides NULL a column has."""
    return len(column.values) - int(column.has_null)


def _another(code: _Codes, first: int, size: int, randomness: Randomness) -> _Codes:
    """A value other than the given one and NULL, each equally likely; any if there is none."""
    others = np.maximum(size - first - (code >= first), 1)
    drawn = first + (randomness.keys(len(code)) % others.astype(np.uint64)).astype(np.int64)
    other: _Codes = np.where((code >= first) & (drawn >= code), drawn + 1, drawn)
    return other


def _prices(
    column: EncodedColumn, place: int, attributes: Attributes, code: _Codes, beside: _Codes
) -> NDArray[np.float64]:
    """Share of the domain that a cell of the two values covers."""
    if column.kind == SET:
        return np.full(beside.shape, 1 / max(len(column.values) - 1, 1))
    low, high = np.minimum(code[:, None], beside), np.maximum(code[:, None], beside)
    if column.kind == RANGE:
        start = attributes.position_start[place]
        width = attributes.position[start + high] - attributes.position[start + low]
        share: NDArray[np.float64] = np.minimum(width, 1.0)
        return share
    tree = column.hierarchy
    assert tree is not None  # noqa: S101 - a TREE column has one by definition
    return tree.loss[tree.common_ancestors(low.ravel(), high.ravel())].reshape(low.shape)
