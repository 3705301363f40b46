"""The ``privacy:`` part of a policy: which requirements are demanded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

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

from papilio.policy import meanings
from papilio.policy.collusion_policy import CollusionPolicy
from papilio.policy.demands import Demand, without_percent
from papilio.policy.faults import pick_one
from papilio.policy.near_policy import Distance, Known, NearPolicy
from papilio.policy.recipients import EVERY
from papilio.policy.target_policy import TargetPolicy
from papilio.policy.words import Words
from papilio.privacy.decimals import exact
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import (
    THE_SENSITIVE,
    USUAL_E,
    KeAnonymity,
)
from papilio.privacy.l_diversity import Diversity, l_diversity
from papilio.privacy.nt_closeness import t_closeness
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import Requirement
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.privacy.t_closeness import TCloseness

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


class LightsPolicy(BaseModel):
    """From how many people on a light is amber, and red; shares such as `1%`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    amber: Annotated[
        float,
        Words(
            "Amber above",
            "A light is amber as soon as an attacker succeeds against more than this share of the "
            "people.",
            "0.5%",
            usual="nobody",
            widget="percent",
        ),
    ] = Field(0.0, ge=0, lt=1)
    red: Annotated[
        float,
        Words(
            "Red above",
            "A light is red as soon as an attacker, who knows no more than the policy lets them "
            "know, succeeds against more than this share of the people.",
            "2%",
            usual="1%",
            widget="percent",
        ),
    ] = Field(0.01, ge=0, lt=1)

    @field_validator("amber", "red", mode="before")
    @classmethod
    def _percent(cls, data: Any) -> Any:
        return without_percent(data)

    @model_validator(mode="after")
    def _in_order(self) -> LightsPolicy:
        if self.amber > self.red:
            raise ValueError("amber is above red; give amber at most the share that red has")
        return self


_Said = TypeVar("_Said")


#: What may be given instead of the keys.
Demanded: TypeAlias = Requirement | SafeGrouping | Demand


