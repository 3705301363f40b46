"""Whose lines they are, where classes overlap: against trying everything."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import papilio as pp
from oracles import diversity
from oracles import people as counted
from oracles import whose_lines as oracle
from papilio.errors import InfeasibleError
from papilio.families.classes import Classes
from papilio.families.generalising import grouping
from papilio.verify import exchange_rules as rules
from papilio.verify import matched_people, people_flow
from papilio.verify.exchange import spread
from papilio.verify.fitting import units
from papilio.verify.matched_people import certain_lines
from papilio.verify.people_flow import assign, is_possible
from papilio.verify.verdict import Status
from papilio.verify.whose_lines import Matching, deal, numbered
from sizes import tries

LOOKS = 100_000


def tiny(seed):
    """Rows (person, number, value) and lines (low, high, value) that are true of them."""
    chance = np.random.default_rng(seed)
    count, people = int(chance.integers(5, 10)), int(chance.integers(3, 8))
    values, numbers = int(chance.integers(1, 4)), int(chance.integers(2, 7))
    rows = [tuple(map(int, chance.integers((people, numbers, values)))) for _ in range(count)]
    parts = int(chance.integers(1, 4))
    part = chance.permutation(np.arange(count) % parts)
    lines = []
    for mine in (
        [row for row, at in zip(rows, part, strict=True) if at == c] for c in range(parts)
    ):
        ends = min(row[1] for row in mine), max(row[1] for row in mine)
        lines += [(*ends, row[2]) for row in mine]
    out = int(chance.integers(0, 3)) if chance.random() < 0.3 else 0
    return rows, [lines[line] for line in chance.permutation(count)[: count - out]]


def matching_of(rows, lines):
    """Any true matching, whose each row is, and the class of each kind of line."""
    row_kinds, line_kinds = sorted({row[1:] for row in rows}), sorted(set(lines))
    fit = [
        (supply, demand)
        for supply, row in enumerate(row_kinds)
        for demand, line in enumerate(line_kinds)
        if oracle.is_true((None, *row), line)
    ]
    pairs = np.array(fit, np.int64).reshape(-1, 2)
    kind_of_row = np.array([row_kinds.index(row[1:]) for row in rows])
    kind_of_line = np.array([line_kinds.index(line) for line in lines])
    ends = sorted({line[:2] for line in lines})
    cells = np.array([(ends.index(line[:2]), line[2]) for line in lines])
    given = units(pairs, np.bincount(kind_of_row), np.bincount(kind_of_line))
    dealt = deal(pairs, given, kind_of_row, kind_of_line)
    matching = Matching(kind_of_row, kind_of_line, cells, pairs, dealt)
    classes = np.full(len(line_kinds) + 1, -1)
    classes[kind_of_line] = matching.classes([0])
    return matching, np.array([row[0] for row in rows]), classes


def owned(matching, rows, lines):
    """What people own, after it was made sure that every line is true of a row of its own."""
    held = matching.row_of_line.tolist()
    assert len(set(held)) == len(lines)
    assert all(oracle.is_true(rows[row], line) for row, line in zip(held, lines, strict=True))
    return Counter((rows[row][0], line[:2], line[2]) for row, line in zip(held, lines, strict=True))


def shares_hold(found, k):
    return all(counted.k_over_people(each, k) for each in oracle.classes_of(found).values())


def mixes_hold(found, several):
    """Two values at least are left of each class without any person who has several rows."""
    for rows in oracle.classes_of(found).values():
        for person in {person for person, _ in rows if several[person]}:
            left = [value for other, value in rows if other != person]
            if left and not diversity.distinct(left, 2):
                return False
    return True


def copied(matching):
    return replace(matching, row_of_line=matching.row_of_line.copy())


@pytest.fixture(scope="module")
def cases():
    """Tiny tables, and all that people may own of their classes."""
    made = [tiny(seed) for seed in range(tries(100, 3000))]
    return [(rows, lines, list(oracle.assignments(rows, lines))) for rows, lines in made]


@pytest.mark.searches
def test_rows_are_exchanged_if_that_is_possible(cases):
    """Never too early; and on tiny tables always, though the search is not complete."""
    seen = Counter()
    for rows, lines, every in cases:
        for k in (2, 3):
            matching, person, classes = matching_of(rows, lines)
            size = np.bincount(classes[matching.kind_of_line])
            done = spread(matching, person, [rules.Shares(classes, size, k)], LOOKS)
            if done:
                assert shares_hold(owned(matching, rows, lines), k)
            seen[done, any(shares_hold(each, k) for each in every)] += 1
    assert seen[True, False] == 0
    assert seen[False, True] <= 0.01 * seen[True, True]
    assert min(seen[True, True], seen[False, False]) > 40


@pytest.mark.searches
def test_values_are_looked_at_while_rows_are_exchanged(cases):
    seen = Counter()
    for rows, lines, every in cases:
        matching, person, classes = matching_of(rows, lines)
        several = np.bincount(person) > 1
        values = np.zeros(len(classes), np.int64)
        values[matching.kind_of_line] = matching.cells_of_line[:, 1]
        size = np.bincount(classes[matching.kind_of_line])
        asked = [
            rules.Shares(classes, size, 2),
            rules.Mixed(classes, values, several, rules.fewer_than(2)),
        ]
        done = spread(matching, person, asked, LOOKS)
        found = owned(matching, rows, lines)
        if done:
            assert shares_hold(found, 2)
            assert mixes_hold(found, several)
        expected = any(shares_hold(each, 2) and mixes_hold(each, several) for each in every)
        seen[done, expected] += 1
    assert seen[True, False] == 0
    assert seen[False, True] <= 0.02 * seen[True, True]
    assert min(seen[True, True], seen[False, False]) > 20


@pytest.mark.searches
def test_a_flow_that_does_not_serve_all_lines_disproves_the_claim(cases):
    seen = Counter()
    for rows, lines, every in cases:
        matching, person, classes = matching_of(rows, lines)
        possible = is_possible(matching, classes, person, 2)
        assigned = assign(matching, classes, person, 2)
        owned(matching, rows, lines)
        expected = any(shares_hold(each, 2) for each in every)
        assert (possible and assigned) or not expected
        seen[possible and assigned, expected] += 1
    assert min(seen[True, True], seen[False, False]) > 20
    assert seen[True, False] < seen[False, False] / 4


@pytest.mark.searches
def test_a_flow_finds_what_there_is_where_values_are_alike(cases):
    """Rows of a person that fit a class fit the same lines: both flows are then exact."""
    for rows, lines, _ in cases:
        rows, lines = [(*row[:2], 0) for row in rows], [(*line[:2], 0) for line in lines]
        matching, person, classes = matching_of(rows, lines)
        expected = any(shares_hold(each, 2) for each in oracle.assignments(rows, lines))
        assert is_possible(matching, classes, person, 2) is expected
        assert assign(matching, classes, person, 2) is expected
        assert shares_hold(owned(matching, rows, lines), 2) or not expected


@pytest.mark.searches
def test_what_is_certain_is_so_in_every_assignment(cases):
    seen = Counter()
    for rows, lines, every in cases:
        matching, person, classes = matching_of(rows, lines)
        certain = certain_lines(matching, classes, person)
        for line, row in enumerate(matching.row_of_line):
            which = rows[row][0], lines[line][:2]
            ways = {
                frozenset((key, count) for key, count in each.items() if key[:2] == which)
                for each in every
            }
            assert len(ways) == 1 or not certain[line]
            seen[bool(certain[line]), len(ways) == 1] += 1
    assert min(seen[True, True], seen[False, False]) > 100


def test_too_large_a_network_is_not_tried(monkeypatch):
    monkeypatch.setattr(people_flow, "_EDGES", 0)
    monkeypatch.setattr(matched_people, "_LOOKS", 0)
    rows, lines = [(0, 1, 0), (0, 1, 0), (1, 2, 0), (2, 1, 0)], [(1, 1, 0), *[(1, 2, 0)] * 3]
    matching, person, classes = matching_of(rows, lines)
    assert is_possible(matching, classes, person, 2) is None
    assert assign(matching, classes, person, 2) is None
    assert not certain_lines(matching, classes, person).any()
    size = np.bincount(classes[matching.kind_of_line])
    assert not spread(matching, person, [rules.Shares(classes, size, 2)], 0)


def test_rules_say_what_requirements_say():
    """Where to look for rows is decided by what the claims mean."""
    chance = np.random.default_rng(2)
    table = np.array([5, 9, 2, 4])
    pairs = {
        "distinct": (rules.fewer_than(3), pp.L("x", 3)),
        "entropy": (rules.less_entropy(Fraction(5, 2)), pp.L("x", entropy="2.5")),
        "recursive": (rules.too_frequent(Fraction(3, 2), 2), pp.L("x", recursive=(1.5, 2))),
    }
    for _ in range(200):
        counts = chance.integers(0, 5, 4)
        counts[chance.integers(4)] += 1
        for short, requirement in pairs.values():
            assert short(counts) is not requirement.holds(counts[counts > 0].tolist())
        shares = counts / counts.sum() - table / table.sum()
        equal, ordered = np.abs(shares).sum() / 2, np.abs(np.cumsum(shares)).sum() / 3
        place = np.array([0, 1, 2, 3])
        assert rules.too_far(table, Fraction("0.307"), None, None)(counts) is bool(equal > 0.307)
        on_line = rules.too_far(table, Fraction("0.207"), None, (place, 4))
        assert on_line(counts) is bool(ordered > 0.207)
        large = rules.too_far(table, Fraction("0.307"), 5, None)
        assert large(counts) is bool(equal > 0.307 and counts.sum() < 5)


def test_an_assignment_that_is_not_true_is_noticed():
    matching, _, _ = matching_of([(0, 1, 0), (1, 5, 0)], [(1, 1, 0), (5, 5, 0)])
    assert matching.is_true()
    swapped, twice = copied(matching), copied(matching)
    swapped.row_of_line[:] = swapped.row_of_line[::-1].copy()
    twice.row_of_line[:] = twice.row_of_line[0]
    assert not swapped.is_true()
    assert not twice.is_true()


def test_rows_are_numbered_however_large_their_numbers():
    chance = np.random.default_rng(1)
    rows = chance.integers(-1, 3, (200, 4)) * np.array([1, 2**40, 2**20, 2**55])
    expected = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    assert np.array_equal(numbered(rows), expected)
    assert np.array_equal(numbered(rows[:, :0]), np.zeros(200))
    assert numbered(rows[:0]).size == 0


COLUMNS = {"pid": "identifier", "age": "quasi", "ill": "sensitive"}


def _released(monkeypatch, rows, parts, demanded):
    """A release with the given classes, which claims over people what holds over rows."""
    data = pl.DataFrame(
        {
            "pid": [f"p{person}" for person, _, _ in rows],
            "age": [number for _, number, _ in rows],
            "ill": [str(value) for _, _, value in rows],
        }
    )
    starts = np.cumsum([0, *map(len, parts)])
    made = Classes(np.concatenate(parts).astype(np.int32), starts)
    order = pp.Policy(columns=COLUMNS, privacy=demanded, person="rows", method="mondrian")
    with monkeypatch.context() as patch:
        patch.setattr(grouping, "group_rows", lambda *_: made)
        release = pp.publish(data, order, name="v")
    claims = tuple(
        replace(claim, parameters={**claim.parameters, "unit": "people"})
        for claim in release.manifest.claims
    )
    forged = replace(release, manifest=replace(release.manifest, claims=claims))
    return forged, pp.Policy(columns=COLUMNS, privacy=demanded, person="pid"), data


def _statuses(monkeypatch, rows, parts, demanded):
    release, order, data = _released(monkeypatch, rows, parts, demanded)
    verdict = pp.verify(release, original=order, data=data)
    return {
        found.claim.removesuffix(" over people"): found.status
        for found in verdict.findings
        if found.claim.endswith(" over people")
    }


def _lines(rows, parts):
    for part in parts:
        numbers = [rows[row][1] for row in part]
        yield from ((min(numbers), max(numbers), rows[row][2]) for row in part)


@pytest.mark.searches
def test_verdicts_beside_the_original_are_right(monkeypatch):
    """Holds only if some assignment is as claimed, violated only if none is; seldom neither."""
    seen = Counter()
    for seed in range(tries(25, 300)):
        chance = np.random.default_rng(seed)
        rows = [tuple(map(int, chance.integers((5, 6, 3)))) for _ in range(9)]
        parts = np.array_split(chance.permutation(9), int(chance.integers(2, 4)))
        most = max(Counter(row[0] for row in rows).values())
        if most > 4 or any(len({rows[row][2] for row in part}) < 2 for part in parts):
            continue
        try:
            found = _statuses(monkeypatch, rows, parts, [pp.K(2), pp.L("ill", 2)])
        except InfeasibleError:
            continue  # Without one person everybody has the same value.
        several = np.bincount([row[0] for row in rows], minlength=5) > 1
        every = list(oracle.assignments(rows, list(_lines(rows, parts))))
        expected = {
            "k-anonymity": any(shares_hold(each, 2) for each in every),
            "distinct-l-diversity": any(mixes_hold(each, several) for each in every),
        }
        if set(found.values()) == {Status.HOLDS}:
            assert any(shares_hold(each, 2) and mixes_hold(each, several) for each in every)
        for claim, status in found.items():
            assert status is not (Status.VIOLATED if expected[claim] else Status.HOLDS), seed
            seen[claim, status] += 1
    assert seen["k-anonymity", Status.HOLDS] >= 2, seen
    assert seen["k-anonymity", Status.VIOLATED] >= 1, seen
    assert seen["k-anonymity", Status.NOT_CHECKED] <= 0.1 * seen.total(), seen


def test_a_row_moved_so_that_one_person_owns_too_much_is_found_out(monkeypatch):
    """Classes overlap from 2 to 7; what lies at 1 and at 8 stands in the wider one for certain."""
    numbers = [1, 4, 5, 8, 2, 4, 5, 7]
    parts = [np.array([0, 3, 5, 6]), np.array([1, 2, 4, 7])]
    for same, status in (((), "HOLDS"), ((0, 3), "VIOLATED"), ((1, 2), "HOLDS")):
        people = [-1 if row in same else row for row in range(8)]
        rows = [(person, number, 0) for person, number in zip(people, numbers, strict=True)]
        assert _statuses(monkeypatch, rows, parts, [pp.K(4)]) == {"k-anonymity": Status[status]}


def test_values_of_one_person_that_are_certain_disprove_diversity(monkeypatch):
    rows = [(0, 1, 0), (0, 1, 1), (1, 1, 1), (2, 5, 0), (3, 6, 1), (0, 6, 0), (4, 5, 1)]
    parts = [np.array([0, 1, 2]), np.array([3, 4, 5, 6])]
    found = _statuses(monkeypatch, rows, parts, [pp.K(2), pp.L("ill", 2)])
    assert found["distinct-l-diversity"] is Status.VIOLATED
