"""Whole people of linked tables: who fits somebody of whom an attacker knows every row.

A person of linked tables is a tree of rows. In the original most people are like nobody else by
their whole tree; in a release everybody has the tree of at least k people, but rows may be missing
from it. So a published person may be somebody if their tree is part of that person's: every
published row covers a row of theirs, different rows different ones, the rows below them likewise.

Source: Nergiz, Clifton and Nergiz, "Multirelational k-anonymity", 2009, whose attacker knows all
rows of a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.class_counts import THRESHOLD, counts_of
from papilio.attack.exposure import exposure_of, populations_of
from papilio.attack.known_children import Covering, covering, published_up
from papilio.attack.result import AttackResult, Exposed, people
from papilio.attack.risk import RiskView
from papilio.attack.risk_words import results_of
from papilio.data.link import Snowflake
from papilio.data.table import Role
from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERYONE
from papilio.randomness import sampling
from papilio.release.release import Release

NAME, VALUES = "whole_person", "shared_values"
#: Pairs of trees up to which everybody is tried; of more, so many people.
_PAIRS, _PEOPLE = 200_000, 200
_ALL, _COUNTS = "all of their rows", "how many rows they have in each table"
Ints = NDArray[np.int64]
#: Numbers of the trees of the rows below one row, by table.
Below = dict[int, list[int]]


@dataclass(frozen=True, eq=False)
class Trees:
    """Rows of linked tables, numbered so that equal trees have equal numbers.

    Attributes
    ----------
    above
        Per table, the place of the table above; -1 for people.
    labels
        Per table, its distinct combinations of known cells.
    label, tree
        Per table, the number of the label, and of the tree, of each row.
    up
        Per table, the row of the table above of each row.
    """

    above: list[int]
    labels: list[pl.DataFrame]
    label: list[Ints]
    tree: list[Ints]
    up: list[Ints]
    _shapes: dict[tuple[int, int], tuple[int, Below]] = field(default_factory=dict)
    _rows: dict[int, Ints] = field(default_factory=dict)

    @property
    def sizes(self) -> Ints:
        """People of each tree."""
        return np.bincount(self.tree[0]).astype(np.int64)

    def counts(self) -> Ints:
        """Rows of each person, one column for each other table."""
        people = len(self.tree[0])
        whose = [np.arange(people)]
        for place in range(1, len(self.tree)):
            whose.append(whose[self.above[place]][self.up[place]])
        found = [np.bincount(each, minlength=people) for each in whose[1:]]
        return np.stack(found, 1) if found else np.zeros((people, 0), np.int64)

    def shape(self, place: int, tree: int) -> tuple[int, Below]:
        """The label of a tree, and the trees below it."""
        key = place, tree
        if key not in self._shapes:
            row = self._first(place)[tree]
            below = {
                child: self.tree[child][self._children(child, row)].tolist()
                for child in range(1, len(self.tree))
                if self.above[child] == place
            }
            self._shapes[key] = int(self.label[place][row]), below
        return self._shapes[key]

    def _first(self, place: int) -> Ints:
        if place not in self._rows:
            self._rows[place] = np.unique(self.tree[place], return_index=True)[1]
        return self._rows[place]

    def _children(self, place: int, row: int) -> Ints:
        if -place not in self._rows:
            self._rows[-place] = np.argsort(self.up[place], kind="stable")
        order = self._rows[-place]
        begin, end = np.searchsorted(self.up[place], [row, row + 1], sorter=order)
        return order[begin:end]


def trees_of(frames: list[pl.DataFrame], above: list[int], up: list[Ints]) -> Trees:
    """Number labels and trees; NULL is a value.

    Parameters
    ----------
    frames
        Per table, the cells that are known; people first, others after the table they hang off.
    above, up
        As in :class:`Trees`.

    Notes
    -----
    Cost: a sort of each table.
    """
    labels: list[pl.DataFrame] = []
    label: list[Ints] = []
    for frame in frames:
        distinct, numbers = _numbered(frame)
        labels.append(distinct)
        label.append(numbers)
    tree: list[Ints] = [np.empty(0, np.int64)] * len(frames)
    for place in range(len(frames) - 1, -1, -1):
        parts = {"label": pl.Series(label[place])}
        for child in (c for c in range(place + 1, len(frames)) if above[c] == place):
            parts[str(child)] = _listed(tree[child], up[child], len(label[place]))
        tree[place] = _numbered(pl.DataFrame(parts))[1]
    return Trees(above, labels, label, tree, up)


def _numbered(frame: pl.DataFrame) -> tuple[pl.DataFrame, Ints]:
    """Distinct rows in order of appearance, and which of them each row is."""
    if not frame.width:
        return frame.head(min(frame.height, 1)), np.zeros(frame.height, np.int64)
    distinct = frame.unique(maintain_order=True)
    known = distinct.with_row_index("papilio number")
    joined = frame.join(
        known, on=frame.columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return distinct, joined.get_column("papilio number").to_numpy().astype(np.int64)


def _listed(tree: Ints, up: Ints, rows: int) -> pl.Series:
    """Trees below each row, ascending, as one text."""
    listed = (
        pl.DataFrame({"up": up, "tree": tree})
        .sort("up", "tree")
        .group_by("up", maintain_order=True)
        .agg(pl.col("tree").cast(pl.String).str.join(","))
    )
    whole = pl.DataFrame({"up": np.arange(rows, dtype=np.int64)})
    return whole.join(listed, on="up", how="left", maintain_order="left").get_column("tree")


def original_trees(original: Snowflake) -> Trees:
    """Trees of people as they are, of their quasi-identifiers."""
    frames = [
        t.table.frame.select(c.name for c in t.table.with_role(Role.QUASI))
        if t.table.with_role(Role.QUASI)
        else pl.DataFrame(height=t.height)
        for t in original.tables
    ]
    above = [original.above(place) for place in range(len(frames))]
    return trees_of(frames, above, [t.up for t in original.tables])


def published_trees(
    release: Release, original: Snowflake, more: Mapping[str, Sequence[str]] | None = None
) -> Trees:
    """Trees of people as they are published, of the cells of their quasi-identifiers.

    ``more`` names further published columns by their table that an attacker looks at.
    """
    frames, up = [], []
    for each in original.tables:
        cells = [
            name
            for column in release.manifest.table(each.name).columns
            if column.role == Role.QUASI
            for name in column.published
        ]
        cells += (more or {}).get(each.name, ())
        frame = release.frames[each.name]
        frames.append(frame.select(cells) if cells else pl.DataFrame(height=frame.height))
        up.append(published_up(release, each.name))
    above = [original.above(place) for place in range(len(frames))]
    return trees_of(frames, above, up)


class Fit:
    """Whether published trees are part of trees of the original; each pair is tried once."""

    def __init__(
        self,
        release: Release,
        original: Snowflake,
        before: Trees,
        after: Trees,
        more: Mapping[int, Sequence[Covering]] | None = None,
    ) -> None:
        self.before, self.after = before, after
        self._tests = [
            [
                *_tests(release, original, place, before.labels[place], after.labels[place]),
                *(more or {}).get(place, ()),
            ]
            for place in range(len(before.labels))
        ]
        first = np.unique(after.tree[0], return_index=True)[1]
        self._roots, self._rows = after.label[0][first], after.counts()[first]
        self._known_rows = before.counts()
        self._covers: dict[tuple[int, int], NDArray[np.bool_]] = {}
        self._known: dict[tuple[int, int, int], bool] = {}

    def covers(self, place: int, label: int) -> NDArray[np.bool_]:
        """Published labels of a table that may be a label of the original."""
        key = place, label
        if key not in self._covers:
            fits = np.ones(max(self.after.labels[place].height, 1), bool)
            for test in self._tests[place]:
                fits &= test(label)
            self._covers[key] = fits
        return self._covers[key]

    def by_counts(self, person: int) -> NDArray[np.bool_]:
        """Published trees whose top row may be a person's and that have no more rows."""
        likely = self.covers(0, int(self.before.label[0][person]))[self._roots]
        few: NDArray[np.bool_] = (self._rows <= self._known_rows[person]).all(axis=1)
        return likely & few

    def by_rows(self, person: int) -> Ints:
        """Published trees that may be part of a person's."""
        whole = int(self.before.tree[0][person])
        likely = np.flatnonzero(self.by_counts(person))
        return likely[[self(0, whole, int(part)) for part in likely]] if len(likely) else likely

    def __call__(self, place: int, whole: int, part: int) -> bool:
        """Whether tree ``part`` of the release may be part of tree ``whole`` of the original."""
        key = place, whole, part
        if key not in self._known:
            self._known[key] = self._fits(place, whole, part)
        return self._known[key]

    def _fits(self, place: int, whole: int, part: int) -> bool:
        label, below = self.before.shape(place, whole)
        published, kept = self.after.shape(place, part)
        if any(len(kept[child]) > len(below[child]) for child in kept):
            return False
        if not self.covers(place, label)[published]:
            return False
        return all(self._matched(child, below[child], kept[child]) for child in kept)

    def _matched(self, place: int, wholes: list[int], parts: list[int]) -> bool:
        """Whether each published row below finds a row of its own (augmenting paths)."""
        taken: dict[int, int] = {}

        def find(part: int, seen: set[int]) -> bool:
            for place_of, whole in enumerate(wholes):
                if place_of in seen or not self(place, whole, parts[part]):
                    continue
                seen.add(place_of)
                if place_of not in taken or find(taken[place_of], seen):
                    taken[place_of] = part
                    return True
            return False

        return all(find(part, set()) for part in range(len(parts)))


