"""Words about personal levels."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="personal: everybody says how much to hide",
    demands=(
        "A column of the data says for each person inside which range their value shall follow the "
        "target. It is read and never published."
    ),
    stops="The attacker that each person has in mind: who asks for the whole range gets all of it.",
    does_not_stop=(
        "Someone who looks at people who asked for little: who demands level 0 may have their "
        "value published."
    ),
    example="Ann asks for “30 to 60”: of her salary nobody learns more than that.",
    usual="Leave it out, unless people were asked.",
)
