"""Words about (k,e)-anonymity."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="k and e: different numbers, far apart",
    demands=(
        "Every group of people has at least k different values of the numeric column, and the "
        "largest is at least e above the smallest."
    ),
    stops=(
        "Someone who knows exactly who a person is and wants their number: the group leaves at "
        "least k numbers that span e."
    ),
    does_not_stop=(
        "Someone who wants to know who is in the table, because everything else is published "
        "exactly; someone who guesses the most frequent number of a group."
    ),
    example=(
        "With k = 4 and e = 1000, Ann’s salary is one of at least four, a thousand or more apart "
        "from end to end."
    ),
    usual="k of 4 or 5. For e, what would make a difference to a person, such as a month’s salary.",
)
