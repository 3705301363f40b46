"""Butterfly: one release that meets the demand for each of several recipients.

Rows need not be equal on everything that any recipient knows. It is enough that a block of rows
has equal cells on what recipients have in common, the *body*; inside the block, rows are put into
classes for each recipient by itself, the *wings*.

Source: Pei, Tao, Li, Xiao, "Butterfly: privacy preserving publishing on multiple
quasi-identifiers", TR 2008-18 (extended abstract at ICDE 2009), sections 4 and 5. The steps and
where they depart from the paper are in :mod:`~papilio.families.recipients.methods.class_tree`,
:mod:`~papilio.families.recipients.methods.bottom_up_pass` and
:mod:`~papilio.families.recipients.methods.build`; for more than two recipients, below.

Beyond the paper, the demand may be any that is closed under union of classes, such as diversity
and closeness: each recipient's class lies inside one block, and inside a block it is a class on the
wing's attributes. So if all classes of all wings meet the demand, all classes of all recipients do.
Where recipients have demands of their own, a wing has to meet only those of the recipients who know
one of its attributes: no other wing of the block has an attribute that any of them knows. A block
is a union of classes on all attributes, each of which meets everything that anybody demands, so
recipients whose columns are all in the body are served by it.

What it does not protect against: recipients who put together what they know, unless a least class
size for all of them together is demanded; and that size is all that holds then. The classes of one
row for two recipients may have only this row in common, so diversity does not carry over.

Nested butterfly: share only what separates two groups of recipients, then go on inside.

The recipients are divided into two groups. A block has equal cells on the attributes that
both groups know; inside it each group is a smaller problem of the same kind, solved without
regard to the other. By induction every recipient gets what is demanded: its classes lie
within blocks, and inside a block they are those of its own group. The super-butterfly is the case
in which every attribute that two recipients know is in the first body.

It is not complete either: the cube {0, 1}³ for AB, BC and CA has no separator that leaves anything
apart (see :mod:`papilio.families.recipients.methods.refine`).

Super-butterfly: one body of everything that more than one recipient knows.

Source: Pei et al., "Butterfly", TR 2008-18, section 5.1, definition 4. A division into such blocks
is enough for every recipient. That it is necessary (theorem 5) is false for three and more
recipients: the cube {0, 1}³ is 2-anonymous for AB, BC and CA, and no two of its rows agree on ABC.
So nothing here relies on it, and :mod:`papilio.families.recipients.methods.butterfly` looks
further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.families.classes import Classes
from papilio.families.generalising.mondrian import strict_mondrian
from papilio.families.recipients.methods.bottom_up_pass import Counters, pass_upwards
from papilio.families.recipients.methods.build import Divided, wings_may_come_first
from papilio.families.recipients.methods.class_tree import (
    BODY_WEIGHT,
    LIGHT_BODY_WEIGHT,
    ClassTree,
    tree_by_clustering,
    tree_by_cuts,
)
from papilio.families.recipients.methods.refine import refine
from papilio.families.recipients.methods.setting import (
    Known,
    Plan,
    Points,
    Setting,
    WingMethod,
    widest,
    wing,
    without,
)
from papilio.families.recipients.methods.wings import Part, loss_of
from papilio.kernels.demand import Demand
from papilio.privacy.requirement import Share
from papilio.randomness import Randomness


def super_plan(recipients: Sequence[Known]) -> Plan:
    """Share every attribute that two recipients know; one wing for each of the others' own.

    For two recipients this is the butterfly itself: body S1 ∩ S2, wings S1 - S2 and S2 - S1.
    """
    times = Counter(attribute for each in recipients for attribute in each)
    body = tuple(sorted(attribute for attribute, count in times.items() if count > 1))
    return Plan(tuple(recipients), body, tuple(map(wing, without(recipients, body))))


#: With more recipients than this, only groups that leave one recipient apart are tried.
_MOST_ALL_SPLITS = 8


def nested_plan(recipients: Sequence[Known], price: Sequence[float]) -> Plan:
    """Divide recipients again and again by the cheapest separator.

    Parameters
    ----------
    recipients
        What each recipient knows; none contains another.
    price
        What it costs to have one cell on an attribute, as an estimate; the separator with the least
        sum is taken, of equal ones the one with fewer attributes, then the first.
    """
    if len(recipients) < 3:
        return super_plan(recipients) if len(recipients) == 2 else wing(recipients[0])
    one, other = min(_splits(recipients), key=lambda split: _rank(split, price))
    body = _separator(one, other)
    branches: list[Plan] = []
    for group in (one, other):
        inside = without(group, body)
        if inside:
            plan = nested_plan(inside, price)
            # A block without a body of its own is the block around it.
            branches += [plan] if plan.is_wing or plan.body else plan.branches
    return Plan(tuple(recipients), body, tuple(branches))


_Split = tuple[tuple[Known, ...], tuple[Known, ...]]


def _splits(recipients: Sequence[Known]) -> Iterator[_Split]:
    """All divisions into two groups; of very many recipients only one against the rest."""
    first, *others = recipients
    count = len(others)
    sizes = range(count) if count < _MOST_ALL_SPLITS else (0, count - 1)
    for size in sizes:
        for chosen in combinations(range(count), size):
            with_first = tuple(others[place] for place in chosen)
            rest = tuple(others[place] for place in range(count) if place not in chosen)
            yield (first, *with_first), rest


def _separator(one: Sequence[Known], other: Sequence[Known]) -> tuple[int, ...]:
    return tuple(sorted(frozenset().union(*one) & frozenset().union(*other)))


def _rank(split: _Split, price: Sequence[float]) -> tuple[float, int, tuple[int, ...]]:
    shared = _separator(*split)
    return sum(price[attribute] for attribute in shared), len(shared), shared


#: Larger tables are not refined attribute by attribute, which takes longer than butterflies.
MOST_REFINED = 100_000


@dataclass(frozen=True, eq=False)
class ButterflyResult:
    """Rows divided attribute by attribute, and how that came about. For the owner alone.

    Attributes
    ----------
    classes
        Per attribute of the table, the rows that share a cell.
    loss
        Sum over rows and attributes of the width of the cell.
    union_loss
        The same for the classes on the union that it is compared with.
    counters
        What was done with the nodes of the hierarchy.
    butterfly
        Number of each row's butterfly, from 0; -1 for rows in a class on the union. After
        attribute-wise refinement all rows count as one.
    """

    classes: tuple[Classes, ...]
    loss: float
    union_loss: float
    counters: Counters
    butterfly: NDArray[np.int32]

    @property
    def share(self) -> float:
        """Share of the rows that are in a butterfly which is more than a class."""
        return float((self.butterfly >= 0).mean())


def butterfly(
    table: EncodedTable,
    recipients: Sequence[Known],
    demand: Demand,
    randomness: Randomness,
    *,
    together: int = 1,
    wings: WingMethod = "mondrian",
    classes: Classes | None = None,
    own: Sequence[Share] = (),
) -> ButterflyResult:
    """Divide a table for several recipients at once.

    The result never loses more than the classes on the union: if no butterflies lose less, it is
    made of these.

    Parameters
    ----------
    table
        The quasi-identifiers; each is known to a recipient. The whole table must meet the demand.
    recipients
        What each recipient knows, as places in the table.
    demand
        What each class of each recipient must satisfy.
    randomness
        For ties.
    together
        Least size of a class on the union of what all know; 1 demands nothing.
    wings
        Generalising method of the wings; where rows come in units that must stay whole, these are
        put together by cuts of their own.
    classes
        Classes on the union to start from, each of which meets the demand and has at least
        ``together`` rows; left out, strict Mondrian makes them, and the hierarchy is cut by
        the same rules with more weight on the body.
    own
        Per recipient the part of the demand that is meant for them; left out, all of it is.
        Classes on the union meet all of it whatever it says.

    Notes
    -----
    Cost: that of strict Mondrian on the rows of each node where a butterfly is built; with k
    fixed O(n log n) time on average.
    """
    known = widest(recipients)
    shares = tuple(zip(recipients, own, strict=True)) if own else ()
    setting = Setting(table, demand, together, wings, randomness.keys(table.height), shares)
    places = tuple(range(len(table.columns)))
    union = strict_mondrian(table, setting.union_demand) if classes is None else classes
    plain = Divided((Part(places, union),), loss_of(setting, Part(places, union)))
    if len(known) < 2:
        # A single recipient sees everything, so that nothing is gained by looking further.
        return _result(plain, plain, Counters(), np.full(table.height, -1, np.int32))
    plans = plans_for(known, setting)
    found, counters, numbers = _by_butterflies(setting, plans, classes)
    if len(known) > 2 and table.height <= MOST_REFINED:
        # Butterflies are not all there is for three and more recipients.
        refined = refine(setting, known)
        if refined.loss < found.loss:
            found, numbers = refined, np.zeros(table.height, np.int32)
    if found.loss >= plain.loss:
        found, numbers = plain, np.full(table.height, -1, np.int32)
    return _result(found, plain, counters, numbers)


def _by_butterflies(
    setting: Setting, plans: list[Plan], classes: Classes | None
) -> tuple[Divided, Counters, NDArray[np.int32]]:
    """Divide all rows by butterflies; also say what was done, and each row's butterfly."""
    places, body = plans[0].attributes, plans[0].body
    light = not wings_may_come_first(setting.demand, setting.together)
    tree = (
        tree_by_cuts(
            Points(np.arange(setting.table.height, dtype=np.int32)),
            setting.view(places),
            setting.union_demand,
            body,
            _body_weight(setting.demand, setting.together),
        )
        if classes is None
        else tree_by_clustering(classes, setting.table, body)
    )
    passed = pass_upwards(setting, tree, places, plans)
    numbers = np.full(setting.table.height, -1, np.int32)
    _number(numbers, tree, passed.butterflies)
    rest = [part.classes for part in passed.divided.parts if part.places == places]
    if not light or len(rest) < 2:
        return passed.divided, passed.counters, numbers
    # Classes that are in no butterfly yet may find other neighbours.
    tree = tree_by_clustering(_joined(rest), setting.table, body)
    again = pass_upwards(setting, tree, places, plans)
    _number(numbers, tree, again.butterflies)
    kept = tuple(part for part in passed.divided.parts if part.places != places)
    loss = passed.divided.loss - again.union_loss + again.divided.loss
    return (
        Divided((*kept, *again.divided.parts), loss),
        passed.counters + again.counters,
        numbers,
    )


