"""Risk and attacks over people who have several rows, against counting one by one."""

import random
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sizes
from oracles import people_risk as oracle
from papilio.attack.background_join import background_join
from papilio.attack.class_counts import counts_before
from papilio.attack.collusion import collusion
from papilio.attack.exposure import exposure_of, exposure_over_people
from papilio.attack.holdings import holdings_after, holdings_before
from papilio.attack.homogeneity import homogeneity
from papilio.attack.linkage import linkage
from papilio.attack.people_rows import people_rows
from papilio.attack.population_uniqueness import unique_together
from papilio.attack.risk import views_of
from papilio.attack.several_rows import consistent_people, fewest_ways, figures_of, several_rows
from papilio.data.people import people_of, person_names
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.privacy.unit import OVER_PEOPLE
from shared_releases import shared_release
from sizes import spread

KNOWN, NAMES = ("age", "job"), ("age", "job", "ill")
RECIPIENTS = {"one": ("age",), "two": ("job",)}
ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=25)


def of_people(table, owners):
    return replace(table, people=people_of(person_names(pl.Series("pid", map(str, owners)))))


def plain_table(classes, owners):
    frame = pl.Series("q", classes, pl.Int64).to_frame()
    column = Column("q", Role.QUASI, ColumnType.NUMERIC)
    return of_people(Table("t", frame, (column,)), owners)


