"""The plan of a disguise, from counts of the engine or by the workers that hold the classes.

With one group per class, there may be as many classes as rows, so nothing about single ones comes
to this process. A class is told by its quasi-identifiers, which are published as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from papilio.data.domain_tree import MOST_CELLS, DomainTree, WeightedTree, locate
from papilio.data.table import Column, Role, Table
from papilio.engines.spark.read import from_engine
from papilio.engines.spark.write import Inspected, collect, write_part, write_pieces
from papilio.families.disguise.make import divide_rows, manner_of
from papilio.families.disguise.methods.disguise import Disguised, Part, disguise
from papilio.families.disguise.methods.domain_of import is_over_range, tree_of
from papilio.families.disguise.methods.publish import disguised_release
from papilio.families.disguise.methods.target_of import WeightFile
from papilio.families.disguise.plan import PEOPLE, CountedPart, Reading, count_kinds, parts_from
from papilio.families.disguise.truth import ClassesTruth, DisguisedCheck, disguised_check
from papilio.families.engines.report import group_keys, reports_of
from papilio.families.engines.spark.counts import demanded_texts, sum_source_rows
from papilio.families.engines.spark.people import PIECE_ROWS, PLACE
from papilio.families.engines.spark.seeds import worker_randomness, worker_seed
from papilio.families.engines.spark.source_rows import SourceRows, Typing, map_rows
from papilio.families.grouped.help_table import group_name, permuted_names
from papilio.policy.target_policy import TargetPolicy
from papilio.privacy.group_floor import GroupFloor
from papilio.privacy.target_distribution import TargetDistribution
from papilio.randomness import Randomness
from papilio.release.draft import part_file
from papilio.release.manifest import Manifest
from papilio.verify.witness.group_pieces import Came

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class WorkerReading(Reading):
    """How workers see rows as they are read.

    Attributes
    ----------
    typing
        Types of the columns.
    """

    typing: Typing

    def value(self, frame: pl.DataFrame) -> pl.Series:
        """Values of the disguised column of rows as read."""
        return self.typing.give(frame, [self.column]).to_series()

    def seen(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Keys, ``code`` and ``said`` of rows as read."""
        said = None if self.personal is None else demanded_texts(frame, self.personal)
        return self.read(self.typing.give(frame, [*self.by, self.column]), said)


def tree_in_engine(
    rows: SourceRows, column: Column, said: TargetPolicy, file: WeightFile | None
) -> DomainTree:
    """Build the subdomains of a column from the values that occur.

    A tree over a range that the policy gives needs none of them. Otherwise they are collected, of
    which there may be as many as a tree may have leaves.
    """
    empty = pl.Series(column.name, [], dtype=rows.dtypes[column.name])
    if is_over_range(column, said.tree):
        return tree_of(column, empty, said.tree)
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        return (
            typing.give(frame, [column.name]).unique().rename({column.name: "value"}).drop_nulls()
        )

    found = map_rows(rows, work, {"value": empty.dtype}, [column.name])
    found = found.distinct().limit(MOST_CELLS + 1)
    values = pl.Series(column.name, collect(found, "values of the domain").column("value"))
    also = None if file is None else file.values
    return tree_of(column, values.cast(empty.dtype), said.tree, also)


def count_parts(
    rows: SourceRows, reading: WorkerReading, said: TargetPolicy, file: WeightFile | None
) -> list[CountedPart]:
    """Count leaves by part, and find each part's target.

    Raises
    ------
    DataError
        If values are missing or outside of the domain.
    """
    names = reading.marks
    dtypes = {**dict.fromkeys(names, pl.String()), "code": pl.Int32(), PEOPLE: pl.Int64()}

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        return count_kinds(reading.seen(frame), reading)

    needed = [name for name in (*reading.by, reading.column, reading.personal) if name]
    counted = map_rows(rows, work, dtypes, needed)
    summed = counted.groupBy(*names).sum(PEOPLE).toDF(*names, PEOPLE)
    found = pl.DataFrame(collect(summed, "leaves of the domain by part"))
    return parts_from(found, reading, said, file)


