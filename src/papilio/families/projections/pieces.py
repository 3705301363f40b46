"""Several tables of one recipient, of more rows than memory holds.

1. A pass over the source counts what occurs in each column.
2. A second pass keeps the sensitive and plain columns on disk. Passes over these count how often
   values of two of them occur together; the plan follows from that.
3. Each table of the plan is published as a table of its own, by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from papilio.data.io.stream import Stream
from papilio.data.table import Role
from papilio.errors import DataError
from papilio.families.engines.disk.count_pass import Counted
from papilio.families.engines.disk.original import KeptRows, beside, kept_rows
from papilio.families.engines.disk.run import Run
from papilio.families.engines.made import MadeInPieces
from papilio.families.engines.meanings import Meanings, kept_meanings, needed_columns
from papilio.families.engines.piece import changed_while_reading
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.families.generalising.names import HYBRID
from papilio.families.generalising.pieces import encode_rows, generalise
from papilio.families.generalising.truth import GeneralisedTable, GeneralisedTruth
from papilio.families.projections.make import plan_notes, projected_manifest
from papilio.families.projections.plan import Sums, TablePlan, as_texts, plan_tables
from papilio.measure.dependencies import Bins, Harmless, binned, cuts_of, harmless_rows
from papilio.measure.mutual_information import Contingency, pair_sums
from papilio.progress import silent
from papilio.verify.promise.promise import TableFacts

#: Share of the memory that pairs of values may fill, and what each takes while it is counted and
#: verified.
_PAIRS_SHARE, _PAIR_BYTES = 0.25, 300


def make_in_pieces(run: Run, choice: Choice) -> MadeInPieces:
    """Choose which sensitive columns go together, and generalise a table for each.

    As :func:`papilio.families.projections.make.make_projected`.

    Notes
    -----
    Cost: two passes over the source and one for each table; one over two kept columns for each
    pair, and as many to verify; then what the tables cost. Memory: pairs of values of two columns
    at a time, and one piece. Disk: the kept columns once, the records of one table at a time twice,
    and the release.

    Raises
    ------
    DataError
        If two columns have too many pairs of values for the memory.
    """
    policy = run.policy
    with run.reading() as stream:
        counted = run.count(stream, needed_columns(policy))
        meanings = kept_meanings(
            policy, run.name(stream), stream.names, counted.rows, counted.values,
            dtypes=counted.dtypes, typed=stream.typed,
        )  # fmt: skip
        run.tell("planning", 0.15)
        kept = _kept(run, stream, meanings, counted)
        plan = plan_tables(policy, DiskPairs(kept, run.limits.memory))
        tables = _tables(run, stream, plan, meanings.name, counted)
    method = policy.generalise or HYBRID
    manifest, files = projected_manifest(
        [(table.manifest, table.hierarchies) for table in tables],
        f"{choice.method} ({plan.planned.how} plan, {method})",
    )
    facts = TableFacts(meanings.name, types_of(meanings.columns), meanings.rows)
    truth = GeneralisedTruth(files, tuple(each.truth for each in tables), tuple(facts.types))
    notes = (*meanings.notes, *plan_notes(manifest, plan.known))
    return MadeInPieces(
        manifest, files, meanings.left_out, facts, truth, notes,
        beside=partial(beside, kept, lambda: run.limits.verify_memory),
    )  # fmt: skip


def _kept(run: Run, stream: Stream, meanings: Meanings, counted: Counted) -> KeptRows:
    """Keep sensitive and plain columns in a pass over the source."""
    names = [each.name for each in meanings.columns if each.role is not Role.QUASI]
    kept, skipped = kept_rows(run, meanings, counted.values, names), 0
    for batch in stream.batches(names):
        kept.keep(batch, skipped)
        skipped += batch.height
    if skipped != counted.rows:
        raise changed_while_reading()
    return kept


def _tables(
    run: Run, stream: Stream, plan: TablePlan, name: str, counted: Counted
) -> list[GeneralisedTable]:
    """Publish one table after the other; stages of single ones are none of the whole."""
    method, tables = run.policy.generalise or HYBRID, []
    choice = Choice(method, "the policy names it")
    for done, part in enumerate(plan.orders(name, method)):
        run.tell("generalising", 0.2 + 0.5 * done / len(plan.planned.tables))
        own = replace(run, policy=part, tell=silent)
        tables.append(generalise(own, choice, encode_rows(own, choice, stream, counted)))
    return tables


@dataclass(frozen=True, eq=False)
class DiskPairs:
    """Counts pairs on disk; see :class:`papilio.families.projections.plan.PairCounter`.

    Attributes
    ----------
    kept
        The columns.
    memory
        Bytes that the run may use.
    """

    kept: KeptRows
    memory: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.kept.meanings.rows

    @property
    def dtypes(self) -> Mapping[str, pl.DataType]:
        """Types of the columns."""
        return self.kept.meanings.types

    def sums(self, names: Sequence[str], pairs: Sequence[tuple[int, int]], bins: Bins) -> Sums:
        """Sum up the contingency tables of pairs of columns, one pair after the other."""
        cuts = {name: cuts_of(self._values(name), bins[name]) for name in names if name in bins}
        return {
            (i, j): pair_sums(self._contingency(names[i], names[j], cuts), itself=i == j)
            for i, j in pairs
        }

    def harmless(self, said: Harmless) -> Mapping[str, int]:
        """Rows of some columns whose value is among the harmless ones."""
        found = dict.fromkeys(said, 0)
        for frame in self.kept.frames(said):
            for name in found:
                found[name] += harmless_rows(frame.get_column(name), said[name])
        return found

    def same_values(self, one: str, other: str) -> bool:
        """Whether two columns hold the same values, each of them once and none NULL."""
        texts = [as_texts(each).alias("text") for each in self._columns(one, other)]
        return pl.concat(texts).n_unique() == self.rows

    def _columns(self, *names: str) -> list[pl.Series]:
        """Whole columns, which have no more values than were counted at once before."""
        return [each for frame in self.kept.frames(names) for each in frame.get_columns()]

    def _values(self, name: str) -> pl.DataFrame:
        """Values of a column, but for NULL, and how often they occur."""
        counted = self._counted(name, name, {}).filter(pl.col("a").is_not_null())
        return counted.select(pl.col("a").alias("value"), "n")

    def _contingency(self, one: str, other: str, cuts: Mapping[str, pl.Series]) -> Contingency:
        counts = self._counted(one, other, cuts).select(
            "n", pl.col("n").sum().over("a").alias("first"),
            pl.col("n").sum().over("b").alias("second"),
        )  # fmt: skip
        return Contingency(self.rows, *(each.to_numpy().astype(np.int64) for each in counts))

    def _counted(self, one: str, other: str, cuts: Mapping[str, pl.Series]) -> pl.DataFrame:
        """Pairs of values, or of bins, and how often they occur."""
        waiting: list[pl.DataFrame] = []
        for frame in self.kept.frames({one, other}):
            sides = {"a": frame.get_column(one), "b": frame.get_column(other)}
            read = [
                (binned(side, cuts[side.name]) if side.name in cuts else side).alias(place)
                for place, side in sides.items()
            ]
            waiting.append(
                _added([pl.DataFrame(read).with_columns(pl.lit(1, pl.Int64).alias("n"))])
            )
            if sum(each.height for each in waiting) > 2 * waiting[0].height:
                waiting = [_added(waiting)]
                self._check(one, other, waiting[0].height)
        found = _added(waiting)
        self._check(one, other, found.height)
        return found

    def _check(self, one: str, other: str, pairs: int) -> None:
        if pairs * _PAIR_BYTES <= self.memory * _PAIRS_SHARE:
            return
        which = f"column '{one}' has" if one == other else f"columns '{one}' and '{other}' have"
        what = "different values" if one == other else "different pairs of values"
        raise DataError(
            f"{which} too many {what} to be counted within this memory; more memory, rounded "
            "values or the engine spark are accepted",
            reason="too-many-pairs",
        )


def _added(counted: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(counted).group_by("a", "b").agg(pl.col("n").sum())