class Case:
    """A random release; ``apart`` makes classes of values, so that they do not overlap."""

    def __init__(self, seed, *, apart, recipients=None, k=None, most=3):
        draw = random.Random(seed)
        rows = draw.randrange(1, 10)
        self.owners = [
            draw.randrange(max(1, rows // draw.randrange(1, most + 1))) for _ in range(rows)
        ]
        frame = pl.DataFrame(
            {
                "age": [draw.randrange(6) for _ in range(rows)],
                "job": [draw.choice("abc") for _ in range(rows)],
                "ill": [draw.choice(["flu", "none"]) for _ in range(rows)],
            }
        )
        where = {"age": dict(enumerate(sorted(draw.randrange(3) for _ in range(6))))}
        where["job"] = {label: draw.randrange(2) for label in "abc"}
        blocks = {
            name: [where[name][each] if apart else draw.randrange(3) for each in frame[name]]
            for name in KNOWN
        }
        made = shared_release(frame, blocks, recipients, sensitive=("ill",))
        self.k = 1 if k is None else k
        manifest = made.release.manifest
        if k is not None:
            claims = tuple(
                replace(each, parameters={"k": k, **OVER_PEOPLE}) for each in manifest.claims
            )
            manifest = replace(manifest, claims=claims)
        self.release = replace(made.release, manifest=manifest)
        self.published = manifest.tables[0]
        self.rows, self.released, self.policy = made.people, made.cells, made.policy
        self.table = of_people(made.table, self.owners)

    def true_classes(self, known):
        """The class that each row is in; lines are published in the other order."""
        return [oracle.key(each, known) for each in reversed(self.released)]

    def after(self, known=KNOWN):
        return holdings_after(self.release, self.published, self.table, known)


CASES = range(sizes.tries(5, 100))


@given(ROWS, st.sampled_from([0.05, 0.2, 0.25, 0.5, 1.0]))
@sizes.examples(1500)
def test_measures_of_the_original_are_those_of_counting(rows, threshold):
    owners, classes = [p for p, _ in rows], [c for _, c in rows]
    held = holdings_before(plain_table(classes, owners), ("q",))
    lines = {"person": held.person, "class": held.group, "rows": held.most}
    found = exposure_over_people(held, unique_together(pl.DataFrame(lines)), None, threshold)
    shares = oracle.shares(owners, classes)
    largest, average, above = oracle.summed_up(shares, threshold)
    assert found.prosecutor.largest == pytest.approx(float(largest))
    assert found.prosecutor.average == pytest.approx(float(average))
    assert found.prosecutor.at_risk == above
    assert found.journalist == found.prosecutor
    assert found.marketer.expected == pytest.approx(float(sum(shares.values())))
    assert found.unique == oracle.alone(owners, classes)
    assert found.people == len(set(owners)) == sum(each.people for each in found.bands)
    assert found.bands[0].people == sum(each > 0.5 for each in shares.values())
    several = found.several
    assert several.together == oracle.alone_together(owners, classes)
    assert several.smallest == oracle.fewest_people(owners, classes)
    assert (several.rows, several.uncertain) == (len(rows), 0)


@given(ROWS)
@sizes.examples(1500)
def test_people_who_could_have_the_rows_are_those_found_by_comparing_all(rows):
    owners, classes = [p for p, _ in rows], [c for _, c in rows]
    frame = (
        pl.DataFrame({"person": owners, "class": classes}).group_by("person", "class").len("rows")
    )
    wanted = oracle.several(owners, classes)
    asked = frame.filter(pl.col("person").is_in(list(wanted)))
    found = consistent_people(frame, asked)
    assert dict(found.iter_rows()) == wanted
    if wanted:
        counts = frame.group_by("class").agg(pl.col("rows").sum().alias("candidates"))
        ways = fewest_ways(asked.join(counts, on="class"), overlap=False)
        assert ways == pytest.approx(oracle.ways(owners, classes))


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(1, 500))
def test_with_one_row_a_person_people_are_rows(classes, more):
    table = plain_table(classes, range(len(classes)))
    held = holdings_before(table, ("q",))
    among = (len(classes) + more, 3 * len(classes) + more)
    alone = sum(classes.count(each) == 1 for each in classes)
    found = exposure_over_people(held, alone, among[0], 0.2, among)
    expected = exposure_of(counts_before(table, ("q",)), among[0], 0.2, among)
    for name in ("people", "classes", "smallest", "unique", "bands", "population"):
        assert getattr(found, name) == getattr(expected, name), name
    for name in ("prosecutor", "journalist"):
        mine, other = getattr(found, name), getattr(expected, name)
        assert mine.largest == pytest.approx(other.largest)
        assert mine.average == pytest.approx(other.average)
        assert mine.at_risk == other.at_risk
    assert found.marketer.expected == pytest.approx(expected.marketer.expected)
    assert found.several.smallest == expected.smallest


@pytest.mark.searches
@pytest.mark.parametrize("seed", spread(CASES, 2))
def test_where_classes_do_not_overlap_it_is_known_whose_they_are(seed):
    case = Case(seed, apart=True)
    for known in (KNOWN, ("age",), ()):
        classes = case.true_classes(known)
        held = case.after(known)
        shares = oracle.shares(case.owners, classes)
        assert sorted(held.chances) == pytest.approx(sorted(map(float, shares.values())))
        assert int(held.people_of_classes.min()) == oracle.fewest_people(case.owners, classes)
        assert held.uncertain == 0 or known != KNOWN


@pytest.mark.searches
@pytest.mark.parametrize("seed", CASES)
@pytest.mark.parametrize("k", spread([None, 2, 3], 2))
def test_where_classes_overlap_nobody_owns_more_than_is_said(seed, k):
    case = Case(seed, apart=False, k=k)
    for known in (KNOWN, ("age",), ("job",)):
        held = case.after(known)
        arguments = case.rows, case.owners, case.released, known, NAMES, case.k
        possible = oracle.largest_possible(*arguments)
        assert sorted(held.chances) == pytest.approx(sorted(map(float, possible.values())))
        classes = case.true_classes(known)
        truth = oracle.shares(case.owners, classes)
        if max(truth.values()) * case.k <= 1:
            assert all(possible[each] >= truth[each] for each in truth)
            assert held.people_of_classes.min() <= oracle.fewest_people(case.owners, classes)


@pytest.mark.searches
@pytest.mark.parametrize("seed", CASES)
@pytest.mark.parametrize("k", [None, 2])
def test_linkage_and_collusion_count_people(seed, k):
    case = Case(seed, apart=seed % 3 == 0, recipients=RECIPIENTS, k=k)
    found = [
        *linkage(case.release, case.table, case.policy),
        *collusion(case.release, case.table, case.policy),
    ]
    for result, known in zip(found, (("age",), ("job",), KNOWN), strict=True):
        promised = case.k if len(known) == 1 else 1
        arguments = case.rows, case.owners, case.released, known, ("ill",), promised
        assert result.figures == pytest.approx(oracle.linked(*arguments))


@pytest.mark.searches
@pytest.mark.parametrize("seed", CASES)
def test_with_one_row_a_person_linkage_is_what_it_was(seed):
    case = Case(seed, apart=False)
    alone = of_people(case.table, range(len(case.rows)))
    (over_people,) = linkage(case.release, alone, case.policy)
    (over_rows,) = linkage(case.release, replace(alone, people=None), case.policy)
    assert over_people.figures | over_rows.figures == pytest.approx(over_people.figures)


@pytest.mark.searches
@pytest.mark.parametrize("seed", CASES)
def test_homogeneity_counts_people_once(seed):
    case = Case(seed, apart=seed % 2 == 0)
    (found,) = homogeneity(case.release, case.table, case.policy)
    people, learnt = oracle.alike(case.rows, case.owners, case.released, KNOWN, NAMES, "ill")
    assert (found.figures["people"], found.figures["people_learnt"]) == (people, learnt)
    (rows,) = homogeneity(case.release, replace(case.table, people=None), case.policy)
    assert found.figures | rows.figures == found.figures


@pytest.mark.searches
@pytest.mark.parametrize("seed", CASES)
def test_who_knows_all_rows_of_a_person(seed):
    case = Case(seed, apart=seed % 2 == 0)
    known = people_rows(case.release, case.table, KNOWN, ())
    figures = figures_of(known)
    patterns = [oracle.pattern(each, case.released, KNOWN) for each in case.rows]
    expected = oracle.several(case.owners, patterns)
    number = list(expected.values())
    assert figures["people"] == figures["tried"] == len(number)
    assert figures["singled_out"] == number.count(1)
    assert figures["smallest"] == min(number, default=0)
    assert figures["average"] == pytest.approx(np.mean(number) if number else 0.0)
    numbers = {each: place for place, each in enumerate(set(patterns))}
    together = oracle.alone_together(case.owners, [numbers[each] for each in patterns])
    assert unique_together(known.lines) == together


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(sizes.tries(5, 120)))
def test_there_are_at_least_so_many_ways_to_pick_the_rows(seed):
    case = Case(seed, apart=False, most=2)
    figures = figures_of(people_rows(case.release, case.table, KNOWN, ()))
    for person in set(case.owners):
        own = [row for row, owner in zip(case.rows, case.owners, strict=True) if owner == person]
        if 1 < len(own) <= 4:
            assert figures["ways"] <= oracle.ways_by_trying(own, case.released, KNOWN) + 1e-6


