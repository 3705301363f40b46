"""Exact quasi-identifiers, the sensitive column permuted inside groups, of rows beyond memory.

1. A pass over the source counts how often each value of the sensitive column occurs; groups are
   planned from that, and values and help table follow.
2. A second pass draws a group for every row, and deals the rows out to files at random.
3. File after file of people is shuffled, written, and compared with its rows.
"""

from __future__ import annotations

import numpy as np

from papilio.families.engines.disk.group_cells import GroupCells, write_help, write_values
from papilio.families.engines.disk.people import deal_people, write_people
from papilio.families.engines.disk.run import Run
from papilio.families.engines.made import MadeInPieces
from papilio.families.engines.meanings import counts_in, kept_columns, kept_meanings
from papilio.families.engines.report import group_keys
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.families.grouped.help_table import group_name, permuted_names, sums_fit
from papilio.families.permutation.make import permuted_manifest
from papilio.families.permutation.methods.struck import settled_on
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.families.permutation.plan import (
    Dealt,
    counted,
    deal,
    demanded_by,
    drawing_of,
    farthest,
    shown_values,
    value_codes,
)
from papilio.families.permutation.policy import check_permutable
from papilio.families.permutation.truth import PermutedCheck, PermutedTruth
from papilio.privacy.ke_anonymity import check_spread
from papilio.verify.promise.promise import TableFacts


def make_in_pieces(run: Run, choice: Choice) -> MadeInPieces:
    """Plan groups, deal rows out to them, and write the three tables of a permuted release.

    Notes
    -----
    Cost: two passes over the source. Memory: the different values of the sensitive column with
    their counts and the plan, some 200 bytes each, and one piece. Disk: the records once, and the
    release.

    Raises
    ------
    DataError
        If the sensitive column has too many different values.
    """
    policy, randomness = run.policy, run.randomness
    demanded = demanded_by(policy, choice)
    sensitive = demanded.requirement.column
    with run.reading() as stream:
        found = run.count(stream, kept_columns(policy, sensitive))
        meanings = kept_meanings(
            policy, run.name(stream), stream.names, found.rows, found.values,
            dtypes=found.dtypes, typed=stream.typed,
        )  # fmt: skip
        check_permutable(policy, meanings)
        known, nulls = counted(*counts_in(policy, found.values[sensitive], typed=stream.typed))
        requirement = settled_on(demanded.requirement, known)
        check_spread(requirement, known.values)
        run.tell("dividing", 0.2)
        plan = deal(known, nulls, requirement, demanded.minimise, randomness)
        drawing, keys = drawing_of(plan, known), group_keys(len(meanings.columns))
        people = deal_people(
            run, stream, meanings, found.values, sensitive, keys,
            lambda frame: drawing.draw(value_codes(known, frame.get_column(sensitive)), randomness),
        )  # fmt: skip
    manifest = permuted_manifest(
        meanings.name, meanings.columns, requirement, meanings.rows,
        seeded=randomness.seeded,
    )  # fmt: skip
    check = PermutedCheck(manifest, sensitive, keys, run.limits.verify_memory)
    group = group_name([column.name for column in meanings.columns])
    told = tuple(write_people(run, people, [sensitive], group, check.people))
    _, values, helping = permuted_names(meanings.name)
    files = write_values(
        run, values, plan.copies,
        lambda entries: shown_values(plan, known, entries, (group, sensitive)),
    )  # fmt: skip
    hidden = tuple(check.values(file) for file in files)
    whole = known.values.dtype == np.int64 and sums_fit(farthest(known.values), plan.largest)
    write_help(run, helping, _cells(plan, known), group, whole_sums=whole)
    facts = TableFacts(meanings.name, types_of(meanings.columns), meanings.rows)
    truth = PermutedTruth(people.source, told, hidden)
    return MadeInPieces(manifest, {}, meanings.left_out, facts, truth, meanings.notes)


def _cells(plan: Dealt, known: ValueCounts) -> GroupCells:
    """Entries of a plan as cells; the number -1, which stands for NULL, takes any value."""
    values = known.values[plan.value]
    middles = values.astype(np.float64)
    nothing = np.zeros_like(middles)
    missing = plan.value < 0
    return GroupCells(
        plan.group, plan.copies, missing, values, values, middles, nothing, plan.sizes
    )
