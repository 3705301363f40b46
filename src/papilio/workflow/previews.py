"""What a hierarchy or a target would do to the data, before anything is published.

A target distribution beside that of the data, before anything is published.

What comes out shows the distribution of the data: it is for the owner's eyes.

How a hierarchy would generalise the values of a column, before anything is published.

What comes out holds values of the data: it is for the owner's eyes.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from papilio.data.hierarchy.build import build, flat
from papilio.data.hierarchy.paths import canonical_text, comparable, read_paths
from papilio.data.hierarchy.rules import PathsRule
from papilio.data.hierarchy.tree import ROOT, Hierarchy, from_leaf_paths
from papilio.data.io.read import read
from papilio.data.source import Source
from papilio.data.table import ColumnType
from papilio.data.types import column_type, convert, plain_text
from papilio.errors import DataError, PolicyError
from papilio.families.disguise.make import parts_of
from papilio.families.disguise.methods.domain_of import domain_of
from papilio.families.disguise.methods.target_of import read_weights
from papilio.measure.target_distance import target_shares, total_variation
from papilio.policy.apply import order_from_source
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent

#: Most bars of the picture.
_BARS = 32


@dataclass(frozen=True)
class TargetPreview:
    """Shares of stretches of the domain.

    Attributes
    ----------
    labels
        The stretches.
    data, target
        Share of each in the data and in the target.
    distance
        Half the sum of the differences over all values (total variation), from 0 to 1: the larger,
        the more has to be hidden.
    parts
        Whether parts of the rows have targets of their own; shown is that of all rows together.
    """

    labels: tuple[str, ...]
    data: tuple[float, ...]
    target: tuple[float, ...]
    distance: float
    parts: bool

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        return asdict(self)


def preview_target(policy: Policy, *, progress: Progress | None = None) -> TargetPreview:
    """Compare the target of a policy with the data.

    Raises
    ------
    PolicyError
        If the policy has no target.
    DataError
        If the column does not allow it.
    """
    if not policy.privacy.target:
        raise PolicyError([policy.fault("there is no target distribution", "privacy", "target")])
    tell = progress or silent
    tell("reading", 0.0)
    table = order_from_source(policy).table
    ((name, said),) = policy.privacy.target.items()
    (column,) = (each for each in table.columns if each.name == name)
    tell("weighing", 0.7)
    file = read_weights(said, column, policy.base, policy.allowed)
    values = None if file is None else file.values
    tree, codes = domain_of(column, table.frame.get_column(name), said.tree, values)
    own = np.bincount(codes, minlength=tree.leaves) / max(1, len(codes))
    parts, _ = parts_of(table, file, said, tree, codes, policy)
    chance = np.sum([target_shares(each.target) * len(each.rows) for each in parts], axis=0)
    chance = chance / max(1, len(codes))
    starts = np.unique(np.linspace(0, tree.leaves, min(_BARS, tree.leaves) + 1).astype(int))
    texts, ends = (plain_text(each).to_list() for each in (tree.lows, tree.highs))
    return TargetPreview(
        labels=tuple(_label(texts[lo], ends[hi - 1]) for lo, hi in itertools.pairwise(starts)),
        data=tuple(np.add.reduceat(own, starts[:-1]).tolist()),
        target=tuple(np.add.reduceat(chance, starts[:-1]).tolist()),
        distance=total_variation(own, chance),
        parts=bool(said.by),
    )


def _label(low: Any, high: Any) -> str:
    return str(low) if low == high else f"{low} to {high}"


#: Most values whose paths are handed out.
MOST_VALUES = 5_000


@dataclass(frozen=True)
class HierarchyPreview:
    """A hierarchy over the values of a column, and how often each occurs.

    Attributes
    ----------
    paths
        Label of each value on each level, the value first, the root last, in the order of the
        tree. Empty if there are more than :data:`MOST_VALUES`.
    rows
        Number of rows of each value; 0 for those that only a file names.
    new
        Values that a file of paths does not name; they stand right below the root.
    values
        Number of values.
    missing
        Number of rows without a value.
    losses
        For each level, how much the average row loses there, from 0 to 1 (NCP).
    groups
        For each level, number of labels.
    """

    paths: tuple[tuple[str, ...], ...]
    rows: tuple[int, ...]
    new: tuple[str, ...]
    values: int
    missing: int
    losses: tuple[float, ...]
    groups: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        return asdict(self)


def preview_hierarchy(
    source: Source,
    name: str,
    said: ColumnPolicy,
    base: Path,
    *,
    allowed: tuple[Path, ...] | None = None,
    progress: Progress | None = None,
) -> HierarchyPreview:
    """Build the hierarchy that a policy declares for a column, over its values.

    A column without a hierarchy gets the flat one. A file that does not name all values is no
    reason to refuse: the others are put below the root, and told.

    Parameters
    ----------
    source
        Where the table is.
    name, said
        The column and what the policy says of it.
    base
        Folder that file names in the policy are relative to.
    allowed
        Files and folders elsewhere that it may name; ``None`` for any.
    progress
        Told of each stage.

    Raises
    ------
    DataError
        If the table, the column or the file cannot be read, or the rule does not fit the values.
    """
    tell = progress or silent
    tell("reading", 0.0)
    raw = read(source, [name])
    values = convert(raw.frame.get_column(name), said.type, raw.typed)
    kind = said.type or column_type(values, typed=True)
    tell("building", 0.6)
    counted = comparable(values).drop_nulls().value_counts(name="papilio rows").sort(name)
    texts: list[str] = canonical_text(counted.get_column(name)).to_list()
    rows = dict(zip(texts, counted.get_column("papilio rows").to_list(), strict=True))
    tree, matched = _tree(said, values, kind, texts, (base, allowed))
    new = () if matched is None else tuple(text for text in texts if text not in matched)
    found = {(matched or {}).get(text, text): many for text, many in rows.items()}
    return _preview(tree, found, new, values.null_count())


def _tree(
    said: ColumnPolicy,
    values: pl.Series,
    kind: ColumnType,
    texts: Sequence[str],
    places: tuple[Path, tuple[Path, ...] | None],
) -> tuple[Hierarchy, dict[str, str] | None]:
    """Tree over all values and, of a file, the leaf that stands for each value it names."""
    rule = None if said.hierarchy is None else said.hierarchy.rule(*places)
    if rule is None:
        distinct = comparable(values).drop_nulls().unique().sort()
        return flat(distinct), None
    if isinstance(rule, PathsRule):
        tree = read_paths(rule.file)
        matched = _matched(tree, texts, comparable(values).dtype.is_numeric())
        new = [text for text in texts if text not in matched]
        return (_with_new(tree, new) if new else tree), matched
    return build(rule, values.drop_nulls(), kind, values.name), None


def _matched(tree: Hierarchy, texts: Sequence[str], numeric: bool) -> dict[str, str]:
    """Leaf of a file that each value means: the same text or, of numbers, the same number."""
    leaves = {leaf: leaf for leaf in tree.leaves if leaf is not None}
    numbers = {_number(leaf): leaf for leaf in leaves} if numeric else {}
    found = {}
    for text in texts:
        leaf = leaves.get(text) or (numbers.get(_number(text)) if numeric else None)
        if leaf is not None:
            found[text] = leaf
    return found


def _number(text: str) -> Decimal | str:
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _with_new(tree: Hierarchy, new: Sequence[str]) -> Hierarchy:
    labels = set(tree.labels)
    if labels.intersection(new):
        raise DataError(
            "the hierarchy file has a group that is called as a value of the column is; a label "
            "of its own for each value and each group is accepted",
            reason="ambiguous-label",
        )
    root = tree.labels[0] or ROOT
    paths = [*level_paths(tree), *((text, root) for text in new)]
    return from_leaf_paths(paths, tree.reading)


def level_paths(tree: Hierarchy) -> tuple[tuple[str, ...], ...]:
    """Label of each leaf on each level, the leaf first."""
    labels = np.array([label or "" for label in tree.labels], dtype=object)
    return tuple(tuple(path) for path in labels[tree.levels.T].tolist())


def _preview(
    tree: Hierarchy, rows: Mapping[str, int], new: tuple[str, ...], missing: int
) -> HierarchyPreview:
    leaves = [leaf or "" for leaf in tree.leaves]
    counts = np.array([rows.get(leaf, 0) for leaf in leaves], dtype=np.int64)
    total = max(1, int(counts.sum()))
    few = len(leaves) <= MOST_VALUES
    return HierarchyPreview(
        paths=level_paths(tree) if few else (),
        rows=tuple(counts.tolist()) if few else (),
        new=new if few else (),
        values=len(leaves),
        missing=missing,
        losses=tuple(float(tree.loss[level] @ counts / total) for level in tree.levels),
        groups=tuple(len(np.unique(level)) for level in tree.levels),
    )