def test_a_row_that_must_leave_its_place_to_others_gives_no_ways():
    """Two rows need both rows that they may be; the third may be one of these or one other."""
    asked = pl.DataFrame({"person": [1, 1], "class": [1, 2], "rows": [1, 2], "candidates": [2, 2]})
    assert fewest_ways(asked, overlap=True) == 1
    assert fewest_ways(asked.with_columns(candidates=pl.Series([2, 3])), overlap=True) == 1
    assert fewest_ways(asked.with_columns(candidates=pl.Series([3, 3])), overlap=True) == 3


def test_nobody_is_asked_for_several_rows_where_rows_are_people():
    case = Case(5, apart=True)
    assert list(several_rows(case.release, replace(case.table, people=None), case.policy)) == []
    alone = of_people(case.table, range(len(case.rows)))
    (said,) = several_rows(case.release, alone, case.policy)
    assert said.sentence == "Not tried: nobody has several rows."


def test_all_recipients_together_are_tried_with_several_rows_too():
    case = Case(8, apart=False, recipients=RECIPIENTS)
    assert len(set(case.owners)) < len(case.owners)
    found = [each.attacker for each in several_rows(case.release, case.table, case.policy)]
    assert found == [
        "one, knowing age of all rows of a person",
        "two, knowing job of all rows of a person",
        "one and two together, knowing age, job of all rows of a person",
    ]


def test_nothing_is_estimated_over_people_in_several_classes():
    table = plain_table([0, 1, 1, 2], ["p", "p", "q", "r"])
    held = holdings_before(table, ("q",))
    (found,) = exposure_over_people(held, 0, None, 0.2, (30,)).population
    assert found.chosen.in_table is None
    assert found.rule.startswith("Not defined over people")


def test_people_in_one_class_each_are_estimated_as_people():
    owners = [0, 0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]
    classes = [0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 4, 4, 5, 5]
    held = holdings_before(plain_table(classes, owners), ("q",))
    found = exposure_over_people(held, 0, 40, 0.2, (40,))
    firsts = [classes[owners.index(each)] for each in range(10)]
    rows = exposure_of(counts_before(plain_table(firsts, range(10)), ("q",)), 40, 0.2, (40,))
    assert found.population == rows.population
    assert found.people == 10
    assert found.journalist.largest <= found.prosecutor.largest


def test_views_say_before_and_after_over_people():
    case = Case(11, apart=True)
    (view,) = views_of(case.release, case.table, case.policy)
    assert view.before.people == view.after.people == len(set(case.owners))
    assert view.after.several.rows == len(case.rows)
    told = {each.attack: each for each in view.results}
    assert "together" in told["sample_uniqueness"].figures
    assert "one of their rows" in told["sample_uniqueness"].sentence


def test_a_row_counts_in_a_class_only_as_often_as_it_is_published_there():
    """Two equal rows of one person, each beside somebody with another value."""
    frame = pl.DataFrame({"age": [1, 0, 1, 2], "ill": ["flu", "cold", "flu", "cold"]})
    made = shared_release(frame, {"age": [0, 0, 1, 1]}, None, sensitive=("ill",))
    table = of_people(made.table, ["p", "q", "p", "r"])
    held = holdings_after(made.release, made.release.manifest.tables[0], table, ("age",))
    assert held.chances.tolist() == [0.5, 0.5, 0.5]
    assert held.uncertain == 2


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(sizes.tries(5, 80)))
def test_a_known_value_is_joined_with_the_others_of_people(seed):
    draw = random.Random(seed)
    rows = draw.randrange(1, 10)
    owners = [draw.randrange(1 + rows // 2) for _ in range(rows)]
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(6) for _ in range(rows)],
            "ill": [draw.choice(["flu", "none", "cold"]) for _ in range(rows)],
            "seen": [draw.randrange(2) for _ in range(rows)],
        }
    )
    blocks = {"age": [draw.randrange(3) for _ in range(rows)]}
    made = shared_release(frame, blocks, None, sensitive=("ill", "seen"))
    (found,) = background_join(made.release, of_people(made.table, owners), made.policy)
    wanted = oracle.joined(made.people, owners, made.cells, ("age",), ("ill", "seen"))
    assert found.figures == pytest.approx(wanted)
