"""The ``columns:`` part of a policy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, field_validator, model_validator

from papilio.data.hierarchy.rules import (
    DATE_LEVELS,
    AutomaticRule,
    DatesRule,
    HierarchyRule,
    IntervalsRule,
    PathsRule,
    PrefixRule,
)
from papilio.data.io.confine import confined
from papilio.data.table import Column, ColumnType, Role
from papilio.errors import DataError, PolicyError
from papilio.policy.faults import pick_one
from papilio.policy.source_policy import SourcePolicy
from papilio.policy.words import Words


class HierarchyPolicy(BaseModel):
    """How the values of a column generalise: exactly one of the following."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    automatic: Annotated[
        bool,
        Words(
            "automatic: halves of the values",
            "Papilio cuts the values that occur in halves, and these in halves. Quick, but groups "
            "have no meaning, and their labels show values that occur. Short: `hierarchy: "
            "automatic`.",
            "true",
        ),
    ] = False
    prefix: Annotated[
        tuple[StrictInt, ...] | None,
        Words(
            "prefix: fewer characters",
            "Codes keep fewer and fewer of their first characters, from most to fewest: 12345, "
            "1234*, 12*.",
            "[5, 3, 2]",
        ),
    ] = None
    intervals: Annotated[
        tuple[float, ...] | None,
        Words(
            "intervals: wider and wider",
            "Numbers fall into intervals of growing width, each a multiple of the one before.",
            "[5, 20, 100]",
        ),
    ] = None
    origin: Annotated[
        float, Words("Where intervals start", "Where intervals start; only with `intervals`.", "18")
    ] = 0
    dates: Annotated[
        tuple[str, ...] | None,
        Words(
            "dates: calendar units",
            "Dates become coarser units, out of `day`, `month`, `quarter`, `year`, `decade` and "
            "`century`.",
            "[month, year, decade]",
            choices={unit: unit for unit in DATE_LEVELS},
        ),
    ] = None
    file: Annotated[
        str | None,
        Words(
            "a tree made by hand",
            "A tree of groups with names of your own, kept as a CSV file of paths, leaf first; a "
            "plain file name means the same.",
            "job.csv",
            widget="file",
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        if isinstance(data, str):
            return {"automatic": True} if data == "automatic" else {"file": data}
        return data

    @model_validator(mode="after")
    def _exactly_one(self) -> HierarchyPolicy:
        pick_one(self, ("file", "prefix", "intervals", "dates", "automatic"))
        if self.origin and self.intervals is None:
            raise ValueError("origin goes with intervals")
        try:
            self.rule(Path())
        except PolicyError as error:
            # A rule checks itself; told here, the fault gets its file and line.
            raise ValueError(f"{error.faults[0].where}: {error.faults[0].message}") from None
        except DataError as error:
            raise ValueError(str(error)) from None
        return self

    def rule(self, base: Path, allowed: tuple[Path, ...] | None = None) -> HierarchyRule:
        """Turn it into the rule that builds the hierarchy.

        Parameters
        ----------
        base
            Folder that the name of a file is relative to.
        allowed
            Files and folders besides ``base`` that it may name; ``None`` for any.

        Raises
        ------
        DataError
            If it names a file that lies elsewhere.
        """
        if self.file is not None:
            confined(self.file, base, allowed)
            return PathsRule(base / self.file)
        if self.prefix is not None:
            return PrefixRule(self.prefix)
        if self.intervals is not None:
            return IntervalsRule(tuple(map(_tidy, self.intervals)), _tidy(self.origin))
        if self.dates is not None:
            return DatesRule(self.dates)
        return AutomaticRule()


class ColumnPolicy(BaseModel):
    """What one column is; a bare role such as `age: quasi` is short for `{role: quasi}`."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    role: Annotated[
        Role,
        Words(
            "Role",
            "What may happen to the column.",
            "quasi",
            choices={
                "identifier": "never leaves",
                "quasi": "may be known",
                "sensitive": "must not be learnt",
                "plain": "published as it is",
            },
            meanings={
                "identifier": "Points at one person, such as a name or a number. Never leaves.",
                "quasi": "A recipient may know it. Generalised until nobody stands alone.",
                "sensitive": (
                    "Must not be learnt about a person. Published beside people who look alike."
                ),
                "plain": "Harmless. Published as it is; nothing protects it.",
            },
        ),
    ]
    type: Annotated[
        ColumnType | None,
        Words(
            "Type",
            "How its values compare.",
            "category",
            choices={
                "numeric": "numeric",
                "category": "category: labels",
                "date": "date",
                "boolean": "boolean",
            },
            meanings={
                "numeric": "Whole or floating numbers; finite.",
                "category": "Labels without order; all text that is nothing else.",
                "date": "ISO dates and times, such as `2024-03-17` or `2024-03-17T08:30`.",
                "boolean": "True or false.",
            },
            usual="found from the values",
        ),
    ] = None
    hierarchy: Annotated[
        HierarchyPolicy | None,
        Words(
            "Hierarchy",
            "How its values generalise. Left out, numbers become ranges such as 30 to 40, labels "
            "become lists of what they may be.",
            "job.csv",
            usual="ranges and sets",
            widget="tree",
        ),
    ] = None
    domain: Annotated[
        tuple[str, ...] | None,
        Words(
            "Values in order",
            "All values that may occur, smallest first. Left out: those that occur, without order.",
            "[small, medium, large]",
            widget="lines",
        ),
    ] = None
    harmless: Annotated[
        tuple[str | None, ...],
        Words(
            "Harmless values",
            "Values of a sensitive column that need no protection, such as “none”; `null` is a "
            "missing value. `projections` does not count them as exposed.",
            "[none]",
            widget="lines",
        ),
    ] = Field(())
    bins: Annotated[
        StrictInt | None,
        Words(
            "Bins",
            "How `projections` measures what a sensitive column of numbers or dates says of "
            "others: by so many ranges of equally many rows, instead of by single values, which "
            "hardly anybody shares.",
            "10",
            elsewhere="the policy as text has it",
        ),
    ] = Field(None, ge=2)
    follows: Annotated[
        str | None,
        Words(
            "Follows",
            "The quasi-identifier that says this column, as a town says its county. The column is "
            "then published as what the published cell of the other may have in the whole table, "
            "so that it tells nothing more; whoever knows the other is taken to know it.",
            "town",
            elsewhere="the policy as text has it",
        ),
    ] = None
    values: Annotated[
        Literal["several"] | None,
        Words(
            "A person may have several values",
            "`several`: a sensitive column that holds several values per person, which "
            "`projections` publishes as one column per value, true or false, such as "
            "`symptoms=cough`.",
            "several",
            choices={"several": "several values"},
            usual="one value",
        ),
    ] = None
    separator: Annotated[
        str | None,
        Words(
            "What stands between values of a cell",
            "What stands between the values of a cell; only with `values: several`.",
            "'|'",
            choices={",": ",", "|": "|", "/": "/", " ": "blank"},
            usual=";",
            widget="choice",
        ),
    ] = Field(None, min_length=1)
    source: Annotated[
        SourcePolicy | None,
        Words(
            "Table with the values",
            "Linked table that holds the several values instead, one row per person and value.",
            "symptoms.csv",
            widget="file",
        ),
    ] = None
    key: Annotated[
        str | None,
        Words(
            "Column that tells the person, in both tables",
            "Column that tells the person, in the linked table and, an identifier, here.",
            "patient",
            widget="column",
        ),
    ] = None
    value: Annotated[
        str | None,
        Words(
            "Column that holds the value",
            "Column of the linked table that holds the value.",
            "symptom",
            widget="column",
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        if isinstance(data, str):
            return {"role": data}
        if not isinstance(data, (Mapping, ColumnPolicy)):
            accepted = f"a role ({', '.join(Role)}) or a mapping with the key role"
            raise ValueError(f"give {accepted}")  # noqa: TRY004 - pydantic wants a ValueError
        return data

    @field_validator("harmless", mode="before")
    @classmethod
    def _truth(cls, data: Any) -> Any:
        if not isinstance(data, (list, tuple)):
            return data
        return [str(each).lower() if isinstance(each, bool) else each for each in data]

    @model_validator(mode="after")
    def _several(self) -> ColumnPolicy:
        if self.harmless and self.role is not Role.SENSITIVE:
            raise ValueError("only a sensitive column has harmless values")
        if self.bins is not None and (
            self.role is not Role.SENSITIVE
            or self.values is not None
            or self.type in (ColumnType.CATEGORY, ColumnType.BOOLEAN)
        ):
            raise ValueError("bins are for a sensitive column of numbers or dates")
        if self.values is None:
            given = [k for k in ("separator", "source", "key", "value") if getattr(self, k)]
            if given:
                raise ValueError(f"{given[0]} goes with values: several")
            return self
        if self.role is not Role.SENSITIVE:
            raise ValueError("only a sensitive column can have several values")
        if self.type is not None or self.hierarchy is not None:
            raise ValueError("a column with several values has neither a type nor a hierarchy")
        linked = [k for k in ("source", "key", "value") if getattr(self, k) is not None]
        if linked and len(linked) < 3:
            raise ValueError("a linked table needs all of source, key and value")
        if linked and self.separator is not None:
            raise ValueError("a separator is for cells, not for a linked table")
        return self

    @model_validator(mode="after")
    def _follows(self) -> ColumnPolicy:
        if self.follows is not None and self.role not in (Role.QUASI, Role.PLAIN):
            raise ValueError("only a quasi or plain column can follow another")
        return self

    @model_validator(mode="after")
    def _consistent(self) -> ColumnPolicy:
        if self.hierarchy is not None and self.role not in (Role.QUASI, Role.SENSITIVE):
            raise ValueError("only a quasi or sensitive column can have a hierarchy")
        if self.domain is not None and self.hierarchy is not None:
            raise ValueError("a column has a domain or a hierarchy, not both")
        if self.domain is not None and len(set(self.domain)) < len(self.domain):
            raise ValueError("a domain lists each value once")
        return self

    def column(
        self, name: str, found: ColumnType, base: Path, allowed: tuple[Path, ...] | None = None
    ) -> Column:
        """Combine it with the type found in the data; files as in :meth:`HierarchyPolicy.rule`."""
        rule = None if self.hierarchy is None else self.hierarchy.rule(base, allowed)
        return Column(name, self.role, found, rule, self.domain, self.follows)


def _tidy(number: float) -> int | float:
    return int(number) if float(number).is_integer() else number
