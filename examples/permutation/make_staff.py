"""Invent the staff of this example: no row is about anybody.

Run ``python make_staff.py`` to write ``staff.csv`` anew; the file is the same every time.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from pathlib import Path

ROWS = 300
SEED = 4711

HEADER = ("person", "age", "gender", "town", "hours", "salary")
TOWNS = ("Ashford", "Brookdale", "Clayton", "Dunmere", "Elmstead")
#: Part of a full salary that people in a town earn, in percent.
LEVEL = {"Ashford": 100, "Brookdale": 92, "Clayton": 110, "Dunmere": 85, "Elmstead": 97}


def staff() -> list[tuple[object, ...]]:
    """Invent all rows; one salary in twenty-five is not known."""
    # Built on random() alone, the one method Python promises to keep stable.
    draw = random.Random(SEED).random  # noqa: S311 - invented data, not a secret
    return [_person(number, draw) for number in range(1, ROWS + 1)]


def _person(number: int, draw: Callable[[], float]) -> tuple[object, ...]:
    age = 21 + int(draw() * 44)
    gender = "female" if draw() < 0.5 else "male"
    town = TOWNS[int(draw() * len(TOWNS))]
    hours = (20, 30, 40, 40, 40)[int(draw() * 5)]
    skill = sum(draw() for _ in range(6)) / 6
    full = (24000 + 550 * (age - 21)) * (0.55 + 0.9 * skill) * LEVEL[town] / 100
    salary = round(full * hours / 40 / 100) * 100
    return f"P{number:03d}", age, gender, town, hours, "" if draw() < 0.04 else salary


def main() -> None:
    """Write the file beside this script."""
    target = Path(__file__).with_name("staff.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *staff()])


if __name__ == "__main__":
    main()
