"""Words about fake values."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="fakes: values that belong to nobody",
    demands=(
        "Up to this share of fake values may be added to each group, so that fewer true ones have "
        "to be hidden in wide ranges."
    ),
    stops="Nobody by itself. It makes a target cheaper.",
    does_not_stop=(
        "Anybody who counts values: there are more of them than people, and the release says so."
    ),
    example="With 5%, a hundred people may have five values more among theirs.",
    usual="0 to 5%. Papilio looks for the best number up to it.",
)
