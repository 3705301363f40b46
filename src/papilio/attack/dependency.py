"""Dependency: columns that are published as they are and say something of what was generalised.

A town lies in one county. Where towns are generalised and counties are not, whoever knows a
person's town looks only at the rows of its county, and the class falls apart again. The same the
other way round: a school that is published says in which town it is.

The attacker knows quasi-identifiers of a person, and which of their values go with which values of
other columns, as everybody can know who has a map. That is found in the original.

Source: Nergiz, Clifton and Nergiz, "Multirelational k-anonymity", 2009, section 4, which demands
that what follows from a quasi-identifier is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.candidates import COUNT, PATTERN, Patterns, patterns_of
from papilio.attack.holdings import owners_of
from papilio.attack.known_children import Covering
from papilio.attack.result import (
    AttackResult,
    Exposed,
    in_part,
    k_for,
    parts_of,
    people,
    recipients_of,
    rows,
    someone_knowing,
)
from papilio.attack.whole_person import (
    Fit,
    original_trees,
    published_trees,
    tried_people,
)
from papilio.data.link import Snowflake
from papilio.data.table import Role, Table
from papilio.data.types import plain_text
from papilio.policy.policy import Policy
from papilio.randomness import sampling
from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.release.release import Release

NAME = "dependency"
#: Share of rows that may not follow a rule that people know.
MOST_WRONG = 0.05
#: What is left of the wrong rows of a column that says nothing, if a rule is one.
_BY_CHANCE = 0.25
#: Most ways to deal a column out by chance that a rule is compared with, and rows that are dealt
#: out in all of them: of few rows, much goes together by chance.
_DEALS, _DEALT = 5000, 1_000_000
#: Rows in which rules are looked for; columns that are tried on the left of one.
_LOOKED_AT, _LEFT = 50_000, 2
#: Pairs of a person and a kind of candidate that are looked at at once.
_BLOCK = 4_000_000
_POINT, _PEOPLE = "papilio point", "papilio people"


@dataclass(frozen=True)
class Dependency:
    """A rule that people may know.

    Attributes
    ----------
    known
        Columns of it that the attacker knows of a person.
    published
        The column of it that is published as it is.
    forward
        Whether the known columns say the published one; otherwise it says them.
    wrong
        Share of the rows that do not follow it.
    """

    known: tuple[str, ...]
    published: str
    forward: bool
    wrong: float

    def __str__(self) -> str:
        left = " and ".join(self.known)
        ends = (left, self.published) if self.forward else (self.published, left)
        often = "" if not self.wrong else ", nearly always"
        return f"{ends[0]} says {ends[1]}{often}"


def dependency(
    release: Release, original: Table | Snowflake, policy: Policy
) -> Iterator[AttackResult]:
    """Try everybody, one recipient after the other, with all rules that are found.

    Figures: ``dependencies``, rules that were found (:func:`dependencies_of`); ``people``, people
    in the original; ``below``, people who have fewer than k candidates, the rows that cover what is
    known of them and follow all rules; ``singled_out``, those who have one; ``smallest``,
    candidates of whoever has fewest. People who do not follow a rule are looked for where they are
    not, and are not counted.

    Of projections each table is tried by itself. Of linked tables the attacker knows whole people,
    and rules within each table; where there are many, ``tried`` of them are looked at, the same in
    every run.

    Not tried: rules with more than two columns on the left, that link two published columns, or
    columns of two tables.

    Cost: that of the candidates, and a few passes over at most 50,000 rows for each pair of known
    columns and each published one.
    """
    if isinstance(original, Snowflake):
        yield _of_trees(release, original, policy.privacy.k or 1)
        return
    found = [
        result
        for part in parts_of(release, original)
        for result in _of_table(release, part, policy)
    ]
    if not found:
        found = [AttackResult(NAME, "anyone", "Not tried: no column is published as it is.")]
    yield from found


def _of_table(release: Release, part: Table, policy: Policy) -> Iterator[AttackResult]:
    """Try everybody in one published table, which has a part of the original."""
    table = release.manifest.table(part.name)
    shown = [c.name for c in table.columns if c.role != "quasi" and c.cells == "value"]
    for name, columns in recipients_of(policy).items() if shown else ():
        found = dependencies_of(part.frame, columns, shown) if columns else []
        figures = _figures(release, table, part, columns, found, k_for(policy, name) or 1)
        attacker = in_part(someone_knowing(name, columns), part, release)
        exposed = (_exposed(figures, found),)
        yield AttackResult(NAME, attacker, _sentence(figures, found), figures, exposed)


def _exposed(
    figures: dict[str, int | float], found: Sequence[Dependency], table: str = ""
) -> Exposed:
    """People with fewer than k candidates; of a policy without k those who have one."""
    few = max(int(figures.get("below", 0)), int(figures.get("singled_out", 0)))
    everybody = int(figures["people"])
    of = int(figures.get("tried", everybody))
    drawn_from = None if of == everybody else everybody
    if not few:
        return Exposed(few, of, drawn_from=drawn_from)
    by = tuple(f"{table}{name}" for name in found[0].known) if found[0].forward else ()
    through = f"{table}{found[0].published}"
    return Exposed(few, of, through=through, drawn_from=drawn_from, by=by)


def _of_trees(release: Release, original: Snowflake, k: int) -> AttackResult:
    """Try people of linked tables, whose whole trees the attacker knows."""
    rules = {
        place: dependencies_of(each.table.frame, known, shown)
        for place, each in enumerate(original.tables)
        for known in [[column.name for column in each.table.with_role(Role.QUASI)]]
        for shown in [[c.name for c in _shown(release, each.name)]]
        if known and shown
    }
    found = [(place, rule) for place, several in rules.items() for rule in several]
    figures: dict[str, int | float] = {
        "dependencies": len(found),
        "people": original.person.height,
    }
    if found:
        figures |= _tree_figures(release, original, rules, k)
    attacker = "someone who knows a person's own columns and all of their rows"
    table = f"{original.tables[found[0][0]].name}." if found else ""
    exposed = (_exposed(figures, [rule for _, rule in found], table),)
    said = _sentence(figures, [rule for _, rule in found], "people")
    return AttackResult(NAME, attacker, said, figures, exposed)


def _shown(release: Release, table: str) -> list[PublishedColumn]:
    """Columns of a linked table that are published as they are, without keys."""
    return [
        column
        for column in release.manifest.table(table).columns
        if column.cells == "value" and column.role in (Role.PLAIN, Role.SENSITIVE)
    ]


def _tree_figures(
    release: Release, original: Snowflake, rules: Mapping[int, list[Dependency]], k: int
) -> dict[str, int | float]:
    looked_at = {
        original.tables[place].name: list(dict.fromkeys(rule.published for rule in several))
        for place, several in rules.items()
    }
    before = original_trees(original)
    after = published_trees(release, original, looked_at)
    tests = {
        place: [
            _consistent(original.tables[place].table.frame, rule, before.labels[place], cells)
            for rule in several
            for cells in [after.labels[place].get_column(rule.published)]
        ]
        for place, several in rules.items()
    }
    fit = Fit(release, original, before, after, tests)
    tried, sizes = tried_people(before, after), after.sizes
    left = np.array([int(sizes[fit.by_rows(person)].sum()) for person in tried.tolist()])
    found = left[left > 0]
    return {
        "k": k,
        "tried": len(tried),
        "below": int((found < k).sum()),
        "singled_out": int((found == 1).sum()),
        "smallest": int(found.min(initial=original.person.height)),
    }


def _consistent(
    frame: pl.DataFrame, rule: Dependency, values: pl.DataFrame, cells: pl.Series
) -> Covering:
    """Published labels that a rule lets be a label of the original."""
    known = list(rule.known)
    both = pl.concat([frame.select(known), values.select(known)])
    codes = _coded(both, known)
    left = codes[: frame.height]
    table = pl.DataFrame({"left": left, "right": plain_text(frame.get_column(rule.published))})
    told = _said(table, "left", "right", forward=rule.forward)
    allowed: dict[int, set[Any]] = {}
    for one, other in told.rows():
        allowed.setdefault(one, set()).add(other)
    labels, published = codes[frame.height :], plain_text(cells).to_list()

    def fits(label: int) -> NDArray[np.bool_]:
        these = allowed.get(int(labels[label]), set())
        return np.array([each in these for each in published], bool)

    return fits


def dependencies_of(
    frame: pl.DataFrame, known: Sequence[str], published: Sequence[str]
) -> list[Dependency]:
    r"""Find rules between known columns, one or two of them, and published ones.

    X says Y if at most 5 % of the rows must go until every value of X has one of Y,
    :math:`1 - \frac{1}{n} \sum_x \max_y n_{xy}` (g_3 of Kivinen and Mannila, 1995), that is at most
    a quarter of what it is on average if Y is dealt out by chance, and it is never as little then.
    So columns with nearly as many values as rows, which say everything of the rows at hand and
    nothing of others, make no rule, nor does what goes together by accident in a few rows.
    """
    if frame.height > _LOOKED_AT:
        frame = frame[sampling().permutation(frame.height)[:_LOOKED_AT]]
    codes = {name: _coded(frame, [name]) for name in dict.fromkeys([*known, *published])}
    found: list[Dependency] = []
    for name in (each for each in published if codes[each].max(initial=0) > 0):
        for columns in (each for size in range(1, _LEFT + 1) for each in combinations(known, size)):
            if any(set(d.known) < set(columns) for d in found if d.published == name and d.forward):
                continue
            left = codes[columns[0]] if len(columns) == 1 else _coded(frame, columns)
            found += _rules(columns, name, left, codes[name])
    return found


def _rules(
    columns: tuple[str, ...],
    name: str,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
) -> Iterator[Dependency]:
    # What says two columns says each of them.
    for forward in (True, False) if len(columns) == 1 else (True,):
        one, other = (left, right) if forward else (right, left)
        wrong = _wrong(one, other)
        if wrong <= MOST_WRONG and _beyond_chance(one, other, wrong):
            yield Dependency(columns, name, forward, wrong)


def _beyond_chance(one: NDArray[np.int64], other: NDArray[np.int64], wrong: float) -> bool:
    """Whether a column says far more of another than it does of what chance deals out."""
    chance, total = sampling(), 0.0
    deals = max(1, min(_DEALS, _DEALT // max(len(one), 1)))
    for _ in range(deals):
        by_chance = _wrong(one, other[chance.permutation(len(one))])
        if by_chance <= wrong:
            return False
        total += by_chance
    usual = total / deals
    return usual > MOST_WRONG and wrong <= _BY_CHANCE * usual


def _coded(frame: pl.DataFrame, columns: Sequence[str]) -> NDArray[np.int64]:
    """Number the combinations of some columns; NULL is a value."""
    numbered = frame.select(columns).with_row_index("papilio row")
    first = numbered.select(pl.col("papilio row").first().over(list(columns)))
    return np.unique(first.to_series().to_numpy(), return_inverse=True)[1].astype(np.int64)


def _wrong(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Share of rows that must go until each value of one column has one of the other."""
    if not len(one):
        return 0.0
    pairs, counts = np.unique(one * (int(other.max()) + 1) + other, return_counts=True)
    most = np.zeros(int(one.max()) + 1, np.int64)
    np.maximum.at(most, pairs // (int(other.max()) + 1), counts)
    return 1 - int(most.sum()) / len(one)


def _figures(
    release: Release,
    table: PublishedTable,
    original: Table,
    columns: Sequence[str],
    found: Sequence[Dependency],
    k: int,
) -> dict[str, int | float]:
    owners = np.arange(original.height) if original.people is None else owners_of(original)
    told: dict[str, int | float] = {"dependencies": len(found), "people": len(np.unique(owners))}
    if not found:
        return told
    left = candidates_by_rules(release, table, original, columns, found)
    some = left > 0
    return {
        **told,
        "k": k,
        "below": len(np.unique(owners[some & (left < k)])),
        "singled_out": len(np.unique(owners[left == 1])),
        "smallest": int(left[some].min()) if some.any() else 0,
    }


def candidates_by_rules(
    release: Release,
    table: PublishedTable,
    original: Table,
    columns: Sequence[str],
    found: Sequence[Dependency],
) -> NDArray[np.int64]:
    """Count the published rows that may be each row of the original, given some rules.

    Cost: for everybody the kinds of rows among their candidates, by the published columns that
    rules are about.
    """
    shown = list(dict.fromkeys(each.published for each in found))
    seen = patterns_of(release, table, original, columns, shown)
    person = seen.people.with_columns(
        pl.Series(f"papilio left {place}", _coded(original.frame, each.known))
        for place, each in enumerate(found)
    )
    lefts = [f"papilio left {place}" for place in range(len(found))]
    points = person.select(PATTERN, *lefts).unique(maintain_order=True).with_row_index(_POINT)
    counted = _counted(points.drop_nulls(PATTERN), person, seen, shown, found)
    joined = person.join(points, on=[PATTERN, *lefts], how="left", nulls_equal=True)
    told = joined.join(counted, on=_POINT, how="left", maintain_order="left")
    return told.get_column(COUNT).fill_null(0).cast(pl.Int64).to_numpy()


def _counted(
    points: pl.DataFrame,
    person: pl.DataFrame,
    seen: Patterns,
    shown: list[str],
    found: Sequence[Dependency],
) -> pl.DataFrame:
    kinds = seen.candidates(shown)
    told = [
        _said(person, f"papilio left {place}", each.published, forward=each.forward)
        for place, each in enumerate(found)
    ]
    size = kinds.group_by(PATTERN).len("papilio size")
    reached = points.join(size, on=PATTERN).with_columns(
        (pl.col("papilio size").cast(pl.Int64).cum_sum() // _BLOCK).alias("papilio block")
    )
    parts = [pl.DataFrame(schema={_POINT: pl.UInt32, COUNT: pl.Int64})]
    for block in reached.partition_by("papilio block"):
        pairs = block.join(kinds, on=PATTERN)
        for place, each in enumerate(found):
            ends = [f"papilio left {place}", each.published]
            pairs = pairs.join(told[place], on=ends, how="semi", nulls_equal=True)
        parts.append(pairs.group_by(_POINT).agg(pl.col(COUNT).sum().cast(pl.Int64)))
    return pl.concat(parts)


def _said(person: pl.DataFrame, left: str, right: str, *, forward: bool) -> pl.DataFrame:
    """Pairs of values that go together by a rule: a value says what it most often has."""
    one, other = (left, right) if forward else (right, left)
    counts = person.group_by(left, right).len("papilio rows")
    most = counts.sort("papilio rows", other, descending=[True, False])
    return most.unique(one, keep="first", maintain_order=True).select(left, right)


def _sentence(
    figures: dict[str, int | float], found: Sequence[Dependency], left: str = "rows"
) -> str:
    if not found:
        return (
            "No column that is published as it is follows from what is known, or says something "
            "of it."
        )
    total = int(figures.get("tried", figures["people"]))
    rules = "; ".join(map(str, found[:3])) + ("; and others" if len(found) > 3 else "")
    below, alone = int(figures["below"]), int(figures["singled_out"])
    if not below:
        number = int(figures["smallest"])
        fewest = rows(number) if left == "rows" else f"{number:,} {left}"
        return f"Who knows the rules ({rules}) is left with {fewest} or more for everybody."
    return (
        f"Who knows the rules ({rules}) is left with fewer than {figures['k']} {left} for "
        f"{people(below, total)}, with one for {people(alone, total)}; {_advice(found[0])}."
    )


def _advice(rule: Dependency) -> str:
    if rule.forward and len(rule.known) == 1:
        return f"let {rule.published} follow {rule.known[0]}, make it quasi, or leave it out"
    return f"make {rule.published} quasi as well, or leave it out"
