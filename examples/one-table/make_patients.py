"""Invent the patients of this example: no row is about anybody.

Run ``python make_patients.py`` to write ``patients.csv`` anew; the file is the same every time.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TypeVar

ROWS = 200
SEED = 1758

HEADER = ("patient", "name", "age", "sex", "postcode", "job", "admitted", "diagnosis", "days")
FIRST = {
    "female": ("Ada", "Bea", "Cleo", "Dora", "Edda", "Fay", "Greta", "Hana", "Ines", "Jule"),
    "male": ("Abel", "Bo", "Cyril", "Dario", "Emil", "Finn", "Gil", "Hugo", "Ivo", "Jan"),
}
STARTS = ("Ash", "Birch", "Clay", "Dun", "Elm", "Fern", "Gorse", "Holm", "Ivy", "Juniper")
ENDS = ("croft", "dale", "field", "ford", "ley", "mere", "stead", "thorpe", "wick", "wood")
POSTCODES = (
    "01067", "01069", "01097", "01099", "01127", "01129", "01237", "01239",
    "02625", "02627", "02763", "02826", "02827", "02828",
)  # fmt: skip
JOBS = (
    "baker", "butcher", "cook", "carpenter", "electrician", "plumber",
    "lawyer", "notary", "clerk", "dentist", "midwife", "nurse", "teacher", "librarian",
)  # fmt: skip
#: Diagnosis, how often among younger and among older people, and the usual stay in days.
DIAGNOSES = (
    ("asthma", 6, 3, 3),
    ("broken arm", 6, 3, 2),
    ("diabetes", 2, 6, 5),
    ("heart failure", 1, 7, 9),
    ("influenza", 4, 4, 4),
    ("migraine", 5, 2, 1),
    ("pneumonia", 2, 5, 8),
)

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

    def weigh(self, values: Sequence[T], weights: Sequence[int]) -> T:
        """Draw one of the values in proportion to its weight."""
        rest = self.below(sum(weights))
        for value, weight in zip(values, weights, strict=True):
            rest -= weight
            if rest < 0:
                return value
        raise AssertionError("the rest is smaller than the sum of the weights")


def patients(rows: int = ROWS, seed: int = SEED) -> list[tuple[object, ...]]:
    """Invent the rows."""
    dice = Dice(seed)
    return [_patient(number, dice) for number in range(1, rows + 1)]


def _patient(number: int, dice: Dice) -> tuple[object, ...]:
    sex = dice.pick(("female", "male"))
    age = 18 + dice.below(36) + dice.below(37)
    weights = [older if age >= 50 else younger for _, younger, older, _ in DIAGNOSES]
    diagnosis, _, _, stay = dice.weigh(DIAGNOSES, weights)
    return (
        f"P{number:04d}",
        f"{dice.pick(FIRST[sex])} {dice.pick(STARTS)}{dice.pick(ENDS)}",
        age,
        sex,
        dice.pick(POSTCODES),
        dice.pick(JOBS),
        date(2024, 1, 1) + timedelta(days=dice.below(366)),
        diagnosis,
        1 + dice.below(2 * stay),
    )


def main() -> None:
    """Write the file beside this script."""
    target = Path(__file__).with_name("patients.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *patients()])


if __name__ == "__main__":
    main()
