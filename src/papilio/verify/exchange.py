"""Exchange rows between lines until people own what is claimed, where classes overlap.

A row may stand in any line that is true of it. Rows are moved along cycles: a row of somebody who
owns too much of a class goes to another line that fits it, the row that stood there to a third one,
and so on, until one comes back to the line that was left. Every line stays true of its row and
every row has one line. A cycle is taken if fewer rows are too many than before; if there is none,
what is too much may be pushed from one class to another a limited number of times.

The search is not complete: that it fails says nothing. That it succeeds is not believed either, but
counted (:mod:`papilio.verify.people`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.randomness import Randomness
from papilio.verify.exchange_rules import Rule
from papilio.verify.whose_lines import Lists, Matching

Ints: TypeAlias = NDArray[np.int64]
#: A rule, and the class and the person of which it does not hold.
Trouble: TypeAlias = tuple[Rule, int, int]

#: Times that something is pushed on for everything that was too much at first, and once more.
_PUSHES, _MORE_PUSHES = 5, 300


class Free(Enum):
    """Which move along a cycle may be too much: none, that of the first row, or that of the last.

    What is too much is then pushed on: the person has it elsewhere, or somebody else here.
    """

    NONE = 0
    FIRST = 1
    LAST = 2


def spread(matching: Matching, person: Ints, rules: Sequence[Rule], looks: int) -> bool:
    """Exchange rows until all rules hold, as far as that is possible; whether they do.

    Parameters
    ----------
    matching
        Changed in place; every line stays true.
    person
        Whose each row of the original is.
    rules
        What is asked of each class and person.
    looks
        How many rows may be looked at.

    Notes
    -----
    Cost: an index of the pairs that fit, and for each row that is too much a breadth-first search
    among the rows that can replace one another.
    """
    exchange = _Exchange(matching, person, rules, looks)
    done = exchange.run()
    matching.row_of_line[:] = exchange.row_of_line[: len(matching.row_of_line)]
    return done


class _Exchange:
    """Who stands where, and what may go where."""

    def __init__(self, matching: Matching, person: Ints, rules: Sequence[Rule], looks: int) -> None:
        places = matching.places()
        self.person = person
        self.rules = rules
        self.kind_of_row = matching.kind_of_row
        self.kind_of_line = places.kind_of_line
        self.row_of_line = places.row_of_line
        self.line_of_row = np.empty_like(self.row_of_line)
        self.line_of_row[self.row_of_line] = np.arange(len(self.row_of_line))
        self.fits = Lists.of_pairs(places.pairs[:, 0], places.pairs[:, 1], places.row_kinds)
        self.fitted_by = Lists.of_pairs(places.pairs[:, 1], places.pairs[:, 0], places.line_kinds)
        self.rows_of_kind = Lists.of_groups(self.kind_of_row, places.row_kinds)
        self.rows_of_person = Lists.of_groups(person, int(person.max(initial=-1)) + 1)
        self.chance = Randomness(1)
        self.looks = looks
        for rule in rules:
            rule.begin(self.kind_of_line, self.row_of_line, person)

    def run(self) -> bool:
        """Mend what is broken, again and again while that changes something."""
        waiting = [(rule, *broken) for rule in self.rules for broken in rule.broken()]
        pushes = _MORE_PUSHES + _PUSHES * len(waiting)
        while waiting and pushes > 0 and self.looks > 0:
            stuck = [each for each in waiting if not self._mended(each)]
            pushes -= len(stuck)
            touched = [each for trouble in stuck for each in self._pushed(trouble)]
            waiting = self._troubles([*stuck, *touched])
            if not touched:
                break
        return not waiting

    def _pushed(self, trouble: Trouble) -> list[Trouble]:
        """Push a row of what cannot be mended on to another class; what was touched."""
        if not self._is_trouble(trouble):
            return []
        # In an order that is drawn.
        ends = [Free.FIRST, Free.LAST] if self.chance.keys(1)[0] & 1 else [Free.LAST, Free.FIRST]
        return self._take(trouble, ends[0]) or self._take(trouble, ends[1]) or []

    def _troubles(self, some: list[Trouble]) -> list[Trouble]:
        """Those that are broken, each once."""
        once = {(id(each[0]), *each[1:]): each for each in some}
        return [each for each in once.values() if self._is_trouble(each)]

    def _mended(self, trouble: Trouble) -> bool:
        """Move rows of a person out of a class while they are too many; whether that succeeds."""
        while self._is_trouble(trouble):
            if self._take(trouble, Free.NONE) is None:
                return False
        return True

    def _is_trouble(self, trouble: Trouble) -> bool:
        rule, owned, person = trouble
        return rule.excess(owned, person) > 0

    def _take(self, trouble: Trouble, free: Free) -> list[Trouble] | None:
        """Move one row of a person out of a class; what was touched, ``None`` if nothing could."""
        for row in self._rows_in(trouble, shuffled=free is not Free.NONE):
            cycle = self._cycle(row, free)
            touched = None if cycle is None else self._turned(cycle, free)
            if touched is not None:
                return touched
        return None

    def _rows_in(self, trouble: Trouble, *, shuffled: bool) -> list[int]:
        """Rows of a person in a class, one of each kind in lines of each kind."""
        rule, owned, person = trouble
        rows = self.rows_of_person[person]
        kinds = self.kind_of_line[self.line_of_row[rows]]
        rows = rows[rule.class_of_kind[kinds] == owned]
        if shuffled:
            rows = rows[self.chance.permutation(len(rows))]
        kinds = self.kind_of_line[self.line_of_row[rows]]
        one = dict(zip(zip(self.kind_of_row[rows], kinds, strict=True), rows, strict=True))
        return [int(row) for row in one.values()]

    def _cycle(self, row: int, free: Free) -> list[int] | None:
        """Rows that can each take the line of the next one, the last one that of the first.

        Found backwards: which rows fit the line that is left, which fit theirs, and so on, until
        one stands in a line that the first row fits.
        """
        home = int(self.kind_of_line[self.line_of_row[row]])
        goals = self._goals(row, home, free)
        after: dict[int, tuple[int, int]] = {home: (row, -1)}
        waiting = deque([home] if goals else [])
        while waiting and self.looks > 0:
            there = waiting.popleft()
            anybody = free is Free.LAST and there == home
            for other, kind in self._replacing(there, goals, after, free):
                if kind in after or not (anybody or self._may(other, kind, there)):
                    continue
                after[kind] = (other, there)
                if kind in goals:
                    return [row, *_path(after, kind)]
                waiting.append(kind)
        return None

    def _goals(self, row: int, home: int, free: Free) -> set[int]:
        """Kinds of lines that a row may go to."""
        kinds = self.fits[int(self.kind_of_row[row])].tolist()
        every = free is Free.FIRST
        return {kind for kind in kinds if kind != home and (every or self._may(row, home, kind))}

    def _replacing(
        self, there: int, goals: set[int], after: dict[int, tuple[int, int]], free: Free
    ) -> Iterator[tuple[int, int]]:
        """Rows that fit lines of a kind, and the kinds of their own; first those of goals."""
        rows = np.concatenate([self.rows_of_kind[int(each)] for each in self.fitted_by[there]])
        if free is not Free.NONE:
            rows = rows[self.chance.permutation(len(rows))]
        self.looks -= len(rows)
        kinds = self.kind_of_line[self.line_of_row[rows]].tolist()
        every = [each for each in zip(rows.tolist(), kinds, strict=True) if each[1] not in after]
        yield from (each for each in every if each[1] in goals)
        yield from (each for each in every if each[1] not in goals)

    def _may(self, row: int, here: int, there: int) -> bool:
        """Whether the owner of a row may have it in a line of another kind instead of this."""
        person = int(self.person[row])
        return all(rule.may_take(person, here, there) for rule in self.rules)

    def _turned(self, cycle: list[int], free: Free) -> list[Trouble] | None:
        """Move rows along a cycle if that mends something; if a move is free, if none is worse."""
        lines = self.line_of_row[cycle]
        kinds = self.kind_of_line[lines].tolist()
        people = self.person[cycle].tolist()
        touched = self._touched(kinds, people)
        before = sum(rule.excess(owned, who) for rule, owned, who in touched)
        self._move(cycle, np.roll(lines, -1), people, kinds, [*kinds[1:], kinds[0]])
        now = sum(rule.excess(owned, who) for rule, owned, who in touched)
        if now < before + (free is not Free.NONE):
            return touched
        self._move(cycle, lines, people, [*kinds[1:], kinds[0]], kinds)
        return None

    def _touched(self, kinds: list[int], people: list[int]) -> list[Trouble]:
        """Classes and people whose counts a cycle may change, each once."""
        found: dict[tuple[int, int, int], Trouble] = {}
        for here, there, person in zip(kinds, [*kinds[1:], kinds[0]], people, strict=True):
            for number, rule in enumerate(self.rules):
                for owned in rule.class_of_kind[[here, there]].tolist():
                    if owned >= 0:
                        found[number, owned, person] = (rule, owned, person)
        return list(found.values())

    def _move(
        self, rows: list[int], lines: Ints, people: list[int], here: list[int], there: list[int]
    ) -> None:
        self.line_of_row[rows] = lines
        self.row_of_line[lines] = rows
        for person, old, new in zip(people, here, there, strict=True):
            for rule in self.rules:
                rule.move(person, old, new)


def _path(after: dict[int, tuple[int, int]], kind: int) -> Iterator[int]:
    """Rows from a kind of line to where the search began, without the first row of all."""
    while after[kind][1] >= 0:
        row, kind = after[kind]
        yield row