class DiversityPolicy(BaseModel):
    """l-diversity of one column, exactly one kind; a bare number is short for `distinct`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    distinct: Annotated[
        StrictInt | None,
        Words(
            "distinct: count values",
            "Every class has at least l different values of the sensitive column.",
            "3",
            start=2,
            meaning=meanings.DISTINCT,
        ),
    ] = Field(None, ge=1)
    entropy: Annotated[
        StrictFloat | None,
        Words(
            "entropy: evenly mixed",
            "The values of every class are as uncertain, by Shannon’s entropy, as l equally "
            "frequent ones.",
            "2.5",
            start=2.0,
            step=0.5,
            meaning=meanings.ENTROPY,
        ),
    ] = Field(None, ge=1)
    recursive: Annotated[
        tuple[StrictFloat, StrictInt] | None,
        Words(
            "recursive: none stands out",
            "`[c, l]`: in every class the most frequent value occurs less than c times as often as "
            "the l-th most frequent and all rarer ones together.",
            "[2, 3]",
            start=(3, 2),
            step=0.5,
            meaning=meanings.RECURSIVE,
        ),
    ] = None

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

    t: Annotated[
        StrictFloat,
        Words(
            "t",
            "In every class the sensitive column is distributed as in the whole table, up to an "
            "Earth Mover's Distance of t.",
            "0.3",
            start=0.3,
            needed=True,
            meaning=meanings.T,
        ),
    ] = Field(ge=0, le=1)
    n: Annotated[
        StrictInt | None,
        Words(
            "n, rows of a large class",
            "(n,t)-closeness: classes of at least n rows need not look like the whole table; "
            "smaller ones must.",
            "1000",
            start=1000,
            meaning=meanings.NT,
        ),
    ] = Field(None, ge=1)
    distance: Annotated[
        Literal["equal", "ordered", "hierarchical"] | None,
        Words(
            "Distance",
            "How far values are apart; left out: `hierarchical` for a column with a hierarchy, "
            "`ordered` for numbers and dates, `equal` for the rest.",
            "hierarchical",
            choices={
                "equal": "equal: all values are alike far apart",
                "ordered": "ordered: by their order",
                "hierarchical": "hierarchical: by its hierarchy",
            },
            usual="by the type of the column",
        ),
    ] = None

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


def one_or_several(data: Any) -> Any:
    """Lists of demands by column, out of what ``l`` and ``t`` may say for short."""
    if isinstance(data, (int, float)) and not isinstance(data, bool):
        data = {EVERY: data}
    if not isinstance(data, Mapping):
        return data
    empty = [column for column, said in data.items() if said in ([], ())]
    if empty:
        raise ValueError(f"nothing is demanded of '{empty[0]}'; give at least one number")
    return {
        column: said if isinstance(said, (list, tuple)) else [said] for column, said in data.items()
    }


class PrivacyPolicy(BaseModel):
    """What is demanded of the release; at least one requirement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: Annotated[
        int | None,
        Words(
            "k",
            "k-anonymity: everybody shares their published quasi-identifiers with at least k − 1 "
            "other rows; with `person`, nobody owns more than one in k of them.",
            "10",
            start=10,
            meaning=meanings.K,
        ),
    ] = Field(None, ge=1, strict=True)
    l: Annotated[  # noqa: E741 - its name in the literature
        dict[str, tuple[DiversityPolicy, ...]],
        Words(
            "l: the sensitive values are mixed",
            "l-diversity: the values of a sensitive column differ within each class; one demand "
            "per column, or a list of several; a bare number is about every sensitive column.",
            "{disease: [3, {recursive: [2, 3]}]}",
            widget="demands",
        ),
    ] = Field({})
    t: Annotated[
        dict[str, tuple[ClosenessPolicy, ...]],
        Words(
            "t: every class looks like the whole table",
            "t-closeness: in each class a sensitive column is distributed nearly as in the whole "
            "table; one demand per column, or a list of several.",
            "{disease: 0.3, salary: 0.2}",
            widget="demands",
        ),
    ] = Field({})
    exposure: Annotated[
        float | None,
        Words(
            "Share",
            "Columns published in one table by `projections` give away at most this share of what "
            "sensitive columns say about each other.",
            "0.5",
            start=0.5,
            meaning=meanings.EXPOSURE,
        ),
    ] = Field(None, ge=0, le=1)
    association_loss: Annotated[
        float | None,
        Words(
            "Share",
            "When `projections` publishes sensitive columns apart, at most this share of what they "
            "say about each other is lost.",
            "0.2",
            start=0.3,
            meaning=meanings.ASSOCIATION_LOSS,
        ),
    ] = Field(None, ge=0, le=1)
    generalisation_loss: Annotated[
        float | None,
        Words(
            "Share",
            "No table of `projections` loses more than this share of the detail in its "
            "quasi-identifiers (ncp); columns that would need more are published apart.",
            "0.3",
            start=0.3,
            meaning=meanings.GENERALISATION_LOSS,
        ),
    ] = Field(None, ge=0, le=1)
    suppress: Annotated[
        float,
        Words(
            "Share of the rows",
            "At most this share of the rows, such as `2%`, is not published at all, so that few "
            "unusual people do not blur everybody else; of the methods for one table, `rising` and "
            "`incognito` use it.",
            "2%",
            start="2%",
            widget="percent",
            meaning=meanings.SUPPRESS,
        ),
    ] = Field(0.0, ge=0, lt=1)
    collusion_k: Annotated[
        int | None,
        Words(
            "Least number of rows together",
            "Even on the columns of all recipients together, should they share what they know, "
            "everybody shares their values with at least so many rows.",
            "2",
            start=2,
            meaning=meanings.COLLUSION,
        ),
    ] = Field(None, ge=1, strict=True)
    collusion: Annotated[
        CollusionPolicy | None,
        Words(
            "Recipients who put together what they know",
            "The same for some of them: for every two (`any_two`), for all of them (`all`, another "
            "word for `collusion_k`), or by name.",
            "{any_two: 3, all: 2}",
            start={"all": 2},
            meaning=meanings.COLLUSION,
            elsewhere="the Recipients step asks for all together; the policy as text has the rest",
        ),
    ] = None
    e: Annotated[
        Distance | None,
        Words(
            "e, largest − smallest",
            "ke-anonymity, for `permutation`: every group has at least k different values of the "
            "numeric column, and the largest is at least e above the smallest; k is not about rows "
            "then. A number of the column, or a share of its range such as `5%`.",
            "1000",
            start=USUAL_E,
            usual=f"{USUAL_E} of the range",
            widget="text",
            needed=True,
            meaning=meanings.KE,
        ),
    ] = None
    known: Annotated[
        Known | None,
        Words(
            "What an attacker knows",
            "Of `permutation`, a number: k and e still hold in a group after any so many of its "
            "rows are struck out, because somebody knows their values. Of graphs, `degree`: who "
            "knows how many links both ends of a link have believes in it no more strongly than "
            "who does not.",
            "1",
            start=1,
            widget="text",
            usual="nothing besides",
            meaning=meanings.KNOWN,
        ),
    ] = None
    near: Annotated[
        NearPolicy | None,
        Words(
            "Best guess",
            "No window of a width holds more than a share of the values of a group of "
            "`permutation`: nobody's value is guessed so nearly with a larger chance.",
            "50% within 5%",
            start="50% within 5%",
            usual="e alone keeps values apart",
            widget="text",
            meaning=meanings.NEAR,
        ),
    ] = None
    target: Annotated[
        dict[str, TargetPolicy],
        Words(
            "Target",
            "target-distribution: in every group the published ranges of a sensitive column follow "
            "a distribution that you choose, whatever the data has. `k`, `l` and `e` beside it say "
            "what every group leaves (group-floor).",
            "{salary: {distribution: uniform}}",
            widget="target",
            start="uniform",
            needed=True,
            meaning=meanings.TARGET,
        ),
    ] = Field({})
    shift: Annotated[
        float,
        Words(
            "Share",
            "The share of a range among its siblings may differ from that of the `target` by at "
            "most this much.",
            "0.05",
            start=0.05,
            step=0.01,
            meaning=meanings.SHIFT,
        ),
    ] = Field(0.0, ge=0, le=1)
    fakes: Annotated[
        float,
        Words(
            "Share of the rows",
            "Up to this share of fake values, such as `5%`, may be added to each group, so that "
            "fewer true ones have to be hidden in wide ranges.",
            "5%",
            start="5%",
            widget="percent",
            meaning=meanings.FAKES,
        ),
    ] = Field(0.0, ge=0, le=1)
    personal: Annotated[
        str | None,
        Words(
            "Column with what each person demands",
            "personal-levels: a column of the data says for each person inside which range, or "
            "level of ranges, their value shall follow the `target`. It is read and never "
            "published.",
            "wish",
            widget="column",
            start="level",
            meaning=meanings.PERSONAL,
        ),
    ] = None

    volunteers: Annotated[
        Literal["blind"] | None,
        Words(
            "Who may join a wider pool",
            "`blind`: which pool of `personal` levels somebody is in is told by what they demand, "
            "and never by their value. Ranges get wider. Left out, people whose values fit join "
            "wider pools, from which somebody who knows who demanded what can learn.",
            "blind",
            choices={"blind": "nobody because of their value"},
            start="blind",
            usual="whoever's value fits",
            meaning=meanings.VOLUNTEERS,
        ),
    ] = None

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
        return one_or_several(data)

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
        diverse = tuple(d.requirement(c) for c, d in per_column(self.l, sensitive))
        close = tuple(t.requirement(c) for c, t in per_column(self.t, sensitive))
        return (*size, *diverse, *close)

    def of_groups(self, sensitive: Sequence[str]) -> tuple[Requirement, ...]:
        """List what is demanded of the groups of a permutation; nothing without column or k."""
        if len(sensitive) != 1 or self.k is None:
            return ()
        near = None if self.near is None else self.near.requirement()
        e = USUAL_E if self.e is None else self.e
        known = self.known if isinstance(self.known, int) else 0
        return (KeAnonymity(sensitive[0], self.k, e, known, near),)


def per_column(
    said: Mapping[str, tuple[_Said, ...]], sensitive: Sequence[str]
) -> Iterator[tuple[str, _Said]]:
    """Demands by column; those on every column are on each ``sensitive`` one."""
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
    if getattr(demanded, "people", False):
        raise ValueError(
            "a policy demands over people by its key person, which names the column that says "
            "whose row it is; leave people out of the requirements"
        )
    match demanded:
        case KAnonymity(k=k):
            return {"k": k}
        case SafeGrouping(k=k, l=l):
            known = {} if demanded.known is None else {"known": demanded.known}
            return {"k": k, "l": {EVERY: [{"distinct": l}]}, **known}
        case KeAnonymity(column=column, k=k):
            if column != THE_SENSITIVE:
                raise ValueError("give KE(k, e); its column is the sensitive one")
            return {key: said for key, said in demanded.parameters().items() if key != "column"}
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
