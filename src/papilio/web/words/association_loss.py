"""Words about association loss."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="association_loss: what may be lost between columns",
    demands=(
        "When sensitive columns are published apart, at most this share of what they say about "
        "each other is lost."
    ),
    stops="Nobody by itself. It keeps the result useful, and is the other side of exposure.",
    does_not_stop="Anybody: the smaller it is, the more columns stay together.",
    example=(
        "With 0.2, four fifths of how diagnoses and medications go together can still be studied."
    ),
    usual="0.2 to 0.4; leave it out to let exposure decide alone.",
)
