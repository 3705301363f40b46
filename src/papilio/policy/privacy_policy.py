"""The ``privacy:`` part of a policy: which requirements are demanded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    field_validator,
    model_validator,
)

from papilio.policy.one_of import pick_one
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.l_diversity import Diversity, l_diversity
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import Requirement
from papilio.privacy.t_closeness import TCloseness

_REQUIREMENTS = (
    KAnonymity,
    DistinctDiversity,
    EntropyDiversity,
    RecursiveDiversity,
    TCloseness,
)


class DiversityPolicy(BaseModel):
    """l-diversity of one column, exactly one kind; a bare number is short for `distinct`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    distinct: StrictInt | None = Field(
        None, ge=1, description="Each class has at least this many different values."
    )
    entropy: StrictFloat | None = Field(
        None,
        ge=1,
        description="In each class the values have at least the entropy of this many equally "
        "frequent ones.",
    )
    recursive: tuple[StrictFloat, StrictInt] | None = Field(
        None,
        description="`[c, l]`: in each class the most frequent value occurs less than c times as "
        "often as the l-th most frequent and all after it together.",
    )

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        return data if isinstance(data, (Mapping, DiversityPolicy)) else {"distinct": data}

    @model_validator(mode="after")
    def _consistent(self) -> DiversityPolicy:
        pick_one(self, ("distinct", "entropy", "recursive"))
        self.requirement("")
        return self

    def requirement(self, column: str) -> Diversity:
        """Turn it into the requirement on a column."""
        return l_diversity(column, self.distinct, entropy=self.entropy, recursive=self.recursive)


class ClosenessPolicy(BaseModel):
    """t-closeness of one column; a bare number is short for `t`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    t: StrictFloat = Field(
        ge=0,
        le=1,
        description="Largest Earth Mover's Distance between a class and the table, from 0 to 1.",
    )
    distance: Literal["equal", "ordered", "hierarchical"] | None = Field(
        None,
        description="How far values are apart; left out: `hierarchical` for a column with a "
        "hierarchy, `ordered` for numbers and dates, `equal` for the rest.",
    )

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        return data if isinstance(data, (Mapping, ClosenessPolicy)) else {"t": data}

    @model_validator(mode="after")
    def _consistent(self) -> ClosenessPolicy:
        self.requirement("")
        return self

    def requirement(self, column: str) -> TCloseness:
        """Turn it into the requirement on a column."""
        return TCloseness(column, self.t, self.distance)


class PrivacyPolicy(BaseModel):
    """What is demanded of the release; at least one requirement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: int | None = Field(
        None,
        ge=1,
        strict=True,
        description="k-anonymity: each class of equal quasi-identifiers has at least k rows.",
    )
    l: dict[str, tuple[DiversityPolicy, ...]] = Field(  # noqa: E741 - its name in the literature
        {},
        description="l-diversity: the values of a sensitive column differ within each class; one "
        "demand per column, or a list of several.",
    )
    t: dict[str, tuple[ClosenessPolicy, ...]] = Field(
        {},
        description="t-closeness: in each class a sensitive column is distributed nearly as in the "
        "whole table; one demand per column, or a list of several.",
    )
    suppress: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="Share of the rows that may be left out, such as `2%`; `incognito` uses it.",
    )

    @field_validator("suppress", mode="before")
    @classmethod
    def _percent(cls, data: Any) -> Any:
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*", data) if isinstance(data, str) else None
        return data if match is None else float(Decimal(match[1]) / 100)

    @model_validator(mode="before")
    @classmethod
    def _from_requirements(cls, data: Any) -> Any:
        given = data if isinstance(data, (list, tuple)) else [data]
        return _written(given) if all(isinstance(r, _REQUIREMENTS) for r in given) else data

    @field_validator("l", "t", mode="before")
    @classmethod
    def _one_or_several(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        empty = [column for column, said in data.items() if said in ([], ())]
        if empty:
            raise ValueError(f"nothing is demanded of '{empty[0]}'; give at least one number")
        return {
            column: said if isinstance(said, (list, tuple)) else [said]
            for column, said in data.items()
        }

    @model_validator(mode="after")
    def _something(self) -> PrivacyPolicy:
        if not self.requirements():
            raise ValueError("no requirement; give at least one of k, l, t")
        if self.suppress and self.t:
            raise ValueError(
                "suppress does not go with t: the rows that are left out would change the "
                "distribution that t compares with"
            )
        return self

    def requirements(self) -> tuple[Requirement, ...]:
        """List the requirements as objects."""
        size = () if self.k is None else (KAnonymity(self.k),)
        diverse = tuple(d.requirement(name) for name, every in self.l.items() for d in every)
        close = tuple(c.requirement(name) for name, every in self.t.items() for c in every)
        return (*size, *diverse, *close)


def _written(requirements: Sequence[Requirement]) -> dict[str, Any]:
    """Requirements as a policy file would have them; of several k the largest."""
    sizes = [each.k for each in requirements if isinstance(each, KAnonymity)]
    written: dict[str, Any] = {"k": max(sizes)} if sizes else {}
    for each in requirements:
        if not isinstance(each, KAnonymity):
            key = "t" if isinstance(each, TCloseness) else "l"
            written.setdefault(key, {}).setdefault(each.column, []).append(_said(each))
    return written


def _said(requirement: Diversity | TCloseness) -> dict[str, Any]:
    parameters = requirement.parameters()
    match requirement:
        case DistinctDiversity():
            return {"distinct": parameters["l"]}
        case EntropyDiversity():
            return {"entropy": parameters["l"]}
        case RecursiveDiversity():
            return {"recursive": (parameters["c"], parameters["l"])}
        case TCloseness():
            return {key: parameters[key] for key in ("t", "distance") if key in parameters}
