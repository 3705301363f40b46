"""The ``graph:`` part of a policy: entities of two kinds and who is linked to whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from papilio.data.column import ColumnType
from papilio.data.roles import Role
from papilio.policy.source_policy import SourcePolicy


class AttributePolicy(BaseModel):
    """What an attribute of entities is; a bare role such as `age: plain` is short for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Role = Field(
        description="`plain` is published as it is, `identifier` never leaves; others are refused."
    )
    type: ColumnType | None = Field(
        None, description="How its values compare; left out, it is found from the values."
    )

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:
        return data if isinstance(data, (Mapping, AttributePolicy)) else {"role": data}

    @model_validator(mode="after")
    def _published_or_not(self) -> AttributePolicy:
        if self.role not in (Role.PLAIN, Role.IDENTIFIER):
            raise ValueError(
                "attributes of entities are plain (published as they are) or identifier (never "
                "leaves)"
            )
        return self


class EntitiesPolicy(BaseModel):
    """The entities of one side of a graph."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    source: SourcePolicy | None = Field(
        None,
        description="Where the table of entities is; not needed when frames are passed in Python.",
    )
    key: str = Field(
        description="Column that identifies an entity, which edges refer to; it is never published."
    )
    columns: dict[str, AttributePolicy] = Field(
        {},
        description="What each attribute is. A column that is not listed is not published.",
    )


class EdgesPolicy(BaseModel):
    """Who is linked to whom."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    source: SourcePolicy | None = Field(
        None,
        description="Where the table of edges is, one edge a row; not needed when frames are "
        "passed in Python.",
    )
    left: str = Field(description="Column with the key of the left entity.")
    right: str = Field(description="Column with the key of the right entity.")
    dangling: Literal["refuse", "drop"] = Field(
        "refuse",
        description="What happens to edges with an end that is no entity: `refuse` to publish, or "
        "`drop` them and say how many.",
    )

    @model_validator(mode="after")
    def _two_ends(self) -> EdgesPolicy:
        if self.left.casefold() == self.right.casefold():
            raise ValueError("left and right are the same column; an edge has two ends")
        return self


class GraphPolicy(BaseModel):
    """A bipartite graph: left entities, right entities, and the edges between them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: EntitiesPolicy = Field(description="Entities that `privacy.k` is about.")
    right: EntitiesPolicy = Field(description="Entities that `privacy.l` is about.")
    edges: EdgesPolicy = Field(description="Who is linked to whom.")
    order: Literal["random", "degree"] = Field(
        "random",
        description="Order in which nodes choose their group: `random`, or by `degree`, which "
        "groups nodes with equally many links and answers questions about degrees more exactly.",
    )
    retries: int = Field(
        5, ge=0, le=1000, strict=True, description="How many further orders are tried."
    )