def _tests(
    release: Release,
    original: Snowflake,
    place: int,
    values: pl.DataFrame,
    cells: pl.DataFrame,
) -> list[Covering]:
    if not values.width or not cells.height:
        return []
    table = original.tables[place].table
    described = {column.name: column for column in table.columns}
    return [
        covering(column, cells, described[column.name], values.get_column(column.name))
        for column in release.manifest.table(table.name).columns
        if column.role == Role.QUASI
    ]


def whole_person(release: Release, original: Snowflake, policy: Policy) -> Iterator[AttackResult]:
    """Try people by their whole trees, and by how many rows they have.

    Who is alone in the original is counted exactly. In the release those who fit are counted for
    everybody where there are few, else for 200 people, the same in every run; but as whoever fits
    one person fits all with the same tree, nobody can have fewer than the smallest group of equal
    trees, which is exact.

    Figures: ``people``; ``alone_before``, people who are like
    nobody else by it; ``smallest_group``, fewest people with one published tree; ``tried``, people
    for whom those who fit were counted; ``alone_after``, ``below`` and ``nobody_after``, those of
    them whom one, fewer than k, and nobody fits; ``median_after``.

    Cost: a sort of each table, and a matching for each pair of trees that is tried.
    """
    before, after = original_trees(original), published_trees(release, original)
    fit, k = Fit(release, original, before, after), policy.privacy.k or 1
    tried, sizes = tried_people(before, after), after.sizes
    rows_left = [int(sizes[fit.by_rows(person)].sum()) for person in tried.tolist()]
    counts_left = [int(sizes[fit.by_counts(person)].sum()) for person in tried.tolist()]
    old = before.counts()
    alike = _numbered(pl.DataFrame([pl.Series(before.label[0]), *map(pl.Series, old.T)]))[1]
    for known, left, groups in ((_ALL, rows_left, before.tree[0]), (_COUNTS, counts_left, alike)):
        alone = int((np.bincount(groups) == 1).sum())
        yield _result(known, alone, len(groups), sizes, np.array(left, np.int64), k)


