"""Words about k-anonymity."""

from __future__ import annotations

from papilio.web.words.words import Words

WORDS = Words(
    title="k: nobody stands alone",
    demands="Everybody shares their published quasi-identifiers with at least k − 1 other rows.",
    stops=(
        "Someone who knows a person’s age, postcode and the like, and looks for their row. They "
        "find at least k rows and pick the right one with a chance of at most 1 in k."
    ),
    does_not_stop=(
        "Someone who does not care which row is whose, because all of them have the same sensitive "
        "value. Ask for l or t as well."
    ),
    example=(
        "With k = 10, a neighbour who knows Ann’s age, sex and postcode finds ten rows that could "
        "be hers."
    ),
    usual="5 is low, 10 a fair start, 20 and more for data that anybody may download.",
)
