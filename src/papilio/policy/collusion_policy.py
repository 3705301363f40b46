"""What is demanded of recipients who put together what they know."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from papilio.policy.words import Words


class NamedCoalition(BaseModel):
    """Some recipients by name, and the least class size should they share what they know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: Annotated[
        tuple[str, ...],
        Words("Who", "Two or more recipients.", "[insurer, personnel]", needed=True),
    ]
    k: Annotated[
        int,
        Words("k", "Least number of rows that they are left with together.", "3", needed=True),
    ] = Field(ge=1, strict=True)


class CollusionPolicy(BaseModel):
    """Least class sizes for recipients who put together what they know; a number is for all."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    any_two: Annotated[
        int | None,
        Words("Any two", "For every two recipients on what both know together.", "3", start=2),
    ] = Field(None, ge=1, strict=True)
    all: Annotated[
        int | None,
        Words("All", "For all recipients together, as `collusion_k`.", "2", start=2),
    ] = Field(None, ge=1, strict=True)
    named: Annotated[
        tuple[NamedCoalition, ...],
        Words(
            "Named",
            "For some recipients by name; a plain list of these may stand right under `collusion`.",
            "[{who: [insurer, personnel], k: 3}]",
        ),
    ] = ()

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        if isinstance(data, (list, tuple)):
            return {"named": data}
        if isinstance(data, int) and not isinstance(data, bool):
            return {"all": data}
        return data

    @model_validator(mode="after")
    def _something(self) -> CollusionPolicy:
        if self.any_two is None and self.all is None and not self.named:
            raise ValueError("give any_two, all, or a list of {who: [...], k: 3}")
        return self
