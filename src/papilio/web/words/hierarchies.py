"""What each kind of hierarchy means."""

from __future__ import annotations

from collections.abc import Mapping

#: Kind -> what it is called.
KINDS: Mapping[str, str] = {
    "none": "none: ranges and sets",
    "automatic": "automatic: halves of the values",
    "prefix": "prefix: fewer characters",
    "intervals": "intervals: wider and wider",
    "dates": "dates: calendar units",
    "file": "a tree made by hand",
}
#: Kind -> what it does, in a sentence.
MEANING: Mapping[str, str] = {
    "none": "Numbers become ranges such as 30 to 40, labels become lists of what they may be.",
    "automatic": (
        "Papilio cuts the values in halves, and these in halves. Quick, but groups have no "
        "meaning, and their labels show values that occur."
    ),
    "prefix": "Codes keep fewer and fewer of their first characters: 12345, 1234*, 12*.",
    "intervals": "Numbers fall into intervals of growing width, each a multiple of the one before.",
    "dates": "Dates become months, quarters, years, decades or centuries.",
    "file": "A tree of groups with names of your own, kept as a CSV file of paths.",
}
#: Kinds that fit values of a type, the best first.
FITTING: Mapping[str, tuple[str, ...]] = {
    "numeric": ("none", "intervals", "automatic", "prefix", "file"),
    "date": ("none", "dates", "automatic", "file"),
    "boolean": ("none", "file"),
    "category": ("none", "file", "prefix", "automatic"),
}
