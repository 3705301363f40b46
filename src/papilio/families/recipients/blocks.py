"""Blocks of a release for several recipients, and one of them to be drawn as a butterfly.

A *block* is a smallest set of rows that no recipient's class leaves: two rows are in the same block
if a chain of rows joins them, each in one class with the next for some recipient. A block whose
rows are all alike on everything anyone knows is an ordinary class; any other is a butterfly, in
the terms of Pei et al., TR 2008-18, definition 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack import certain_rows as attack
from papilio.attack.result import AttackResult
from papilio.data.table import Table
from papilio.document.text import cell_text
from papilio.families.recipients.policy import BUTTERFLY
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release

_ROWS, _BLOCK = "papilio rows", "papilio block"
#: Most wings drawn on a side; more would not be legible.
MOST_WINGS = 4


@dataclass(frozen=True)
class Wing:
    """A class of one recipient inside a block: how many rows, and its cells in words."""

    rows: int
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Butterfly:
    """A block between two recipients, in words.

    Attributes
    ----------
    rows
        Rows of the block.
    body
        Cells that all rows share: pairs of a column and a text.
    names
        The two recipients.
    wings
        Classes of each on the other columns they know.
    flows
        ``(left wing, right wing, rows)`` that lie in both.
    """

    rows: int
    body: tuple[tuple[str, str], ...]
    names: tuple[str, str]
    wings: tuple[tuple[Wing, ...], tuple[Wing, ...]]
    flows: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, eq=False)
class Blocks:
    """Classes on everything anyone knows, and the block each is in.

    Attributes
    ----------
    classes
        Cells of each class, its rows and its block.
    columns
        How the cells are read, by column.
    """

    classes: pl.DataFrame
    columns: Mapping[str, PublishedColumn]

    @property
    def share(self) -> float:
        """Share of the rows in blocks of more than one class, which are the true butterflies."""
        rows = self.classes.get_column(_ROWS).to_numpy()
        classes = np.bincount(self.classes.get_column(_BLOCK).to_numpy())
        inside = classes[self.classes.get_column(_BLOCK).to_numpy()] > 1
        return float(rows[inside].sum() / rows.sum())

    def cells(self, names: Sequence[str]) -> list[str]:
        """Published columns that carry some columns."""
        return [cell for name in names for cell in self.columns[name].published]


def blocks_of(
    release: Release, original: Table, recipients: Mapping[str, tuple[str, ...]]
) -> Blocks:
    """Find the blocks of a release of one table.

    Cost: one grouping of the rows, and one of the classes per recipient.
    """
    published = {each.name: each for each in release.manifest.table(original.name).columns}
    known = [name for name in published if any(name in each for each in recipients.values())]
    cells = [cell for name in known for cell in published[name].published]
    classes = release.frames[original.name].group_by(cells, maintain_order=True).len(_ROWS)
    made = Blocks(classes, published)
    groups = [_numbers(classes, made.cells(columns)) for columns in recipients.values()]
    return Blocks(classes.with_columns(pl.Series(_BLOCK, _joined(groups))), published)


def certain_rows(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Find complete rows that follow from cells which each column was divided into by itself."""
    apart = release.manifest.method == BUTTERFLY
    return attack.certain_rows(release, original, policy, apart=apart)


def _numbers(classes: pl.DataFrame, cells: list[str]) -> NDArray[np.int64]:
    """Number of each class's class for one recipient; one who knows nothing has one class."""
    if not cells:
        return np.zeros(classes.height, np.int64)
    return classes.select(pl.struct(cells).rank("dense")).to_series().to_numpy().astype(np.int64)


def _joined(groups: Sequence[NDArray[np.int64]]) -> NDArray[np.int32]:
    """Connect classes that are together for some recipient."""
    # SciPy is needed only here and takes a while to load.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(groups[0])
    first = np.cumsum([count, *(int(each.max(initial=0)) + 1 for each in groups)])
    heads = np.concatenate([each + start for each, start in zip(groups, first, strict=False)])
    tails = np.tile(np.arange(count), len(groups))
    graph = coo_array((np.ones(len(heads), bool), (tails, heads)), shape=(first[-1], first[-1]))
    labels: NDArray[np.int32] = connected_components(graph, directed=False)[1]
    return labels[:count]


