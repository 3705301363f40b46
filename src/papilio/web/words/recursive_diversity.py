"""Words about recursive l-diversity."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="l, recursive (c, l): no value stands out",
    demands=(
        "In every class the most frequent value occurs less than c times as often as the l-th most "
        "frequent and all rarer ones together."
    ),
    stops="Someone who guesses the most frequent value, even after ruling out l − 2 others.",
    does_not_stop="Someone who profits from one dominant value, if c is large.",
    example="With c = 3 and l = 2, no diagnosis has three quarters or more of Ann’s class.",
    usual="c = 3 and l = 2. A smaller c or a larger l is stricter.",
)
