"""The ``improve:`` key of a policy: how long to look for a better grouping."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from papilio.policy.words import Words

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_TIME = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)\s*$")


class ImprovePolicy(BaseModel):
    """A time such as `10s`, or a number of steps for a result that can be repeated exactly."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: Annotated[
        float | None,
        Words("Seconds", "Time limit; `improve: 10s` is short for `{seconds: 10}`.", "90"),
    ] = Field(None, gt=0)
    steps: Annotated[
        int | None,
        Words("Steps", "Most visits to a class; the same number gives the same classes.", "5000"),
    ] = Field(None, ge=1)

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        if isinstance(data, str):
            match = _TIME.match(data)
            if match is None:
                raise ValueError("give a time such as 10s, 2m or 500ms, or {steps: 5000}")
            return {"seconds": float(match[1]) * _UNITS[match[2]]}
        if isinstance(data, (int, float)):
            raise ValueError(  # noqa: TRY004 - pydantic turns a ValueError into a fault
                "a number needs a unit: 10s, 2m, 500ms; or give {steps: 5000}"
            )
        return data

    @model_validator(mode="after")
    def _some_limit(self) -> ImprovePolicy:
        if self.seconds is None and self.steps is None:
            raise ValueError("give seconds or steps")
        return self