def butterfly_of(
    blocks: Blocks, original: Table, recipients: Mapping[str, tuple[str, ...]]
) -> Butterfly | None:
    """Choose a block that is a butterfly and can be drawn well; ``None`` if there is none.

    Of two recipients: the two with the most wings in it. Taken is the block with most wings of
    those with at most four on a side, and of these the smallest; if all have more, the smallest.
    """
    several = blocks.classes.filter(pl.len().over(_BLOCK) > 1)
    if not several.height:
        return None
    counts = several.group_by(_BLOCK).agg(
        pl.col(_ROWS).sum(),
        *(
            (pl.struct(cells).n_unique() if cells else pl.lit(1)).alias(f"wings {place}")
            for place, cells in enumerate(map(blocks.cells, recipients.values()))
        ),
    )
    wings = counts.select(pl.col("^wings .*$")).to_numpy()
    pair = np.sort(np.argsort(-wings, axis=1, kind="stable")[:, :2], axis=1)
    drawn = np.take_along_axis(wings, pair, axis=1)
    fits = drawn.max(axis=1) <= MOST_WINGS
    order = np.lexsort((counts[_BLOCK], counts[_ROWS], -drawn.sum(axis=1) * fits, ~fits))
    chosen = int(order[0])
    names = list(recipients)
    inside = several.filter(pl.col(_BLOCK) == counts[_BLOCK][chosen])
    return _drawn(
        inside, blocks, original, [(names[i], recipients[names[i]]) for i in pair[chosen]]
    )


def _drawn(
    inside: pl.DataFrame,
    blocks: Blocks,
    original: Table,
    pair: Sequence[tuple[str, tuple[str, ...]]],
) -> Butterfly:
    (one, first), (other, second) = pair
    constant = [
        name
        for name in dict.fromkeys([*first, *second])
        if inside.select(pl.struct(blocks.cells([name])).n_unique()).item() == 1
    ]
    # What both know is the body; it is the same in all rows unless the butterfly is a nested one.
    body = [name for name in constant if name in first and name in second]
    sides = [[name for name in columns if name not in body] for columns in (first, second)]
    wings, places = [], []
    for names in sides:
        made, place = _wings(inside, blocks, original, names)
        wings.append(made)
        places.append(place)
    flows: dict[tuple[int, int], int] = {}
    for left, right, rows in zip(*places, inside[_ROWS], strict=True):
        flows[left, right] = flows.get((left, right), 0) + rows
    return Butterfly(
        rows=int(inside[_ROWS].sum()),
        body=_words(inside.head(1), blocks, original, body),
        names=(one, other),
        wings=(wings[0], wings[1]),
        flows=tuple((left, right, rows) for (left, right), rows in sorted(flows.items())),
    )


def _wings(
    inside: pl.DataFrame, blocks: Blocks, original: Table, names: Sequence[str]
) -> tuple[tuple[Wing, ...], list[int]]:
    """Wings of one side in the order of their cells, and which of them each class is in."""
    cells = blocks.cells(names)
    if not cells:
        return (Wing(int(inside[_ROWS].sum()), ()),), [0] * inside.height
    grouped = inside.group_by(cells).agg(pl.col(_ROWS).sum()).sort(cells).with_row_index("wing")
    found = inside.join(grouped, on=cells, how="left", nulls_equal=True, maintain_order="left")
    made = tuple(
        Wing(int(grouped[_ROWS][place]), _words(grouped[place], blocks, original, names))
        for place in range(grouped.height)
    )
    return made, found["wing"].to_list()


def _words(
    row: pl.DataFrame, blocks: Blocks, original: Table, names: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    schema = original.frame.schema
    return tuple((name, cell_text(blocks.columns[name], row, schema[name])) for name in names)
