"""Rows on their way to their pieces: as few bytes as possible, and nothing that is not needed.

A quasi-identifier travels as its code, or as its value if the table has only bins for it; columns
that are published as they are travel as they are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.data.encode import EncodedTable, stack_codes
from papilio.data.roles import Role
from papilio.engines.spark.types import from_engine, to_engine
from papilio.families.one_table.methods.top_tree import TopTree, piece_numbers
from papilio.randomness import Randomness
from papilio.workflow.pieces.decoded import decoded_column, travels_as_value
from papilio.workflow.pieces.meanings import Meanings
from papilio.workflow.pieces.piece import Piece, own_codes, own_sensitive
from papilio.workflow.pieces.typed import typed_frame
from papilio.workflow.spark.coded import codes_as_read
from papilio.workflow.spark.slots import Slots, dealt

#: Column that holds the number of the file that a row goes to.
PIECE = "piece"


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
    frame: pl.DataFrame, meanings: Meanings, tree: TopTree, slots: Slots, randomness: Randomness
) -> pa.Table:
    """Turn rows as read into rows that travel, each with the number of its file."""
    codes = codes_as_read(frame, replace(meanings, sensitive=()))[0]
    binned = {each.column.name for each in meanings.quasi if travels_as_value(each)}
    kept = tuple(c for c in meanings.columns if c.role is not Role.QUASI or c.name in binned)
    typed = typed_frame(frame, replace(meanings, columns=kept))
    types = travelling_types(meanings)
    files = dealt(slots, piece_numbers(tree, codes), randomness)
    series = [pl.Series(PIECE, files, dtype=pl.Int32)]
    for place, each in enumerate(meanings.quasi):
        given = codes[:, place] if each.span is None else typed.get_column(each.column.name)
        series.append(pl.Series(f"q{place}", given).cast(types[f"q{place}"]))
    named = _raw(meanings) | _names(meanings)
    series += [typed.get_column(name).alias(short) for short, name in named.items()]
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
    return Piece(encoded, own_sensitive(carried, meanings), carried)


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
