"""Background join: what knowing one sensitive value of a person reveals of the others.

Source: Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011), section 1,
example 2: somebody who finds a person's class and knows one of their sensitive values keeps the
rows of the class that have it, and reads the other sensitive columns there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.candidates import COUNT, PATTERN, Patterns, patterns_of
from papilio.attack.holdings import owners_of
from papilio.attack.result import AttackResult, Exposed, people
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "background_join"


@dataclass(frozen=True, eq=False)
class _Joined:
    """What joining one table yields, summed over ordered pairs of its columns.

    ``before`` and ``after`` are means over people, ``certain`` and ``learnt`` count people, and
    ``of_column`` those of whom a column becomes certain.
    """

    pairs: int
    people: int
    before: float
    after: float
    certain: float
    learnt: int
    of_column: dict[str, int]


def background_join(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    r"""Try everybody with each of their sensitive values, table by table.

    Of the candidates of a person (rows whose cells cover their quasi-identifiers) those with the
    known value remain. The chance of guessing another value right is the share of the remaining
    candidates that have the person's own.

    Figures, per table and for all of them together: ``people``; ``pairs``, ordered pairs of a
    known and another sensitive column (across tables the known value does not help, and the
    chance stays what it was); ``before`` and ``after``, mean chance of guessing a value without
    and with the known one, over people and pairs; ``certain``, mean number of pairs per person
    in which the other value is certain with the known one and was not without; ``learnt``, people
    with at least one such pair. If the original says whose rows they are, chances are means over
    the rows of a person first, and a pair is certain if it is for one of their rows.

    A release with one sensitive column yields nothing. Not tried: several known values, or
    knowledge of how columns depend on each other.

    Cost: two groupings of each table per ordered pair of its sensitive columns.
    """
    several = original.people is not None
    owners = owners_of(original) if several else np.arange(original.height)
    found, knowing = [], f"someone who knows {', '.join(policy.quasi)}"
    for table in release.manifest.tables:
        told = [c for c in table.columns if c.role == "sensitive" and c.cells == "value"]
        # Finding everybody's candidates takes long, and without two values there is no pair.
        if len(told) > 1:
            seen = patterns_of(release, table, original)
            found.append(_join(seen, owners))
            yield _result(found[-1], f"of {table.name}", len(seen.sensitive), knowing)
    columns = [c.role for table in release.manifest.tables for c in table.columns]
    count = columns.count("sensitive")
    if count > 1 and len(release.manifest.tables) > 1:
        yield _together(found, count, original.height, knowing)


def _join(seen: Patterns, owners: NDArray[np.int64]) -> _Joined:
    pairs = list(permutations(seen.sensitive, 2))
    before = after = 0.0
    newly = np.zeros(int(owners.max(initial=-1)) + 1)
    sure = {name: np.zeros(len(newly), bool) for name in seen.sensitive}
    for known, wanted in pairs:
        told = _by_person(_pair(seen, known, wanted), owners)
        before += float(told["before"].mean())  # type: ignore[arg-type]
        after += float(told["after"].mean())  # type: ignore[arg-type]
        newly += told["sure"].to_numpy()
        sure[wanted] |= told["sure"].to_numpy() > 0
    learnt = int((newly > 0).sum())
    of_column = {name: int(known.sum()) for name, known in sure.items()}
    return _Joined(len(pairs), len(newly), before, after, float(newly.sum()), learnt, of_column)


def _by_person(told: pl.DataFrame, owners: NDArray[np.int64]) -> pl.DataFrame:
    """Chances as means over the rows of each person, and whether one of them became certain."""
    if len(owners) == int(owners.max(initial=-1)) + 1:
        return told
    whose = told.with_columns(pl.Series("person", owners)).group_by("person")
    return whose.agg(pl.col("before", "after").mean(), pl.col("sure").max()).sort("person")


def _pair(seen: Patterns, known: str, wanted: str) -> pl.DataFrame:
    """For each person: chances before and after, and whether a value is newly certain."""
    both = seen.candidates([known, wanted]).with_columns(
        pl.col(COUNT).sum().over(PATTERN, known).alias("given"),
        pl.col(COUNT).sum().over(PATTERN, wanted).alias("own"),
        pl.col(COUNT).sum().over(PATTERN).alias("every"),
    )
    told = seen.people.join(both, on=[PATTERN, known, wanted], how="left", maintain_order="left")
    certain = (pl.col(COUNT) == pl.col("given")) & (pl.col("own") < pl.col("every"))
    return told.select(
        (pl.col("own") / pl.col("every")).fill_null(0.0).alias("before"),
        (pl.col(COUNT) / pl.col("given")).fill_null(0.0).alias("after"),
        certain.fill_null(value=False).cast(pl.Int64).alias("sure"),
    )


def _result(found: _Joined, where: str, columns: int, knowing: str) -> AttackResult:
    before, after = found.before / found.pairs, found.after / found.pairs
    figures: dict[str, int | float] = {
        "people": found.people,
        "pairs": found.pairs,
        "before": before,
        "after": after,
        "certain": found.certain / found.people,
        "learnt": found.learnt,
    }
    sentence = (
        f"Knowing one of the {columns} sensitive columns {where}, another one is guessed with a "
        f"chance of {after:.0%} on average, {before:.0%} without; a value becomes certain of "
        f"{people(found.learnt, found.people)}."
    )
    exposed = tuple(
        Exposed(number, found.people, column) for column, number in found.of_column.items()
    )
    attacker = f"{knowing} and a sensitive value {where}"
    return AttackResult(NAME, attacker, sentence, figures, exposed)


def _together(found: list[_Joined], columns: int, total: int, knowing: str) -> AttackResult:
    """All ordered pairs of sensitive columns; those of different tables gain nothing."""
    pairs = columns * (columns - 1)
    inside = sum(each.pairs for each in found)
    gain = sum(each.after - each.before for each in found) / pairs
    certain = sum(each.certain for each in found) / total
    figures: dict[str, int | float] = {
        "people": total,
        "pairs": pairs,
        "inside": inside,
        "gain": gain,
        "certain": certain,
    }
    sentence = (
        f"Knowing one of the {columns} sensitive columns raises the chance of guessing another by "
        f"{100 * gain:.1f} points, on average over people and all {pairs} ordered pairs, of which "
        f"{inside} are in one table; in {certain:.2f} of the pairs of a person, on average, the "
        "other becomes certain."
    )
    return AttackResult(NAME, f"{knowing} and any one sensitive value", sentence, figures)
