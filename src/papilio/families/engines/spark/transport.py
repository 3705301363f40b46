"""Rows on their way to their pieces: as few bytes as possible, and nothing that is not needed.

A quasi-identifier travels as its code, or as its value if the table has only bins for it; columns
that are published as they are travel as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, stack_codes
from papilio.data.table import Role
from papilio.engines.spark.read import from_engine, to_engine
from papilio.families.engines.coded import decoded_column, travels_as_value
from papilio.families.engines.meanings import Meanings, typed_frame
from papilio.families.engines.piece import Piece, own_codes, own_sensitive
from papilio.families.engines.spark.coded import Slots, codes_as_read, dealt
from papilio.families.engines.spark.persons import Persons, people_in
from papilio.families.generalising.top_tree import (
    Counter,
    NodeCounts,
    TopTree,
    meets,
    piece_numbers,
)
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.randomness import Randomness


def checked(
    tree: TopTree, counter: Counter, demand: Demand
) -> tuple[TopTree, Sequence[NodeCounts]]:
    """Count every piece once more, and merge until all of them meet the demand.

    The cuts of a tree are made from exact counts, so that nothing should fall short. This does not
    rely on it: what is published hangs on the counts of the very pieces that workers get.

    Parameters
    ----------
    tree
        Pieces.
    counter
        Counts them; one pass, and one more after each merge.
    demand
        What each must satisfy. The whole table satisfies it, although over people counts may not
        show it; so merging ends there at the latest.

    Returns
    -------
    tuple
        The pieces, and what occurs in each.
    """
    while True:
        nodes = leaves_of(tree)
        counts = counter.count(tree, nodes)
        rows = tuple(each.rows for each in counts)
        short = [n for n, each in zip(nodes, counts, strict=True) if not meets(demand, each)]
        if not short or nodes == [0]:
            return replace(tree, rows=rows), counts
        tree = merged(tree, short, rows)


def leaves_of(tree: TopTree) -> list[int]:
    """Node of each piece."""
    nodes = np.flatnonzero(tree.piece >= 0)
    return [int(node) for node in nodes[np.argsort(tree.piece[nodes])]]


def merged(tree: TopTree, short: Sequence[int], rows: Sequence[int]) -> TopTree:
    """Undo the cut above each of some nodes: all pieces below it become one."""
    above: dict[int, int] = {}
    for cut in map(int, np.flatnonzero(tree.attribute >= 0)):
        above[int(tree.left[cut])] = above[int(tree.right[cut])] = cut
    attribute = tree.attribute.copy()
    for node in short:
        if node in above:
            attribute[above[node]] = -1
    pieces = _reached(replace(tree, attribute=attribute))
    number = np.full(len(attribute), -1, np.int32)
    number[pieces] = np.arange(len(pieces), dtype=np.int32)
    known = {node: rows[int(tree.piece[node])] for node in leaves_of(tree)}
    one_class = {n: tree.one_class[int(tree.piece[n])] for n in leaves_of(tree)}
    return replace(
        tree,
        attribute=attribute,
        piece=number,
        rows=tuple(known.get(node, 0) for node in pieces),
        one_class=tuple(one_class.get(node, False) for node in pieces),
    )


def _reached(tree: TopTree) -> list[int]:
    """Nodes without a cut that are reached from the root."""
    waiting, found = [0], []
    while waiting:
        node = waiting.pop()
        if tree.attribute[node] < 0:
            found.append(node)
        else:
            waiting += [int(tree.right[node]), int(tree.left[node])]
    return found


#: Column that holds the number of the file that a row goes to.
PIECE = "piece"


#: Codes of rows to the file of each.
FileOfRows: TypeAlias = Callable[[Codes], NDArray[np.int32]]


def travelling_types(meanings: Meanings) -> dict[str, pl.DataType]:
    """Columns that travel, with their types; they are numbered, whatever their names are."""
    sizes = [len(each.values) for each in meanings.quasi]
    small = max(sizes, default=0) <= np.iinfo(np.int16).max
    codes = pl.Int16() if small else pl.Int32()
    quasi = {
        f"q{place}": codes if each.span is None else meanings.types[each.column.name]
        for place, each in enumerate(meanings.quasi)
    }
    carried = {place: meanings.types[name] for place, name in _names(meanings).items()}
    return quasi | {place: meanings.types[name] for place, name in _raw(meanings).items()} | carried


def packed_rows(
    frame: pl.DataFrame,
    meanings: Meanings,
    tree: TopTree,
    slots: Slots,
    randomness: Randomness,
    persons: Persons | None = None,
    files: FileOfRows | None = None,
) -> pa.Table:
    """Turn rows as read into rows that travel, each with the numbers of its file and its person.

    Parameters
    ----------
    frame, meanings
        Rows as read, and what their columns mean.
    tree, slots, randomness
        Pieces, their files, and chance for pieces that have several.
    persons
        Whose the rows are, where people may have several.
    files
        Tells the file of each row by its codes, if that is not one of its piece.
    """
    codes = codes_as_read(frame, replace(meanings, sensitive=()))[0]
    binned = {each.column.name for each in meanings.quasi if travels_as_value(each)}
    kept = tuple(c for c in meanings.columns if c.role is not Role.QUASI or c.name in binned)
    typed = typed_frame(frame, replace(meanings, columns=kept))
    types = travelling_types(meanings)
    file = files(codes) if files else dealt(slots, piece_numbers(tree, codes), randomness)
    series = [pl.Series(PIECE, file, dtype=pl.Int32)]
    for place, each in enumerate(meanings.quasi):
        given = codes[:, place] if each.span is None else typed.get_column(each.column.name)
        series.append(pl.Series(f"q{place}", given).cast(types[f"q{place}"]))
    named = _raw(meanings) | _names(meanings)
    series += [typed.get_column(name).alias(short) for short, name in named.items()]
    series += [] if persons is None else [persons.numbers(frame)]
    return to_engine(pl.DataFrame(series))


def unpacked_piece(part: pa.Table, meanings: Meanings) -> Piece:
    """Turn the rows of a piece that arrived into a piece."""
    frame = from_engine(part, travelling_types(meanings))
    found = [
        (each, frame.get_column(f"q{place}").to_numpy())
        if each.span is None
        else own_codes(each, frame.get_column(f"q{place}").alias(each.column.name))
        for place, each in enumerate(meanings.quasi)
    ]
    encoded = EncodedTable(
        stack_codes([codes for _, codes in found], frame.height), tuple(each for each, _ in found)
    )
    names = _names(meanings)
    carried = frame.select(pl.col(place).alias(name) for place, name in names.items())
    return Piece(encoded, own_sensitive(carried, meanings), carried, people_in(part))


def unpacked_rows(part: pa.Table, meanings: Meanings) -> pl.DataFrame:
    """Rows of a piece that arrived, as they were read; for the verifier."""
    frame = from_engine(part, travelling_types(meanings))
    found = {name: frame.get_column(short) for short, name in _names(meanings).items()}
    found |= {name: frame.get_column(short) for short, name in _raw(meanings).items()}
    for place, each in enumerate(meanings.quasi):
        name = each.column.name
        if each.span is not None:
            found[name] = frame.get_column(f"q{place}")
        elif name not in found:
            found[name] = decoded_column(each, frame.get_column(f"q{place}").to_numpy())
    return pl.DataFrame([found[column.name].alias(column.name) for column in meanings.columns])


def _raw(meanings: Meanings) -> dict[str, str]:
    """Quasi-identifiers whose values travel beside their codes, by the names for that."""
    return {
        f"r{place}": each.column.name
        for place, each in enumerate(meanings.quasi)
        if each.span is None and travels_as_value(each)
    }


def _names(meanings: Meanings) -> dict[str, str]:
    """Columns that are published as they are, by the names under which they travel."""
    kept = [each.name for each in meanings.columns if each.role is not Role.QUASI]
    return {f"c{place}": name for place, name in enumerate(kept)}
