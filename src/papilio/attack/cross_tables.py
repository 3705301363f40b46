"""Cross tables: a dependency between columns of different tables that everybody knows.

A drug is given for some illnesses only. Illness stands in one table and drug in another, each with
classes of its own. Whoever knows a person's quasi-identifiers finds the rows that may be theirs in
either table, and keeps those that go with one of the other table. Each class alone has l different
values; what is left of it need not.

Source: Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011), sections 6.1
and 6.2, which assume that such a dependency does not help; if tables have classes of their own, it
does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.candidates import PATTERN, PERSON, patterns_of
from papilio.attack.result import AttackResult, Exposed, people
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.randomness import sampling
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release

NAME = "cross_tables"
#: How likely anything at all is taken for a rule that is none.
_ERROR = 0.001
#: People that are looked at; pairs of candidates that are looked at at once.
_LOOKED_AT, _BLOCK = 100_000, 4_000_000
_LEAST_L = "distinct-l-diversity"
_GROUP, _KIND, _OTHER, _MANY = "group", "kind", "other", "people"

#: Names of two columns of different tables -> the pairs of values that go together, one a row.
Support: TypeAlias = Mapping[tuple[str, str], pl.DataFrame]


def cross_tables(
    release: Release, original: Table, policy: Policy, support: Support | None = None
) -> Iterator[AttackResult]:
    """Try everybody with the rows that may be theirs in each table.

    The attacker knows the quasi-identifiers of a person, and which values of columns of different
    tables go together. Left out, ``support`` is found in the original
    (:func:`values_that_never_meet`): pairs of values that never meet although by chance they would.

    Figures: ``people`` who are looked at; ``rules``, pairs of columns whose values are known not to
    go together all; ``below``, people of whom fewer values of a column are left than are demanded
    (two, if nothing is), although each table alone leaves enough; ``certain``, those of whom one
    is left, although each table alone leaves several; ``least``, values left of whoever has fewest.

    For two tables that is exact: a value is left if and only if some row with it and some row of
    the other table can both be the person's. With more tables, a row must go with one of each other
    table, which is necessary and not always enough. Not tried: that the rows of all other people
    have to fit together as well.

    Cost: that of the candidates, and pairs of them per person; of more than 100,000 people a sample
    of so many is looked at, the same in every run.
    """
    del policy
    tables = release.manifest.tables
    if len(tables) < 2:
        yield AttackResult(NAME, "anyone", "Not tried: there is one table, and nothing to join.")
        return
    seen = [_Seen.of(release, table, original) for table in tables]
    rules = {
        (one, other): found
        for one, other in combinations(range(len(seen)), 2)
        if (found := _rules(seen[one], seen[other], _given(seen, original, support)))
    }
    yield _result(release, seen, rules)


@dataclass(frozen=True, eq=False)
class _Seen:
    """A table as the attacker looks at it.

    ``kinds`` has a line for each combination of values that is published, and ``rows`` says which
    of them each pattern has. ``own`` are the values of people, in the order of people.
    """

    names: tuple[str, ...]
    sensitive: tuple[str, ...]
    pattern: pl.Series
    own: pl.DataFrame
    kinds: pl.DataFrame
    rows: pl.DataFrame

    @classmethod
    def of(cls, release: Release, table: PublishedTable, original: Table) -> _Seen:
        """Plain columns tell as much of other tables as sensitive ones."""
        shown = {c.name: c for c in table.columns if c.role != "quasi" and c.cells == "value"}
        names = tuple(shown)
        seen = patterns_of(release, table, original, values=names)
        ordered = seen.people.sort(PERSON)
        kinds = seen.rows.select(names).unique(maintain_order=True).with_row_index(_KIND)
        rows = seen.candidates(names).join(kinds, on=names, nulls_equal=True)
        return cls(
            names,
            tuple(name for name in names if shown[name].role == "sensitive"),
            ordered.get_column(PATTERN),
            ordered.select(names),
            kinds.with_columns(pl.col(_KIND).cast(pl.Int64)),
            rows.select(PATTERN, pl.col(_KIND).cast(pl.Int64)),
        )


Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rule:
    """Values of two columns, by number, that never meet.

    Attributes
    ----------
    together
        Pairs that meet, as first * width + second, ascending.
    width
        How many values the second column has.
    first, second
        Values that go with those only that they meet.
    product
        Numbers of rows of both values from whose product on a pair that never meets is known not
        to; with the numbers of rows themselves.
    """

    together: Numbers
    width: int
    first: NDArray[np.bool_]
    second: NDArray[np.bool_]
    product: tuple[float, Numbers, Numbers]

    def allows(self, one: Numbers, other: Numbers) -> NDArray[np.bool_]:
        """Whether values may be a person's together."""
        key = one * self.width + other
        place = np.searchsorted(self.together, key).clip(max=len(self.together) - 1)
        least, many, few = self.product
        known = self.first[one] | self.second[other] | (many[one] * few[other] >= least)
        allowed: NDArray[np.bool_] = (self.together[place] == key) | ~known
        return allowed


