"""From what a policy says of a target to weighted trees, one for each part of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.column import ColumnType
from papilio.data.domain_cells import locate
from papilio.data.domain_tree import DomainTree
from papilio.data.io.confine import confined
from papilio.data.io.read import header, read
from papilio.data.source import FileSource
from papilio.data.types import convert
from papilio.data.weighted_tree import WeightedTree
from papilio.errors import DataError
from papilio.policy.target_policy import TargetPolicy
from papilio.privacy.normalise_weights import (
    USUAL_LARGEST,
    WeightChange,
    normalise_weights,
)
from papilio.privacy.target_weights import (
    normal_weights,
    uniform_weights,
    zipf_weights,
)

_Weights = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WeightFile:
    """Weights of values, as a file gives them.

    Attributes
    ----------
    path
        The file, for messages.
    values, weights
        One entry per line; NULL weights are not there.
    keys
        Columns that tell to which part a line belongs, as text; none if lines are about all parts.
    """

    path: Path
    values: pl.Series
    weights: pl.Series
    keys: pl.DataFrame


def read_weights(
    said: TargetPolicy, kind: ColumnType, base: Path, allowed: tuple[Path, ...] | None
) -> WeightFile | None:
    """Read the file of a target, if it has one: values and weights, or a column to be counted.

    Raises
    ------
    DataError
        If the file lacks a column, a weight is missing or negative, or it lies outside of
        ``base`` and ``allowed``, where ``None`` allows any place.
    """
    if said.file is None:
        return None
    confined(said.file, base, allowed)
    source = FileSource(base / said.file, allowed=None if allowed is None else (base, *allowed))
    names = header(source)
    column = said.column or names[0]
    weight = said.weight
    if said.column is None:
        if len(names) < 2:
            raise DataError(
                f"{source.path}: a file of a target has two columns, values and weights, or "
                "'column' says which holds values",
                reason="no-weights",
            )
        weight = names[1]
    keys = [name for name in said.by if name in names]
    wanted = [column, *([] if weight is None else [weight]), *keys]
    missing = [name for name in wanted if name not in names]
    if missing:
        raise DataError(f"{source.path} has no column '{missing[0]}'", reason="missing-column")
    raw = read(source, dict.fromkeys(wanted))
    values = convert(raw.frame.get_column(column), kind, raw.typed)
    weights = _weights_of(raw.frame, weight, raw.typed, source.path)
    return WeightFile(source.path, values, weights, raw.frame.select(keys).cast(pl.String))


def _weights_of(frame: pl.DataFrame, name: str | None, typed: bool, path: Path) -> pl.Series:
    if name is None:
        return pl.Series(np.ones(frame.height, dtype=np.int64))
    weights = convert(frame.get_column(name), ColumnType.NUMERIC, typed)
    wrong = int((weights.is_null() | (weights < 0)).sum())
    if wrong:
        raise DataError(
            f"{path}: {wrong} weights are missing or negative; numbers of at least 0 are accepted",
            reason="bad-weight",
        )
    return weights


def target_of(
    said: TargetPolicy,
    tree: DomainTree,
    leaves: NDArray[np.int64],
    file: WeightFile | None,
    part: Sequence[str | None] = (),
) -> tuple[WeightedTree, WeightChange]:
    """Weighted tree of one part of the rows.

    Parameters
    ----------
    said
        The policy.
    tree
        The subdomains.
    leaves
        Leaf -> number of the part's rows, for ``same``.
    file
        The weights, if the policy names a file.
    part
        What the part's rows have in the columns by which parts are told, as text.
    """
    largest = said.largest_weight
    if largest is None and said.distribution != "same":
        largest = USUAL_LARGEST
    weights: _Weights
    match said.distribution:
        case "same":
            weights = leaves
        case "uniform":
            weights = uniform_weights(tree)
        case "normal":
            weights = normal_weights(tree, said.mean, said.std)
        case "zipf":
            weights = zipf_weights(tree, 1.0 if said.exponent is None else said.exponent)
        case None:
            weights = _filed(tree, file, part)
    return normalise_weights(tree, weights, largest)


def _filed(tree: DomainTree, file: WeightFile | None, part: Sequence[str | None]) -> _Weights:
    if file is None:
        raise DataError("a target without distribution and file", reason="no-target")
    values, weights = file.values, file.weights
    if file.keys.width:
        mine = np.ones(len(values), dtype=bool)
        for name, value in zip(file.keys.columns, part, strict=True):
            mine &= file.keys.select(pl.col(name).eq_missing(pl.lit(value))).to_series().to_numpy()
        values, weights = values.filter(pl.Series(mine)), weights.filter(pl.Series(mine))
    leaves = locate(tree, values)
    strange = int((leaves < 0).sum())
    if strange:
        raise DataError(
            f"{file.path}: {strange} values are outside of the domain; widen the target's tree or "
            "leave them out",
            reason="value-outside-domain",
        )
    summed = np.bincount(leaves, weights.to_numpy(), minlength=tree.leaves)
    if not summed.sum() > 0:
        raise DataError(
            f"{file.path}: the weights of a part of the rows are all 0; a target needs one above 0",
            reason="no-weight",
        )
    return summed.astype(np.int64) if weights.dtype.is_integer() else summed
