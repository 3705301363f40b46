"""Exact quasi-identifiers, a column that follows a target, of more rows than memory holds.

1. A pass over the source counts which values the column has; the domain follows.
2. A second pass counts them by part, and by what people demand, and keeps these columns for the
   verifier; targets and subdomains are planned from the counts.
3. A third pass gives every row its group, and deals the rows out to files at random.
4. File after file of people is shuffled, written, and compared with its rows; subdomains and help
   table follow from the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree
from papilio.data.io.stream import Stream
from papilio.data.table import Column, ColumnType, Role
from papilio.errors import DataError
from papilio.families.disguise.make import disguise_notes, floor_of, requirement_of
from papilio.families.disguise.methods.domain_of import is_over_range, tree_of
from papilio.families.disguise.methods.publish import disguised_manifest
from papilio.families.disguise.methods.target_of import WeightFile, read_weights
from papilio.families.disguise.plan import (
    PEOPLE,
    CountedPart,
    DisguisePlan,
    Measure,
    Reading,
    check_counted,
    ends_of,
    farthest,
    kinds_of,
    number_kinds,
    parts_from,
    plan_disguise,
)
from papilio.families.disguise.truth import (
    DisguisedCheck,
    DisguisedTruth,
    add_kinds,
    disguised_check,
    no_kinds,
)
from papilio.families.engines.coded import ColumnValues
from papilio.families.engines.disk.group_cells import GroupCells, write_help, write_values
from papilio.families.engines.disk.memory import held_memory
from papilio.families.engines.disk.original import KeptRows, beside, kept_rows
from papilio.families.engines.disk.people import People, deal_people, kept_frame, write_people
from papilio.families.engines.disk.run import Run
from papilio.families.engines.made import MadeInPieces
from papilio.families.engines.meanings import Meanings, counts_in, kept_columns, kept_meanings
from papilio.families.engines.piece import Drawing
from papilio.families.engines.report import GroupKeys, group_keys
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.families.grouped.help_table import group_name, permuted_names, sums_fit
from papilio.verify.disguised_truth import PERSONAL
from papilio.verify.promise.promise import TableFacts

#: Share of the memory that counts may fill, and what a kind of people takes while it is planned
#: and verified; and what a node of the tree takes for every part.
_COUNTS_SHARE, _KIND_BYTES, _NODE_BYTES = 0.25, 400, 100


def make_in_pieces(run: Run, choice: Choice) -> MadeInPieces:  # noqa: ARG001 - every maker is told
    """Disguise the column that has a target, and write the tables of the release.

    Notes
    -----
    Cost: three passes over the source, the second over the columns that targets speak of. Memory:
    the different values of the column by part and demand, with the plan, and one piece. Disk: the
    records once, those columns once more, and the release.

    Raises
    ------
    DataError
        If there are too many different values, or parts, to be planned within the memory.
    """
    policy = run.policy
    ((name, said),) = policy.privacy.target.items()
    with run.reading() as stream:
        found = run.count(stream, kept_columns(policy, name))
        meanings = kept_meanings(
            policy, run.name(stream), stream.names, found.rows, found.values,
            dtypes=found.dtypes, typed=stream.typed,
        )  # fmt: skip
        (column,) = (each for each in meanings.columns if each.name == name)
        file = read_weights(said, column, policy.base, policy.allowed)
        tree = _tree(run, column, meanings, found.values, file)
        reading = Reading(name, said.by, policy.privacy.personal, tree)
        kept = kept_rows(run, meanings, found.values, (*said.by, name))
        parts = parts_from(_counted(run, stream, reading, kept), reading, said, file)
        run.tell("generalising", 0.2)
        requirement = requirement_of(policy, name, said)
        floor = floor_of(policy)
        check_counted(floor, said, parts)
        plan = plan_disguise(parts, requirement, run.randomness, _room(run), floor)
        keys = group_keys(len(meanings.columns) + (reading.personal is not None))
        people = _deal(run, stream, reading, parts, plan, meanings, found.values, keys)
    manifest, files = disguised_manifest(
        meanings.name, meanings.columns, requirement,
        [(part.target, many) for part, many in zip(parts, plan.groups, strict=True)],
        (meanings.rows, plan.cells), floor, seeded=run.randomness.seeded,
    )  # fmt: skip
    check = disguised_check(manifest, files, tree, keys.rows, run.limits.verify_memory)
    truth = _write_people(run, people, check, personal=reading.personal is not None)
    _write_cells(run, meanings, reading, parts, plan)
    changes, hidden = [part.change for part in parts], sum(part.hidden for part in parts)
    fakes = plan.cells - meanings.rows
    notes = disguise_notes(changes, hidden, fakes, plan.searched, plan.gap(tree))
    facts = TableFacts(meanings.name, types_of(meanings.columns), meanings.rows)
    return MadeInPieces(
        manifest, files, meanings.left_out, facts, truth, (*meanings.notes, *notes),
        beside=partial(beside, kept, lambda: run.limits.verify_memory),
    )  # fmt: skip


def _room(run: Run) -> int:
    """Bytes that a search for fake values may fill: half of what is left, a few at least."""
    left = run.limits.memory - held_memory()
    return max(left // 2, run.limits.memory // 16)


def _tree(
    run: Run,
    column: Column,
    meanings: Meanings,
    values: Mapping[str, ColumnValues],
    file: WeightFile | None,
) -> DomainTree:
    """Build the subdomains of a column from the values that occur; a given range needs none."""
    said = run.policy.privacy.target[column.name].tree
    if is_over_range(column, said):
        empty = pl.Series(column.name, [], dtype=meanings.types[column.name])
        return tree_of(column, empty, said)
    found, _ = counts_in(run.policy, values[column.name], typed=meanings.typed)
    return tree_of(column, found.drop_nulls(), said, None if file is None else file.values)


def _counted(run: Run, stream: Stream, reading: Reading, kept: KeptRows) -> pl.DataFrame:
    """Count kinds of people in a pass over the source, and keep what the verifier will ask for.

    Values are counted as they are, not by their leaves, because the verifier counts them so.
    """
    run.tell("weighing", 0.15)
    needed = [*(column.name for column in kept.meanings.columns), reading.personal]
    waiting: list[pl.DataFrame] = []
    skipped = 0
    for batch in stream.batches([name for name in needed if name is not None]):
        frame = kept.keep(batch, skipped).with_columns(demanded(batch, reading.personal))
        waiting.append(_added([frame.with_columns(pl.lit(1, pl.Int64).alias(_ROWS))]))
        skipped += batch.height
        if sum(each.height for each in waiting) > 2 * waiting[0].height:
            waiting = [_added(waiting)]
            _check_kinds(run, reading, waiting[0])
    found = _added(waiting)
    _check_kinds(run, reading, found)
    seen = reading.read(found, found.get_column(PERSONAL))
    counted = seen.with_columns(found.get_column(_ROWS).alias(PEOPLE))
    return counted.group_by(reading.marks).agg(pl.col(PEOPLE).sum())


#: Number of rows of a kind, which no column is called.
_ROWS = "papilio rows"


def _added(counted: list[pl.DataFrame]) -> pl.DataFrame:
    together = pl.concat(counted)
    return together.group_by(pl.all().exclude(_ROWS)).agg(pl.col(_ROWS).sum())


def demanded(batch: pl.DataFrame, personal: str | None) -> pl.Series:
    """What people demand for themselves, as text, of rows as read; NULL if nobody is asked."""
    if personal is None:
        return pl.Series(PERSONAL, [None] * batch.height, dtype=pl.String)
    return batch.get_column(personal).cast(pl.String).str.strip_chars().alias(PERSONAL)


def _check_kinds(run: Run, reading: Reading, found: pl.DataFrame) -> None:
    """Refuse more kinds of people, or parts, than can be planned within the memory."""
    most = int(run.limits.memory * _COUNTS_SHARE)
    parts = found.select(reading.by).n_unique() if reading.by else 1
    if found.height * _KIND_BYTES > most or parts * reading.tree.nodes * _NODE_BYTES > most:
        by = ", part by part," if reading.by else ""
        raise DataError(
            f"column '{reading.column}' has too many different values{by} to be planned within "
            "this memory; more memory, rounded values or the engine spark are accepted",
            reason="too-many-values",
        )


def _deal(
    run: Run,
    stream: Stream,
    reading: Reading,
    parts: list[CountedPart],
    plan: DisguisePlan,
    meanings: Meanings,
    values: Mapping[str, ColumnValues],
    keys: GroupKeys,
) -> People:
    """Give every row a group that the plan has for its kind, all places with the same chance."""
    known, drawing = kinds_of(parts, reading, plan), _drawing(plan, parts)
    personal = reading.personal is not None

    def groups(frame: pl.DataFrame) -> NDArray[np.int64]:
        seen = reading.read(frame, frame.get_column(PERSONAL) if personal else None)
        kinds = number_kinds(seen, known).fill_null(-1).to_numpy()
        return drawing.draw(kinds, run.randomness)

    def typed(batch: pl.DataFrame, skipped: int) -> pl.DataFrame:
        return kept_frame(meanings, batch, skipped).with_columns(demanded(batch, reading.personal))

    told = _with_demands(meanings) if personal else meanings
    give: Callable[[pl.DataFrame, int], pl.DataFrame] | None = typed if personal else None
    return deal_people(run, stream, told, values, reading.column, keys, groups, give)


def _with_demands(meanings: Meanings) -> Meanings:
    """The table with one more column, of what people demand, which only the verifier sees."""
    column = Column(PERSONAL, Role.IDENTIFIER, ColumnType.CATEGORY)
    types = {**meanings.types, PERSONAL: pl.String()}
    return replace(meanings, columns=(*meanings.columns, column), types=types)


def _drawing(plan: DisguisePlan, parts: list[CountedPart]) -> Drawing:
    if plan.shares is None:
        each = np.arange(len(parts))
        return Drawing(each, each, plan.people, len(parts))
    shares = plan.shares
    order = np.argsort(shares.like, kind="stable")
    kinds = sum(len(part.codes) for part in parts)
    return Drawing(shares.like[order], shares.group[order] - 1, shares.copies[order], kinds)


def _write_people(
    run: Run, people: People, check: DisguisedCheck, *, personal: bool
) -> DisguisedTruth:
    """Write the files of people, and add up what the verifier finds in each."""
    (name,) = run.policy.privacy.target
    hidden = [name, PERSONAL] if personal else [name]
    group = group_name([c.name for c in people.meanings.columns if c.name != PERSONAL])
    kinds, told = no_kinds(), []
    for report in write_people(run, people, hidden, group, check.people):
        kinds = add_kinds(kinds, report)
        told.append(replace(report, counts=()))
    return DisguisedTruth(people.source.rows, tuple(told), kinds, check, personal)


def _write_cells(
    run: Run, meanings: Meanings, reading: Reading, parts: list[CountedPart], plan: DisguisePlan
) -> None:
    """Write subdomains and help table, which follow from the plan."""
    _, values, helping = permuted_names(meanings.name)
    group = group_name([column.name for column in meanings.columns])
    found, tree = plan.subdomains, reading.tree
    groups = np.repeat(np.arange(found.groups), np.diff(found.offsets))

    def shown(entries: NDArray[np.int64]) -> pl.DataFrame:
        low, high = ends_of(tree, found.nodes[entries])
        ends = [low.alias(f"{reading.column}_min"), high.alias(f"{reading.column}_max")]
        return pl.DataFrame([pl.Series(group, groups[entries] + 1), *ends])

    for _ in write_values(run, values, found.counts, shown):
        continue
    if meanings.types[reading.column].is_numeric():
        measure = Measure(tree, parts, plan.groups)
        told = measure(pl.Series(groups + 1), pl.Series(found.nodes))
        low, high, mean, inside = (each.to_numpy() for each in told)
        missing = np.zeros(len(groups), np.bool_)
        cells = GroupCells(groups, found.counts, missing, low, high, mean, inside, plan.people)
        whole = tree.lows.dtype == pl.Int64 and sums_fit(farthest(tree), meanings.rows)
        write_help(run, helping, cells, group, whole_sums=whole)
