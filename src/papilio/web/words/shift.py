"""Words about tolerance of a target."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="shift: how far shares may be off the target",
    demands=(
        "The share of a range among its siblings may differ from that of the target by at most "
        "this much."
    ),
    stops="The same attacker as the target does, a little less strictly.",
    does_not_stop="Someone for whom a difference of this size is worth something.",
    example=(
        "With 0.05, 45% to 55% of the values may lie in the lower half where the target has 50%."
    ),
    usual="0, or 0.05 if ranges come out too wide.",
)