def _result(
    found: Divided, plain: Divided, counters: Counters, numbers: NDArray[np.int32]
) -> ButterflyResult:
    count = len(plain.parts[0].places)
    return ButterflyResult(
        attribute_classes(found, count), found.loss, plain.loss, counters, numbers
    )


def cut_weights(
    recipients: Sequence[Known], count: int, demand: Demand, together: int
) -> tuple[float, ...]:
    """How many times as wide each of ``count`` attributes counts where the hierarchy is cut.

    A table that is cut into pieces by these weights is cut where the hierarchy of the whole table
    is, so that the pieces lose only butterflies which are larger than a piece.
    """
    known = widest(recipients)
    body = super_plan(known).body if len(known) > 1 else ()
    weight = _body_weight(demand, together)
    return tuple(weight if place in body else 1.0 for place in range(count))


def _body_weight(demand: Demand, together: int) -> float:
    return BODY_WEIGHT if wings_may_come_first(demand, together) else LIGHT_BODY_WEIGHT


def plans_for(known: Sequence[Known], setting: Setting) -> list[Plan]:
    """Kinds of butterflies worth trying: the super-butterfly, and the nested one if it differs."""
    price = [np.log(max(len(each.values), 1)) for each in setting.table.columns]
    found = [super_plan(known), nested_plan(known, price)]
    return found if found[0] != found[1] else found[:1]


def attribute_classes(divided: Divided, count: int) -> tuple[Classes, ...]:
    """Per attribute, all rows by the cell they share."""
    found: list[list[Classes]] = [[] for _ in range(count)]
    for part in divided.parts:
        for place in part.places:
            found[place].append(part.classes)
    return tuple(map(_joined, found))


def _joined(several: Sequence[Classes]) -> Classes:
    sizes = np.concatenate([each.sizes for each in several])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Classes(np.concatenate([each.rows for each in several]), starts)


def _number(numbers: NDArray[np.int32], tree: ClassTree, nodes: Sequence[int]) -> None:
    """Give the rows of further butterflies the next numbers."""
    first = int(numbers.max()) + 1
    for number, node in enumerate(nodes):
        numbers[tree.rows(node)] = first + number
