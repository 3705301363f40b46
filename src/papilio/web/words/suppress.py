"""Words about suppression."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="suppress: rows that may be left out",
    demands=(
        "At most this share of the rows is not published at all, so that few unusual people do not "
        "blur everybody else."
    ),
    stops="Nobody by itself. It makes the other requirements cheaper.",
    does_not_stop="Someone who knows that a person is missing: unusual people are left out first.",
    example=(
        "With 2%, at most two of a hundred people are left out; the others are published in more "
        "detail."
    ),
    usual="0, or up to 5% if a few unusual rows cost much detail. Only incognito uses it.",
)
