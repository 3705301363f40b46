"""Certain rows: people's complete rows that follow from the cells alone (downcoding).

A cell is the smallest of its kind that covers its class, so it proves values: both ends of a range
and every label of a list occur among the rows of the class. Where all other columns of the class
have one value each, such a value completes a row, and the row must be there. k-anonymity does not
speak of it: it says that nobody can tell which of k published rows is a person's, and the row that
follows here may be one person's of the original.

Source: Cohen, "Attacks on deidentification's defenses", USENIX Security 2022 (downcoding: releases
whose cells are as small as possible are undone).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.holdings import owners_of
from papilio.attack.looks import Numbers, look
from papilio.attack.result import AttackResult, Exposed, in_part, parts_of, people
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.cells import reader_of
from papilio.verify.cover import cover_of_bounds, cover_of_readings
from papilio.verify.fitting import Fitting
from papilio.verify.numbering import compared_as
from papilio.verify.readings import ONLY_NULL, OneOf, Reading, Span, json_list

NAME = "certain_rows"
ATTACKER = "anyone who reads the release"

Ints = NDArray[np.int64]
#: Number of a value that no row of the original has.
UNKNOWN = -1
_OWNER, _ROW = "papilio owner", "papilio certain row"


def attained(manifest: Manifest, table: PublishedTable, column: PublishedColumn) -> bool:
    """Whether the cells of a column prove values: each is the smallest that covers its class.

    This is read from the manifest alone. It is not so for labels that stand on one level for the
    whole column, nor for a column that follows another, whose cells hold whatever goes with those
    of its leader anywhere.
    """
    on_one_level = column.cells == "node" and "level" in (column.hierarchy or {})
    return column.cells in ("range", "set", "node") and not (
        on_one_level or column.name in _followers(manifest, table)
    )


def _followers(manifest: Manifest, table: PublishedTable) -> set[object]:
    return {
        claim.parameters.get("column")
        for claim in manifest.claims
        if claim.claim == "follows" and claim.table == table.name
    }


def free_columns(manifest: Manifest, table: PublishedTable) -> list[str]:
    """Quasi-identifiers that a row is complete with: those that follow no other.

    What follows another is a matter of the other, which leaves as little open with it as without.
    """
    followers = _followers(manifest, table)
    return [c.name for c in table.columns if c.role == "quasi" and c.name not in followers]


@dataclass(frozen=True, eq=False)
class Proof:
    """What the distinct cells of a column prove.

    Attributes
    ----------
    single
        Per cell, whether it allows one value and no other.
    cell, value
        Pairs, by cell: a value that some row of every class with this cell must have. Values are
        numbered as in :mod:`papilio.verify.numbering`, 0 is NULL, :data:`UNKNOWN` not in the
        original.
    """

    single: NDArray[np.bool_]
    cell: Ints
    value: Ints


@dataclass(frozen=True, eq=False)
class Numbered:
    """Both sides in numbers, and what the cells prove; one column per quasi-identifier.

    Attributes
    ----------
    values, cells
        Per row of the original, its values; per published row, its cells.
    proofs
        Per column.
    fitting
        Distinct rows of both sides, and what the cells allow.
    """

    values: Ints
    cells: Ints
    proofs: tuple[Proof, ...]
    fitting: Fitting


def certain_rows(
    release: Release, original: Table, policy: Policy, *, apart: bool = False
) -> Iterator[AttackResult]:
    r"""Find all complete rows that every table has that fits the cells.

    In a class of n rows let :math:`a_c` be the least number of rows that can have the value
    :math:`t_c` in column c: n if the cell allows nothing else, 1 if it proves the value, else 0.
    Columns can be put together to rows in any way, so the row t can be avoided if and only if each
    of the n rows can differ from it in some column, :math:`\sum_c (n - a_c) \ge n`. So a row is
    certain exactly if all its columns have one value in the class, or all but one, whose cell
    proves the value. Where two columns vary, no complete row is certain. Classes do not restrict
    each other. This is exact for classes of any size: the tests compare it with all tables there
    are.

    Proven are: both ends of a range, and NULL where it is said; every member of a list; of a label
    for the smallest common node, a value that is one of two branches of the node alone (NULL counts
    as a branch of the root). What labels say of a tree that is not published is not used.
    A row is complete with the quasi-identifiers that follow no other. Tables of projections are
    looked at one by one; as they are of the same people, more may follow from several together.

    Figures: ``rows`` and ``classes`` of the release; ``one_varying``, classes of which one column
    varies; ``certain``, distinct rows that must exist; ``wrong``, those that the original does not
    have, 0 unless it is another original; ``k``; ``shared_by_few`` and ``shared_by_one``, those
    that fewer than k people and one person of the original have; ``people``, and ``people_few``,
    people with a row that fewer than k share, who count as exposed: somebody who knows nobody sees
    that they are there, and has their whole row. If a policy says whose rows they are, its people
    are counted. Who has the release needs to know nobody's values, nor the k.

    Not tried: what follows for somebody who knows the method or other rows; rows without some of
    the columns; values and columns that are published as they were.

    Parameters
    ----------
    release, original, policy
        The release, the table it was made from, and its policy.
    apart
        Whether each column was divided by itself, so that a cell is the smallest for the rows that
        share it, whatever their other cells are. A class then proves what such cells do of which
        all rows are in the class; more may follow from cells that overlap.

    Notes
    -----
    Cost: numbering all rows in SQL, then a grouping of both sides.
    """
    every = [_result(release, part, policy, apart=apart) for part in parts_of(release, original)]
    # Of several tables one line says enough at the end of publishing.
    worst = max(every, key=lambda each: each.figures.get("people_few", 0))
    yield from (each if each is worst else replace(each, told="") for each in every)


def _result(release: Release, original: Table, policy: Policy, *, apart: bool) -> AttackResult:
    attacker = in_part(ATTACKER, original, release)
    table = release.manifest.table(original.name)
    complete = free_columns(release.manifest, table)
    if not complete:
        return AttackResult(NAME, attacker, "Not tried: the release has no quasi-identifier.")
    both = numbered_by_cells(release, table, original, complete)
    figures = _figures(both, owners_of_rows(original), few_of(policy), apart=apart)
    few, everybody = int(figures["people_few"]), int(figures["people"])
    told = in_part(_told(figures), original, release) if few else ""
    exposed = (Exposed(few, everybody),)
    return AttackResult(NAME, attacker, _sentence(figures), figures, exposed, told)


def few_of(policy: Policy) -> int:
    """Fewer people than this are few: what is promised to somebody, and at least two."""
    asked = [policy.privacy.k, *(each.k for each in policy.recipients.values())]
    return max([2, *(k for k in asked if k is not None)])


def owners_of_rows(original: Table) -> Ints:
    """The person of each row; without several rows of anybody its number."""
    return np.arange(original.height) if original.people is None else owners_of(original)


def _figures(both: Numbered, owners: Ints, k: int, *, apart: bool) -> dict[str, int | float]:
    classes = both.fitting.demand.numbers
    rows = rows_of(classes, both.proofs, apart=apart)
    shared, few = shared_by(rows, both.values, owners, k)
    varying = np.column_stack(
        [~proof.single[classes[:, place]] for place, proof in enumerate(both.proofs)]
    )
    return {
        "rows": len(both.cells),
        "classes": len(classes),
        "one_varying": int((varying.sum(axis=1) == 1).sum()),
        "certain": len(rows),
        "wrong": int((shared == 0).sum()),
        "k": k,
        "shared_by_few": int(((shared > 0) & (shared < k)).sum()),
        "shared_by_one": int((shared == 1).sum()),
        "people": len(np.unique(owners)),
        "people_few": few,
    }


def rows_of(classes: Ints, proofs: Sequence[Proof], *, apart: bool = False) -> Ints:
    """Distinct rows that are certain, as numbers of values; see :func:`certain_rows`."""
    varies = np.column_stack([~p.single[classes[:, place]] for place, p in enumerate(proofs)])
    only = np.column_stack([only_values(p)[classes[:, place]] for place, p in enumerate(proofs)])
    varying = varies.sum(axis=1)
    found = [only[varying == 0]]
    for place, proof in enumerate(proofs):
        some = np.flatnonzero((varying == 1) & varies[:, place])
        if apart:
            within = np.bincount(classes[:, place], minlength=len(proof.single)) == 1
            some = some[within[classes[some, place]]]
        which, values = _proven(proof, classes[some, place])
        rows = only[some[which]]
        rows[:, place] = values
        found.append(rows)
    return np.unique(np.concatenate(found), axis=0)


def only_values(proof: Proof) -> Ints:
    """Per cell, a value that it proves; of single ones it is the only one."""
    only = np.full(len(proof.single), UNKNOWN, np.int64)
    only[proof.cell] = proof.value
    return only


def _proven(proof: Proof, cells: Ints) -> tuple[Ints, Ints]:
    """Pairs of a place in ``cells`` and a value that the cell there proves."""
    first = np.searchsorted(proof.cell, cells, "left")
    many = np.searchsorted(proof.cell, cells, "right") - first
    begins = np.cumsum(many) - many
    which = np.repeat(np.arange(len(cells)), many)
    return which, proof.value[np.repeat(first - begins, many) + np.arange(many.sum())]


def shared_by(rows: Ints, values: Ints, owners: Ints, k: int) -> tuple[Ints, int]:
    """How many people have each row, and how many have one that fewer than k have."""
    names = [f"c{place}" for place in range(values.shape[1])]
    known = pl.DataFrame(values, schema=names).with_columns(pl.Series(_OWNER, owners))
    certain = pl.DataFrame(rows, schema=names).with_row_index(_ROW)
    whose = known.join(certain, on=names).select(_ROW, _OWNER).unique()
    shared = np.bincount(whose.get_column(_ROW).to_numpy(), minlength=len(rows))
    few = whose.filter(pl.Series(shared[whose.get_column(_ROW).to_numpy()] < k))
    return shared.astype(np.int64), few.get_column(_OWNER).n_unique()


def _told(figures: dict[str, int | float]) -> str:
    few = int(figures["people_few"])
    whose = "row" if few == 1 else "rows"
    return (
        f"Tight cells: the complete {whose} of {people(few, int(figures['people']))}, shared by "
        f"fewer than {figures['k']}, {'follows' if few == 1 else 'follow'} from the release alone"
    )


def _sentence(figures: dict[str, int | float]) -> str:
    certain, one = int(figures["certain"]), int(figures["shared_by_one"])
    if not certain:
        return "No complete row follows from the release alone."
    if not figures["shared_by_few"]:
        exist = "row follows" if certain == 1 else "rows follow"
        return (
            f"{certain:,} complete {exist} from the release alone, shared by {figures['k']} or "
            "more people each."
        )
    whose = "person's complete row follows" if one == 1 else "people's complete rows follow"
    many = f"{certain:,} rows" if certain > 1 else "1 row"
    return (
        f"{one:,} {whose} from the release alone: {many} must exist, "
        f"{int(figures['shared_by_few']):,} of them shared by fewer than {figures['k']} people; "
        f"{people(int(figures['people_few']), int(figures['people']))} have such a row."
    )


def numbered_by_cells(
    release: Release, table: PublishedTable, original: Table, quasi: Sequence[str]
) -> Numbered:
    """Number the original's values, the published cells, and what the cells prove."""
    both = look(release, table, original, quasi)
    proofs = [
        _proof(each, release.hierarchies, proves=attained(release.manifest, table, each.described))
        for each in both.columns
    ]
    return Numbered(both.values, both.cells, tuple(proofs), both.fitting)


