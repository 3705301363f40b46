"""Several tables of one recipient, each with some of the sensitive columns.

The plan follows from contingency tables in the engine. Each table of the plan is then published as
a table of its own, by itself, so that nothing but quasi-identifiers links two of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from papilio.data.roles import Role
from papilio.families.family import Choice
from papilio.families.one_table.spark import generalise
from papilio.families.projections.make import place_of_plain, plan_notes, shared_key
from papilio.families.projections.methods.publish import projected_manifest
from papilio.families.projections.planning import Planned, plan_from
from papilio.families.projections.spark_counts import count_where, same_values, sum_pairs
from papilio.measure.dependencies import Dependencies, dependencies_of_sums, harmless_rows
from papilio.measure.pair_sums import PairSums
from papilio.policy.harmless import harmless_values
from papilio.policy.policy import Policy
from papilio.policy.privacy_policy import EVERY
from papilio.policy.source_policy import SourcePolicy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.manifest import Manifest
from papilio.workflow.spark.made import SparkMade
from papilio.workflow.spark.original_view import check_countable, facts_of_rows
from papilio.workflow.spark.source_rows import SourceRows, open_rows
from papilio.workflow.spark.truth import GeneralisedTruth, TableTruth

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_Sums = dict[tuple[int, int], PairSums]


def make_with_spark(
    session: SparkSession,
    policy: Policy,
    choice: Choice,
    draft: Path,
    randomness: Randomness,
    tell: Progress,
) -> SparkMade:
    """Choose which sensitive columns go together, and generalise a table for each.

    As :func:`papilio.families.projections.make.make_projected`. Collected besides what generalising
    needs: sums over contingency tables.
    """
    tell("planning", 0.05)
    rows = open_rows(session, policy)
    names = [*policy.with_role(Role.SENSITIVE), *policy.with_role(Role.PLAIN)]
    sums = sum_pairs(rows, names, _pairs(policy))
    known = _dependencies(rows, policy, sums)
    check_countable(known.names, {pair: each.pairs for pair, each in sums.items()})
    planned = plan_from(known, policy)
    plain = {
        name: place_of_plain([sums[i, len(known.names) + at].information for i in _every(known)],
                             planned)
        for at, name in enumerate(policy.with_role(Role.PLAIN))
    }  # fmt: skip
    _check_keys(rows, names, sums, planned, plain)
    method = policy.generalise or "hybrid"
    parts: list[tuple[Manifest, Mapping[str, str]]] = []
    truth: list[TableTruth] = []
    for number, columns in enumerate(planned.tables, 1):
        tell("generalising", 0.2 + 0.5 * (number - 1) / len(planned.tables))
        mine = [name for name, place in plain.items() if place == number]
        part = projected_policy(policy, rows.name, number, (*columns, *mine), method)
        own = Choice(method, "the policy names it")
        made = generalise(session, part, own, draft, randomness, _silent)
        parts.append((made.manifest, made.hierarchies))
        truth.append(made.truth)
    manifest, files = projected_manifest(parts, f"{choice.method} ({planned.how} plan, {method})")
    notes, facts = plan_notes(manifest, known), facts_of_rows(rows)
    found = GeneralisedTruth(files, tuple(truth), tuple(facts.types))
    return SparkMade(manifest, files, rows.left_out, facts, found, notes, rows=rows)


def _silent(stage: str, share: float) -> None:
    """Take no notice: stages of single tables are none of the whole."""


def _every(known: Dependencies) -> range:
    return range(len(known.names))


def _pairs(policy: Policy) -> list[tuple[int, int]]:
    """Each column with itself, sensitive columns with each other and with plain ones."""
    sensitive, plain = (len(policy.with_role(role)) for role in (Role.SENSITIVE, Role.PLAIN))
    itself = [(i, i) for i in range(sensitive + plain)]
    together = list(combinations(range(sensitive), 2))
    return [
        *itself,
        *together,
        *((i, sensitive + j) for i in range(sensitive) for j in range(plain)),
    ]


def _dependencies(rows: SourceRows, policy: Policy, sums: _Sums) -> Dependencies:
    names = policy.with_role(Role.SENSITIVE)
    said = harmless_values(policy, {})

    def counting(name: str, values: pl.Series) -> int:
        return harmless_rows(values, said.get(name, ()))

    asked = [name for name in names if name in said]
    found = count_where(rows, asked, counting) if asked else {}
    return dependencies_of_sums(names, sums, [found.get(name, 0) for name in names])


def _check_keys(
    rows: SourceRows, names: list[str], sums: _Sums, planned: Planned, plain: dict[str, int]
) -> None:
    """Refuse two columns that would number the rows of different tables alike."""
    places = {name: place for place, table in enumerate(planned.tables, 1) for name in table}
    where = places | plain
    # As many different values as rows: NULL, of which several are one value, is at most one.
    keys = [name for i, name in enumerate(names) if sums[i, i].pairs == rows.rows > 1]
    for one, other in combinations(keys, 2):
        apart = where[one] != where[other] and rows.dtypes[one] == rows.dtypes[other]
        if apart and same_values(rows, one, other):
            raise shared_key(one, other)


def projected_policy(
    policy: Policy, name: str, number: int, columns: tuple[str, ...], method: str
) -> Policy:
    """The order for one table of a plan, as if it were the only one.

    Parameters
    ----------
    policy
        The whole order.
    name, number
        Name of the whole table, and number of this one.
    columns
        Its sensitive and plain columns.
    method
        How to generalise it.
    """
    wanted = {*policy.quasi, *columns}
    privacy, about = policy.privacy, {*wanted, EVERY}
    demands = {
        key: {column: each for column, each in getattr(privacy, key).items() if column in about}
        for key in ("l", "t")
    }
    limits = dict.fromkeys(("association_loss", "exposure", "generalisation_loss"))
    return policy.model_copy(
        update={
            "source": (policy.source or SourcePolicy()).model_copy(
                update={"name": f"{name}_{number}"}
            ),
            "columns": {n: each for n, each in policy.columns.items() if n in wanted},
            "privacy": privacy.model_copy(update={**demands, **limits}),
            "method": method,
            "generalise": None,
            "plan": None,
        }
    )
