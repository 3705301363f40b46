"""How the family is offered, and what k means in it."""

from __future__ import annotations

from papilio.data.column import ColumnType
from papilio.policy.meanings import KE
from papilio.policy.words import FamilyWords, Words


def _lacks(tables: float, columns: int, types: frozenset[str]) -> str:
    del columns
    return "needs a numeric column" if tables and ColumnType.NUMERIC not in types else ""


WORDS = FamilyWords(
    title="Permuted numbers",
    when=(
        "When one numeric column is the secret and sums and averages are asked for. Everything "
        "else stays exact."
    ),
    icon="shuffle",
    demands={
        "k": Words(
            "k, different values",
            "Every group of people has at least k different values of the numeric column, and the "
            "largest is at least e above the smallest.",
            "4",
            start=4,
            needed=True,
            meaning=KE,
        )
    },
    one_secret=True,
    lacks=_lacks,
)