def _proof(column: Numbers, hierarchies: Mapping[str, str], *, proves: bool) -> Proof:
    if column.bounds:
        return _of_bounds(column, proves=proves)
    said = _said(column, hierarchies, proves=proves)
    single = np.array([len(each) == 1 and alone for each, alone in said], bool)
    pairs = [(cell, value) for cell, (each, _) in enumerate(said) for value in each]
    readings = [value for _, value in pairs]
    cover = cover_of_readings(column.known, compared_as(column.described), readings)
    found = np.where(cover.first == cover.last, cover.first, UNKNOWN)
    return Proof(
        single,
        np.array([cell for cell, _ in pairs], np.int64),
        np.where(cover.null, 0, found).astype(np.int64),
    )


def _of_bounds(column: Numbers, *, proves: bool) -> Proof:
    """What ranges prove that are published as their ends."""
    low, high, null = column.bounds
    no_low, no_high = np.ma.getmaskarray(low), np.ma.getmaskarray(high)
    may_be_null = np.ma.getdata(null) & ~np.ma.getmaskarray(null)
    never = np.zeros(len(may_be_null), bool)
    ends = [cover_of_bounds(column.known, each, each, never) for each in (low, high)]
    numbers = [np.where(each.first == each.last, each.first, UNKNOWN) for each in ends]
    equal = ~(no_low | no_high) & (np.ma.getdata(low) == np.ma.getdata(high))
    only_null = no_low & no_high & may_be_null
    single = (equal & ~may_be_null) | only_null
    cells = np.arange(len(single))
    told = single | proves
    parts = [
        (cells[told & ~no_low], numbers[0][told & ~no_low]),
        (cells[told & ~no_high & ~equal], numbers[1][told & ~no_high & ~equal]),
        (cells[told & may_be_null], np.zeros(int((told & may_be_null).sum()), np.int64)),
    ]
    cell = np.concatenate([each for each, _ in parts])
    order = np.argsort(cell, kind="stable")
    return Proof(single, cell[order], np.concatenate([each for _, each in parts])[order])