def write_classes(
    rows: SourceRows,
    reading: WorkerReading,
    parts: Sequence[CountedPart],
    demanded: tuple[TargetDistribution, GroupFloor | None],
    draft: Path,
    randomness: Randomness,
    described: Callable[[Sequence[int], int], tuple[Manifest, dict[str, str]]],
    *,
    whole_sums: bool,
) -> tuple[tuple[int, ...], int, ClassesTruth]:
    """Plan and write all classes, in pieces that hold classes whole.

    ``described`` gives manifest and files from the number of groups of each part and of subdomains.

    Returns
    -------
    tuple
        Number of groups of each part, number of subdomains, and what is known of their truth.

    Notes
    -----
    Collected: the number of classes of each part in each piece. Three passes; in the second all
    rows are shuffled once, the third adds them up. A worker holds one piece, and with it the
    largest class.
    """
    pieces = np.arange(max(1, -(-rows.rows // PIECE_ROWS)))
    placed = _placed(rows, reading, parts, pieces)
    counted = placed.distinct().groupBy("part", "piece").count()
    classes = _table(collect(counted, "classes by part and piece"), len(parts), len(pieces))
    # Pieces without classes have no number.
    used = classes.sum(axis=0) > 0
    numbers = np.where(used, np.cumsum(used) - 1, -1)
    files = [int(number) + 1 for number in randomness.permutation(int(used.sum()))]
    groups = tuple(int(many) for many in classes.sum(axis=1))
    keys = group_keys(len(rows.columns))
    # How many subdomains there will be is of no use to workers, who see the files of one piece.
    check = disguised_check(*described(groups, rows.rows), reading.tree, keys.rows)
    worker = _Worker(
        rows.name,
        rows.columns,
        rows.dtypes,
        reading,
        {part.key: (place, part.target) for place, part in enumerate(parts)},
        *demanded,
        _offsets(classes[:, used]),
        whole_sums,
        draft,
        files,
        worker_seed(randomness),
        check,
    )
    every = _placed(rows, reading, parts, numbers, whole=True)
    written = write_pieces(every, "piece", len(files), worker.finish, draft, rows.name, randomness)
    _, values, _ = permuted_names(rows.name)
    cells = sum(pq.read_metadata(draft / part_file(values, n)).num_rows for n in files)
    names = [column.name for column in rows.columns]
    source = sum_source_rows(rows, names, reading.column, keys)
    return groups, cells, ClassesTruth(source.rows, reports_of(written), check)


def _placed(
    rows: SourceRows,
    reading: WorkerReading,
    parts: Sequence[CountedPart],
    pieces: NDArray[np.int64],
    *,
    whole: bool = False,
) -> DataFrame:
    """Quasi-identifiers, part and piece of rows; or all columns and the piece.

    Columns are called after their places, because the engine does not tell ``a`` from ``A``.
    """
    typing, keys = rows.typing, {part.key: place for place, part in enumerate(parts)}
    quasi = [column.name for column in rows.columns if column.role is Role.QUASI]
    names = [column.name for column in rows.columns] if whole else quasi
    own = [f"c{place}" for place in range(len(names))]
    dtypes = {mine: rows.dtypes[name] for mine, name in zip(own, names, strict=True)}

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        typed = typing.give(frame, names)
        hashed = typed.select(quasi).hash_rows().to_numpy() % np.uint64(len(pieces))
        piece = pl.Series("piece", pieces[hashed.astype(np.int64)], dtype=pl.Int32)
        typed.columns = own
        if whole:
            return typed.with_columns(piece, frame.get_column(PLACE))
        texts = reading.seen(frame).select(reading.keys).rows() if reading.keys else []
        part = [keys[text] for text in texts] or [0] * frame.height
        return typed.with_columns(piece, pl.Series("part", part, dtype=pl.Int32)).unique()

    more = {PLACE: pl.Int64()} if whole else {"part": pl.Int32()}
    return map_rows(rows, work, {**dtypes, "piece": pl.Int32(), **more}, places=PLACE)


def _table(counted: pa.Table, parts: int, pieces: int) -> NDArray[np.int64]:
    """Part, piece -> number of classes."""
    found = np.zeros((parts, pieces), np.int64)
    places = (counted.column(name).to_numpy() for name in ("part", "piece"))
    found[tuple(places)] = counted.column("count").to_numpy()
    return found


def _offsets(classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Part, piece -> number of groups before; parts one after the other."""
    until = np.cumsum(classes).reshape(classes.shape)
    return np.asarray(until - classes)


@dataclass(frozen=True, eq=False)
class _Worker:
    """Plans and writes the classes of one piece; runs in workers.

    Attributes
    ----------
    name, columns, dtypes
        The table.
    reading
        How rows are seen.
    parts
        Key of each part -> its place and target.
    requirement, floor
        What is demanded.
    offsets
        Part, piece -> number of groups before.
    whole_sums
        Whether sums in the help table are whole numbers.
    draft, files
        Where to, and the number of each piece's files.
    seed
        For tests.
    check
        Looks at the files.
    """

    name: str
    columns: tuple[Column, ...]
    dtypes: dict[str, pl.DataType]
    reading: WorkerReading
    parts: dict[tuple[str | None, ...], tuple[int, WeightedTree]]
    requirement: TargetDistribution
    floor: GroupFloor | None
    offsets: NDArray[np.int64]
    whole_sums: bool
    draft: Path
    files: list[int]
    seed: int | None
    check: DisguisedCheck

    def finish(self, piece: int, part: pa.Table) -> Inspected:
        """Write values and help table of a piece, and return its people."""
        kinds = {f"c{place}": self.dtypes[c.name] for place, c in enumerate(self.columns)}
        came = from_engine(part, {PLACE: pl.Int64()}).to_series().to_numpy()
        frame = from_engine(part, kinds)
        frame.columns = [column.name for column in self.columns]
        table = Table(self.name, frame, self.columns)
        randomness = worker_randomness(self.seed, piece)
        places, disguised = self._disguise(frame, randomness)
        made = disguised_release(table, disguised, self.requirement, randomness=randomness)
        group = group_name(frame.columns)
        sizes = [each.groups for each in disguised.parts]
        number = np.concatenate(
            [
                self.offsets[place, piece] + np.arange(many) + 1
                for place, many in zip(places, sizes, strict=True)
            ]
        )
        people, *others = (
            each.with_columns(pl.Series(group, number[each.get_column(group).to_numpy() - 1]))
            for each in made.release.frames.values()
        )
        # There is a help table for numbers only.
        for name, other in zip(permuted_names(self.name)[1:], others, strict=False):
            sums = [each for each in ("sum_lo", "sum_hi") if each in other.columns]
            fit = other if self.whole_sums else other.with_columns(pl.col(sums).cast(pl.Float64))
            write_part(fit, self.draft, part_file(name, self.files[piece]))
        rows = made.witness[self.name]
        values = self.draft / part_file(permuted_names(self.name)[1], self.files[piece])

        def inspect(file: Path) -> str:
            files = {self.name: file, permuted_names(self.name)[1]: values}
            return self.check.classes(Came(frame, came), rows, files).text()

        return Inspected(people, inspect)

    def _disguise(self, frame: pl.DataFrame, randomness: Randomness) -> tuple[list[int], Disguised]:
        codes = locate(self.reading.tree, frame.get_column(self.reading.column))
        quasi = tuple(column.name for column in self.columns if column.role is Role.QUASI)
        places, found = [], []
        for key, rows in divide_rows(frame, self.reading.by):
            place, target = self.parts[key]
            groups = [rows[inside] for _, inside in divide_rows(frame.select(quasi)[rows], quasi)]
            starts = np.concatenate([[0], np.cumsum([len(each) for each in groups])])
            places.append(place)
            found.append(Part(target, np.concatenate(groups), starts.astype(np.int64)))
        return places, disguise(found, codes, manner_of(self.requirement, self.floor), randomness)
