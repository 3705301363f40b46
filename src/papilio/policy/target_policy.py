"""The ``target:`` part of a policy: which distribution a sensitive column shall appear to have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class TreePolicy(BaseModel):
    """Subdomains of the column: a balanced tree over cells of equal width."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    arity: int = Field(2, ge=2, strict=True, description="Children of each node; default 2.")
    lowest: float | None = Field(
        None,
        allow_inf_nan=False,
        description="Smallest value of the domain; with `highest`. Left out, the domain is the "
        "values that occur, which the release then shows.",
    )
    highest: float | None = Field(
        None, allow_inf_nan=False, description="Largest value of the domain."
    )
    width: float | None = Field(
        None,
        gt=0,
        allow_inf_nan=False,
        description="Width of a cell; left out, 1 for whole numbers. Other numbers need it.",
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


class TargetPolicy(BaseModel):
    """The distribution of one column; a bare name such as `uniform` is short for `distribution`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    distribution: Literal["same", "uniform", "normal", "zipf"] | None = Field(
        None,
        description="`same` as in the data, `uniform`, `normal` or `zipf`; this or `file`.",
    )
    file: str | None = Field(
        None,
        description="CSV or Parquet with the distribution: values and weights, or another table.",
    )
    column: str | None = Field(
        None,
        description="Column of `file` that holds values; left out, the first of two columns.",
    )
    weight: str | None = Field(
        None,
        description="Column of `file` that holds weights, which need not sum to anything; left out "
        "beside `column`, every row of the file counts once.",
    )
    mean: float | None = Field(
        None, allow_inf_nan=False, description="Mean of `normal`; default the middle of the domain."
    )
    std: float | None = Field(
        None,
        gt=0,
        allow_inf_nan=False,
        description="Standard deviation of `normal`; default a quarter of the domain's range.",
    )
    exponent: float | None = Field(
        None,
        ge=-30,
        le=30,
        allow_inf_nan=False,
        description="Exponent of `zipf`; default 1. Negative: most weight on the largest values.",
    )
    by: tuple[str, ...] = Field(
        (),
        description="Quasi-identifiers; rows that are equal on them form a part with a target of "
        "its own. A `file` with columns of these names gives each part its weights.",
    )
    mode: Literal["whole", "per-class"] = Field(
        "whole",
        description="`whole`: one group per part. `per-class`: one per combination of all "
        "quasi-identifiers, better where they say nothing about the column and ranges asked for "
        "are small.",
    )
    tree: TreePolicy | None = Field(
        None,
        description="Subdomains; left out, the column's hierarchy, or a binary tree over values.",
    )
    largest_weight: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        strict=True,
        description="Bound on the whole-number weights of the tree; default 100, but `same` is "
        "kept exactly. Small weights let more values keep small ranges.",
    )
    allocation: Literal["maximal", "randomised"] = Field(
        "maximal",
        description="`randomised` leaves an attacker who knows the method less to learn from how "
        "much was pushed down, in trees of one level nothing, at the price of wider ranges.",
    )

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        return data if isinstance(data, (Mapping, TargetPolicy)) else {"distribution": data}

    @model_validator(mode="after")
    def _consistent(self) -> TargetPolicy:
        if (self.distribution is None) is (self.file is None):
            raise ValueError("give exactly one of distribution, file")
        owners = {
            "column": self.file,
            "weight": self.file,
            "mean": self.distribution == "normal",
            "std": self.distribution == "normal",
            "exponent": self.distribution == "zipf",
        }
        for key, owner in owners.items():
            if getattr(self, key) is not None and not owner:
                raise ValueError(f"{key} goes with {_OWNER.get(key, 'file')}")
        if self.weight is not None and self.column is None:
            raise ValueError("weight goes with column")
        if len(set(self.by)) < len(self.by):
            raise ValueError("by names a column twice")
        return self


_OWNER = {
    "mean": "distribution: normal",
    "std": "distribution: normal",
    "exponent": "distribution: zipf",
}
