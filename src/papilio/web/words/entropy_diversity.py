"""Words about entropy l-diversity."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="l, by entropy: evenly mixed values",
    demands=(
        "The values of every class are as uncertain, by Shannon’s entropy, as l equally frequent "
        "ones."
    ),
    stops="Someone who reads or guesses a value, because one frequent value lowers the entropy.",
    does_not_stop=(
        "Someone who profits from one value with a large share, if many rare ones make up for it."
    ),
    example=(
        "With l = 2.5, the diagnoses in Ann’s class are mixed at least as well as two and a half "
        "equally frequent ones."
    ),
    usual=(
        "2 to 3. If one value is frequent everywhere, even 2 may not be possible; Papilio then "
        "says what is."
    ),
)
