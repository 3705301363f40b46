"""Personal levels: each person names the subdomain that must not be told apart (chapter 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree
from papilio.errors import DataError


@dataclass(frozen=True)
class PersonalLevels:
    """Inside the subdomain a person names, the published group follows the target.

    Contract
    --------
    Guarantees
        For a person who names the subdomain R, and any values s and t in R, the group the person is
        in makes s and t as likely as the target does (Definition 5.3.1 of Zhang with the
        target instead of the uniform distribution, papers D5.1). Groups are pools of a subdomain M;
        the pool's values follow the target given M, and everybody in it named M or something below.
    Assumes about the attacker
        As for :class:`~papilio.privacy.target_distribution.TargetDistribution`.
    Does not protect against
        Learning that the value is inside the subdomain of the pool, which for a person who names
        their own value is the value itself. Learning that someone named at most this much.

    Attributes
    ----------
    column
        The sensitive column.
    blind
        Whether which pool a person joins is told by what they demand, and where their value lies
        inside of that pool has no part in it.
    """

    name: ClassVar[str] = "personal-levels"
    column: str
    blind: bool = False

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return {"column": self.column, **({"volunteers": "blind"} if self.blind else {})}


def demanded_nodes(
    tree: DomainTree,
    codes: NDArray[np.int32],
    said: pl.Series,
    counts: NDArray[np.int64] | None = None,
) -> NDArray[np.int32]:
    """Node that each person names.

    A person names a level, the number of steps up from their value (0: their own value; the height
    of the tree or more steps than there are, up to it: the root), or a subdomain as ``[30, 60]``,
    by its smallest and largest value. Who says nothing gets the root, which protects most.

    Parameters
    ----------
    tree
        The subdomains.
    codes
        Leaf of each person's value.
    said
        What each person says; numbers or text.
    counts
        How many people each entry stands for, for messages; left out, one.

    Raises
    ------
    DataError
        If a level is above the root or below 0, a subdomain is not in the tree, or a person's value
        is not in the subdomain they name. Messages hold counts only.
    """
    texts = said.cast(pl.String).str.strip_chars()
    distinct = texts.unique().to_list()
    levels, ranges = _levels(tree, distinct), _ranges(tree, distinct)
    strange = [t for t in distinct if t is not None and t not in levels and t not in ranges]
    if strange:
        rows = _people(texts.is_in(strange).fill_null(False).to_numpy(), counts)
        raise DataError(
            f"column '{said.name}': {rows} rows name neither a level from 0 to {tree.height} nor a "
            "subdomain of the tree, such as [30, 60]",
            reason="unknown-level",
        )
    nodes = _by_level(tree, codes, texts, levels)
    for text, node in ranges.items():
        nodes[(texts == text).fill_null(False).to_numpy()] = node
    outside = _people((tree.first[nodes] > codes) | (tree.last[nodes] < codes), counts)
    if outside:
        raise DataError(
            f"column '{said.name}': {outside} rows name a subdomain that does not hold their value",
            reason="value-outside-level",
        )
    return nodes


def named_nodes(tree: DomainTree, said: str | None) -> NDArray[np.int32]:
    """Nodes that people may mean who say the same: one for each leaf, or the one they name."""
    text = None if said is None else said.strip()
    ranges = _ranges(tree, [text])
    if text not in _levels(tree, [text]) and text in ranges:
        return np.array([ranges[text]], dtype=np.int32)
    leaves = np.arange(tree.leaves, dtype=np.int32)
    return demanded_nodes(tree, leaves, pl.Series([text] * tree.leaves, dtype=pl.String))


def _people(which: NDArray[np.bool_], counts: NDArray[np.int64] | None) -> int:
    return int(which.sum() if counts is None else counts[which].sum())


def _levels(tree: DomainTree, distinct: list[str | None]) -> dict[str, int]:
    """Texts that are levels; a level above the root is none."""
    found = {}
    for text in distinct:
        whole = text.removesuffix(".0") if text is not None else ""
        if text is not None and whole.isascii() and whole.isdigit() and int(whole) <= tree.height:
            found[text] = int(whole)
    return found


def _ranges(tree: DomainTree, distinct: list[str | None]) -> dict[str, int]:
    lows, highs = tree.lows.to_list(), tree.highs.to_list()
    nodes = {}
    for node in range(tree.nodes - 1, -1, -1):
        low, high = lows[int(tree.first[node])], highs[int(tree.last[node])]
        nodes[f"[{low},{high}]"] = node
        if tree.end[node] == node + 1 and not isinstance(low, int | float):
            nodes[str(low)] = node
    return {
        text: nodes[key]
        for text in distinct
        if text is not None and (key := text.replace(", ", ",")) in nodes
    }


def _by_level(
    tree: DomainTree, codes: NDArray[np.int32], texts: pl.Series, levels: dict[str, int]
) -> NDArray[np.int32]:
    """Climb from the leaf as many steps as the level says, or to the root."""
    steps = texts.replace_strict(levels, default=tree.height, return_dtype=pl.Int32)
    left = steps.fill_null(tree.height).to_numpy().copy()
    nodes: NDArray[np.int32] = tree.leaf_node[codes].copy()
    while True:
        moving = (left > 0) & (tree.parent[nodes] >= 0)
        if not moving.any():
            return nodes
        nodes[moving] = tree.parent[nodes[moving]]
        left[moving] -= 1
