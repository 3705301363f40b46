"""The help table against all choices of cells, and the tables of the paper."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest

from oracles import permuted_group as oracle
from papilio import KE, Policy, publish
from papilio.families.grouped.help_table import help_table
from sizes import COMPILED

#: Table 2.1 without names, which are identifiers.
PAPER = pl.DataFrame(
    {
        "age": [35, 38, 40, 41, 43, 47, 52, 53, 58],
        "zipcode": [27101, 27120, 27130, 27229, 27269, 27243, 27656, 27686, 27635],
        "gender": list("MMMFFMMFM"),
        "salary": [54000, 55000, 56000, 65000, 75000, 70000, 80000, 75000, 85000],
    }
)
ROLES = {"age": "quasi", "zipcode": "quasi", "gender": "quasi", "salary": "sensitive"}


def table_of(groups, kind=pl.Int64):
    """Help table of groups of values, as rows of a dictionary by group and hits."""
    cells = pl.Series([value for group in groups for value in group], dtype=kind)
    sizes = np.array([len(group) for group in groups])
    frame = help_table(cells, cells, np.zeros(len(cells)), sizes, sizes, "group")
    return {(row["group"], row["hits"]): row for row in frame.to_dicts()}


def paper_release():
    """Tables 2.2 and 2.3: of the two people with 75,000, one per group, chance says which."""
    policy = Policy(columns=ROLES, privacy=KE(3, 2000), minimise="groups")
    for seed in range(100):
        release = publish(PAPER, policy, name="people", seed=seed)
        groups = dict(release.tables["people"].select("age", "group").iter_rows())
        if groups[43] == groups[47] and groups[53] == groups[52]:
            return release
    raise AssertionError("people with 75,000 are never dealt as in the paper")


def random_groups(draw, real):
    groups = []
    while len(groups) < 3:
        size = draw.randint(1, 6)
        group = [draw.choice((None, *range(-4, 9))) for _ in range(size)]
        if real:
            group = [None if value is None else value * 0.1 for value in group]
        if any(value is not None for value in group):
            groups.append(group)
    return groups


@pytest.mark.parametrize("real", [False, True])
def test_bounds_are_those_of_all_choices(real):
    draw = random.Random(11)
    for _ in range(150 if COMPILED else 20):
        groups = random_groups(draw, real)
        found = table_of(groups, pl.Float64 if real else pl.Int64)
        assert len(found) == sum(map(len, groups))
        for (group, hits), row in found.items():
            for name, wanted in oracle.help_row(groups[group - 1], hits).items():
                if name[-3:] in ("_lo", "_hi") and not real and not name.startswith("avg"):
                    assert row[name] == wanted, (name, groups[group - 1], hits)
                else:
                    assert math.isclose(row[name], wanted, rel_tol=1e-12, abs_tol=1e-12), name


def test_sums_of_doubles_are_rounded_once():
    draw = random.Random(5)
    values = [draw.uniform(-1, 1) * 10 ** draw.randint(-8, 8) for _ in range(40)]
    found = table_of([values], pl.Float64)
    for hits in (5, 20, 40):
        row = found[1, hits]
        negative = max(hits, 0)
        low = math.fsum(sorted(values)[:negative])
        high = math.fsum(sorted(values, reverse=True)[:negative])
        assert (row["sum_lo"], row["sum_hi"]) == (low, high)
    assert found[1, 40]["sum_lo"] == found[1, 40]["sum_hi"] == math.fsum(values)


def test_sums_beyond_64_bits_are_doubles():
    found = table_of([[2**62, 2**62 + 2, 2**62 + 4]])
    row = found[1, 3]
    assert row["sum_lo"] == row["sum_hi"]
    assert math.isclose(row["sum_lo"], 3 * 2**62 + 6, rel_tol=1e-15)
    assert (row["min_lo"], row["max_hi"]) == (2**62, 2**62 + 4)


def test_intervals_and_more_cells_than_rows():
    """Disguised releases publish intervals, and fakes among them: docs/papers.md."""
    draw = random.Random(2)
    for _ in range(60 if COMPILED else 10):
        ends = [sorted((draw.randint(0, 9), draw.randint(0, 9))) for _ in range(5)]
        lows, highs = (pl.Series([end[i] for end in ends], dtype=pl.Int64) for i in (0, 1))
        inside = np.array([((b - a + 1) ** 2 - 1) / 12 for a, b in ends])
        frame = help_table(lows, highs, inside, np.array([5]), np.array([3]), "group")
        assert frame.get_column("hits").to_list() == [1, 2, 3]
        for row in frame.to_dicts():
            wanted = oracle.help_row_of_intervals(ends, row["hits"])
            assert {name: row[name] for name in wanted} == wanted
            domains = [list(range(a, b + 1)) for a, b in ends]
            mean, variance = oracle.mean_and_variance_of_intervals(domains, row["hits"])
            assert math.isclose(row["sum_mean"], mean, rel_tol=1e-12)
            assert math.isclose(row["sum_var"], variance, rel_tol=1e-9, abs_tol=1e-9)


def test_tables_2_1_to_2_4():
    """The partition of Tables 2.2 and 2.3, and its help table, all nine rows (papers D2.14)."""
    release = paper_release()
    values = release.tables["people_values"]
    groups = {
        frozenset(part.get_column("salary")): number for (number,), part in values.group_by("group")
    }
    wanted = ({54, 55, 56}, {65, 70, 75}, {75, 80, 85})
    numbers = [groups[frozenset(1000 * value for value in group)] for group in wanted]
    assert len(groups) == 3
    people = dict(release.tables["people"].select("age", "group").iter_rows())
    tuples = {age: numbers.index(group) + 1 for age, group in people.items()}
    # Published IDs are new ones (papers D2.15), so people are told by their age here.
    assert tuples == {35: 1, 38: 1, 40: 1, 41: 2, 43: 2, 47: 2, 52: 3, 53: 3, 58: 3}
    helping = {(r["group"], r["hits"]): r for r in release.tables["people_help"].to_dicts()}
    printed = {
        (1, 1): (54, 56, 54, 56), (1, 2): (109, 111, 54, 55), (1, 3): (165, 165, 54, 54),
        (2, 1): (65, 75, 65, 75), (2, 2): (135, 145, 65, 70), (2, 3): (210, 210, 65, 65),
        (3, 1): (75, 85, 75, 85), (3, 2): (155, 165, 75, 80), (3, 3): (240, 240, 75, 75),
    }  # fmt: skip
    for (group, hits), row in printed.items():
        found = helping[numbers[group - 1], hits]
        names = ("sum_lo", "sum_hi", "min_lo", "min_hi")
        assert tuple(found[name] for name in names) == tuple(1000 * each for each in row)


def test_the_papers_queries_by_hand():
    release = paper_release()
    people, helping = (release.tables[name] for name in ("people", "people_help"))

    def hit(condition):
        hits = people.filter(condition).group_by("group").len("hits")
        return helping.join(hits.cast(pl.Int64), on=["group", "hits"])

    first = hit(pl.col("age") > 50)
    assert (first["sum_lo"].sum(), first["sum_hi"].sum()) == (240000, 240000)
    second = hit(pl.col("age").is_between(35, 55))
    assert (second["sum_lo"].sum(), second["sum_hi"].sum()) == (530000, 540000)
    third = hit(pl.col("gender") == "F")
    assert (third["min_lo"].min(), third["min_hi"].min()) == (65000, 70000)


def combined(rows, hits_of):
    """Put groups together as ``docs/release-format.md`` says; ``None`` where only NULL can be."""
    hit = [rows[group, hits] for group, hits in hits_of.items() if hits]
    found = {
        "count": (sum(r["count_lo"] for r in hit), sum(r["count_hi"] for r in hit)),
    }
    sure = [r for r in hit if r["count_lo"] >= 1]
    low, high = sum(r["sum_lo"] for r in hit), sum(r["sum_hi"] for r in hit)
    if not sure:
        low = min(r["min_lo"] for r in hit) if low == 0 else low
        high = max(r["max_hi"] for r in hit) if high == 0 else high
    found["sum"] = (low, high)
    found["min"] = (
        min(r["min_lo"] for r in hit),
        min(r["min_hi"] for r in sure) if sure else max(r["min_hi"] for r in hit),
    )
    found["max"] = (
        max(r["max_lo"] for r in sure) if sure else min(r["max_lo"] for r in hit),
        max(r["max_hi"] for r in hit),
    )
    return found


def average_bounds(groups, rows, hits_of):
    """Bounds of AVG with NULL, as ``docs/release-format.md`` says."""
    bounds = []
    for reverse, best in ((False, min), (True, max)):
        certain, more = [], []
        for group, hits in hits_of.items():
            if hits:
                known = sorted((v for v in groups[group - 1] if v is not None), reverse=reverse)
                row = rows[group, hits]
                certain += known[: row["count_lo"]]
                more += known[row["count_lo"] : row["count_hi"]]
        more.sort(reverse=reverse)
        averages = [
            Fraction(sum(certain + more[:i]), len(certain) + i)
            for i in range(len(more) + 1)
            if certain or i
        ]
        bounds.append(best(averages))
    return tuple(bounds)


def test_several_groups_are_put_together_as_the_format_says():
    draw = random.Random(8)
    aggregates = {"sum": sum, "min": min, "max": max, "count": len}
    for _ in range(120 if COMPILED else 15):
        groups = [group[:5] for group in random_groups(draw, real=False)]
        groups = [group for group in groups if any(v is not None for v in group)]
        if not groups:
            continue
        rows = table_of(groups)
        hits_of = {n + 1: draw.randint(0, len(group)) for n, group in enumerate(groups)}
        if not any(hits_of.values()):
            continue
        outcomes = [
            [value for part in choice for value in part]
            for choice in product(
                *(list(oracle.every_choice(groups[n - 1], hits)) for n, hits in hits_of.items())
            )
        ]
        known = [outcome for outcome in outcomes if outcome]
        found = combined(rows, hits_of)
        for name, bounds in found.items():
            wanted = [aggregates[name](each) for each in (outcomes if name == "count" else known)]
            assert bounds == (min(wanted), max(wanted)), (name, groups, hits_of)
        means = [Fraction(sum(each), len(each)) for each in known]
        assert average_bounds(groups, rows, hits_of) == (min(means), max(means))
        assert (found["count"][0] == 0) == (len(known) < len(outcomes))