def values_that_never_meet(first: Numbers, second: Numbers, tests: int) -> Rule | None:
    r"""Find the pairs of values that never meet although by chance they would.

    If columns were dealt out at random, values of a and b of n rows would miss each other with a
    chance of at most :math:`e^{-ab/n}`, and the values that a value meets would hardly ever be far
    fewer than their mean: :math:`P(D \le d) \le e^{-(E - d)^2 / 2E}`, because in samples without
    replacement whether one value occurs makes others less likely. Nor would there be far fewer
    pairs in all: two people who change places change them by at most 2, so that
    :math:`P(D \le d) \le e^{-(E - d)^2 / 8n}` (Azuma's inequality).

    A pair is known not to meet if the first, a value is known to meet only what it meets if the
    second, and every value if the third is below 1 in 1000 over all that is tested; the third only
    if there are less than half as many pairs as by chance. So of independent columns nothing is
    found in 999 of 1000 tables.

    Parameters
    ----------
    first, second
        Values of people, by number from 0.
    tests
        How many tests are made in all, over all pairs of columns.
    """
    rows, width = len(first), int(second.max()) + 1
    together = np.unique(first * width + second)
    many, few = np.bincount(first), np.bincount(second)
    least = math.log(tests / _ERROR)
    sparse, means = [], []
    for mine, place, theirs in ((many, together // width, few), (few, together % width, many)):
        met, mean = np.bincount(place, minlength=len(mine)), _meet_by_chance(mine, theirs)
        sparse.append((met < mean) & ((mean - met) ** 2 >= 2 * mean * least))
        means.append(float(mean.sum()))
    if 2 * len(together) < means[0] and (means[0] - len(together)) ** 2 >= 8 * rows * least:
        sparse = [np.ones_like(each) for each in sparse]
    rule = Rule(together, width, sparse[0], sparse[1], (least * rows, many, few))
    met = many[together // width] * few[together % width] >= least * rows
    heavy = _products(many, few, least * rows) > int(met.sum())
    return rule if heavy or sparse[0].any() or sparse[1].any() else None


def _meet_by_chance(mine: Numbers, theirs: Numbers) -> NDArray[np.float64]:
    """How many values of another column each value would meet by chance, at least."""
    sizes, which = np.unique(mine, return_inverse=True)
    others, times = np.unique(theirs, return_counts=True)
    parts = np.array_split(sizes, max(1, len(sizes) * len(others) // _BLOCK))
    expected = [-np.expm1(-np.outer(part, others) / mine.sum()) @ times for part in parts]
    mean: NDArray[np.float64] = np.concatenate(expected)[which]
    return mean


def _products(many: Numbers, few: Numbers, least: float) -> int:
    """How many pairs of values have numbers of rows whose product is at least so large."""
    ordered = np.sort(few)
    return int((len(ordered) - np.searchsorted(ordered, least / many[many > 0])).sum())


_Rules: TypeAlias = list[tuple[str, str, Rule]]


def _rules(one: _Seen, other: _Seen, given: Mapping[tuple[str, str], Rule] | None) -> _Rules:
    pairs = [(a, b) for a in one.names for b in other.names]
    if given is not None:
        return [(a, b, given[a, b]) for a, b in pairs if (a, b) in given]
    sizes = {
        name: int(side.own.get_column(name).max()) + 1  # type: ignore[arg-type]
        for side in (one, other)
        for name in side.names
    }
    # Every pair of values, and every value, of every pair of columns.
    tests = sum((sizes[a] + 1) * (sizes[b] + 1) for a, b in pairs) * 8
    found = [
        (a, b, values_that_never_meet(_column(one, a), _column(other, b), tests)) for a, b in pairs
    ]
    return [(a, b, rule) for a, b, rule in found if rule is not None]


def _column(seen: _Seen, name: str) -> Numbers:
    return seen.own.get_column(name).to_numpy().astype(np.int64)


def _given(
    seen: Sequence[_Seen], original: Table, support: Support | None
) -> dict[tuple[str, str], Rule] | None:
    """Pairs of values that somebody says go together, by the numbers of the values."""
    if support is None:
        return None
    own = {name: each.own.get_column(name) for each in seen for name in each.names}
    found = {}
    for (one, other), frame in support.items():
        for first, second, names in ((one, other, [0, 1]), (other, one, [1, 0])):
            pairs = frame.select(frame.columns[names[0]], frame.columns[names[1]])
            numbers = [
                _numbers(values, original.frame.get_column(name), own[name])
                for values, name in zip(pairs, (first, second), strict=True)
            ]
            known = pl.DataFrame(numbers).drop_nulls().to_numpy().astype(np.int64)
            many, few = (np.bincount(own[name].to_numpy()) for name in (first, second))
            keys = np.unique(known[:, 0] * len(few) + known[:, 1])
            every = np.ones(len(many), bool), np.ones(len(few), bool)
            found[first, second] = Rule(
                keys if len(keys) else np.array([-1]), len(few), *every, (math.inf, many, few)
            )
    return found


def _numbers(values: pl.Series, original: pl.Series, own: pl.Series) -> pl.Series:
    """Numbers that values have in the release; NULL for those that nobody has."""
    text = pl.DataFrame({"value": original.cast(pl.String), "number": own}).unique("value")
    asked = pl.DataFrame({"value": values.cast(pl.String)})
    told = asked.join(text, on="value", how="left", nulls_equal=True, maintain_order="left")
    return told.get_column("number").alias(values.name)


def _result(
    release: Release, seen: list[_Seen], rules: Mapping[tuple[int, int], _Rules]
) -> AttackResult:
    groups = pl.DataFrame([each.pattern.alias(f"p{at}") for at, each in enumerate(seen)])
    looked_at = groups
    if groups.height > _LOOKED_AT:
        looked_at = groups[sampling().permutation(groups.height)[:_LOOKED_AT]]
    together = looked_at.drop_nulls().group_by(pl.all()).len(_MANY)
    least = _demanded(release)
    counts = {name: 0 for each in seen for name in each.sensitive}
    below = certain = 0
    fewest = math.inf
    for part in _parts(together, seen) if rules else ():
        left = _left(part, seen, rules)
        told = part.get_column(_MANY).to_numpy()
        short, sure = np.zeros(len(told), bool), np.zeros(len(told), bool)
        for name, (before, after) in left.items():
            demanded = max(least.get(name, 2), 2)
            fewer = (after > 0) & (after < demanded) & (before >= demanded)
            known = (after == 1) & (before > 1)
            counts[name] += int(told[fewer | known].sum())
            short, sure = short | fewer | known, sure | known
            fewest = min(fewest, int(after[after > 0].min(initial=np.iinfo(np.int64).max)))
        below, certain = below + int(told[short].sum()), certain + int(told[sure].sum())
    figures: dict[str, int | float] = {
        "people": looked_at.height,
        "rules": sum(len(each) for each in rules.values()),
        "below": below,
        "certain": certain,
    }
    if fewest < math.inf:
        figures["least"] = int(fewest)
    exposed = tuple(Exposed(n, looked_at.height, name) for name, n in counts.items())
    attacker = "someone who knows which values of columns of different tables go together"
    return AttackResult(NAME, attacker, _sentence(figures, groups.height), figures, exposed)


def _demanded(release: Release) -> dict[str, int]:
    """How many different values of a column are claimed of every class."""
    claims = [each for each in release.manifest.claims if each.claim == _LEAST_L]
    return {str(each.parameters["column"]): int(each.parameters["l"]) for each in claims}


def _parts(together: pl.DataFrame, seen: list[_Seen]) -> Iterator[pl.DataFrame]:
    """Groups of people with the same candidates, as many as fit into memory at once."""
    numbered = together.with_row_index(_GROUP).with_columns(pl.col(_GROUP).cast(pl.Int64))
    wide = numbered
    for at, each in enumerate(seen):
        kinds = each.rows.group_by(PATTERN).len(f"n{at}").rename({PATTERN: f"p{at}"})
        wide = wide.join(kinds, on=f"p{at}", how="left", maintain_order="left")
    counted = wide.select(f"n{at}" for at in range(len(seen))).fill_null(0).to_numpy()
    largest = np.sort(counted.astype(np.int64), axis=1)[:, -2:].prod(axis=1)
    blocks = np.cumsum(largest) // _BLOCK
    for (_,), part in numbered.with_columns(pl.Series("block", blocks)).group_by("block"):
        yield part.with_columns(pl.int_range(pl.len()).alias(_GROUP))


def _left(
    part: pl.DataFrame, seen: list[_Seen], rules: Mapping[tuple[int, int], _Rules]
) -> dict[str, tuple[Numbers, Numbers]]:
    """Per column, how many values each group has before and after rows were put side by side."""
    first = [
        part.select(_GROUP, pl.col(f"p{at}").alias(PATTERN))
        .join(each.rows, on=PATTERN)
        .select(_GROUP, _KIND)
        for at, each in enumerate(seen)
    ]
    rows, going = list(first), True
    while going:
        going = False
        for (one, other), known in rules.items():
            kept = _kept(rows[one], rows[other], (seen[one], seen[other]), known)
            going |= any(a.height < rows[b].height for a, b in zip(kept, (one, other), strict=True))
            rows[one], rows[other] = kept
        going &= len(seen) > 2
    found = {}
    for each, before, after in zip(seen, first, rows, strict=True):
        for name in each.sensitive:
            found[name] = tuple(_values(side, each, name, part.height) for side in (before, after))
    return found  # type: ignore[return-value]


def _kept(
    one: pl.DataFrame, other: pl.DataFrame, seen: tuple[_Seen, _Seen], known: _Rules
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Candidates of either table that go with one of the other."""
    both = one.join(other.rename({_KIND: _OTHER}), on=_GROUP)
    kinds = both.get_column(_KIND).to_numpy(), both.get_column(_OTHER).to_numpy()
    allowed = np.ones(both.height, bool)
    for a, b, rule in known:
        values = (
            side.kinds.get_column(name).to_numpy().astype(np.int64)[kind]
            for side, name, kind in zip(seen, (a, b), kinds, strict=True)
        )
        allowed &= rule.allows(*values)
    fit = both.filter(pl.Series(allowed))
    return (
        fit.select(_GROUP, _KIND).unique(),
        fit.select(_GROUP, pl.col(_OTHER).alias(_KIND)).unique(),
    )


def _values(rows: pl.DataFrame, seen: _Seen, name: str, groups: int) -> Numbers:
    told = rows.join(seen.kinds.select(_KIND, name), on=_KIND).select(_GROUP, name).unique()
    return np.bincount(told.get_column(_GROUP).to_numpy(), minlength=groups).astype(np.int64)


def _sentence(figures: Mapping[str, int | float], every: int) -> str:
    total = int(figures["people"])
    if not figures["rules"]:
        return (
            "No values of columns of different tables are known not to go together, so that "
            "putting tables side by side tells nothing more."
        )
    among = "" if total == every else f" of a sample of {total:,} people"
    return (
        f"Rows of different tables that cannot be one person's leave fewer values than are "
        f"demanded to {people(int(figures['below']), total)}{among}, and make a value certain of "
        f"{people(int(figures['certain']), total)}, where each table alone does not."
    )
