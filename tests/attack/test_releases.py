"""Releases of the same people side by side, against trying every way to pair off their rows."""

import random
from itertools import product

import numpy as np
import polars as pl
import pytest

import papilio as pp
from oracles import recipient_demands as oracle
from papilio.attack import releases as module
from papilio.attack.collusion_of_releases import collusion_of_releases
from papilio.attack.releases import matchable, releases
from papilio.attack.result import Exposed
from shared_releases import shared_release
from sizes import tries

RECIPIENTS = {"one": ("age",), "two": ("job",)}


def made(frame, blocks, **more):
    return shared_release(frame, blocks, RECIPIENTS, **more)


def test_two_people_are_certain_where_exact_columns_say_nothing():
    """Each release is 2-anonymous for who knows b; which pairs of cells meet tells two of four."""
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "job": [0, 100, 1, 101]})
    first = made(frame, {"age": [0, 0, 1, 1], "job": [0, 0, 1, 1]}, k=2)
    second = made(frame, {"age": [0, 0, 1, 1], "job": [0, 1, 0, 1]}, k=2)
    both = {"one": first.release, "two": second.release}
    assert first.verdict().holds
    assert second.verdict().holds
    known = {name: list(columns) for name, columns in RECIPIENTS.items()}
    old = [
        r for r in collusion_of_releases(both, first.table, known) if "two with all" in r.attacker
    ]
    assert [result.figures["singled_out"] for result in old] == [0]
    one, two, _ = releases(list(both.values()), first.table, first.policy)
    assert one.figures["singled_out"] == 0
    assert two.attacker == "two with 2 releases, knowing job"
    assert (two.figures["alone"], two.figures["singled_out"]) == (0, 2)
    assert two.exposed == (Exposed(2, 4),)


def test_a_pair_that_meets_is_excluded_if_not_everybody_would_have_a_row():
    """Row 1 of the first meets both of the second; row 2 meets one, so row 1 has the other."""
    pairs = np.array([[0, 0], [0, 1], [1, 1]])
    ones = np.ones(2, np.int64)
    assert matchable(pairs, ones, ones).tolist() == [True, False, True]
    assert matchable(pairs[:2], ones, ones) is None


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(3, 40)))
def test_pairs_of_matchings_as_by_trying_every_one(seed):
    draw = random.Random(seed)
    for _ in range(100):
        count = draw.randrange(1, 6)
        kinds = [sorted(draw.randrange(count) for _ in range(count)) for _ in range(2)]
        numbers = [sorted({*each}) for each in kinds]
        met = {
            pair
            for pair in product(range(len(numbers[0])), range(len(numbers[1])))
            if draw.random() < 0.5
        }
        place = [
            [number.index(kind) for kind in each]
            for number, each in zip(numbers, kinds, strict=True)
        ]
        rows = {
            (r, s) for r, s in product(range(count), repeat=2) if (place[0][r], place[1][s]) in met
        }
        wanted = oracle.pairs_in_matchings(count, rows)
        pairs = np.array(sorted(met), np.int64).reshape(-1, 2)
        sizes = [np.bincount(each).astype(np.int64) for each in place]
        found = matchable(pairs, *sizes)
        if found is None:
            assert not wanted
            continue
        assert {tuple(pair) for pair in pairs[found]} == {
            (place[0][r], place[1][s]) for r, s in wanted
        }


def random_frame(draw):
    rows = draw.randrange(2, 6)
    return pl.DataFrame(
        {
            "age": [draw.randrange(4) for _ in range(rows)],
            "job": [draw.choice("abc") for _ in range(rows)],
            "ill": [draw.choice(["flu", "none"]) for _ in range(rows)],
        }
    )


