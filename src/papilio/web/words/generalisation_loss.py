"""Words about generalisation loss."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="generalisation_loss: how coarse a table may become",
    demands=(
        "No table of the release loses more than this share of the detail in its "
        "quasi-identifiers; columns that would need more are published apart."
    ),
    stops="Nobody by itself. It keeps every table useful.",
    does_not_stop="Anybody: it limits what protection may cost.",
    example=(
        "With 0.3, ages and postcodes of every table keep at least seven tenths of their detail."
    ),
    usual="Leave it out, or 0.3 if tables come out too coarse.",
)
