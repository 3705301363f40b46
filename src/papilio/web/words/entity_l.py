"""Words about diversity of linked records."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="l: mixed values at every place",
    demands=(
        "At every place of the records of a class, such as “the grade of the second course”, a "
        "sensitive column has several values."
    ),
    stops="Someone who finds a person’s class and reads a value that all of it share.",
    does_not_stop="Someone who guesses a value that is frequent in the class.",
    example="With l = 2, the grade of Ann’s History course is one of at least two.",
    usual="2.",
)