def tried_people(before: Trees, after: Trees) -> Ints:
    """Everybody, if there are few pairs of trees; else some people."""
    number = len(before.tree[0])
    if len(before.sizes) * len(after.sizes) <= _PAIRS:
        return np.arange(number)
    return sampling().permutation(number)[:_PEOPLE]


def _result(known: str, alone: int, number: int, sizes: Ints, left: Ints, k: int) -> AttackResult:
    smallest = int(sizes.min()) if len(sizes) else 0
    found = left[left > 0]
    below = int(((left > 0) & (left < max(k, 2))).sum())
    figures: dict[str, int | float] = {
        "people": number,
        "alone_before": alone,
        "smallest_group": smallest,
        "tried": len(left),
        "alone_after": int((left == 1).sum()),
        "below": below,
        "nobody_after": int((left == 0).sum()),
        "median_after": float(np.median(found)) if len(found) else 0.0,
    }
    # Nobody has fewer than the smallest group, so that the sample speaks for everybody.
    exact = smallest >= max(k, 2) or len(left) == number
    tried, drawn_from = (number, None) if exact else (len(left), number)
    exposed = Exposed(below, tried, drawn_from=drawn_from)
    who = f"someone who knows a person's own columns and {known}"
    return AttackResult(NAME, who, _sentence(figures, k), figures, (exposed,))


