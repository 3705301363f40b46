"""Words about a target distribution."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="target: what the column shall appear to have",
    demands=(
        "In every group the published ranges follow a distribution that you choose, whatever the "
        "data has."
    ),
    stops=(
        "Someone who wants to know the distribution itself, such as what a department earns, or "
        "what somebody of it earns."
    ),
    does_not_stop=(
        "Someone who wants to know who is in the table; someone who knows the values of others in "
        "a group; someone who asks for sums, as far as ranges are narrow."
    ),
    example=(
        "With a uniform target, Ann’s salary could be anything in the range with the same chance, "
        "for all that the release tells."
    ),
    usual=(
        "Uniform, or what everybody knows anyway, such as the distribution of the whole country. "
        "The farther from the data, the wider the ranges."
    ),
)
