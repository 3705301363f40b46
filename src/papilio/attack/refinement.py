"""Refinement: complete rows that follow in addition for who knows how classes are cut.

The cells of a class in which two columns vary prove no complete row
(:mod:`papilio.attack.certain_rows`): their values can always be paired in another way. But a method
that cuts classes cuts wherever it may, so that not every way is left: one that could have been cut
would have been. Who knows the method, k and what is demanded of sensitive values replays its last
step on every table that fits the cells, and keeps those that it would have left whole.

Source: the attack is ours. It does for rows what Wong, Fu, Wang and Pei, "Minimality attack in
privacy preserving data publishing", VLDB 2007, do for sensitive values; that local recoding is
undone by what the method refused is argued in arXiv 2509.03350 (combinatorial refinement).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import comb, prod

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.certain_rows import (
    UNKNOWN,
    Numbered,
    Proof,
    few_of,
    free_columns,
    numbered_by_cells,
    only_values,
    owners_of_rows,
    shared_by,
)
from papilio.attack.looks import distinct, look
from papilio.attack.refused_cuts import about_method, dealt, halves_meet, untried
from papilio.attack.result import AttackResult, Exposed, people
from papilio.data.table import Table
from papilio.kernels.demand import Demand
from papilio.policy.policy import Policy
from papilio.privacy.requirement import demand_of, ruled_columns, settled
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release

NAME = "refinement"
ATTACKER = "anyone who reads the release and knows how the method works"
#: Ways to fill a list that are looked at, rows of a class that are asked about, and ways of all
#: classes together; the smallest classes come first.
_WAYS, _ROWS, _ALL_WAYS = 20_000, 1_000, 2_000_000
#: Values of a range beside NULL that has none between its ends.
_NEIGHBOURS = 3

_Ints = NDArray[np.int64]
#: Cells that name all values they allow -> these, in the order of cuts.
Named = dict[int, _Ints]


def refinement(
    release: Release, original: Table, policy: Policy, *, cuts: bool = True, exact: bool = True
) -> Iterator[AttackResult]:
    r"""Find rows that every table has which fits the cells and would not have been cut further.

    The rule is that of :func:`papilio.attack.refused_cuts.refused_cuts`: of each column, the cut
    between two of its values that leaves at least k rows on either side (k the largest k or l) and
    is nearest to the middle was refused, as a half of it does not meet what is demanded of
    sensitive values; under k alone there was none.

    The sensitive values of each row are published. Let :math:`n_s` be the rows of the class that
    have s, and :math:`M_c` all vectors m that say how many of them, for each s, have the value
    :math:`t_c` in column c, over all ways to fill the column that fit its cell and refuse the cut.
    Columns are filled independently of each other, and rows with equal sensitive values can be
    exchanged, so the row t can be avoided if and only if there are :math:`m_c \in M_c` with

    .. math:: \sum_c (n_s - m_{cs}) \ge n_s \quad\text{for all } s,

    and only vectors that are least in all entries matter. Two proven values of a column, or fewer
    than 2k - 1 of a list, can be filled so that any of them is in one row only, whatever its
    sensitive values are, and no cut is allowed. So nothing follows in addition but where all
    columns that vary, two or more, name 2k - 1 values or more, NULL being one: lists, and at k = 2
    two neighbouring whole numbers beside NULL. These classes are counted.

    A cell that safe cells widened has two values, so that the reasoning is about none of these; but
    two classes may have been made to look like one, and then seem not to have been cut.

    Figures: ``classes``; ``whole``, those that the reasoning is about; ``tried`` of them, and
    ``otherwise``, those that no table leads to by this rule, which is not the method's then;
    ``more``, rows that are certain in addition; ``wrong``, those that the original does not have,
    0 where the rule is the method's; ``k``, ``shared_by_few``, ``shared_by_one``, ``people`` and
    ``people_few`` as for certain rows.

    Parameters
    ----------
    release, original, policy
        A release of one table, the table it was made from, and how.
    cuts
        Whether the method cuts classes at all.
    exact
        Whether the rule is the method's own; left out of account but for what is said.

    Notes
    -----
    Not tried: cuts that were made, whose place says how often the values beside it are there; and
    cuts that were refused before a class was what it is. Cost: that of certain rows, and up to
    20,000 ways to fill each list of such a class, two million of all.
    """
    table = release.manifest.table(original.name)
    complete = free_columns(release.manifest, table)
    reason = untried(original, cuts=cuts)
    if not reason and len(complete) < 2:
        reason = "a row of one column is complete with each value that its cell proves"
    if reason:
        yield AttackResult(NAME, ATTACKER, f"Not tried: {reason}.")
        return
    both, found = further_rows(release, original, policy, complete)
    figures = _figures(found, both, owners_of_rows(original), few_of(policy))
    exposed = (Exposed(int(figures["people_few"]), int(figures["people"])),)
    method = f"{release.manifest.method}{' with safe cells' if policy.safe_cells else ''}"
    sentence = _sentence(figures, method, exact=exact)
    yield AttackResult(NAME, ATTACKER, sentence, figures, exposed)


def further_rows(
    release: Release, original: Table, policy: Policy, complete: Sequence[str]
) -> tuple[Numbered, Found]:
    """Find the rows of :func:`refinement`, as numbers of values of some columns."""
    table = release.manifest.table(original.name)
    both = numbered_by_cells(release, table, original, complete)
    requirements = settled(policy.requirements, original)
    demand = demand_of(requirements, original)
    kinds = _kinds(release, original, [name for name, _ in ruled_columns(requirements)], demand)
    columns = {each.name: each for each in table.columns}
    lists = [
        _named(proof, columns[name], original, demand)
        for proof, name in zip(both.proofs, complete, strict=True)
    ]
    return both, _search(both, kinds, lists, demand)


def _kinds(release: Release, original: Table, names: Sequence[str], demand: Demand) -> _Ints:
    """Codes of the sensitive values of each published row, as the demand is asked about them."""
    table = release.manifest.table(original.name)
    rows = release.frames[original.name].height
    if not names:
        return np.zeros((rows, 0), np.int64)
    both = look(release, table, original, names)
    coded = np.full((rows, len(names)), UNKNOWN, np.int64)
    for place in range(len(names)):
        values, cells = both.values[:, place], both.cells[:, place]
        codes = np.full(int(values.max(initial=0)) + 1, UNKNOWN, np.int64)
        codes[values] = demand.sensitive[:, place]
        coded[:, place] = np.where(cells >= 0, codes[np.maximum(cells, 0)], UNKNOWN)
    return coded


def _named(proof: Proof, column: PublishedColumn, original: Table, demand: Demand) -> Named:
    """Cells of a column that name all values they allow, as many as the reasoning takes."""
    ends = np.searchsorted(proof.cell, np.arange(len(proof.single) + 1))
    named = {
        cell: np.sort(proof.value[first:last])
        for cell, (first, last) in enumerate(pairwise(ends.tolist()))
        if last - first >= max(2 * demand.least_size - 1, 2)
    }
    known = {cell: values for cell, values in named.items() if values[0] > UNKNOWN}
    if column.cells == "range":
        # Under more demands than k somebody would have to fill what lies between the ends as well.
        return {} if len(demand.rules) else _without_between(known, original, column.name)
    return known if column.cells == "set" else {}


def _without_between(named: Named, original: Table, name: str) -> Named:
    """Ranges of two neighbouring whole numbers beside NULL."""
    values = original.frame.get_column(name).drop_nulls().unique().sort()
    if not values.dtype.is_integer():
        return {}
    numbers = values.cast(pl.Int64).to_numpy()
    return {
        cell: each
        for cell, each in named.items()
        if len(each) == _NEIGHBOURS and numbers[each[2] - 1] - numbers[each[1] - 1] == 1
    }


@dataclass(frozen=True, eq=False)
class Found:
    """Classes, those that the reasoning is about, what became of them, and the rows."""

    classes: int
    whole: int
    tried: int
    otherwise: int
    rows: _Ints


def _search(both: Numbered, kinds: _Ints, lists: Sequence[Named], demand: Demand) -> Found:
    classes, of_row = distinct(both.cells)
    varies = np.column_stack([~p.single[classes[:, c]] for c, p in enumerate(both.proofs)])
    named = np.column_stack([np.isin(classes[:, c], list(each)) for c, each in enumerate(lists)])
    whole = np.flatnonzero((varies.sum(axis=1) > 1) & (named | ~varies).all(axis=1))
    rows = np.argsort(of_row, kind="stable")
    starts = np.searchsorted(of_row[rows], np.arange(len(classes) + 1))
    only = np.column_stack([only_values(p)[classes[:, c]] for c, p in enumerate(both.proofs)])
    tried, otherwise, left, found = 0, 0, _ALL_WAYS, [only[:0]]
    for one in whole[np.argsort(np.diff(starts)[whole], kind="stable")]:
        inside = kinds[rows[starts[one] : starts[one + 1]]]
        values, counts = np.unique(inside, axis=0, return_counts=True)
        varying = np.flatnonzero(varies[one])
        here = [lists[column][int(classes[one, column])] for column in varying.tolist()]
        needed = _ways_needed(counts, here, demand)
        if needed is None or needed > left:
            continue
        left -= needed
        filled = [least_vectors(values, counts, len(each), demand) for each in here]
        if not all(filled):
            otherwise += 1
            continue
        tried += 1
        found.append(_lines(only[one], varying, here, unavoidable(filled, counts)))
    different = np.unique(np.concatenate(found), axis=0)
    return Found(len(classes), len(whole), tried, otherwise, different)


def _ways_needed(counts: _Ints, here: Sequence[_Ints], demand: Demand) -> int | None:
    """Ways to fill the lists of a class that are looked at; ``None`` if they are too many."""
    if prod(len(each) for each in here) > _ROWS:
        return None
    ways = [how_many(counts, len(each)) for each in here] if len(demand.rules) else [0]
    return None if max(ways) > _WAYS else sum(ways)


def _lines(
    only: _Ints, varying: _Ints, here: Sequence[_Ints], chosen: Iterable[tuple[int, ...]]
) -> _Ints:
    """Rows that are chosen by places in the lists of the columns that vary."""
    places = np.array([*chosen], np.int64).reshape(-1, len(varying))
    lines = np.repeat(only[np.newaxis], len(places), axis=0)
    for place, column in enumerate(varying):
        lines[:, column] = here[place][places[:, place]]
    return lines


def how_many(counts: _Ints, named: int) -> int:
    """How many ways there are to give so many values to the rows of a class."""
    return prod(comb(int(number) + named - 1, named - 1) for number in counts)


def least_vectors(kinds: _Ints, counts: _Ints, named: int, demand: Demand) -> list[_Ints]:
    """How many rows of each kind have each of the values of a list, in the least of all ways.

    Parameters
    ----------
    kinds, counts
        Combinations of sensitive values of a class, and how many rows have each.
    named
        How many values the list has.
    demand
        What is demanded of classes.

    Returns
    -------
    list
        For each value vectors of which none is at least another; empty if every way to fill the
        list would have been cut.
    """
    if not len(demand.rules):
        return _by_size(int(counts.sum()), named, demand.least_size)
    ways = np.zeros((1, 0, named), np.int64)
    for number in counts.tolist():
        each = dealt(number, named)
        longer = np.tile(each, (len(ways), 1))[:, np.newaxis]
        ways = np.concatenate([np.repeat(ways, len(each), axis=0), longer], axis=1)
    ways = ways[(ways.sum(axis=1) > 0).all(axis=1)]
    ways = ways[is_refused(kinds, ways, demand)]
    return [_least(ways[:, :, place]) for place in range(named)] if len(ways) else []


def _by_size(rows: int, named: int, least: int) -> list[_Ints]:
    """The same under k alone, where the one in the middle has all rows that may not be cut off."""
    if named > 2 * least - 1 and rows >= 2 * least:
        return []
    middle = rows - 2 * least + 2 if named == 2 * least - 1 else 1
    return [np.array([[middle if place == least - 1 else 1]]) for place in range(named)]


def is_refused(kinds: _Ints, ways: _Ints, demand: Demand) -> NDArray[np.bool_]:
    """Of each way to fill a list, whether it was not cut; see :func:`refinement`."""
    sums = ways.sum(axis=1)
    below, rows = np.cumsum(sums, axis=1)[:, :-1], int(sums[0].sum()) if len(sums) else 0
    allowed = (below >= demand.least_size) & (rows - below >= demand.least_size)
    far = np.where(allowed, abs(2 * below - rows), 2 * rows + 1)
    nearest, cuts = far.argmin(axis=1), allowed.any(axis=1)
    refused = np.ones(len(ways), bool)
    for cut in np.unique(nearest[cuts]):
        some = np.flatnonzero((nearest == cut) & cuts)
        halves = (ways[some][:, :, : cut + 1], ways[some][:, :, cut + 1 :])
        met = [halves_meet(demand, kinds.astype(np.int32), half.sum(axis=2)) for half in halves]
        refused[some] = ~(met[0] & met[1])
    return refused


def _least(vectors: _Ints) -> _Ints:
    """Vectors of which none is at least another."""
    kept = np.empty((0, vectors.shape[1]), np.int64)
    different = np.unique(vectors, axis=0)
    for one in different[np.argsort(different.sum(axis=1), kind="stable")]:
        if not (kept <= one).all(axis=1).any():
            kept = np.concatenate([kept, one[np.newaxis]])
    return kept


def unavoidable(filled: Sequence[Sequence[_Ints]], counts: _Ints) -> Iterator[tuple[int, ...]]:
    """Rows, as places in the list of each column, that no way to fill the columns is without."""
    for chosen in product(*(range(len(each)) for each in filled)):
        free = np.zeros((1, len(counts)), np.int64)
        for column, place in zip(filled, chosen, strict=True):
            more = free[:, np.newaxis] + (counts - column[place])[np.newaxis]
            free = np.unique(np.minimum(more.reshape(-1, len(counts)), counts), axis=0)
        if not (free >= counts).all(axis=1).any():
            yield chosen


def _figures(found: Found, both: Numbered, owners: _Ints, k: int) -> dict[str, int | float]:
    shared, few = shared_by(found.rows, both.values, owners, k)
    return {
        "classes": found.classes,
        "whole": found.whole,
        "tried": found.tried,
        "otherwise": found.otherwise,
        "more": len(found.rows),
        "wrong": int((shared == 0).sum()),
        "k": k,
        "shared_by_few": int(((shared > 0) & (shared < k)).sum()),
        "shared_by_one": int((shared == 1).sum()),
        "people": len(np.unique(owners)),
        "people_few": few,
    }


def _sentence(figures: Mapping[str, int | float], method: str, *, exact: bool) -> str:
    whole, more, few = (int(figures[each]) for each in ("whole", "more", "people_few"))
    if not whole:
        return (
            "No further complete row follows for who knows how classes are cut: in none of "
            f"{int(figures['classes']):,} do all columns that vary list so many values that it "
            "matters."
        )
    rows = "row follows" if more == 1 else "rows follow"
    said = (
        f"For who knows how classes are cut, {more or 'no'} further complete {rows} from "
        f"{'1 class' if whole == 1 else f'{whole:,} classes'}"
    )
    if more:
        said += (
            f", {int(figures['shared_by_few']):,} of them shared by fewer than {figures['k']} "
            f"people; {people(few, int(figures['people']))} {'has' if few == 1 else 'have'} such a "
            "row"
        )
    left = whole - int(figures["tried"]) - int(figures["otherwise"])
    large = f" {left:,} of the classes were too large to try." if left else ""
    return f"{said}.{large}{'' if exact else about_method(figures, method)}"