#: What some cell says: readings of one value each, and whether these are all it allows.
_Said = tuple[list[Reading], bool]


def _said(column: Numbers, hierarchies: Mapping[str, str], *, proves: bool) -> list[_Said]:
    described, by_node = column.described, column.described.cells == "node"
    read = reader_of(described, hierarchies)
    branches = _branches(described, hierarchies) if by_node else {}
    said: list[_Said] = []
    for text in column.texts:
        members = _members(None if read is None else read(text))
        if text is not None and by_node and len(members) != 1:
            said.append((_of_label(described, text, branches) if proves else [], False))
        elif len(members) == 1 or proves:
            said.append((members, True))
        else:
            said.append(([], False))
    return said


def _members(reading: Reading | None) -> list[Reading]:
    """Values that a cell names: all members of a list, both ends of a range."""
    match reading:
        case Span(low, high, half_open, null) if not half_open:
            ends = [Span(low, low)] if low == high else [Span(low, low), Span(high, high)]
            return [*ends, ONLY_NULL] if null else list(ends)
        case OneOf(values, null):
            named: list[Reading] = [OneOf((value,)) for value in values]
            return [*named, ONLY_NULL] if null else named
        case _:
            return []


#: Of each label of a file of paths, the values below each of its branches.
_Branches = dict[str, dict[str, set[str]]]


def _branches(column: PublishedColumn, hierarchies: Mapping[str, str]) -> _Branches:
    rule = column.hierarchy or {}
    text = hierarchies.get(str(rule.get("paths", "")), "")
    found: _Branches = {}
    for line in csv.reader(io.StringIO(text, newline="")):
        path = [label for label, _ in groupby(line)]
        for below, label in pairwise(path):
            found.setdefault(label, {}).setdefault(below, set()).add(path[0])
        if path:
            # NULL is a branch of the root alone; no label of a file is an empty text.
            found.setdefault(path[-1], {})[""] = {""}
    return found


def _of_label(column: PublishedColumn, label: str, branches: _Branches) -> list[Reading]:
    """Values that the label of an inner node proves: branches of two that are one value each."""
    if (column.hierarchy or {}).get("automatic"):
        named = [each for each in json_list(label) or [] if isinstance(each, str)]
        return [OneOf((each,)) for each in named] if len(named) == 2 else []
    below = branches.get(label, {})
    if len(below) != 2:
        return []
    alone = [min(values) for values in below.values() if len(values) == 1]
    return [OneOf((value,)) if value else ONLY_NULL for value in alone]
