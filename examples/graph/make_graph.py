"""Invent a pharmacy: customers, products, and who bought what. Nobody in it is real.

Run from this folder: ``python make_graph.py`` writes the three CSV files.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

CUSTOMERS, PRODUCTS = 240, 120
HEADERS = {
    "customers": ("customer", "name", "district", "age"),
    "products": ("product", "category", "price"),
    "bought": ("customer", "product"),
}
_FIRST = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon", "Kim", "Leo")
_LAST = ("Abel", "Berg", "Cole", "Dorn", "Engel", "Frey", "Gall", "Hahn", "Iven", "Jung")
_DISTRICTS = ("North", "East", "South", "West")
_CATEGORIES = ("cold", "pain", "skin", "heart", "sleep", "vitamin")


def tables() -> dict[str, list[tuple[object, ...]]]:
    """The rows of the three tables, the same on every run."""
    chance = random.Random(7)  # noqa: S311 - invented data, nothing secret
    customers = [
        (
            f"C{number:03}",
            f"{chance.choice(_FIRST)} {chance.choice(_LAST)}",
            chance.choices(_DISTRICTS, (4, 3, 2, 1))[0],
            chance.randint(18, 90),
        )
        for number in range(1, CUSTOMERS + 1)
    ]
    products = [
        (f"P{number:03}", chance.choice(_CATEGORIES), round(chance.uniform(2, 60), 2))
        for number in range(1, PRODUCTS + 1)
    ]
    bought = {
        (customer[0], product[0])
        for customer in customers
        for product in chance.sample(products, chance.choices((0, 1, 2, 3, 4), (1, 8, 5, 2, 1))[0])
    }
    return {"customers": customers, "products": products, "bought": sorted(bought)}


def main() -> None:
    """Write the files."""
    for name, rows in tables().items():
        path = Path(__file__).with_name(f"{name}.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([HEADERS[name], *rows])


if __name__ == "__main__":
    main()
