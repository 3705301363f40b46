"""The ``privacy:`` part of a policy: which requirements are demanded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement


class PrivacyPolicy(BaseModel):
    """What is demanded of the release; at least one requirement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: int | None = Field(
        None,
        ge=1,
        strict=True,
        description="k-anonymity: each class of equal quasi-identifiers has at least k rows.",
    )

    @model_validator(mode="before")
    @classmethod
    def _from_requirements(cls, data: Any) -> Any:
        if isinstance(data, KAnonymity):
            return {"k": data.k}
        if isinstance(data, (list, tuple)) and all(isinstance(each, KAnonymity) for each in data):
            return {"k": max(each.k for each in data)} if data else {}
        return data

    @model_validator(mode="after")
    def _something(self) -> PrivacyPolicy:
        if not self.requirements():
            raise ValueError("no requirement; give at least k")
        return self

    def requirements(self) -> tuple[Requirement, ...]:
        """List the requirements as objects."""
        found: Iterable[Requirement | None] = (KAnonymity(self.k) if self.k else None,)
        return tuple(each for each in found if each is not None)
