"""What the verifier is told of an original beside its rows."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from papilio.data.io.read import header, read
from papilio.data.source import FileSource
from papilio.data.table import Column, ColumnType
from papilio.data.types import convert
from papilio.policy.policy import Policy
from papilio.policy.target_policy import TargetPolicy
from papilio.verify.promise.promise import WeightFacts


def types_of(columns: tuple[Column, ...]) -> dict[str, str]:
    """Type of each column."""
    return {column.name: column.type.value for column in columns}


def weight_facts(policy: Policy, types: Mapping[str, str]) -> WeightFacts | None:
    """The file of a target, read as it is written; ``None`` if the policy names none."""
    for name, target in policy.privacy.target.items():
        if target.file is not None:
            return _weights(policy, name, target, ColumnType(types[name]))
    return None


def _weights(policy: Policy, name: str, target: TargetPolicy, kind: ColumnType) -> WeightFacts:
    source = FileSource(policy.base / str(target.file))
    names = header(source)
    keys = [column for column in target.by if column in names]
    others = [column for column in names if column not in keys]
    # The column that the target is about is never its own weight.
    others = [*others[1:], *others[:1]] if others[1:] == [name] else others
    value = target.column or others[0]
    weight = target.weight if target.column is not None else others[1]
    raw = read(source, dict.fromkeys(c for c in (value, weight, *keys) if c is not None))
    values = convert(raw.frame.get_column(value), kind, raw.typed)
    weights = [1] * raw.frame.height
    if weight is not None:
        weights = convert(raw.frame.get_column(weight), ColumnType.NUMERIC, raw.typed).to_list()
    texts = {key: raw.frame.get_column(key).cast(pl.String).to_list() for key in keys}
    return WeightFacts(values.to_list(), weights, texts)
