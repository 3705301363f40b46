"""Invent the staff of this example: no row is about anybody.

Run ``python make_staff.py`` to write ``staff.csv`` anew; the file is the same every time.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from pathlib import Path

ROWS = 600
SEED = 2402

HEADER = ("name", "region", "age", "gender", "salary", "level")
FIRST = ("Ada", "Bo", "Cleo", "Dario", "Edda", "Finn", "Greta", "Hugo", "Ines", "Jan")
LAST = ("Ash", "Birch", "Clay", "Dunn", "Elm", "Fern", "Gorse", "Holm", "Ivy", "Juniper")
#: Region, how many of ten people live there, and the middle of salaries in thousands.
REGIONS = (("north", 4, 38), ("south", 4, 42), ("west", 2, 52))
#: How many of ten people demand each level: own value, its half, its quarter, …
LEVELS = (0, 0, 1, 1, 2, 2, 3, 4, 5, 6)


def staff(rows: int = ROWS, seed: int = SEED) -> list[tuple[object, ...]]:
    """Invent the rows; built on ``random()`` alone, which Python promises to keep stable."""
    draw = random.Random(seed).random  # noqa: S311 - invented data, not a secret
    return [_person(draw) for _ in range(rows)]


def _person(draw: Callable[[], float]) -> tuple[object, ...]:
    def below(number: int) -> int:
        return int(draw() * number)

    places = [each for each in REGIONS for _ in range(each[1])]
    region, _, middle = places[below(len(places))]
    spread = below(13) + below(13) + below(13) - 18
    salary = min(max(middle + spread, 16), 79)
    name = f"{FIRST[below(len(FIRST))]} {LAST[below(len(LAST))]}"
    return name, region, 20 + below(45), ("f", "m")[below(2)], salary, LEVELS[below(10)]


def main() -> None:
    """Write the file beside this script."""
    target = Path(__file__).with_name("staff.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *staff()])


if __name__ == "__main__":
    main()
