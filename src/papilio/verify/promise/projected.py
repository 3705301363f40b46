"""The promise of several tables, each with some of the sensitive columns.

What a projected release loses and exposes, recomputed from the original.

Association Loss Ratio and Information Exposure Ratio, sections 4.1 and 4.2 of Fang, Ashrafi and Ng,
"Privacy beyond single sensitive attribute" (DEXA 2011), from their definitions: pairs of values are
counted in SQL, everything else is arithmetic of its own. Both are about the original and cannot be
checked, nor claimed, without it.

Two columns that are dealt out at random share information as well, the more values they have. That
is subtracted: its mean over all permutations, after Vinh, Epps and Bailey, JMLR 11, 2010.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import Claim, Manifest, PublishedTable
from papilio.verify import sql
from papilio.verify.integrity import family
from papilio.verify.opened import Opened
from papilio.verify.promise.check import claims_on, demands_of
from papilio.verify.promise.columns import promised_columns, rows_between, safe_cells_on
from papilio.verify.promise.promise import Facts, Promise, PromisedColumn, PromisedTable
from papilio.verify.verdict import Finding, Status, finding

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


_Numbers: TypeAlias = NDArray[np.float64]
#: How far above a limit a ratio may lie: far more than it can be computed wrong by.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Allowed:
    """What a policy allows.

    Attributes
    ----------
    association_loss, exposure
        Largest ratios; 1 allows everything.
    harmless
        Values that need no protection, as text, per sensitive column; ``None`` is NULL.
    bins
        Columns that are measured by equally frequent ranges of values, and how many.
    """

    association_loss: float = 1.0
    exposure: float = 1.0
    harmless: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    bins: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Pair:
    """Two columns: what they share, and what knowing one exposes of the other, both ways."""

    shared: float
    exposable: float


def check_dependence(opened: Opened, original: str, allowed: Allowed) -> Iterator[Finding]:
    """Compare both ratios of the tables with what is allowed.

    Parameters
    ----------
    opened
        The release.
    original
        Name of a view with the original's columns, registered on the same connection.
    allowed
        The limits.

    Notes
    -----
    Cost: one grouping in SQL per pair of sensitive columns, two for each of them.
    """
    plan = [_sensitive(table) for table in opened.manifest.tables]
    columns = [name for table in plan for name in table]
    limits = {"association loss": allowed.association_loss, "exposure": allowed.exposure}
    if len(set(columns)) < len(columns) or not set(columns) <= set(opened.types(original)):
        for claim, limit in limits.items():
            why = "the tables do not have each column of the original once"
            yield Finding(claim, f"at most {limit:g}", why, Status.NOT_CHECKED)
        return
    measured = ratios(opened, original, plan, allowed)
    for (claim, limit), ratio in zip(limits.items(), measured, strict=True):
        shown = f"{ratio:.6f}"
        yield finding(claim, f"at most {limit:g}", shown, ratio <= limit + _TOLERANCE)


def ratios(
    opened: Opened, original: str, plan: Sequence[Sequence[str]], allowed: Allowed
) -> tuple[float, float]:
    """Association loss and exposure of a plan."""
    columns = [name for table in plan for name in table]
    table_of = {name: number for number, table in enumerate(plan) for name in table}
    measured = {name: _measured(opened, original, name, allowed) for name in columns}
    lost, all_shared, exposed, all_exposable = [], [], [], []
    for one, other in combinations(columns, 2):
        pair = _pair(opened, original, measured[one], measured[other])
        all_shared.append(pair.shared)
        all_exposable.append(pair.exposable)
        if table_of[one] != table_of[other]:
            lost.append(pair.shared)
        else:
            share = len(plan[table_of[one]]) / len(columns)
            exposed.append(pair.exposable * share)
    return _ratio(lost, all_shared), _ratio(exposed, all_exposable)


def _ratio(part: list[float], whole: list[float]) -> float:
    total = math.fsum(whole)
    return math.fsum(part) / total if total > 0 else 0.0


@dataclass(frozen=True, eq=False)
class _Measured:
    """A column as it is measured.

    Attributes
    ----------
    value
        SQL for a row's value, or for the number of its bin.
    share
        Share of the rows whose value is not harmless.
    rows, times
        Numbers of rows that values have, and how many values have each.
    """

    value: str
    share: float
    rows: _Numbers
    times: _Numbers


def _measured(opened: Opened, original: str, name: str, allowed: Allowed) -> _Measured:
    kind, column = opened.types(original)[name], sql.name(name)
    value = column
    if name in allowed.bins:
        value = _bin(opened, original, name, kind, allowed.bins[name])
    safe = _is_harmless(name, kind, allowed.harmless.get(name, ()))
    counted = (
        f"SELECT {value} AS v, count(*) AS n, sum(CASE WHEN {safe} THEN 1 ELSE 0 END) AS safe "
        f"FROM {sql.name(original)} GROUP BY {value}"
    )
    rows, times, harmless = opened.arrays(
        "SELECT n, count(*) AS times, CAST(sum(safe) AS BIGINT) AS safe "
        f"FROM ({counted}) AS counted GROUP BY n ORDER BY n"
    )
    share = 1 - int(harmless.sum()) / int((rows * times).sum())
    return _Measured(value, share, rows.astype(np.float64), times.astype(np.float64))


def _bin(opened: Opened, original: str, name: str, kind: str, bins: int) -> str:
    """SQL for the number of the bin of a row's value; NULL has none.

    A value that b of n values are smaller than is in bin number bins * b / n, rounded down.
    """
    column = sql.name(name)
    counted = (
        f"SELECT {column} AS v, count(*) AS n FROM {sql.name(original)} "
        f"WHERE {column} IS NOT NULL GROUP BY {column}"
    )
    below = (
        f"SELECT v, sum(n) OVER (ORDER BY v) - n AS below, sum(n) OVER () AS whole "
        f"FROM ({counted}) AS counted"
    )
    least = opened.rows(
        f"SELECT CAST(min(v) AS {sql.TEXT}) FROM ({below}) AS placed "
        f"GROUP BY floor({bins} * CAST(below AS DOUBLE) / CAST(whole AS DOUBLE))"
    )
    reached = [
        f"CASE WHEN {column} >= CAST({sql.text(value)} AS {kind}) THEN 1 ELSE 0 END"
        for (value,) in least
    ]
    return f"CASE WHEN {column} IS NULL THEN NULL ELSE {' + '.join(reached) or '0'} END"


def _pair(opened: Opened, original: str, one: _Measured, other: _Measured) -> Pair:
    """Count a pair of columns, and measure it."""
    counts = (
        f"SELECT {one.value} AS a, {other.value} AS b, count(*) AS n "
        f"FROM {sql.name(original)} GROUP BY {one.value}, {other.value}"
    )
    n, in_a, in_b = opened.arrays(
        "SELECT n, CAST(sum(n) OVER (PARTITION BY a) AS BIGINT) AS in_a, "
        "CAST(sum(n) OVER (PARTITION BY b) AS BIGINT) AS in_b "
        f"FROM ({counts}) AS counted"
    )
    rows = int(n.sum())
    found = _shared(n, in_a, in_b, rows)
    by_chance = expected_information(one.rows, one.times, other.rows, other.times)
    shared = found - by_chance if found - by_chance > _NOTHING * by_chance else 0.0
    # H(A) - I(A, B) is what is left of A when B is known; what chance explains is left as well.
    left_a = math.fsum((n * np.log1p((in_b - n) / n)).tolist()) / rows + found - shared
    left_b = math.fsum((n * np.log1p((in_a - n) / n)).tolist()) / rows + found - shared
    return Pair(shared, one.share * left_a + other.share * left_b)


#: Information within this share of what chance explains is rounding, and counts as none.
_NOTHING = 1e-9
#: Likelihoods below this share of the largest add nothing that can be seen.
_UNLIKELY = 1e-22
#: Pairs of numbers of rows that are walked through at once.
_AT_ONCE = 1 << 17


def expected_information(
    rows_a: _Numbers, times_a: _Numbers, rows_b: _Numbers, times_b: _Numbers
) -> float:
    """Mean mutual information of two columns over all permutations of one of them.

    Parameters
    ----------
    rows_a, times_a
        Numbers of rows that values of one column have, and how many values have each.
    rows_b, times_b
        The same of the other column.

    Notes
    -----
    Two values with a and b of n rows meet in M rows, which is hypergeometric, and add the mean of
    M / n log(n M / a b). As m P(M = m) = (a b / n) P(M' = m - 1) with M' of n - 1 rows, a - 1 and
    b - 1, that is a b / n² times the mean of log(n (M' + 1) / a b). Of each M' the likelihoods are
    walked through from the most likely number in both directions, until nothing can be seen of
    them.
    """
    rows = float((rows_a * times_a).sum())
    first = np.repeat(np.arange(len(rows_a)), len(rows_b))
    second = np.tile(np.arange(len(rows_b)), len(rows_a))
    total = []
    for start in range(0, len(first), _AT_ONCE):
        i, j = first[start : start + _AT_ONCE], second[start : start + _AT_ONCE]
        a, b = rows_a[i], rows_b[j]
        mean = _mean_log(a, b, rows)
        total += (times_a[i] * times_b[j] * (a / rows) * (b / rows) * mean).tolist()
    return max(math.fsum(total), 0.0)


def _mean_log(a: _Numbers, b: _Numbers, rows: float) -> _Numbers:
    """Mean of log(n (M' + 1) / a b)."""
    top = np.floor(a * b / (rows + 1))
    top = np.clip(top, np.maximum(a + b - 1 - rows, 0), np.minimum(a, b) - 1)
    weight, sums = np.ones_like(a), np.log1p((rows * (top + 1) - a * b) / (a * b))
    for up in (True, False):
        here, m, likely = np.arange(len(a)), top.copy(), np.ones_like(a)
        while len(here):
            x, y = a[here], b[here]
            if up:
                likely *= (x - 1 - m) * (y - 1 - m) / ((m + 1) * (rows - x - y + m + 2))
                m += 1
            else:
                likely *= m * (rows - x - y + m + 1) / ((x - m) * (y - m))
                m -= 1
            # No row is left beyond the last number that can be; its likelihood is 0 as well.
            on = likely > _UNLIKELY
            here, m, likely = here[on], m[on], likely[on]
            weight[here] += likely
            expected = a[here] * b[here]
            sums[here] += likely * np.log1p((rows * (m + 1) - expected) / expected)
    return sums / weight


def _shared(
    n: np.ndarray[tuple[int], np.dtype[np.int64]],
    in_a: np.ndarray[tuple[int], np.dtype[np.int64]],
    in_b: np.ndarray[tuple[int], np.dtype[np.int64]],
    rows: int,
) -> float:
    """Mutual information; exactly 0 where every pair occurs as often as chance would have it."""
    surplus = rows * n - in_a * in_b
    if not surplus.any() and int((in_a * in_b).sum()) == rows * rows:
        return 0.0
    return max(math.fsum((n * np.log1p(surplus / (in_a * in_b))).tolist()) / rows, 0.0)


def _is_harmless(name: str, kind: str, values: Sequence[str | None]) -> str:
    """SQL for whether a value of a column needs no protection."""
    column, texts = sql.name(name), [value for value in values if value is not None]
    if family(kind) == "numeric":
        listed = ", ".join(f"CAST('{float(value)!r}' AS DOUBLE)" for value in texts)
        member = f"CAST({column} AS DOUBLE) IN ({listed})"
    else:
        member = f"CAST({column} AS {sql.TEXT}) IN ({', '.join(map(sql.text, texts))})"
    known = f"coalesce({member}, false)" if texts else "false"
    return f"({known} OR {column} IS NULL)" if None in values else known


def _sensitive(table: PublishedTable) -> list[str]:
    return [column.name for column in table.columns if column.role == "sensitive"]


def promise_projected(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """All quasi-identifiers in every table, every other column in one of them.

    Which columns go together is the method's to choose; what it loses and exposes is recomputed in
    :mod:`papilio.verify.promise.projected`. A column that no table has is promised in the first.
    """
    columns = tuple(promised_columns(policy, facts.table, facts.several))
    demands = demands_of(policy, facts.table.types, facts.several)
    quasi = [column.name for column in columns if column.role == "quasi"]
    rows = rows_between(policy.privacy.suppress, facts.table.rows)
    tables, claims = [], list[Claim]()
    for name, own in _divided(facts, manifest, columns).items():
        sensitive = {column.name for column in own if column.role == "sensitive"}
        tables.append(PromisedTable(name, own, rows, left_out_at_most=policy.privacy.suppress))
        about = [d for d in demands if d[1].get("column") in {None, *sensitive}]
        if policy.classes is not None:
            about.append(("shared-classes", {}))
        claims += claims_on(about, name, quasi)
        claims += safe_cells_on(policy, name, quasi)
    limits = partial(_check_limits, limits_of(policy, facts.several))
    return Promise("projected", tuple(tables), tuple(claims), (limits,))


def limits_of(policy: Policy, several: Mapping[str, tuple[str, ...]]) -> Allowed:
    """What a policy allows projections to lose and to expose.

    Of a column with several values, a harmless value is one whose boolean column says nothing that
    needs protection, neither by true nor by false.
    """
    privacy = policy.privacy
    harmless: dict[str, tuple[str | None, ...]] = {}
    for name, said in policy.columns.items():
        flags = several.get(name)
        if flags is None:
            harmless[name] = said.harmless
            continue
        safe = {f"{name}={value}" for value in said.harmless if value is not None}
        harmless |= {flag: ("true", "false") for flag in flags if flag in safe}
    return Allowed(
        1.0 if privacy.association_loss is None else privacy.association_loss,
        1.0 if privacy.exposure is None else privacy.exposure,
        {name: values for name, values in harmless.items() if values},
        policy.bins,
    )


def _check_limits(allowed: Allowed, opened: Opened, original: str) -> Iterable[Finding]:
    return check_dependence(opened, original, allowed)


def _divided(
    facts: Facts, manifest: Manifest, columns: tuple[PromisedColumn, ...]
) -> dict[str, tuple[PromisedColumn, ...]]:
    """Columns of each table, which are named after the original and numbered from 1."""
    first = manifest.tables[0].name if manifest.tables else "_1"
    stem = facts.table.name or first.rpartition("_")[0]
    names = [f"{stem}_{number}" for number in range(1, len(manifest.tables) + 1)] or [first]
    places = dict(zip(names, manifest.tables, strict=False))
    placed = {c.name: _place(c, places) or names[0] for c in columns if c.role != "quasi"}
    return {name: tuple(c for c in columns if placed.get(c.name, name) == name) for name in names}


def _place(column: PromisedColumn, places: dict[str, PublishedTable]) -> str | None:
    """First table that has a column."""
    holding = (
        name for name, table in places.items() if column.name in {c.name for c in table.columns}
    )
    return next(holding, None)
