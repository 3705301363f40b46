"""One method at one k on a table that is read and encoded already."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from papilio.data.encode import EncodedTable, encode
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.document.comparison import Outcome, Trial
from papilio.errors import PapilioError
from papilio.families.family import Choice
from papilio.families.one_table.grouping import Grouping, group
from papilio.kernels.demand import Demand
from papilio.measure.average_class_size import average_class_size
from papilio.measure.class_sizes import class_sizes
from papilio.measure.classification import classification
from papilio.measure.discernibility import discernibility
from papilio.measure.distribution_shift import distribution_shift
from papilio.measure.ncp import ncp
from papilio.measure.possible_values import possible_values
from papilio.measure.published_classes import published_classes
from papilio.measure.query_answerability import Queries, query_ratio, random_queries
from papilio.methods.generalize.publish import generalised_release
from papilio.policy.apply import Order
from papilio.policy.improve_policy import ImprovePolicy
from papilio.policy.order import order_of
from papilio.policy.policy import Policy
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.privacy.requirement import demand_of
from papilio.progress import silent
from papilio.randomness import Randomness
from papilio.release.release import Release
from papilio.workflow.contender import FOR_RECIPIENTS, Contender

#: A column has few values, and is worth predicting, up to so many.
_FEW_VALUES = 20
#: Rows on which kernels are compiled before the clock starts.
_WARM_UP_ROWS = 64
#: Nothing is published, so lots may be drawn alike in every comparison: its numbers repeat.
_SEED = 0


@dataclass(frozen=True, eq=False)
class Bench:
    """What all trials share.

    Attributes
    ----------
    policy
        The order, whose k, method and improvement each trial sets.
    table, encoded
        The table, and its quasi-identifiers as codes.
    queries
        Queries that every release is asked.
    label
        Column to predict, if there is one.
    improve
        How long classes are improved, where they are.
    """

    policy: Policy
    table: Table
    encoded: EncodedTable
    queries: Queries
    label: str | None
    improve: ImprovePolicy


def make_bench(policy: Policy, data: Any, improve: ImprovePolicy) -> Bench:
    """Read and encode a table, from a frame or from the policy's source."""
    # Whether a k fits the table is for each trial to say.
    any_k = policy.privacy.model_copy(update={"k": 1})
    table = order_of(data, policy.model_copy(update={"privacy": any_k}), "table")[0].table
    encoded = encode(table, table.with_role(Role.QUASI))
    queries = random_queries(encoded, Randomness(_SEED))
    return Bench(policy, table, encoded, queries, _label(table), improve)


def _label(table: Table) -> str | None:
    """First sensitive column that has a few values, but more than one."""
    for column in table.with_role(Role.SENSITIVE):
        if 1 < table.frame.get_column(column.name).n_unique() <= _FEW_VALUES:
            return column.name
    return None


def warm_up(bench: Bench, chosen: Iterable[Contender]) -> None:
    """Compile the kernels, so that the first trial is not charged for it."""
    few = EncodedTable(bench.encoded.codes[:_WARM_UP_ROWS], bench.encoded.columns)
    full = demand_of(bench.policy.requirements, bench.table)
    # Rules about values might not hold for a few rows; the kernels are the same without them.
    demand = Demand(1, full.sensitive, full.rules[:0], full.limits[:0], full.base)
    methods = {each.method for each in chosen} - {"incognito"}
    if "hybrid" in methods:
        # Its local phase, which the few rows may not reach.
        methods.add("bottom-up")
    for method in sorted(methods - {*FOR_RECIPIENTS}):
        policy = Contender(method).policy(bench.policy, 1, bench.improve)
        group(few, demand, method, policy, Randomness())
    if bench.policy.recipients:
        small = replace(bench.table, frame=bench.table.frame.head(_WARM_UP_ROWS))
        for method in sorted(methods & {*FOR_RECIPIENTS}):
            policy = Contender(method).policy(bench.policy, 1, bench.improve)
            alone = policy.model_copy(update={"privacy": PrivacyPolicy(k=2)})
            _for_recipients(replace(bench, table=small), alone, Randomness())


def try_one(bench: Bench, contender: Contender, k: int) -> Trial:
    """Run a method at a k and measure what comes out, or say why nothing does."""
    recipients = bool(bench.policy.recipients)
    why_not = contender.why_not(bench.table.height, k, recipients=recipients)
    if why_not is not None:
        return Trial(contender.name, k, why_not=why_not)
    try:
        return Trial(contender.name, k, _run(bench, contender, k))
    except PapilioError as error:
        return Trial(contender.name, k, why_not=str(error))


def _run(bench: Bench, contender: Contender, k: int) -> Outcome:
    policy = contender.policy(bench.policy, k, bench.improve)
    demand = demand_of(policy.requirements, bench.table)
    randomness = Randomness(_SEED)
    start = time.perf_counter()
    if contender.for_recipients:
        release = _for_recipients(bench, policy, randomness)
        return _measure(bench, release, k, time.perf_counter() - start)
    grouping = group(bench.encoded, demand, contender.method, policy, randomness)
    seconds = time.perf_counter() - start
    return _measure(bench, _release(bench, policy, grouping, randomness), k, seconds)


def _for_recipients(bench: Bench, policy: Policy, randomness: Randomness) -> Release:
    """Make a release for several recipients; nothing of it is told or kept."""
    from papilio.families.recipients.make import make_recipients

    choice = Choice(policy.method or "", "it is compared")
    made = make_recipients(Order(bench.table, ()), policy, choice, randomness, Kind.POLARS, silent)
    return made.release


def _release(bench: Bench, policy: Policy, grouping: Grouping, randomness: Randomness) -> Release:
    return generalised_release(
        bench.table,
        bench.encoded,
        grouping.classes,
        policy.requirements,
        method=policy.method or "",
        text=False,
        randomness=randomness,
        levels=grouping.levels,
    ).release


def _measure(bench: Bench, release: Release, k: int, seconds: float) -> Outcome:
    classes = published_classes(release, bench.table)
    cells = possible_values(release, bench.table, encoded=bench.encoded)
    shifts = distribution_shift(cells, bench.encoded).values()
    # Everything about classes is measured as each recipient sees them.
    views = [_seen_by(columns, release) for columns in bench.policy.recipients.values() if columns]
    seen = [published_classes(view, bench.table) for view in views] or [classes]
    sizes = [class_sizes(each) for each in seen]
    return Outcome(
        ncp=ncp(classes).overall,
        discernibility=round(np.mean([discernibility(each) for each in seen])),
        classes=round(np.mean([each.classes for each in sizes])),
        smallest=min(each.smallest for each in sizes),
        average_class_size=float(np.mean([average_class_size(each, k) for each in seen])),
        query_ratio=query_ratio(cells, bench.queries),
        divergence=float(np.mean([each.divergence for each in shifts])),
        classification=_classification(bench, views or [release]),
        left_out=bench.table.height - sizes[0].rows,
        seconds=seconds,
    )


def _classification(bench: Bench, views: list[Release]) -> float | None:
    if bench.label is None:
        return None
    found = [classification(view, bench.table, bench.label) for view in views]
    return float(np.mean(found))


def _seen_by(columns: tuple[str, ...], release: Release) -> Release:
    """The release as somebody sees it to whom the other quasi-identifiers tell nothing."""
    (table,) = release.manifest.tables
    described = tuple(
        each if each.role != Role.QUASI or each.name in columns else replace(each, role="plain")
        for each in table.columns
    )
    manifest = replace(release.manifest, tables=(replace(table, columns=described),))
    return replace(release, manifest=manifest)
