"""Tables 1a, 2a and 2b of the hybrid recoding paper, against a search of all groupings.

The paper calls 2a and 2b optimal without naming a metric. Every division of the ten rows into
groups of at least two is tried here: 2a and 2b are optimal in terms of discernibility; in terms of
NCP only 2a is.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import polars as pl
import pytest

from papilio.data.encode import encode
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.families.generalising.bottom_up import bottom_up
from papilio.families.generalising.hybrid import Metric, Objective, hybrid
from papilio.families.generalising.improve import improve
from papilio.families.generalising.top_down import relaxed_mondrian, strict_mondrian
from papilio.kernels.demand import Demand
from papilio.randomness import Randomness

K = 2
AGES = [20, 20, 20, 30, 30, 40, 40, 50, 50, 50]
ZIPS = [101, 101, 101, 102, 103, 102, 103, 104, 104, 104]
TABLE_1A = list(zip(AGES, ZIPS, strict=True))
TABLE_2A = [[0, 1, 2], [3, 4], [5, 6], [7, 8, 9]]
TABLE_2B = [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]


def partitions(rows):
    """All divisions of some rows into groups of at least K."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for chosen in range(2 ** len(rest)):
        others = [row for place, row in enumerate(rest) if chosen >> place & 1]
        if len(others) >= K - 1:
            left = [row for row in rest if row not in others]
            for tail in partitions(left):
                yield [[first, *others], *tail]


def box(group):
    """Smallest and largest value of a group on each attribute."""
    return [
        (min(values), max(values)) for values in zip(*(TABLE_1A[row] for row in group), strict=True)
    ]


def overlap(one, other):
    return all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(box(one), box(other), strict=True))


def is_global(groups):
    """Whether every point of the domain belongs to at most one box."""
    return not any(
        overlap(one, other) for place, one in enumerate(groups) for other in groups[:place]
    )


def dm(groups):
    return sum(len(group) ** 2 for group in groups)


def ncp(groups):
    """Sum over all cells, as in the paper; not the mean."""
    domain = box(range(len(TABLE_1A)))
    return sum(
        Fraction(high - low, most - least) * len(group)
        for group in groups
        for (low, high), (least, most) in zip(box(group), domain, strict=True)
    )


def answered(groups):
    """Instances that match the eight queries of one value on one attribute."""
    return sum(
        len(group)
        for attribute, values in enumerate((AGES, ZIPS))
        for value in sorted(set(values))
        for group in groups
        if box(group)[attribute][0] <= value <= box(group)[attribute][1]
    )


@cache
def every():
    return list(partitions(list(range(len(TABLE_1A)))))


def test_the_search_is_complete():
    # Divisions of ten things without a group of one: A000296(10).
    assert len(every()) == 17722
    assert len({frozenset(map(frozenset, groups)) for groups in every()}) == 17722


def test_queries_find_24_and_32_instances():
    assert answered(TABLE_2A) == 24
    assert answered(TABLE_2B) == 32


def test_table_2b_has_five_groups():
    assert len(TABLE_2B) == 5
    assert is_global(TABLE_2A)
    assert not is_global(TABLE_2B)


def test_discernibility_optima():
    assert min(dm(groups) for groups in every() if is_global(groups)) == 26 == dm(TABLE_2A)
    assert min(map(dm, every())) == 20 == dm(TABLE_2B)


def test_ncp_optimum_is_the_same_under_both_models():
    best = Fraction(4, 3)
    assert min(ncp(groups) for groups in every() if is_global(groups)) == best == ncp(TABLE_2A)
    assert min(map(ncp, every())) == best
    assert ncp(TABLE_2B) == 4


@pytest.fixture(scope="module")
def encoded():
    columns = tuple(Column(name, Role.QUASI, ColumnType.NUMERIC) for name in ("age", "zipcode"))
    frame = pl.DataFrame({"age": AGES, "zipcode": ZIPS})
    return encode(Table("medical", frame, columns), columns)


def groups_of(classes):
    return [classes.rows[a:b].tolist() for a, b in pairwise(classes.starts)]


@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize("objective", Objective)
def test_the_global_phase_finds_table_2a_or_its_transpose(encoded, metric, objective):
    found = groups_of(hybrid(encoded, Demand(K), metric=metric, objective=objective, local=False))
    assert is_global(found)
    assert (dm(found), ncp(found), answered(found)) == (26, Fraction(4, 3), 24)


@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize("objective", Objective)
def test_hybrid_reaches_the_ncp_optimum(encoded, metric, objective):
    assert ncp(groups_of(hybrid(encoded, Demand(K), metric=metric, objective=objective))) == (
        Fraction(4, 3)
    )


def test_no_method_beats_the_search(encoded):
    least = {"dm": min(map(dm, every())), "ncp": min(map(ncp, every()))}
    for classes in (
        strict_mondrian(encoded, Demand(K)),
        relaxed_mondrian(encoded, Demand(K), Randomness(1)),
        bottom_up(encoded, Demand(K)),
        improve(encoded, strict_mondrian(encoded, Demand(K)), Demand(K)).classes,
    ):
        groups = groups_of(classes)
        assert sorted(row for group in groups for row in group) == list(range(len(TABLE_1A)))
        assert min(map(len, groups)) >= K
        assert dm(groups) >= least["dm"]
        assert ncp(groups) >= least["ncp"]
