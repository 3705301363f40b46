"""Invent the patients of this example and their symptoms: no row is about anybody.

Run ``python make_patients.py`` to write both files anew; they are the same every time.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

FOLDER = Path(__file__).parent
HEADER = [
    "patient",
    "age",
    "sex",
    "diagnosis",
    "medication",
    "family_history",
    "job",
    "alcohol",
    "ward",
]
LINKED = ["patient", "symptom"]
DIAGNOSES = {
    "hypertension": ("ramipril", ["headache"]),
    "diabetes": ("metformin", ["thirst", "fatigue"]),
    "asthma": ("salbutamol", ["cough"]),
    "depression": ("sertraline", ["fatigue"]),
    "none": ("none", []),
}
SYMPTOMS = ["headache", "thirst", "fatigue", "cough"]
JOBS = ["teacher", "lawyer", "farmer", "nurse", "driver"]
ALCOHOL = ["none", "moderate", "heavy"]


def patients() -> tuple[list[list[object]], list[list[object]]]:
    """Rows of both files: who has which diagnosis, and who has which symptoms."""
    chance = random.Random(1987)  # noqa: S311 - invented people need no secrecy
    people: list[list[object]] = []
    linked: list[list[object]] = []
    for number in range(1, 401):
        diagnosis = chance.choices(list(DIAGNOSES), [25, 15, 15, 15, 30])[0]
        usual, signs = DIAGNOSES[diagnosis]
        other = chance.choice(list(DIAGNOSES))
        person = f"P{number:04}"
        people.append(
            [
                person,
                chance.randint(18, 90),
                chance.choice(["f", "m"]),
                diagnosis,
                usual if chance.random() < 0.9 else DIAGNOSES[other][0],
                diagnosis if chance.random() < 0.5 else other,
                chance.choice(JOBS),
                chance.choices(ALCOHOL, [40, 45, 15])[0],
                chance.choice(["north", "south"]),
            ]
        )
        linked += [
            [person, symptom]
            for symptom in SYMPTOMS
            if chance.random() < (0.7 if symptom in signs else 0.1)
        ]
    chance.shuffle(linked)
    return people, linked


def main() -> None:
    """Write both files."""
    people, linked = patients()
    for name, header, rows in (("patients", HEADER, people), ("symptoms", LINKED, linked)):
        with (FOLDER / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *rows])


if __name__ == "__main__":
    main()