def _sentence(figures: dict[str, int | float], k: int) -> str:
    number, tried = int(figures["people"]), int(figures["tried"])
    singled = people(int(figures["alone_before"]), number)
    looked = "" if tried == number else f" Of {tried} people who were tried,"
    who = "nobody" if not figures["below"] else people(int(figures["below"]), tried)
    fewer = f"fewer than {max(k, 2)} people fit for {who}"
    said = f"{looked} {fewer}" if looked else f" {fewer[0].upper()}{fewer[1:]}"
    return (
        f"In the original {singled} would be alone.{said}; every published tree is that of at "
        f"least {int(figures['smallest_group'])} people, and {round(figures['median_after']):,} "
        "fit in the median."
    )


def shared_values(release: Release, original: Snowflake, policy: Policy) -> Iterator[AttackResult]:
    """Count people of whose rows somebody who finds their group reads a sensitive value.

    All rows at one place of the trees of a group share it, and so does the person, if their row
    is there. Figures: ``people``; ``learnt: <table.column>`` for each sensitive column.

    Cost: two sorts of each table.
    """
    del policy
    after = published_trees(release, original)
    number = len(after.tree[0])
    place, whose = [after.tree[0]], [np.arange(number)]
    for table in range(1, len(after.tree)):
        above, up = after.above[table], after.up[table]
        frame = pl.DataFrame({"above": place[above][up], "tree": after.tree[table]})
        place.append(_numbered(frame)[1])
        whose.append(whose[above][up])
    exposed = tuple(_shared(release, original, place, whose, number))
    if not exposed:
        yield AttackResult(VALUES, "anyone", "Not tried: no sensitive column is published.")
        return
    figures: dict[str, int | float] = {
        "people": number,
        **{f"learnt: {each.column}": each.people for each in exposed},
    }
    said = "; ".join(
        f"a value of {each.column} is learnt of {people(each.people, number)}" for each in exposed
    )
    who = "someone who knows a person's own columns and all of their rows"
    yield AttackResult(VALUES, who, f"{said[0].upper()}{said[1:]}.", figures, exposed)


def _shared(
    release: Release, original: Snowflake, place: list[Ints], whose: list[Ints], number: int
) -> Iterator[Exposed]:
    for table, each in enumerate(original.tables):
        for column in release.manifest.table(each.name).columns:
            if column.role != Role.SENSITIVE:
                continue
            values = release.frames[each.name].get_column(column.name)
            lines = pl.DataFrame({"place": place[table], "person": whose[table], "value": values})
            one = pl.col("value").n_unique().over("place") == 1
            learnt = lines.filter(one).get_column("person").n_unique()
            yield Exposed(learnt, number, f"{each.name}.{column.name}")


def tree_views(
    release: Release,
    original: Snowflake,
    policy: Policy,
    population: int | None = None,
    threshold: float = THRESHOLD,
) -> tuple[RiskView, ...]:
    """Prosecutor, journalist and marketer over people: a class is all people with one whole tree.

    In the original that is the tree of their quasi-identifiers, in the release that of the cells.
    As rows may be missing, a person may fit several classes, and the prosecutor's chance is an
    upper bound. Arguments as for :func:`papilio.attack.risk.views_of`.
    """
    del policy
    both = original_trees(original), published_trees(release, original)
    before, after = (counts_of(pl.Series(trees.sizes)) for trees in both)
    among = populations_of(before.people, population)
    measured = [exposure_of(each, population, threshold, among) for each in (before, after)]
    columns = tuple(
        f"{each.name}.{column.name}"
        for each in original.tables
        for column in each.table.with_role(Role.QUASI)
    )
    who = "someone who knows a person's own columns and all of their rows"
    results = tuple(results_of(who, measured[0], measured[1], population))
    return (RiskView(original.name, EVERYONE, who, columns, measured[0], measured[1], results),)
