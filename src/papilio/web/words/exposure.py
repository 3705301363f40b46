"""Words about exposure."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="exposure: what one sensitive column gives away of another",
    demands=(
        "Columns published in one table give away at most this share of what sensitive columns say "
        "about each other."
    ),
    stops=(
        "Someone who knows one sensitive value of a person, say the job, finds the row that has "
        "it, and reads the others there."
    ),
    does_not_stop="Someone who knows from elsewhere how columns of different tables go together.",
    example=(
        "With 0.25, whoever knows Ann’s job learns of her diagnosis and medication at most a "
        "quarter of what one table would have told."
    ),
    usual="0.5 is a start, 0.25 is strict.",
)
