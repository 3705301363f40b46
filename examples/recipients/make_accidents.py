"""Invent the road accidents of this example: no row is about anybody.

Run ``python make_accidents.py`` to write ``accidents.csv`` anew; the file is the same every time.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

ROWS = 600
SEED = 2009

HEADER = ("plate", "age", "postcode", "vehicle", "mileage", "occupation", "children", "at_fault")
POSTCODES = (
    "31043", "31045", "31047", "31052", "31055", "31110", "31118", "31121", "32004", "32009",
)  # fmt: skip
#: Colour and kind of a vehicle, as the register has it.
COLOURS = ("black", "blue", "green", "grey", "red", "white")
KINDS = ("sedan", "sedan", "sedan", "estate", "truck", "van")
#: Occupation and how many kilometres its people drive a year, in thousands.
OCCUPATIONS = (
    ("dentist", 9), ("family doctor", 18), ("midwife", 22), ("nurse", 11),
    ("banker", 12), ("mortgage broker", 24), ("tax adviser", 10),
    ("carpenter", 26), ("electrician", 28), ("plumber", 27),
    ("librarian", 7), ("professor", 8), ("teacher", 9),
)  # fmt: skip
#: Kinds of vehicles that some occupations prefer.
PREFERRED = {"carpenter": "van", "electrician": "van", "plumber": "truck"}

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


def accidents(rows: int = ROWS, seed: int = SEED) -> list[tuple[object, ...]]:
    """Invent the rows."""
    dice = Dice(seed)
    return [_accident(number, dice) for number in range(1, rows + 1)]


def _accident(number: int, dice: Dice) -> tuple[object, ...]:
    age = 22 + dice.below(22) + dice.below(23)
    occupation, usual = dice.pick(OCCUPATIONS)
    kind = PREFERRED.get(occupation, "") if dice.below(3) else ""
    return (
        f"K-{number:04d}",
        age,
        dice.pick(POSTCODES),
        f"{dice.pick(COLOURS)} {kind or dice.pick(KINDS)}",
        usual // 2 + dice.below(usual),
        occupation,
        0 if age < 25 else dice.below(2) + dice.below(2) + dice.below(2),
        ("no", "no", "partly", "yes")[dice.below(4)],
    )


def main() -> None:
    """Write the file beside this script."""
    target = Path(__file__).with_name("accidents.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *accidents()])


if __name__ == "__main__":
    main()
