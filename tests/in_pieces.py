"""Publish a frame piece by piece in memory, as the engines do with files and workers."""

from __future__ import annotations

import numpy as np
import polars as pl

from papilio.families import choose
from papilio.families.engines.coded import ColumnValues
from papilio.families.engines.meanings import meanings_of, needed_columns, typed_frame
from papilio.families.engines.piece import piece_of, top_codes
from papilio.families.generalising.finish import finish, manifest_of, top_demand
from papilio.families.generalising.top_tree import count_nodes, cut_top, piece_numbers
from papilio.randomness import Randomness
from papilio.release.release import Release


def values_of(series):
    """What occurs in a column."""
    counted = series.alias("value").value_counts()
    return ColumnValues(
        counted.get_column("value").alias(series.name),
        counted.get_column("count").to_numpy().astype(np.int64),
    )


def meant(frame, policy, *, typed=True, values=None):
    """Meanings of a frame, found from its distinct values alone."""
    names = needed_columns(policy) if typed else policy.published
    known = {name: values_of(frame.get_column(name)) for name in names if name in frame.columns}
    return meanings_of(
        policy,
        "table",
        frame.columns,
        frame.height,
        {**known, **(values or {})},
        dtypes=dict(frame.schema),
        typed=typed,
    )


class FrameCounter:
    """Counts nodes in several batches, and remembers how often it was asked."""

    def __init__(self, frame, meanings, batches=3):
        self._codes, self._sensitive = top_codes(frame, meanings)
        self._meanings, self._batches = meanings, batches
        self.rounds = 0

    def count(self, tree, nodes):
        self.rounds += 1
        sizes = self._meanings.sizes, self._meanings.sensitive_sizes
        parts = [
            count_nodes(codes, sensitive, tree, nodes, *sizes)
            for codes, sensitive in zip(
                np.array_split(self._codes, self._batches),
                np.array_split(self._sensitive, self._batches),
                strict=True,
            )
        ]
        return [sum(each[1:], each[0]) for each in zip(*parts, strict=True)]


def top_of(frame, policy, meanings, piece_rows):
    """The tree, and the piece of each row."""
    counter = FrameCounter(frame, meanings)
    demand = top_demand(policy, meanings)
    tree = cut_top(counter, meanings.attributes, demand, piece_rows=piece_rows)
    return tree, piece_numbers(tree, top_codes(frame, meanings)[0])


def publish_in_pieces(frame, policy, piece_rows, *, seed=1, typed=True, values=None):
    """A release that is not verified, and the rows of each piece."""
    meanings = meant(frame, policy, typed=typed, values=values)
    rows = typed_frame(frame, meanings)
    choice = choose(policy, frame.height)
    tree, numbers = top_of(rows, policy, meanings, piece_rows)
    randomness = Randomness(seed)
    parts = [
        finish(
            piece_of(rows.filter(pl.Series(numbers == number)), meanings),
            meanings, policy, choice, randomness,
        ).frame
        for number in range(len(tree.rows))
    ]  # fmt: skip
    manifest, hierarchies = manifest_of(meanings, policy, choice, seeded=True)
    # Engines write every piece to a file of its own; in one table pieces must not stand together.
    shuffled = pl.concat(parts).sample(fraction=1.0, shuffle=True, seed=seed)
    return Release(manifest, {"table": shuffled}, hierarchies), tree
