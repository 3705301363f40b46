"""Several releases of the same people, put side by side.

A row of one release and a row of another can be one person's only if some value lies in both cells,
on every column that both have. And everybody has a row in each: the pairs must belong to a way of
pairing off all rows. A pair that does not is excluded although its own cells meet.

Which pairs belong to one is told by a single way: an alternating cycle through a further pair leads
from it to another one, so the other pairs are those inside a strongly connected component of the
graph that goes from rows of the first release to all they meet, and back along the way that was
found. Equal rows stand together: they are counted, and the pairing is a flow.

Source: of the criterion, ours; of the test, Régin, "A filtering algorithm for constraints of
difference in CSPs", AAAI 1994, after a theorem of Berge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.looks import restricted
from papilio.attack.result import (
    ORIGINAL,
    AttackResult,
    Exposed,
    confront,
    people,
    recipients_of,
    rows,
    someone_knowing,
    together,
)
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.policy.recipients import called_together
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release
from papilio.verify.cells import has_bounds, reader
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs, units
from papilio.verify.numbering import Side, compared_as, number_every_row
from papilio.verify.opened import open_frames
from papilio.verify.readings import Anything, Beginning, OneOf, Span, bound

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NAME = "releases"
#: Most pairs of different rows that are compared, and most that may meet.
MOST_COMPARED, MOST_MEETING = 200_000_000, 2_000_000
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def releases(
    several: Sequence[Release], original: Table | object, policy: Policy
) -> Iterator[AttackResult]:
    r"""Let each recipient, and all of them, put several releases of the same people side by side.

    Candidates of a person in a release are its rows that cover what the attacker knows; kept is a
    candidate that may be one person with a candidate in each other release:

    .. math:: c_p = \min_i |\{r \in C_i(p) : \forall j \; \exists s \in C_j(p) : r \sim s\}|

    where :math:`r \sim s` if their cells meet on every common column and the pair belongs to a
    perfect matching of such pairs. Of two releases that is exact: a row is kept if and only if some
    pairing off of all rows makes it the person's. Of three and more, every two are compared.

    Figures: ``people``; ``smallest``, fewest candidates of anybody; ``alone``, people with one
    candidate in a release by itself; ``singled_out``, with all of them; ``below``, people with
    fewer than k; ``excluded``, pairs of rows whose cells meet and that belong to no matching;
    ``learnt: <column>``, people whose candidates all have one value of it.

    Releases of different numbers of rows, where somebody was left out of one, are compared by cells
    alone. Not tried: what cells that are the smallest possible say of the values in them, and
    more than 200 million pairs of different rows or 2 million that meet, in which case it is said.

    Cost: the number of pairs of different rows, and a flow over those that meet.
    """
    table = several[0].manifest.tables[0].name
    if not isinstance(original, Table) or any(
        not _of_one_table(each) or each.manifest.tables[0].name != table for each in several
    ):
        why = "Not tried: releases of one generalised table each, of the same table, are compared."
        yield AttackResult(NAME, "somebody with several releases", why)
        return
    recipients = recipients_of(policy)
    if len(recipients) > 1:
        recipients[called_together(recipients)] = together(recipients, policy)
    for name, known in recipients.items():
        yield _attacked(several, original, policy, f"{name} with {len(several)} releases", known)


def _of_one_table(release: Release) -> bool:
    """Whether a release has one table, whose cells say by themselves what may be in them."""
    tables = release.manifest.tables
    return len(tables) == 1 and all(column.cells != "group" for column in tables[0].columns)


def _attacked(
    several: Sequence[Release], original: Table, policy: Policy, attacker: str, known: Sequence[str]
) -> AttackResult:
    attacker = someone_knowing(attacker, known)
    seen = [_seen(each, original, known, _common(several, original.name)) for each in several]
    partners: dict[tuple[int, int], Partners] = {}
    for one in range(len(seen)):
        for other in range(one + 1, len(seen)):
            found = partners_of(seen[one], seen[other])
            if isinstance(found, str):
                return AttackResult(NAME, attacker, f"Not tried: {found}")
            partners[one, other] = found
    figures = _figures(seen, partners, max(policy.privacy.k or 2, 2))
    total = original.height
    learnt = [name for name in figures if name.startswith("learnt: ")]
    exposed = (
        Exposed(int(figures["below"]), total),
        *(Exposed(int(figures[name]), total, name.removeprefix("learnt: ")) for name in learnt),
    )
    return AttackResult(NAME, attacker, _sentence(figures), figures, exposed)


def _common(several: Sequence[Release], table: str) -> tuple[str, ...]:
    """Columns that every release has."""
    names = [{c.name for c in each.manifest.table(table).columns} for each in several]
    every = set.intersection(*names)
    return tuple(c.name for c in several[0].manifest.table(table).columns if c.name in every)


@dataclass(frozen=True, eq=False)
class Seen:
    """A release as one attacker sees it: equal rows counted together.

    Attributes
    ----------
    lines
        Per kind of row, the number of its cell on each common column.
    count
        Rows of each kind.
    cells
        What each numbered cell of a common column allows.
    covers
        Which kinds of rows cover which people; one line per person.
    values
        By sensitive column, smallest and largest number of a value in each kind.
    """

    lines: Numbers
    count: Numbers
    cells: tuple[Cells, ...]
    covers: csr_array
    values: dict[str, tuple[Numbers, Numbers]]


def _seen(release: Release, original: Table, known: Sequence[str], common: Sequence[str]) -> Seen:
    from scipy.sparse import csr_array

    table = release.manifest.table(original.name)
    frame = release.frames[original.name]
    usable = [n for n in known if any(c.name == n for c in table.columns)]
    described = {c.name: c for c in table.columns}
    with open_frames(release.manifest, {}, release.hierarchies) as opened:
        numbered = [_cells(frame, described[n], reader(opened, described[n])) for n in common]
    lines = np.column_stack([which for which, _ in numbered])
    persons = np.zeros((original.height, 0), np.int64)
    boxes, fitting = np.zeros((frame.height, 0), np.int64), None
    if usable:
        with confront(release, original.frame) as opened:
            asked = restricted(opened, table, usable)
            fitting = fitting_of(opened, asked, ORIGINAL)
            persons, boxes = number_every_row(opened, asked, ORIGINAL)
    both, kind_of = np.unique(np.hstack([lines, boxes]), axis=0, return_inverse=True)
    kind_of = kind_of.ravel()
    points, person_of = (
        np.unique(persons, axis=0, return_inverse=True)
        if usable
        else (np.zeros((1, 0), np.int64), np.zeros(original.height, np.intp))
    )
    pairs = _covering(fitting, points, both[:, lines.shape[1] :])
    shape = (len(points), len(both))
    covers = csr_array((np.ones(len(pairs), np.int64), (pairs[:, 0], pairs[:, 1])), shape=shape)
    sensitive = [c.name for c in table.columns if c.role == "sensitive" and c.cells == "value"]
    values = {name: _ends(frame.get_column(name), kind_of, len(both)) for name in sensitive}
    return Seen(
        both[:, : lines.shape[1]],
        np.bincount(kind_of, minlength=len(both)).astype(np.int64),
        tuple(cells for _, cells in numbered),
        csr_array(covers[person_of.ravel()]),
        values,
    )


def _covering(fitting: Fitting | None, points: Numbers, boxes: Numbers) -> Numbers:
    """Pairs of a point and a kind of row that covers it."""
    if fitting is None:
        return np.column_stack([np.zeros(len(boxes), np.int64), np.arange(len(boxes))])
    supply = Side(points, np.ones(len(points), np.int64))
    demand = Side(boxes, np.ones(len(boxes), np.int64))
    parts = [np.column_stack(p) for p in fitting_pairs(Fitting(supply, demand, fitting.covers))]
    return np.concatenate([np.zeros((0, 2), np.int64), *parts])


def _ends(series: pl.Series, kind_of: NDArray[np.intp], kinds: int) -> tuple[Numbers, Numbers]:
    numbers = series.rank("dense").fill_null(0).cast(pl.Int64).to_numpy()
    low, high = np.full(kinds, np.iinfo(np.int64).max), np.full(kinds, -1)
    np.minimum.at(low, kind_of, numbers)
    np.maximum.at(high, kind_of, numbers)
    return low, high


@dataclass(frozen=True, eq=False)
class Cells:
    """What the distinct cells of a column allow: a range, or single values, or a beginning.

    Attributes
    ----------
    compared
        How values are compared; cells that are compared in different ways are taken to meet.
    low, high
        Ends of a range; NaN where there is none.
    open
        Whether the range is without its high end.
    null, anything
        Whether NULL, or any value, is allowed.
    members, beginnings
        Single values; a beginning of a text that goes on, or ``None``.
    """

    compared: str
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    open: Flags
    null: Flags
    anything: Flags
    members: list[frozenset[Any]]
    beginnings: list[str | None]

    def meet(self, other: Cells) -> Flags:
        """Which cells have a value in common with which of another release."""
        if self.compared != other.compared:
            return np.ones((len(self.low), len(other.low)), bool)
        met = self.null[:, None] & other.null[None, :]
        met |= self.anything[:, None] & other._some()[None, :]
        met |= self._some()[:, None] & other.anything[None, :]
        met |= self._ranges(other)
        met |= _shared(self.members, other.members)
        met |= self._inside(other) | other._inside(self).T
        met |= self._begin(other) | other._begin(self).T
        return met

    def _some(self) -> Flags:
        """Cells that allow something beside NULL."""
        single = np.array([bool(each) for each in self.members], bool)
        begun = np.array([each is not None for each in self.beginnings], bool)
        told: Flags = self.anything | ~np.isnan(self.low) | single | begun
        return told

    def _ranges(self, other: Cells) -> Flags:
        """Comparisons with NaN are false, so cells without a range meet none here."""
        low, high = self.low[:, None], self.high[:, None]
        first, last = other.low[None, :], other.high[None, :]
        below = np.where(other.open[None, :], low < last, low <= last)
        above = np.where(self.open[:, None], first < high, first <= high)
        return np.asarray(below & above, bool)

    def _inside(self, other: Cells) -> Flags:
        """Single values of these inside ranges of the others."""
        met = np.zeros((len(self.low), len(other.low)), bool)
        if self.compared != "category":
            for place, values in enumerate(self.members):
                for value in values:
                    under = np.where(other.open, value < other.high, value <= other.high)
                    met[place] |= (other.low <= value) & under
        return met

    def _begin(self, other: Cells) -> Flags:
        """Beginnings of these that single values or beginnings of the others go on from."""
        met = np.zeros((len(self.low), len(other.low)), bool)
        for place, start in enumerate(self.beginnings):
            if start is not None:
                for which, values in enumerate(other.members):
                    longer = (v for v in values if isinstance(v, str) and len(v) > len(start))
                    met[place, which] |= any(value.startswith(start) for value in longer)
                for which, also in enumerate(other.beginnings):
                    met[place, which] |= also is not None and also.startswith(start)
        return met


def _shared(one: list[frozenset[Any]], other: list[frozenset[Any]]) -> Flags:
    """Which sets have a member in common."""
    from scipy.sparse import csr_array

    numbers = {value: n for n, value in enumerate({v for each in (*one, *other) for v in each})}
    matrices = []
    for sets in (one, other):
        where = [(place, numbers[value]) for place, each in enumerate(sets) for value in each]
        found = np.array(where, np.int64).reshape(-1, 2)
        entries = (np.ones(len(found), np.int64), (found[:, 0], found[:, 1]))
        matrices.append(csr_array(entries, shape=(len(sets), max(len(numbers), 1))))
    return np.asarray((matrices[0] @ matrices[1].T).toarray() > 0)


def _cells(frame: pl.DataFrame, column: PublishedColumn, read: Any) -> tuple[Numbers, Cells]:
    """Number the cells of a column, and say what each allows."""
    named = (
        pl.struct(column.published) if len(column.published) > 1 else pl.col(column.published[0])
    )
    lines = frame.select(named.rank("dense").fill_null(0).alias("n"), *column.published)
    lines = lines.with_columns(pl.col("n").rank("dense") - 1)
    distinct = lines.unique("n").sort("n").drop("n").rows()
    compared = "category" if column.type == "boolean" else compared_as(column)
    if column.cells == "value" and column.type != "boolean":
        compared = column.type
    readings = [_reading(column, line, read) for line in distinct]
    ranged = [r if isinstance(r, Span) and r.low != r.high else None for r in readings]
    cells = Cells(
        compared,
        np.array([np.nan if r is None else _number(r.low) for r in ranged], float),
        np.array([np.nan if r is None else _number(r.high) for r in ranged], float),
        np.array([r is not None and r.half_open for r in ranged], bool),
        np.array([r.null for r in readings], bool),
        np.array([isinstance(r, Anything) for r in readings], bool),
        [_members(r, compared) for r in readings],
        [r.prefix if isinstance(r, Beginning) else None for r in readings],
    )
    return lines.get_column("n").to_numpy().astype(np.int64), cells


def _reading(column: PublishedColumn, line: tuple[Any, ...], read: Any) -> Any:
    if has_bounds(column):
        low, high, *null = line
        empty = low is None or bool(null and null[0])
        return OneOf((), null=True) if low is None else Span(low, high, null=empty)
    (value,) = line
    if column.cells == "value":
        if value is None:
            return OneOf((), null=True)
        text = str(value).lower() if column.type == "boolean" else str(value)
        whole = column.type in ("numeric", "date")
        return Span(value, value) if whole else OneOf((text,))
    found = None if read is None else read(value)
    return Anything() if found is None else found


def _members(reading: Any, compared: str) -> frozenset[Any]:
    if isinstance(reading, Span):
        return frozenset([_number(reading.low)]) if reading.low == reading.high else frozenset()
    if not isinstance(reading, OneOf):
        return frozenset()
    if compared == "category":
        return frozenset(reading.values)
    ends = (bound(value, compared) for value in reading.values)
    return frozenset(_number(end) for end in ends if end is not None)


def _number(value: Any) -> float:
    """A number, or a moment in seconds."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    if hasattr(value, "toordinal"):
        return datetime(value.year, value.month, value.day, tzinfo=UTC).timestamp()
    return float(value)


