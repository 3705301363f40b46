"""Whole people of linked tables, against trying every choice of rows."""

import json
from collections import Counter

import numpy as np
import pytest

import linked
from oracles import trees as trees_oracle
from oracles import whole_person as oracle
from papilio.attack import whole_person as module
from papilio.attack.known_children import known_children
from papilio.attack.whole_person import shared_values, tree_views, whole_person
from papilio.data.io.frames import Kind
from papilio.families.linked.make import make_linked
from papilio.policy.apply_tables import LinkedOrder
from papilio.policy.policy import Policy
from papilio.progress import silent
from papilio.randomness import Randomness
from sizes import tries

SHAPE = ((0, 1), (1, 2))


def policy(k, **privacy):
    def table(name, above=None):
        parent = {} if above is None else {"parent": {above: "up"}}
        return {"source": f"{name}.csv", "key": "id", "columns": {"q": "quasi"}, **parent}

    tables = {"t0": table("t0"), "t1": table("t1", "t0"), "t2": table("t2", "t1")}
    return Policy(tables=tables, person="t0", privacy={"k": k, **privacy})


def tiny(seed, folder, people=5, most=2, k=2):
    generator = np.random.default_rng(seed)
    snowflake = linked.random_snowflake(generator, folder, people=people, most=most, shape=SHAPE)
    order = LinkedOrder(snowflake, ())
    return snowflake, make_linked(order, policy(k), Randomness(seed), Kind.POLARS, silent).release


def allows(snowflake, release):
    """Whether cells allow values, read by hand."""
    names = [each.name for each in snowflake.tables]

    def one(column, cells, value):
        if column.cells == "range":
            return cells[0] <= value <= cells[1]
        if column.cells == "set":
            return value in json.loads(cells[0])
        return cells[0] in linked.PATHS[value]

    def test(place, cells, label):
        cells, found = list(cells), True
        for column, value in zip(
            (c for c in release.manifest.table(names[place]).columns if c.role == "quasi"),
            label,
            strict=True,
        ):
            mine, cells = cells[: len(column.published)], cells[len(column.published) :]
            found = found and one(column, mine, value)
        return found

    return test


def numbered(tree, names):
    """A published tree with places of tables instead of their names."""
    name, cells, children = tree
    return names.index(name), cells, [numbered(child, names) for child in children]


def wanted(snowflake, release, k):
    """Figures of both attackers, by hand."""
    names = [each.name for each in snowflake.tables]
    test = allows(snowflake, release)
    whole = [linked.tree(snowflake, 0, p) for p in range(snowflake.person.height)]
    parts = [numbered(tree, names) for tree in linked.published_trees(release)]
    rows = [oracle.counts(each, range(3)) for each in whole]
    kept = [oracle.counts(each, range(3)) for each in parts]
    by_rows = [sum(oracle.fits(each, part, test) for part in parts) for each in whole]
    by_counts = [
        sum(
            test(0, part[1], each[1]) and all(a <= b for a, b in zip(less, more, strict=True))
            for part, less in zip(parts, kept, strict=True)
        )
        for each, more in zip(whole, rows, strict=True)
    ]
    alike = Counter(map(trees_oracle.canonical, whole))
    counted = Counter((each[1], tuple(more)) for each, more in zip(whole, rows, strict=True))
    groups = Counter(map(trees_oracle.canonical, parts))
    for left, once in ((by_rows, alike), (by_counts, counted)):
        yield {
            "people": len(whole),
            "alone_before": sum(n == 1 for n in once.values()),
            "smallest_group": min(groups.values()),
            "tried": len(whole),
            "alone_after": left.count(1),
            "below": sum(0 < n < max(k, 2) for n in left),
            "nobody_after": left.count(0),
            "median_after": float(np.median([n for n in left if n])),
        }


def test_who_fits_is_found_as_by_trying_every_choice(tmp_path):
    seen = Counter()
    for seed in range(tries(40, 3000)):
        k = 1 + seed % 2
        snowflake, release = tiny(seed, tmp_path, k=k)
        asked = k + seed % 3
        found = [each.figures for each in whole_person(release, snowflake, policy(asked))]
        assert found == list(wanted(snowflake, release, asked))
        seen.update(
            below=found[0]["below"] > 0,
            more=found[0]["median_after"] > found[0]["smallest_group"],
            alone=found[0]["alone_before"] > 0,
        )
    assert all(seen[name] for name in ("below", "more", "alone"))


def test_of_many_some_are_tried_and_the_same_each_time(tmp_path, monkeypatch):
    snowflake, release = tiny(1, tmp_path, people=30, k=3)
    monkeypatch.setattr(module, "_PAIRS", 10)
    monkeypatch.setattr(module, "_PEOPLE", 7)
    one, other = (list(whole_person(release, snowflake, policy(3))) for _ in range(2))
    assert one == other
    assert {each.figures["tried"] for each in one} == {7}
    # The smallest group speaks for everybody; a demand that was not met does not.
    assert [each.exposed[0].of for each in one] == [30, 30]
    assert [each.exposed[0].drawn_from for each in one] == [None, None]
    asked = [each.exposed[0] for each in whole_person(release, snowflake, policy(20))]
    assert {(each.of, each.drawn_from) for each in asked} == {(7, 30)}
    known = [list(known_children(release, snowflake, policy(3))) for _ in range(2)]
    assert known[0] == known[1]


def test_classes_are_people_with_equal_trees(tmp_path):
    snowflake, release = tiny(3, tmp_path, people=12, k=3)
    (view,) = tree_views(release, snowflake, policy(3))
    whole = [linked.tree(snowflake, 0, p) for p in range(12)]
    before = Counter(map(trees_oracle.canonical, whole))
    after = Counter(map(trees_oracle.canonical, linked.published_trees(release)))
    assert (view.before.classes, view.after.classes) == (len(before), len(after))
    assert view.before.unique == sum(n == 1 for n in before.values())
    assert view.after.prosecutor.largest == 1 / min(after.values()) <= 1 / 3
    assert view.after.marketer.expected == pytest.approx(len(after))
    assert view.columns[0] == "t0.n0"


def test_a_value_that_all_rows_of_a_place_share_is_learnt(tmp_path):
    found = Counter()
    for seed in range(tries(20, 1000)):
        snowflake, release = tiny(seed, tmp_path, people=6, most=1)
        (result,) = shared_values(release, snowflake, policy(2))
        frames = {name: frame.to_dicts() for name, frame in release.frames.items()}
        names = [each.name for each in snowflake.tables]
        # With one row below each at most, a place is a table of a group of equal trees.
        trees = [trees_oracle.canonical(each) for each in linked.published_trees(release)]
        people = frames["t0"]
        for place, name in enumerate(names):
            whose = {row["id"]: row["id"] for row in people}
            for above in range(1, place + 1):
                rows = frames[names[above]]
                whose = {row["id"]: whose[row["up"]] for row in rows}
            values = {}
            tree_of = {row["id"]: tree for row, tree in zip(people, trees, strict=True)}
            for row in frames[name]:
                person = whose[row["id"]]
                values.setdefault(tree_of[person], {})[person] = row[f"x{place}"]
            learnt = sum(len(e) for e in values.values() if len({*e.values()}) == 1)
            assert result.figures[f"learnt: {name}.x{place}"] == learnt
            found[learnt > 0] += 1
    assert found[True]
    assert found[False]
