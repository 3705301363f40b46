"""Words about (n,t)-closeness."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="n: large classes need not be close",
    demands="Classes of at least n rows need not look like the whole table; smaller ones must.",
    stops="The same attacker as t does, in classes of fewer than n rows.",
    does_not_stop="Someone who learns what is true of n people alike.",
    example=(
        "With n = 1000, that the thousand people of a large town fall ill more often may be seen; "
        "that the ten of Ann’s class do may not."
    ),
    usual="Leave it out, unless t alone costs too much. Then about a hundred times k.",
)