@dataclass(frozen=True, eq=False)
class Partners:
    """Which kinds of rows of two releases may be one person's.

    Attributes
    ----------
    allowed
        One line per kind of the first release, one column per kind of the second.
    excluded
        How many pairs of rows meet and belong to no perfect matching.
    """

    allowed: csr_array
    excluded: int


def partners_of(one: Seen, other: Seen) -> Partners | str:
    """Find the pairs that may be one person's; or say why that was not tried."""
    from scipy.sparse import csr_array

    if len(one.count) * len(other.count) > MOST_COMPARED:
        return f"more than {MOST_COMPARED:,} pairs of different rows would have to be compared."
    pairs = _meeting(one, other)
    if len(pairs) > MOST_MEETING:
        return f"more than {MOST_MEETING:,} pairs of different rows may be one person's."
    kept = np.ones(len(pairs), bool)
    if one.count.sum() == other.count.sum():
        found = matchable(pairs, one.count, other.count)
        if found is None:
            return "the releases cannot be of the same people; some rows fit none of the other."
        kept = found
    gone = pairs[~kept]
    shape = (len(one.count), len(other.count))
    entries = (np.ones(int(kept.sum()), np.int64), (pairs[kept, 0], pairs[kept, 1]))
    excluded = int((one.count[gone[:, 0]] * other.count[gone[:, 1]]).sum())
    return Partners(csr_array(entries, shape=shape), excluded)


