"""The table of people of permuted and disguised releases, of more rows than memory holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.io.stream import Stream
from papilio.data.types import as_text
from papilio.families.engines.coded import ColumnValues, decoded_column
from papilio.families.engines.disk.records import Records, columns_in, layout_of, pack
from papilio.families.engines.disk.rows_on_disk import RowFile, append_dealt, codes_in
from papilio.families.engines.disk.run import Run
from papilio.families.engines.meanings import Meanings, typed_frame
from papilio.families.engines.piece import changed_while_reading
from papilio.families.engines.report import GroupKeys, Report, SourceSums
from papilio.verify.witness.group_pieces import Came
from papilio.verify.witness.values import RowSum, sum_rows


def decoded(rows: RowFile) -> pl.DataFrame:
    """Give the rows of a file as they were read, for the verifier; text as ``Enum`` or ``String``.

    See :mod:`papilio.families.engines.coded`.
    """
    records, texts = next(rows.windows(rows.height))
    return decoded_records(rows, records, texts)


def decoded_records(rows: RowFile, records: Records, texts: Sequence[bytes]) -> pl.DataFrame:
    """The same of some records of a file and the bytes of their texts."""
    meanings = rows.layout.meanings
    stored = columns_in(records, dict(zip(rows.layout.texts, texts, strict=True)), rows.layout)
    kept = {series.name: series for series in stored}
    codes = codes_in(records)[0] if meanings.quasi else None
    for place, meaning in enumerate(meanings.quasi):
        name = meaning.column.name
        if codes is not None and name not in kept:
            kept[name] = decoded_column(meaning, codes[:, place])
    return pl.DataFrame([kept[column.name] for column in meanings.columns])


#: What a record has besides the columns of its row.
GROUP, PLACE = "group", "place"


@dataclass(frozen=True, eq=False)
class People:
    """Rows on disk, each with its group, dealt out at random to as many files as there will be.

    Attributes
    ----------
    files
        The rows.
    meanings
        What their columns are.
    source
        Sums of the rows as they were read, and of their sensitive values.
    """

    files: tuple[RowFile, ...]
    meanings: Meanings
    source: SourceSums


def deal_people(
    run: Run,
    stream: Stream,
    meanings: Meanings,
    values: Mapping[str, ColumnValues],
    sensitive: str,
    keys: GroupKeys,
    groups: Callable[[pl.DataFrame], NDArray[np.int64]],
    typed: Callable[[pl.DataFrame, int], pl.DataFrame] | None = None,
) -> People:
    """Pass over the source, give each row its group, and put it into one of the files by chance.

    Parameters
    ----------
    run, stream
        The run and its source.
    meanings, values
        What the columns are, and what occurs in those of text.
    sensitive
        The column that is published apart; minus zero becomes zero there, since they are one value.
    keys
        For the sums.
    groups
        Rows with their types to the group, from 0, of each.
    typed
        Rows as read, and how many were read before, to rows with the columns and types of
        ``meanings``; left out, all of them are columns of the source.

    Raises
    ------
    DataError
        If there are more or fewer rows than were counted.
    """
    layout = layout_of(meanings, values, (GROUP, PLACE))
    store = run.store(layout)
    many = max(1, -(-meanings.rows // run.limits.piece_rows))
    files = tuple(store.rows() for _ in range(many))
    give = typed or partial(kept_frame, meanings)
    skipped, rows, apart = 0, RowSum(), RowSum()
    for batch in stream.batches():
        run.tell("dealing", 0.2 + 0.2 * skipped / meanings.rows)
        frame = one_zero(give(batch, skipped), sensitive)
        rows += sum_rows(frame, keys.rows)
        apart += sum_rows(frame.select(sensitive), keys.values)
        places = np.arange(skipped, skipped + batch.height)
        packed = pack(frame, layout, {GROUP: groups(frame), PLACE: places})
        target = (run.randomness.keys(batch.height) % np.uint64(many)).astype(np.int64)
        append_dealt(packed[0], [packed[1][name] for name in layout.texts], target, files)
        skipped += batch.height
    if skipped != meanings.rows:
        raise changed_while_reading()
    return People(files, meanings, SourceSums(rows, apart))


def kept_frame(meanings: Meanings, batch: pl.DataFrame, skipped: int) -> pl.DataFrame:
    """Rows as read with the types of their table; text may be ``Enum``."""
    return typed_frame(batch, meanings, skipped=skipped, labels=True)


def one_zero(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Rows with zero instead of minus zero in one column."""
    values = frame.get_column(name)
    return frame.with_columns(values.set(values == 0, 0.0)) if values.dtype.is_float() else frame


def write_people(
    run: Run,
    people: People,
    hidden: Sequence[str],
    group: str,
    inspect: Callable[[Came, NDArray[np.int64], Path], Report],
) -> Iterator[Report]:
    """Write file after file, in an order that is left to chance alone, and look at each.

    Parameters
    ----------
    run, people
        The run and its rows.
    hidden
        Columns that only the verifier sees.
    group
        Name of the published column with the group.
    inspect
        Given the rows as they came, which of them each line is, and the file; reports on it.
    """
    files = [file for file in people.files if file.height]
    for number, file in enumerate(files, start=1):
        run.tell("permuting", 0.4 + 0.2 * (number - 1) / len(files))
        records, texts = next(file.windows(file.height))
        rows = decoded_records(file, records, texts)
        numbers = pl.Series(group, np.ascontiguousarray(records[GROUP]) + 1)
        order = run.randomness.permutation(len(records))
        shown = as_text(rows.drop(hidden).with_columns(numbers)[order])
        written = run.write(shown, people.meanings.name, number)
        yield inspect(Came(rows, np.ascontiguousarray(records[PLACE])), order, written)
