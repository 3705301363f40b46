"""The ``graph:`` part of a policy: entities of two kinds and who is linked to whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from papilio.data.table import ColumnType, Role
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.source_policy import SourcePolicy
from papilio.policy.words import Words, words_of

#: Orders in which nodes choose their group.
Order: TypeAlias = Literal["degree", "level", "random"]


class AttributePolicy(BaseModel):
    """What an attribute of entities is; a bare role such as `age: plain` is short for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Annotated[
        Role,
        Words(
            "Role",
            "`plain` is published as it is, `identifier` never leaves; others are refused.",
            "plain",
            choices=words_of(ColumnPolicy, "role").choices,
        ),
    ]
    type: Annotated[
        ColumnType | None,
        Words(
            "Type",
            "How its values compare.",
            "category",
            choices=words_of(ColumnPolicy, "type").choices,
            usual="found from the values",
        ),
    ] = None

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

    source: Annotated[
        SourcePolicy | None,
        Words(
            "Table",
            "Where the table of entities is; not needed when frames are passed in Python.",
            "authors.parquet",
        ),
    ] = None
    key: Annotated[
        str,
        Words(
            "Key",
            "Column that identifies an entity, which edges refer to; it is never published.",
            "id",
        ),
    ]
    columns: Annotated[
        dict[str, AttributePolicy],
        Words(
            "Attributes", "What each attribute is. A column that is not listed is not published."
        ),
    ] = Field({})


class EdgesPolicy(BaseModel):
    """Who is linked to whom."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    source: Annotated[
        SourcePolicy | None,
        Words(
            "Table",
            "Where the table of edges is, one edge a row; not needed when frames are passed in "
            "Python.",
            "wrote.csv",
            elsewhere="the map of the graph writes it",
        ),
    ] = None
    left: Annotated[
        str,
        Words(
            "Column with the key of the left",
            "Column with the key of the left entity.",
            "author",
            elsewhere="the map of the graph writes it",
        ),
    ]
    right: Annotated[
        str,
        Words(
            "Column with the key of the right",
            "Column with the key of the right entity.",
            "paper",
            elsewhere="the map of the graph writes it",
        ),
    ]
    dangling: Annotated[
        Literal["refuse", "drop"],
        Words(
            "Links to nobody",
            "What happens to edges with an end that is no entity: `refuse` to publish, or `drop` "
            "them and say how many.",
            "drop",
            choices={"refuse": "refuse to publish", "drop": "leave them out"},
            usual="refuse to publish",
        ),
    ] = "refuse"

    @model_validator(mode="after")
    def _two_ends(self) -> EdgesPolicy:
        if self.left.casefold() == self.right.casefold():
            raise ValueError("left and right are the same column; an edge has two ends")
        return self


class GraphPolicy(BaseModel):
    """A bipartite graph: left entities, right entities, and the edges between them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: Annotated[
        EntitiesPolicy,
        Words(
            "Left entities, which k is about",
            "Entities that `privacy.k` is about.",
            elsewhere="the map of the graph writes it",
        ),
    ]
    right: Annotated[
        EntitiesPolicy,
        Words(
            "Right entities, which l is about",
            "Entities that `privacy.l` is about.",
            elsewhere="the map of the graph writes it",
        ),
    ]
    edges: Annotated[EdgesPolicy, Words("Links, one a row", "Who is linked to whom.")]
    order: Annotated[
        Order | None,
        Words(
            "Order of nodes",
            "Order in which nodes choose their group: by `degree`, which groups nodes with equally "
            "many links where it can; `level`, which leaves links out, within `privacy.suppress`, "
            "until all nodes of a group of one side have equally many; or `random`, which lets who "
            "knows how many links somebody has find them.",
            "level",
            choices={
                "degree": "by degree",
                "level": "by degree, then leave links out until degrees are equal",
                "random": "random",
            },
            usual="`degree`, or `level` with `known: degree`",
        ),
    ] = None
    retries: Annotated[
        int, Words("Further orders to try", "How many further orders are tried.", "10", usual="5")
    ] = Field(5, ge=0, le=1000, strict=True)
