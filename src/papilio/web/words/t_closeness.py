"""Words about t-closeness."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="t: every class looks like the whole table",
    demands=(
        "In every class the sensitive column is distributed as in the whole table, up to a "
        "distance of t."
    ),
    stops=(
        "Someone who learns from how a class differs from the rest: a disease that 1% of all "
        "people have, and half of Ann’s class."
    ),
    does_not_stop=(
        "Someone who learns from the whole table, and someone who looks for a row: ask for k as "
        "well."
    ),
    example=(
        "With t = 0.2 and a quarter of all people earning much, between 5% and 45% of Ann’s class "
        "do."
    ),
    usual="0.3 is a start, 0.1 is strict. Near 0 all rows end up in one class.",
)