def _meeting(one: Seen, other: Seen) -> Numbers:
    """Pairs of kinds of rows whose cells meet on every common column."""
    tables = [mine.meet(theirs) for mine, theirs in zip(one.cells, other.cells, strict=True)]
    found, count = [np.zeros((0, 2), np.int64)], 0
    step = max(1, 1_000_000 // max(len(other.count), 1))
    for begin in range(0, len(one.count), step):
        part = one.lines[begin : begin + step]
        met = np.ones((len(part), len(other.count)), bool)
        for place, table in enumerate(tables):
            met &= table[part[:, place][:, None], other.lines[:, place][None, :]]
        first, second = np.nonzero(met)
        found.append(np.column_stack([first + begin, second]))
        count += len(first)
        if count > MOST_MEETING:
            break
    return np.concatenate(found)


def matchable(pairs: Numbers, supply: Numbers, demand: Numbers) -> Flags | None:
    """Which pairs belong to a perfect matching; ``None`` if there is no such matching.

    Parameters
    ----------
    pairs
        Kinds of both sides that may go together.
    supply, demand
        How many there are of each kind, as many on both sides.

    Notes
    -----
    Cost: that of a maximum flow, then linear in the pairs.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(pairs):
        return np.zeros(0, bool) if not supply.sum() else None
    flow = units(pairs, supply, demand)
    if int(flow.sum()) < int(supply.sum()):
        return None
    used = flow > 0
    heads = np.concatenate([pairs[:, 0], len(supply) + pairs[used, 1]])
    tails = np.concatenate([len(supply) + pairs[:, 1], pairs[used, 0]])
    size = len(supply) + len(demand)
    graph = coo_array((np.ones(len(heads), np.int8), (heads, tails)), shape=(size, size))
    _, component = connected_components(graph, directed=True, connection="strong")
    allowed: Flags = used | (component[pairs[:, 0]] == component[len(supply) + pairs[:, 1]])
    return allowed


def _figures(
    seen: Sequence[Seen], partners: dict[tuple[int, int], Partners], k: int
) -> dict[str, int | float]:
    """Sum up over people; see :func:`releases`."""
    kept = []
    for place, own in enumerate(seen):
        rest = own.covers
        for other, theirs in enumerate(seen):
            if other != place:
                pair = partners[min(place, other), max(place, other)].allowed
                reached = theirs.covers @ (pair.T if place < other else pair)
                rest = rest.multiply(reached > 0)
        kept.append(rest.tocsr().astype(bool).astype(np.int64))
    left = np.min([each @ own.count for each, own in zip(kept, seen, strict=True)], axis=0)
    before = np.min([own.covers @ own.count for own in seen], axis=0)
    there = left > 0
    return {
        "people": len(left),
        "smallest": int(left[there].min()) if there.any() else 0,
        "alone": int((before == 1).sum()),
        "singled_out": int((left == 1).sum()),
        "below": int((there & (left < k)).sum()),
        "excluded": sum(each.excluded for each in partners.values()),
        **_learnt(seen, kept),
    }


def _learnt(seen: Sequence[Seen], kept: Sequence[csr_array]) -> dict[str, int | float]:
    """People whose candidates in some release all have one value of a sensitive column."""
    told: dict[str, Flags] = {}
    for own, rest in zip(seen, kept, strict=True):
        entries = rest.tocoo()
        for name, (low, high) in own.values.items():
            least = np.full(rest.shape[0], np.iinfo(np.int64).max)
            most = np.full(rest.shape[0], -1)
            np.minimum.at(least, entries.row[entries.data > 0], low[entries.col[entries.data > 0]])
            np.maximum.at(most, entries.row[entries.data > 0], high[entries.col[entries.data > 0]])
            same = least == most
            told[name] = told.get(name, np.zeros(len(same), bool)) | same
    return {f"learnt: {name}": int(same.sum()) for name, same in told.items()}


def _sentence(figures: dict[str, int | float]) -> str:
    total = int(figures["people"])
    excluded = int(figures["excluded"])
    pairs = f"{excluded:,} pair{'' if excluded == 1 else 's'} of rows"
    said = [
        f"At least {rows(int(figures['smallest']))} may be a person's; with one release alone "
        f"{people(int(figures['alone']), total)} are left with one, with all of them "
        f"{people(int(figures['singled_out']), total)}; {pairs} that alone could be one person's "
        "cannot be, as then not everybody would have a row in each"
    ]
    said += [
        f"the value of {name.removeprefix('learnt: ')} is learnt of {people(int(number), total)}"
        for name, number in figures.items()
        if name.startswith("learnt: ")
    ]
    return "; ".join(said) + "."
