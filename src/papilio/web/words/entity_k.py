"""Words about entity k-anonymity."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="k: nobody’s records stand alone",
    demands=(
        "Everything published about a person, in all tables together, looks exactly like that of "
        "at least k − 1 other people."
    ),
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
