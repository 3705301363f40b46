"""Hierarchies of numbers by nested half-open intervals."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal

import polars as pl

from papilio.data.hierarchy.rules import IntervalsRule
from papilio.data.hierarchy.text import canonical_text
from papilio.data.hierarchy.tree import ROOT, Hierarchy, from_leaf_paths
from papilio.errors import DataError

# More digits than any number of a column has: 17 in a float, 39 in the widest integer or decimal.
_EXACT = Context(prec=60)


def by_intervals(
    values: pl.Series, widths: Sequence[int | float], origin: int | float = 0
) -> Hierarchy:
    """Build the tree whose levels are intervals of growing width.

    On the level of width w a number v lies in the interval [o + i w, o + (i + 1) w) with
    i = floor((v - o) / w), o the origin. It is labelled ``[20, 40)``: 20 belongs to it, 40 does
    not. The root is ``*``.

    All numbers count as they are written in decimal: v as its canonical text, w and o as given.
    The arithmetic is exact, so a label is right about a number on its edge both for a reader who
    compares decimals and for one who compares floating numbers.

    Parameters
    ----------
    values
        Distinct numbers without NULL.
    widths
        Widths, one a level: positive, each a larger multiple of the one before.
    origin
        Where an interval of every level starts.

    Raises
    ------
    PolicyError
        If ``widths`` or ``origin`` are not such numbers.
    DataError
        If an interval is so narrow that floating numbers of the column's size cannot tell its
        ends apart.

    Notes
    -----
    Cost: the number of values times the number of levels.
    """
    rule = IntervalsRule(tuple(widths), origin)
    texts = canonical_text(values.sort()).to_list()
    decimals = _decimals([*rule.widths, rule.origin])
    start = _on_grid(str(rule.origin), decimals)
    cells = [_on_grid(text, decimals) - start for text in texts]
    levels: list[list[str]] = []
    for width in rule.widths:
        step = _on_grid(str(width), decimals)
        lows = [start + cell // step * step for cell in cells]
        ends = {low: (_number(low, decimals), _number(low + step, decimals)) for low in lows}
        if values.dtype.is_float():
            _check_readable(values.name, texts, [ends[low] for low in lows])
        levels.append(["[{}, {})".format(*ends[low]) for low in lows])
    paths = [(*path, ROOT) for path in zip(texts, *levels, strict=True)]
    return from_leaf_paths(paths, {"intervals": list(rule.widths), "origin": rule.origin})


def _decimals(numbers: Sequence[int | float]) -> int:
    """Digits after the point that hold all these numbers."""
    exponents = (Decimal(str(number)).normalize().as_tuple().exponent for number in numbers)
    return max(0, *(-exponent for exponent in exponents if isinstance(exponent, int)))


def _on_grid(text: str, decimals: int) -> int:
    """Largest whole number of grid steps, of 10 to the minus ``decimals``, not above a number.

    All ends of intervals lie on the grid, so a number and its grid point are in the same ones.
    """
    return int(Decimal(text).scaleb(decimals, _EXACT).to_integral_value(ROUND_FLOOR, _EXACT))


def _number(steps: int, decimals: int) -> str:
    """Write a grid point in decimal, whole numbers without a point."""
    sign = "-" if steps < 0 else ""
    whole, part = divmod(abs(steps), 10**decimals)
    fraction = f".{part:0{decimals}d}".rstrip("0") if part else ""
    return f"{sign}{whole}{fraction}"


def _check_readable(name: str, texts: Sequence[str], ends: Sequence[tuple[str, str]]) -> None:
    """Refuse intervals that say something else when read as floating numbers."""
    wrong = sum(
        not float(low) <= float(text) < float(high)
        for text, (low, high) in zip(texts, ends, strict=True)
    )
    if wrong:
        raise DataError(
            f"column '{name}': {wrong} distinct numbers are too large for such narrow intervals; "
            "wider intervals are accepted",
            reason="interval-too-narrow",
        )
