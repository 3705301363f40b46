"""The ``privacy:`` part of a policy: which requirements are demanded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    ValidationInfo,
    field_validator,
    model_validator,
)

from papilio.policy.demands import Demand, without_percent
from papilio.policy.one_of import pick_one
from papilio.policy.target_policy import TargetPolicy
from papilio.privacy.decimals import exact
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import THE_SENSITIVE, KeAnonymity
from papilio.privacy.l_diversity import Diversity, l_diversity
from papilio.privacy.nt_closeness import t_closeness
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import Requirement
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.privacy.t_closeness import TCloseness

#: Stands for every sensitive column in ``l`` and ``t``.
EVERY = "*"

_Said = TypeVar("_Said")

#: What may be given instead of the keys.
Demanded: TypeAlias = Requirement | SafeGrouping | Demand


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
    n: StrictInt | None = Field(
        None,
        ge=1,
        description="(n,t)-closeness: classes of at least n rows need not be close to the table.",
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
        return t_closeness(column, self.t, self.distance, n=self.n)


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
        "demand per column, or a list of several; a bare number is about every sensitive column.",
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

    collusion_k: int | None = Field(
        None,
        ge=1,
        strict=True,
        description="Least class size on the union of what all recipients know, should they share "
        "it.",
    )
    e: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="ke-anonymity, for `permutation`: each group has k different values, and they "
        "span at least e; k is not about rows then.",
    )
    association_loss: float | None = Field(
        None,
        ge=0,
        le=1,
        description="Largest share of the dependency between sensitive columns that projections "
        "may lose.",
    )
    exposure: float | None = Field(
        None,
        ge=0,
        le=1,
        description="Largest share of what sensitive columns say of each other that projections "
        "may expose.",
    )
    generalisation_loss: float | None = Field(
        None,
        ge=0,
        le=1,
        description="Largest share of the detail in quasi-identifiers (ncp) that any table of "
        "projections may lose; columns that would need more are published apart.",
    )

    target: dict[str, TargetPolicy] = Field(
        {},
        description="target-distribution: what a sensitive column shall appear to have, whatever "
        "it has.",
    )
    shift: float = Field(
        0.0,
        ge=0,
        le=1,
        description="Tolerance of `target`: how far the share of a range among its siblings may "
        "differ from the target's.",
    )
    fakes: float = Field(
        0.0,
        ge=0,
        le=1,
        description="Fake values that may be added to each group for `target`, as a share of its "
        "rows, such as `5%`.",
    )
    personal: str | None = Field(
        None,
        description="personal-levels: column in which each person names the range, or the level of "
        "it, inside which their value shall follow `target`; the column itself is not published.",
    )

    @field_validator("suppress", "fakes", mode="before")
    @classmethod
    def _percent(cls, data: Any) -> Any:
        return without_percent(data)

    @field_validator("shift", "fakes", mode="after")
    @classmethod
    def _exact(cls, number: float, info: ValidationInfo) -> float:
        exact(number, str(info.field_name))
        return number

    @model_validator(mode="before")
    @classmethod
    def _from_requirements(cls, data: Any) -> Any:
        given = data if isinstance(data, (list, tuple)) else [data]
        known = [isinstance(each, Demanded) for each in given]
        if any(known) and not all(known):
            raise ValueError("a list has requirements only, such as K(5) and L('disease', 3)")
        return _written(given) if all(known) else data

    @field_validator("l", "t", mode="before")
    @classmethod
    def _one_or_several(cls, data: Any) -> Any:
        if isinstance(data, (int, float)) and not isinstance(data, bool):
            data = {EVERY: data}
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
        if not self.requirements((EVERY,)) and not self.target:
            raise ValueError("no requirement; give at least one of k, l, t, target")
        if self.suppress and self.t:
            raise ValueError(
                "suppress does not go with t: the rows that are left out would change the "
                "distribution that t compares with"
            )
        return self

    def requirements(self, sensitive: Sequence[str]) -> tuple[Requirement, ...]:
        """List the requirements; a bare ``l`` or ``t`` is about each ``sensitive`` column."""
        size = () if self.k is None else (KAnonymity(self.k),)
        diverse = tuple(d.requirement(c) for c, d in _per_column(self.l, sensitive))
        close = tuple(t.requirement(c) for c, t in _per_column(self.t, sensitive))
        return (*size, *diverse, *close)

    def of_groups(self, sensitive: Sequence[str]) -> tuple[Requirement, ...]:
        """List what is demanded of the groups of a permutation; nothing without column or k."""
        if len(sensitive) != 1 or self.k is None:
            return ()
        return (KeAnonymity(sensitive[0], self.k, self.e or 0),)


def _per_column(
    said: Mapping[str, tuple[_Said, ...]], sensitive: Sequence[str]
) -> Iterator[tuple[str, _Said]]:
    for name, every in said.items():
        for column in sensitive if name == EVERY else (name,):
            yield from ((column, each) for each in every)


def _written(demanded: Sequence[Demanded]) -> dict[str, Any]:
    """What is demanded as a policy file would have it; of several k the largest."""
    if len(demanded) > 1 and any(isinstance(each, KeAnonymity) for each in demanded):
        raise ValueError("(k,e)-anonymity is about groups, other requirements about classes")
    written: dict[str, Any] = {}
    for each in demanded:
        for key, said in _keys(each).items():
            written[key] = _joined(key, written[key], said) if key in written else said
    return written


def _joined(key: str, first: Any, second: Any) -> Any:
    """What two demands say under one key."""
    match key:
        case "k":
            return max(first, second)
        case "l" | "t":
            return {c: [*first.get(c, []), *second.get(c, [])] for c in {**first, **second}}
        case "target" if not first.keys() & second.keys():
            return {**first, **second}
    if first != second:
        raise ValueError(f"{key} is given twice, and differently; give it once")
    return first


def _keys(demanded: Demanded) -> dict[str, Any]:
    match demanded:
        case KAnonymity(k=k):
            return {"k": k}
        case SafeGrouping(k=k, l=l):
            return {"k": k, "l": {EVERY: [{"distinct": l}]}}
        case KeAnonymity(column=column, k=k):
            if column != THE_SENSITIVE:
                raise ValueError("give KE(k, e); its column is the sensitive one")
            return {"k": k, "e": demanded.parameters()["e"]}
        case TCloseness(column=column):
            return {"t": {column: [_said(demanded)]}}
        case DistinctDiversity() | EntropyDiversity() | RecursiveDiversity():
            return {"l": {demanded.column: [_said(demanded)]}}
    return demanded.written()


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
            return {key: parameters[key] for key in ("t", "distance", "n") if key in parameters}