def without(release, column):
    """The same release without a sensitive column."""
    frames = {name: frame.drop(column) for name, frame in release.frames.items()}
    (table,) = release.manifest.tables
    from dataclasses import replace

    columns = tuple(each for each in table.columns if each.name != column)
    manifest = replace(release.manifest, tables=(replace(table, columns=columns),))
    return replace(release, manifest=manifest, frames=frames)


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(2, 400, "PAPILIO_RELEASES")))
def test_as_by_trying_every_way_to_pair_off_the_rows(seed):
    draw = random.Random(seed)
    frame = random_frame(draw)
    count = frame.height
    both = [
        made(frame, {name: [draw.randrange(3) for _ in range(count)] for name in ("age", "job")},
             sensitive=("ill",), k=2)
        for _ in range(2)
    ]  # fmt: skip
    common, published = ["age", "job", "ill"], [each.release for each in both]
    if draw.random() < 0.5:
        common, published[1] = ["age", "job"], without(published[1], "ill")
    first, second = ([as_sets(row) for row in each.cells] for each in both)
    ways = list(oracle.pairings(first, second, common))
    results = list(releases(published, both[0].table, both[0].policy))
    for result, known in zip(results, [("age",), ("job",), ("age", "job")], strict=True):
        left, learnt = [], 0
        for person in frame.to_dicts():
            pairs = {
                (row, way[row])
                for way in ways
                for row in range(count)
                if oracle.fits(person, first[row], known)
                and oracle.fits(person, second[way[row]], known)
            }
            sides = [{row for row, _ in pairs}, {row for _, row in pairs}]
            left.append(min(map(len, sides)))
            told = [{both[0].cells[row]["ill"] for row in sides[0]}]
            if "ill" in common:
                told.append({both[1].cells[row]["ill"] for row in sides[1]})
            learnt += any(len(values) == 1 for values in told)
        assert result.figures["singled_out"] == left.count(1)
        assert result.figures["smallest"] == min(left)
        assert result.figures["learnt: ill"] == learnt
        assert result.exposed == (
            Exposed(sum(number < 2 for number in left), count), Exposed(learnt, count, "ill")
        )  # fmt: skip
        met = sum(oracle.meet(r, s, common) for r in first for s in second)
        assert result.figures["excluded"] == met - len(
            {(r, w[r]) for w in ways for r in range(count)}
        )


def as_sets(row):
    return {name: {cell} if isinstance(cell, str) else set(cell) for name, cell in row.items()}


def test_the_same_release_twice_says_no_more_than_once():
    draw = random.Random(3)
    frame = pl.DataFrame(
        {"age": [draw.randrange(60) for _ in range(200)], "job": draw.choices("abcdefgh", k=200)}
    )
    policy = pp.Policy(columns=dict.fromkeys(frame.columns, "quasi"), privacy=pp.K(5))
    release = pp.publish(frame, policy, name="people", seed=1)
    found = pp.attack(release, original=policy, data=frame, also=[release, release])
    (result,) = (each for each in found if each.attack == "releases")
    assert result.figures["excluded"] == result.figures["below"] == 0
    assert "3 releases" in result.attacker


def test_of_two_releases_with_other_classes_people_are_found(tmp_path):
    draw = random.Random(4)
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(60) for _ in range(300)],
            "day": [f"19{draw.randrange(50, 99)}-0{draw.randrange(1, 9)}-11" for _ in range(300)],
            "town": [f"{draw.randrange(1000, 1400)}" for _ in range(300)],
            "job": draw.choices(["zebra", "gnu", "ibex", "yak"], k=300),
        }
    ).with_columns(pl.col("day").str.to_date())
    columns = dict.fromkeys(frame.columns, "quasi") | {
        "town": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [3, 2]}}
    }
    recipients = {"one": ["age", "town"], "two": ["day", "job"]}
    policy = pp.Policy(columns=columns, recipients=recipients, privacy=pp.K(4), method="butterfly")
    other = policy.varied([(("cells",), "text"), (("method",), "union")])
    one, two = (pp.publish(frame, each, name="people", seed=1) for each in (policy, other))
    two.save(tmp_path / "two")
    found = pp.attack(one, original=policy, data=frame, also=[tmp_path / "two"])
    one, two, both = (each for each in found if each.attack == "releases")
    assert one.figures["alone"] == two.figures["alone"] == 0
    assert one.figures["below"] > 0
    assert two.figures["below"] > 0
    assert both.figures["alone"] > 0
    assert not any(word in repr(found) for word in ("zebra", "gnu", "ibex", "yak"))


def test_what_cannot_be_compared_is_said(monkeypatch):
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "job": ["a", "b", "c", "d"]})
    one = made(frame, {"age": [0, 0, 1, 1], "job": [0, 0, 1, 1]})
    other = made(frame.with_columns(age=pl.lit(9)), {"age": [0] * 4, "job": [0] * 4})
    said = [r.sentence for r in releases([one.release, other.release], one.table, one.policy)]
    assert all("cannot be of the same people" in each for each in said)
    monkeypatch.setattr(module, "MOST_COMPARED", 1)
    said = [r.sentence for r in releases([one.release] * 2, one.table, one.policy)]
    assert all(each.startswith("Not tried: more than 1 pairs") for each in said)
