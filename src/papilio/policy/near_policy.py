"""What is demanded of groups of a permutation beyond k: distances, guesses, and learnt rows."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, field_validator, model_validator

from papilio.policy.demands import without_percent
from papilio.policy.words import Words
from papilio.privacy.ke_anonymity import MOST_KNOWN, Near, check_distance, is_share


def _distance(said: Any) -> Any:
    """A number, or a share of the range such as ``5%``; a number in text becomes one."""
    if isinstance(said, bool) or not isinstance(said, (int, float, str)):
        raise ValueError("give a number, or a share of the range such as 5%")  # noqa: TRY004
    check_distance(said, "the distance")
    if not isinstance(said, str):
        return said
    return f"{Decimal(said.strip().removesuffix('%')):f}%" if is_share(said) else float(said)


#: A distance of two numbers: a number, or a share of the range of the column.
Distance: TypeAlias = Annotated[float | str, BeforeValidator(_distance)]


def _known(data: Any) -> Any:
    whole = isinstance(data, int) and not isinstance(data, bool) and 1 <= data <= MOST_KNOWN
    if not whole and data != "degree":
        raise ValueError(f"give a number of rows from 1 to {MOST_KNOWN}; for a graph, degree")
    return data


#: What an attacker knows: a number of rows of a group, or how many links somebody has.
Known: TypeAlias = Annotated[int | str, BeforeValidator(_known)]
_WITHIN = re.compile(r"^\s*(\S+)\s+within\s+(\S+)\s*$")


class NearPolicy(BaseModel):
    """No window of a width holds more than a share; `50% within 5%` is short for both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: Annotated[
        Distance,
        Words(
            "Width of the window",
            "How near a guess has to be: a number of the column, or a share of its range such as "
            "`5%`.",
            "5%",
            start="5%",
            widget="text",
        ),
    ]
    at_most: Annotated[
        float,
        Words(
            "Share of a group",
            "At most this share of a group's values is in any such window; more than 0 and less "
            "than 1.",
            "50%",
            start="50%",
            widget="percent",
        ),
    ]

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        if not isinstance(data, str):
            return data
        match = _WITHIN.match(data)
        if match is None:
            raise ValueError("give {width: 5%, at_most: 50%}, or 50% within 5%")
        return {"width": match[2], "at_most": match[1]}

    @field_validator("at_most", mode="before")
    @classmethod
    def _percent(cls, data: Any) -> Any:
        return without_percent(data)

    @model_validator(mode="after")
    def _consistent(self) -> NearPolicy:
        self.requirement()
        return self

    def requirement(self) -> Near:
        """Turn it into what is demanded of groups."""
        return Near(self.width, self.at_most)
