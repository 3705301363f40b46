"""How many rows people have, counted from numbers on disk that stand for them.

Numbers lie in files without names, divided by their leading bits, so that no more than one part of
them is in memory. What is left are a few figures and, on disk as well, the numbers of people who
have several rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.people import HEAVY, PeopleCounted, check_named, person_numbers, person_texts
from papilio.families.engines.disk.rows_on_disk import Stretches
from papilio.policy.person import check_counted, identifiers_to_count
from papilio.policy.policy import Policy
from papilio.randomness import Randomness

#: Parts by leading bits of numbers of 63 bits.
_PARTS, _SHIFT = 256, 63 - 8
#: Numbers that wait in memory, so that there are few and long stretches on disk.
_WAITING = 1 << 19


@dataclass(frozen=True, eq=False)
class PeopleOnDisk:
    """People of a table, as the first pass has found them.

    Attributes
    ----------
    counted
        How many rows they have.
    key
        Of their numbers.
    repeated
        Numbers of those who have several rows, ascending; on disk.
    """

    counted: PeopleCounted
    key: int
    repeated: NDArray[np.int64]

    def numbers(self, column: pl.Series) -> NDArray[np.int64]:
        """Whose each of some rows is; -1 if that person has no other row.

        Cost: a sort of the different people among them, and a look at the disk for each.
        """
        texts = person_texts(column)
        check_named(column.name, texts.null_count(), len(texts))
        different, places = np.unique(person_numbers(texts, self.key), return_inverse=True)
        if not len(self.repeated):
            return np.full(len(texts), -1, np.int64)
        found = np.searchsorted(self.repeated, different)
        there = self.repeated[np.minimum(found, len(self.repeated) - 1)] == different
        return np.where(there, different, -1)[places]


class NumbersOnDisk:
    """Numbers of 63 bits, put on disk as they come.

    Parameters
    ----------
    file
        A file without a name.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._parts = [Stretches(file) for _ in range(_PARTS)]
        self._waiting: list[NDArray[np.int64]] = []
        self.count = 0

    def add(self, numbers: NDArray[np.int64]) -> None:
        """Put further numbers to those that are there."""
        self.count += len(numbers)
        self._waiting.append(numbers)
        if sum(map(len, self._waiting)) > _WAITING:
            self._write()

    def _write(self) -> None:
        ordered = np.sort(np.concatenate([np.empty(0, np.int64), *self._waiting]))
        self._waiting = []
        ends = np.searchsorted(ordered >> _SHIFT, np.arange(1, _PARTS + 1))
        begin = 0
        for part, end in zip(self._parts, ends.tolist(), strict=True):
            part.append(ordered[begin:end].tobytes())
            begin = end

    def parts(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Different numbers, ascending, and how often each occurs, part by part.

        Cost: every number is read and sorted once. Memory: that of the largest part.
        """
        self._write()
        for part in self._parts:
            numbers = np.frombuffer(part.read(0, part.length), np.int64)
            yield np.unique(numbers, return_counts=True)


def count_people(found: NumbersOnDisk, file: BinaryIO) -> tuple[PeopleCounted, NDArray[np.int64]]:
    """Count the rows of people; gives also the numbers of those who have several, on disk."""
    repeated, count, several = Stretches(file), 0, 0
    heavy, rows = np.empty(0, np.int64), np.empty(0, np.int64)
    for numbers, times in found.parts():
        again = times > 1
        count, several = count + len(numbers), several + int(again.sum())
        repeated.append(numbers[again].tobytes())
        heavy, rows = np.append(heavy, numbers[again]), np.append(rows, times[again])
        chosen = np.argsort(-rows, kind="stable")[: HEAVY + 1]
        heavy, rows = heavy[chosen], rows[chosen]
    alone = min(count, 1)
    rest = int(rows[HEAVY]) if len(rows) > HEAVY else alone
    most = int(rows.max(initial=alone))
    told = PeopleCounted(count, several, most, np.sort(heavy[:HEAVY]), rest)
    mapped = repeated.mapped(0, repeated.length, np.dtype(np.int64)) if several else heavy[:0]
    return told, mapped


class PeopleWatch:
    """Looks at every batch of the first pass for whose rows they are.

    Parameters
    ----------
    policy
        The order.
    file
        Opens a file without a name.
    """

    def __init__(self, policy: Policy, file: Callable[[], BinaryIO]) -> None:
        self._policy, self._file = policy, file
        # Never that of a seed: who can repeat the run must not know it.
        self._key = int(Randomness(None).keys(1)[0])
        named = [] if policy.person_column is None else [policy.person_column]
        columns = [*named, *identifiers_to_count(policy)]
        self._found = {name: NumbersOnDisk(file()) for name in columns}
        self._unknown = dict.fromkeys(columns, 0)

    def add(self, batch: pl.DataFrame) -> None:
        """Look at further rows."""
        for name, found in self._found.items():
            column = batch.get_column(name)
            named = person_texts(column) if name == self._policy.person_column else column
            self._unknown[name] += named.null_count()
            found.add(person_numbers(named.drop_nulls(), self._key))

    def finish(self) -> PeopleOnDisk | None:
        """What was found of people, if the policy names them.

        Raises
        ------
        DataError
            If somebody is not named.
        PolicyError
            If the policy names nobody, and an identifier repeats.
        """
        column = self._policy.person_column
        if column is None:
            different = {name: _different(each) for name, each in self._found.items()}
            check_counted(self._policy, different)
            return None
        unknown, found = self._unknown[column], self._found[column]
        check_named(column, unknown, found.count + unknown)
        counted, repeated = count_people(found, self._file())
        return PeopleOnDisk(counted, self._key, repeated)


def _different(found: NumbersOnDisk) -> tuple[int, int]:
    return found.count, sum(len(numbers) for numbers, _ in found.parts())
