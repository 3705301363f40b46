"""MIN, MAX and AVG where it is not known which nodes count, or how much (type 2).

A node has from ``least`` to ``most`` selected neighbours. Whatever grows with them is bounded by
what the fewest and the most give. Example 8 is MAX of the links of left entities, corrected
(papers D4.12, D4.13): a neighbour counts for the lower bound only if its whole group is selected;
the upper bound is the largest over nodes that may be a selected entity, the lower one the largest
over groups of the a-th smallest, because the a selected entities may sit on the worst nodes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from papilio.query.answer import Bounds
from papilio.query.graph.edge_sums import count_edges, links_of, sum_edges
from papilio.query.graph.grouped import Floats, Selection, bounds
from papilio.query.graph.urns import (
    Urns,
    average_drawn,
    count_drawn,
    entity_urns,
    largest_drawn,
    negative,
    node_urns,
    smallest_drawn,
)

Aggregate = Callable[[Urns], Bounds]


def largest_links(selection: Selection) -> Bounds:
    """MAX over selected left entities of their number of selected neighbours (Example 8)."""
    return _between(selection, largest_drawn)


def smallest_links(selection: Selection) -> Bounds:
    """MIN over selected left entities of their number of selected neighbours."""
    return _between(selection, smallest_drawn)


def average_links(selection: Selection) -> Bounds:
    """AVG over selected left entities of their number of selected neighbours."""
    chosen = selection.left
    count = count_drawn(node_urns(chosen.side, chosen.entities, chosen.nodes, _zeros(selection)))
    if not count.exact:
        return _between(selection, average_drawn)
    return _over(count_edges(selection), count.lo)


def largest_value(selection: Selection, values: Floats) -> Bounds:
    """MAX of a value of the left entities over the edges between selected entities."""
    least, most = (links_of(selection, sure=sure) > 0 for sure in (True, False))
    chosen = selection.left
    widest = largest_drawn(entity_urns(chosen.side, chosen.entities, most, values))
    if (least == most).all():
        return widest
    surest = entity_urns(chosen.side, chosen.entities, least, values)
    low = largest_drawn(surest).lo if surest.least.any() else _least_possible(selection, values)
    return Bounds(low, widest.hi, None, None, exact=False) if low != widest.hi else widest


def smallest_value(selection: Selection, values: Floats) -> Bounds:
    """MIN of a value of the left entities over the edges between selected entities."""
    return negative(largest_value(selection, -values))


def average_value(selection: Selection, values: Floats) -> Bounds:
    """AVG of a value of the left entities over the edges between selected entities."""
    count, total = count_edges(selection), sum_edges(selection, values)
    if count.hi == 0:
        return Bounds.known(None)
    if count.exact:
        return _over(total, count.lo)
    low = _number(smallest_value(selection, values).lo)
    high = _number(largest_value(selection, values).hi)
    if _number(count.lo) > 0:
        parts = [
            _number(s) / _number(c) for s in (total.lo, total.hi) for c in (count.lo, count.hi)
        ]
        low, high = max(low, min(parts)), min(high, max(parts))
    return bounds(low, high, None, None)


def _least_possible(selection: Selection, values: Floats) -> float:
    """Smallest value that could be the only one to count."""
    chosen = selection.left
    most = links_of(selection, sure=False) > 0
    urns = entity_urns(chosen.side, chosen.entities, most, values)
    return _number(smallest_drawn(urns).lo)


def _between(selection: Selection, aggregate: Aggregate) -> Bounds:
    """From what the fewest links give to what the most give."""
    chosen = selection.left
    least, most = (links_of(selection, sure=sure) for sure in (True, False))
    few = aggregate(node_urns(chosen.side, chosen.entities, chosen.nodes, least.astype(float)))
    if (least == most).all() or few.lo is None:
        return few
    many = aggregate(node_urns(chosen.side, chosen.entities, chosen.nodes, most.astype(float)))
    return bounds(_number(few.lo), _number(many.hi), None, None)


def _over(total: Bounds, count: object) -> Bounds:
    """A sum divided by a known count."""
    if not _number(count):
        return Bounds.known(None)
    by = _number(count)
    parts = [
        None if each is None else _number(each) / by
        for each in (total.lo, total.hi, total.estimate)
    ]
    std = None if total.std is None else total.std / by
    return Bounds(parts[0], parts[1], parts[2], std, total.exact)


def _number(value: object) -> float:
    assert isinstance(value, int | float)  # noqa: S101 - these aggregates are of numbers
    return value


def _zeros(selection: Selection) -> Floats:
    return np.zeros(len(selection.left.side.group_of_node))
