"""What one recipient may know and must not learn, and which of them may put that together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from papilio.data.table import Role
from papilio.policy.privacy_policy import (
    ClosenessPolicy,
    DiversityPolicy,
    one_or_several,
    per_column,
)
from papilio.policy.recipients import ALL_RECIPIENTS, called_together
from papilio.policy.words import Words
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement, least_size
from papilio.privacy.secret_column import SecretColumn

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


class SecretPolicy(BaseModel):
    """How uncertain a recipient must stay of a column of others; a number is short for `l`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    l: Annotated[  # noqa: E741 - as for sensitive columns
        int,
        Words(
            "Values left",
            "In every class of this recipient the cells of the column leave at least so many "
            "different values possible.",
            "2",
            start=2,
            needed=True,
        ),
    ] = Field(ge=2, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        return data if isinstance(data, (Mapping, SecretPolicy)) else {"l": data}


class RecipientPolicy(BaseModel):
    """Who gets the release; a list of columns is short for `knows`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    knows: Annotated[
        tuple[str, ...],
        Words(
            "Knows",
            "Quasi-identifiers that the recipient may know of a person; `knows: voters.csv` is "
            "short for `file`.",
            "[age, postcode]",
            widget="columns",
        ),
    ] = ()
    file: Annotated[
        str | None,
        Words(
            "List they have",
            "A file that the recipient has, such as a list of voters: they know every "
            "quasi-identifier that its header names. No line of it is read.",
            "voters.csv",
            widget="file",
        ),
    ] = None
    secret: Annotated[
        dict[str, SecretPolicy],
        Words(
            "Must not learn",
            "Quasi-identifiers of others that this recipient must not learn: in every class that "
            "they see, at least `l` different values of each stay possible.",
            "{occupation: {l: 2}}",
        ),
    ] = Field({})
    k: Annotated[
        int | None,
        Words("k", "For this recipient instead of `privacy.k`.", "10", start=10),
    ] = Field(None, ge=1, strict=True)
    l: Annotated[  # noqa: E741 - its name in the literature
        dict[str, tuple[DiversityPolicy, ...]],
        Words(
            "l",
            "For this recipient instead of `privacy.l`, on the columns that it names.",
            "{disease: 3}",
        ),
    ] = Field({})
    t: Annotated[
        dict[str, tuple[ClosenessPolicy, ...]],
        Words(
            "t",
            "For this recipient instead of `privacy.t`, on the columns that it names.",
            "{disease: 0.3}",
        ),
    ] = Field({})

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        if isinstance(data, (list, tuple)):
            return {"knows": data}
        if isinstance(data, Mapping) and isinstance(data.get("knows"), str):
            if "file" in data:
                raise ValueError("knows names a file, and so does file; give one of them")
            rest = {key: said for key, said in data.items() if key != "knows"}
            return {**rest, "file": data["knows"]}
        return data

    @field_validator("l", "t", mode="before")
    @classmethod
    def _one_or_several(cls, data: Any) -> Any:
        return one_or_several(data)

    @model_validator(mode="after")
    def _one_source(self) -> RecipientPolicy:
        if self.file is not None and self.knows:
            raise ValueError("give the columns under knows, or a file that has them")
        return self


def known_to(policy: Policy, name: str) -> tuple[str, ...]:
    """Quasi-identifiers that a recipient may know; those of a file by its header.

    Raises
    ------
    DataError
        If the file cannot be read, or the policy may not name it.
    """
    said = policy.recipients[name]
    if said.file is None:
        return said.knows
    header = columns_of_file(policy, said.file)
    return tuple(column for column in policy.quasi if column in header)


def columns_of_file(policy: Policy, file: str) -> tuple[str, ...]:
    """Header of a file that a policy names."""
    from papilio.data.io.confine import confined
    from papilio.data.io.files import file_header

    return file_header(confined(file, policy.base, policy.allowed))


def requirements_of(policy: Policy, name: str) -> tuple[Requirement, ...]:
    """What is demanded of the classes that one recipient sees; over rows.

    A key of the recipient takes the place of the general one: ``k`` as a whole, ``l`` and ``t``
    column by column. What must stay secret comes on top.
    """
    said, sensitive = policy.recipients[name], policy.with_role(Role.SENSITIVE)
    own = [*_demanded(said.l, sensitive), *_demanded(said.t, sensitive)]
    replaced = {(type_, column) for type_, column, _ in own}
    general = [*_demanded(policy.privacy.l, sensitive), *_demanded(policy.privacy.t, sensitive)]
    kept = [each for each in general if each[:2] not in replaced]
    size = policy.privacy.k if said.k is None else said.k
    return (
        *(() if size is None else (KAnonymity(size),)),
        *(each for _, _, each in sorted([*kept, *own], key=lambda found: found[0])),
        *(SecretColumn(column, wanted.l) for column, wanted in said.secret.items()),
    )


def _demanded(
    said: Mapping[str, tuple[Any, ...]], sensitive: tuple[str, ...]
) -> Iterator[tuple[str, str, Requirement]]:
    for column, each in per_column(said, sensitive):
        yield ("l" if isinstance(each, DiversityPolicy) else "t"), column, each.requirement(column)


def requirements_together(policy: Policy) -> tuple[Requirement, ...]:
    """Everything that is demanded for any recipient, each once, of several k the largest.

    Classes that meet it meet what is demanded for each recipient: all of it is closed under
    unions, and every recipient sees unions of classes on all columns.
    """
    every = [each for name in policy.recipients for each in requirements_of(policy, name)]
    sizes = [each for each in every if isinstance(each, KAnonymity)]
    others = [each for each in every if not isinstance(each, KAnonymity)]
    return (*((KAnonymity(least_size(sizes)),) if sizes else ()), *dict.fromkeys(others))


@dataclass(frozen=True)
class Coalition:
    """Some recipients who put together what they know, and what is demanded against them.

    Attributes
    ----------
    names
        Who they are, in the order of the policy.
    k
        Least class size on everything that they know together.
    """

    names: tuple[str, ...]
    k: int

    def called(self, policy: Policy) -> str:
        """What claims and sentences call them."""
        every = len(self.names) == len(policy.recipients)
        return ALL_RECIPIENTS if every else called_together(self.names)

    def columns(self, policy: Policy) -> tuple[str, ...]:
        """What they know together, in the order of the policy."""
        known = {column for name in self.names for column in policy.known[name]}
        return tuple(column for column in policy.quasi if column in known)


def coalitions(policy: Policy) -> tuple[Coalition, ...]:
    """Coalitions that a policy speaks of, smaller ones first, each with the largest k for it."""
    least: dict[frozenset[str], int] = {}
    for names, k in _coalitions(policy):
        least[names] = max(k, least.get(names, 1))
    ordered = sorted(least, key=lambda names: (len(names), _places(policy, names)))
    every = tuple(policy.recipients)
    return tuple(
        Coalition(tuple(name for name in every if name in names), least[names]) for names in ordered
    )


def _places(policy: Policy, names: frozenset[str]) -> list[int]:
    return [place for place, name in enumerate(policy.recipients) if name in names]


def _coalitions(policy: Policy) -> Iterator[tuple[frozenset[str], int]]:
    every, privacy = tuple(policy.recipients), policy.privacy
    said = privacy.collusion
    if privacy.collusion_k is not None:
        yield frozenset(every), privacy.collusion_k
    if said is None:
        return
    if said.all is not None:
        yield frozenset(every), said.all
    if said.any_two is not None:
        yield from ((frozenset(two), said.any_two) for two in combinations(every, 2))
    for named in said.named:
        yield frozenset(named.who) & frozenset(every), named.k


def least_together(policy: Policy) -> int | None:
    """Least size of a class on all columns that keeps every coalition's k; ``None`` if none has.

    What a coalition sees are unions of these classes.
    """
    return max((each.k for each in coalitions(policy)), default=None)


def together_key(policy: Policy) -> str:
    """The key under which coalitions are spoken of, for messages."""
    return "collusion_k" if policy.privacy.collusion is None else "collusion"
