"""Numbers to start with, so that nobody has to type one."""

from __future__ import annotations

import math

from papilio.families.family import Family
from papilio.web.forms.facts import TableFacts
from papilio.web.forms.fields import demand_key

#: Steps that are easy to read, per power of ten.
_NICE = (1, 2, 5, 10)


def proposed_size(family: Family, key: str, table: TableFacts | None) -> int:
    """A fair k, or l of a graph, for a family, at most the number of rows."""
    usual = int(demand_key(family, key).words.start)
    return usual if table is None else max(1, min(usual, table.rows))


def proposed_spread(table: TableFacts | None, column: str) -> int | float:
    """An e to start with: about a tenth of the range of the column, 0 if that is not known."""
    found = None if table is None else table.column(column)
    if found is None or not found.spread:
        return 0
    return nice(found.spread / 10)


def nice(number: float) -> int | float:
    """Smallest of 1, 2, 5, 10, 20, 50, … that is not below a positive number."""
    power = 10.0 ** math.floor(math.log10(number))
    step = next(each for each in _NICE if each * power >= number * (1 - 1e-12))
    found = step * power
    return round(found) if found >= 1 else float(f"{found:.12g}")


def proposed_widths(lowest: float, highest: float) -> tuple[int | float, ...]:
    """Widths of three levels of intervals over a range of numbers, each a multiple of the last."""
    spread = highest - lowest
    if not spread > 0:
        return (1, 4, 20)
    width = nice(spread / 20)
    return tuple(_tidy(width * times) for times in (1, 4, 20))


def _tidy(number: float) -> int | float:
    rounded = float(f"{number:.12g}")
    return int(rounded) if rounded.is_integer() else rounded


def proposed_prefixes(longest: int) -> tuple[int, ...]:
    """How many first characters to keep, for values of so many characters."""
    return tuple(range(longest - 1, 0, -1))[:3] or (1,)
