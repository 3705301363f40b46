"""Words about collusion of recipients."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="collusion_k: if recipients put together what they know",
    demands=(
        "Even on the columns of all recipients together everybody shares their values with at "
        "least so many rows."
    ),
    stops="Recipients who share what they know about a person and look for the row together.",
    does_not_stop="Recipients who together read a sensitive value that those rows share.",
    example=(
        "With 2, insurer and employer together are left with at least two rows that could be Ann’s."
    ),
    usual=(
        "2 keeps anybody from being singled out; k itself makes recipients no different from one."
    ),
)
