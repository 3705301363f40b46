"""How the family is offered, and what k and l mean in it."""

from __future__ import annotations

from papilio.policy.words import FamilyWords, Meaning, Words

_K = Meaning(
    title="k: nobody’s records stand alone",
    stops=(
        "Someone who knows some of a person’s records, of however many tables, and how many there "
        "are."
    ),
    does_not_stop=(
        "Someone who does not care which records are whose, because a sensitive value is shared. "
        "Ask for l as well."
    ),
    example=(
        "With k = 5, whoever knows that Ann took History and Math finds five people who took such "
        "courses, and nothing tells them apart."
    ),
    usual="5 is a start. Trees of records are hard to make alike: large numbers cost many rows.",
)
_L = Meaning(
    title="l: mixed values at every place",
    stops="Someone who finds a person’s class and reads a value that all of it share.",
    does_not_stop="Someone who guesses a value that is frequent in the class.",
    example="With l = 2, the grade of Ann’s History course is one of at least two.",
    usual="2.",
)
_SUPPRESS = Meaning(
    title="suppress: rows that may be left out",
    stops="Nobody by itself. It says how much of each table has to stay.",
    does_not_stop="Someone who knows that a record is missing: unusual ones are left out first.",
    example="With 10%, at least nine of ten courses of all people together are published.",
    usual="Leave it out to see what it takes, then 10% or so if that is too much.",
)


def _lacks(tables: float, columns: int, types: frozenset[str]) -> str:
    del columns, types
    return "needs at least two tables; add them under Data" if tables < 2 else ""


WORDS = FamilyWords(
    title="Linked tables",
    when=(
        "When people have records in several tables that refer to each other. Keeps the tables "
        "and their links."
    ),
    icon="account_tree",
    demands={
        "k": Words(
            "k, people alike",
            "Everything published about a person, in all tables together, looks exactly like that "
            "of at least k − 1 other people.",
            "5",
            start=5,
            needed=True,
            meaning=_K,
        ),
        "l": Words(
            "l",
            "At every place of the records of a class, such as “the grade of the second course”, a "
            "sensitive column has several values.",
            "{takes.grade: 2}",
            widget="demands",
            meaning=_L,
        ),
        "suppress": Words(
            "Share of the rows",
            "No table loses more than this share of its rows, such as `10%`; left out, as many as "
            "it takes.",
            "10%",
            widget="percent",
            start="10%",
            meaning=_SUPPRESS,
        ),
    },
    lacks=_lacks,
)
