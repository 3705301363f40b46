"""The ``target:`` part of a policy: which distribution a sensitive column shall appear to have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from papilio.policy.words import Words


class TreePolicy(BaseModel):
    """Subdomains of the column: a balanced tree over cells of equal width."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lowest: Annotated[
        float | None,
        Words(
            "Smallest value",
            "Smallest value of the domain; with `highest`. Left out, the domain is the values that "
            "occur, which the release then shows.",
            "0",
        ),
    ] = Field(None, allow_inf_nan=False)
    highest: Annotated[
        float | None, Words("Largest value", "Largest value of the domain.", "9999")
    ] = Field(None, allow_inf_nan=False)
    width: Annotated[
        float | None,
        Words(
            "Width of a cell",
            "Width of a cell; left out, 1 for whole numbers. Other numbers need it.",
            "100",
        ),
    ] = Field(None, gt=0, allow_inf_nan=False)
    arity: Annotated[int, Words("Parts of a range", "Children of each node of the tree.", "4")] = (
        Field(2, ge=2, strict=True)
    )

    @model_validator(mode="after")
    def _consistent(self) -> TreePolicy:
        if (self.lowest is None) is not (self.highest is None):
            raise ValueError("give both lowest and highest, or neither")
        if self.lowest is None and self.width is not None:
            raise ValueError("width goes with lowest and highest")
        if self.lowest is not None and self.highest is not None and self.lowest > self.highest:
            raise ValueError("lowest is above highest")
        return self


#: Keys that go with one distribution only, or with one that a file gives.
GOES_WITH = {
    "column": "file",
    "weight": "file",
    "mean": "normal",
    "std": "normal",
    "exponent": "zipf",
}


class TargetPolicy(BaseModel):
    """The distribution of one column; a bare name such as `uniform` is short for `distribution`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    distribution: Annotated[
        Literal["uniform", "normal", "zipf", "same"] | None,
        Words(
            "Distribution",
            "`uniform`, `normal`, `zipf`, or the `same` as in the data; this or `file`.",
            "zipf",
            choices={
                "uniform": "uniform: every value alike",
                "normal": "normal: most in the middle",
                "zipf": "zipf: few values, often",
                "same": "same: as in the data",
            },
        ),
    ] = None
    file: Annotated[
        str | None,
        Words(
            "File of values and weights",
            "CSV or Parquet with the distribution: values and weights, or another table.",
            "salaries-of-the-country.csv",
            widget="file",
        ),
    ] = None
    column: Annotated[
        str | None,
        Words(
            "Its column",
            "Column of `file` that holds values; left out, the first of two columns, those of `by` "
            "not counted.",
            "salary",
        ),
    ] = None
    weight: Annotated[
        str | None,
        Words(
            "Column of weights",
            "Column of `file` that holds weights, which need not sum to anything; left out beside "
            "`column`, every row of the file counts once.",
            "people",
        ),
    ] = None
    mean: Annotated[
        float | None, Words("Mean", "Mean of `normal`; default the middle of the domain.", "3000")
    ] = Field(None, allow_inf_nan=False)
    std: Annotated[
        float | None,
        Words(
            "Standard deviation",
            "Standard deviation of `normal`; default a quarter of the domain's range.",
            "800",
        ),
    ] = Field(None, gt=0, allow_inf_nan=False)
    exponent: Annotated[
        float | None,
        Words(
            "Exponent",
            "Exponent of `zipf`; default 1. Negative: most weight on the largest values.",
            "1.5",
        ),
    ] = Field(None, ge=-30, le=30, allow_inf_nan=False)
    tree: Annotated[
        TreePolicy | None,
        Words(
            "Ranges",
            "Subdomains; left out, the column's hierarchy, or a binary tree over values. Declare "
            "the ends of the domain, so that the release does not show which values occur.",
            "{arity: 4}",
        ),
    ] = None
    largest_weight: Annotated[
        int | None,
        Words(
            "Largest weight",
            "Bound on the whole-number weights of the tree; default 100, but `same` is kept "
            "exactly. Small weights let more values keep small ranges.",
            "20",
        ),
    ] = Field(None, ge=1, le=1_000_000, strict=True)
    by: Annotated[
        tuple[str, ...],
        Words(
            "A target of its own for each",
            "Quasi-identifiers; rows that are equal on them form a part with a target of its own. "
            "A `file` with columns of these names gives each part its weights.",
            "[region]",
            widget="columns",
        ),
    ] = Field(())
    mode: Annotated[
        Literal["whole", "per-class"],
        Words(
            "Groups",
            "`whole`: one group per part. `per-class`: one per combination of all "
            "quasi-identifiers, better where they say nothing about the column and ranges asked "
            "for are small.",
            "per-class",
            choices={"whole": "one per part", "per-class": "one per class of people"},
            usual="one per part",
        ),
    ] = "whole"
    allocation: Annotated[
        Literal["maximal", "randomised"],
        Words(
            "Allocation",
            "`randomised` leaves an attacker who knows the method less to learn from how much was "
            "pushed down, in trees of one level nothing, at the price of wider ranges.",
            "randomised",
            choices={
                "maximal": "maximal: narrow ranges",
                "randomised": "randomised: less to learn",
            },
            usual="maximal",
        ),
    ] = "maximal"

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        return data if isinstance(data, (Mapping, TargetPolicy)) else {"distribution": data}

    @model_validator(mode="after")
    def _consistent(self) -> TargetPolicy:
        if (self.distribution is None) is (self.file is None):
            raise ValueError("give exactly one of distribution, file")
        for key, owner in GOES_WITH.items():
            given = self.file is not None if owner == "file" else self.distribution == owner
            if getattr(self, key) is not None and not given:
                named = owner if owner == "file" else f"distribution: {owner}"
                raise ValueError(f"{key} goes with {named}")
        if self.weight is not None and self.column is None:
            raise ValueError("weight goes with column")
        if len(set(self.by)) < len(self.by):
            raise ValueError("by names a column twice")
        return self
