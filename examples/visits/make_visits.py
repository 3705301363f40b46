"""Invent the visits of this example: no row is about anybody.

Run ``python make_visits.py`` to write ``visits.csv`` anew; the file is the same every time.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TypeVar

PEOPLE = 120
SEED = 1936

HEADER = ("patient", "born", "sex", "postcode", "visited", "ward", "diagnosis")
POSTCODES = ("01067", "01069", "01097", "01099", "01127", "01129", "01237", "01239")
WARDS = ("eye clinic", "heart", "lungs", "surgery")
#: Diagnosis by ward; the last of each is one that people come back with.
DIAGNOSES = {
    "eye clinic": ("cataract", "conjunctivitis", "glaucoma"),
    "heart": ("arrhythmia", "infarction", "heart failure"),
    "lungs": ("bronchitis", "pneumonia", "asthma"),
    "surgery": ("appendicitis", "broken arm", "knee injury"),
}
#: How many people of ten have one visit, two, three, and so on.
VISITS = (1, 1, 1, 1, 2, 2, 2, 3, 4, 6)

T = TypeVar("T")


class Dice:
    """Random draws built on ``random()`` alone, the one method Python promises to keep stable."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed).random  # noqa: S311 - invented data, not a secret

    def below(self, number: int) -> int:
        """Draw a whole number from 0 to ``number - 1``."""
        return int(self._draw() * number)

    def pick(self, values: Sequence[T]) -> T:
        """Draw one of the values, each as likely as the others."""
        return values[self.below(len(values))]


def visits(dice: Dice, number: int) -> Iterator[tuple[str, ...]]:
    """All visits of one person: who they are stays, why they come may change."""
    who = (f"P{number:04}", str(1930 + dice.below(80)), dice.pick(("female", "male")))
    postcode, ward = dice.pick(POSTCODES), dice.pick(WARDS)
    for _ in range(dice.pick(VISITS)):
        visited = date(2024, 1, 1) + timedelta(days=dice.below(366))
        again = dice.below(3) > 0
        ward = ward if again else dice.pick(WARDS)
        known = DIAGNOSES[ward]
        yield (*who, postcode, visited.isoformat(), ward, known[-1] if again else dice.pick(known))


def main() -> None:
    """Write the file, in the order of the visits."""
    dice = Dice(SEED)
    rows = [row for number in range(1, PEOPLE + 1) for row in visits(dice, number)]
    with Path("visits.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(sorted(rows, key=lambda row: (row[4], row[0])))


if __name__ == "__main__":
    main()
