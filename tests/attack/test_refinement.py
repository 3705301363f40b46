"""Rows that follow for who knows how classes are cut, against replaying the method."""

import random

import numpy as np
import polars as pl
import pytest

import papilio as pp
from oracles import diversity
from oracles import refinement as oracle
from papilio.attack.refinement import further_rows, least_vectors, refinement, unavoidable
from papilio.data.encode import encode
from papilio.data.table import Role
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.kernels.demand import Demand
from papilio.policy.apply import order_of
from papilio.randomness import Randomness
from sizes import tries

FREE = ["group", "job", "town"]
COLUMNS = {**dict.fromkeys(FREE, "quasi"), "ill": "sensitive"}
DEMANDS = {
    "k": ([pp.K(2)], lambda values: len(values) > 1),
    "distinct": ([pp.K(2), pp.L("ill", 2)], lambda values: diversity.distinct(values, 2)),
    "recursive": (
        [pp.K(2), pp.L("ill", recursive=(2, 2))],
        lambda values: diversity.recursive(values, 2, 2),
    ),
}
POLICIES = {
    name: pp.Policy(columns=COLUMNS, privacy=privacy, method="mondrian")
    for name, (privacy, _) in DEMANDS.items()
}


def whole_class(seed, demand):
    """Rows that the method leaves whole for k = 2 and what is demanded of illnesses."""
    draw = random.Random(seed)
    while True:
        columns = []
        for _ in range(2):
            jobs = sorted(draw.sample("abcd", draw.choice([2, 3, 3, 3])))
            usual = [jobs[0], *jobs[1:2] * 3, jobs[-1]]
            free = [draw.choice(jobs) for _ in usual]
            columns.append(draw.sample(usual, 5) if draw.random() < 0.5 else free)
        ill = draw.choice([[*"vwxyz"], draw.choices("xxyz", k=5)])
        rows = list(zip(*columns, ill, strict=True))
        points, values = [row[:2] for row in rows], [row[2] for row in rows]
        different = [len(set(each)) for each in zip(*points, strict=True)]
        met = DEMANDS[demand][1]
        if min(different) > 1 and met(values) and not oracle.is_cut(points, values, 2, met):
            return rows


def released(classes, policy):
    """A release whose classes are these, each apart from all others by a number."""
    lines = [(number, *row) for number, rows in enumerate(classes) for row in rows]
    schema = {"group": pl.Int64, **dict.fromkeys([*FREE[1:], "ill"], pl.String)}
    frame = pl.DataFrame(lines, schema=schema, orient="row")
    made = order_of(frame, policy, "people")[0].table
    starts = np.cumsum([0, *map(len, classes)])
    release = generalised_release(
        made,
        encode(made, made.with_role(Role.QUASI)),
        Classes(np.arange(len(lines), dtype=np.int32), starts.astype(np.int64)),
        (),
        method="mondrian",
        text=False,
        randomness=Randomness(1),
    ).release
    return release, made


@pytest.mark.searches
@pytest.mark.parametrize("demand", DEMANDS)
def test_what_follows_is_what_all_tables_share_that_the_method_leaves_whole(demand):
    seeds = range(tries(12, 100))
    classes = [whole_class(f"{demand} {seed}", demand) for seed in seeds]
    release, made = released(classes, POLICIES[demand])
    _, found = further_rows(release, made, POLICIES[demand], FREE)
    assert (found.classes, found.otherwise, found.tried) == (len(classes), 0, found.whole)
    values = [[None, *made.frame[name].unique().sort()] for name in FREE]
    told = [tuple(values[c][n] for c, n in enumerate(row)) for row in found.rows.tolist()]
    further = 0
    for number, rows in enumerate(classes):
        points, ill = [row[:2] for row in rows], [row[2] for row in rows]
        wanted = oracle.certain(points, ill, 2, DEMANDS[demand][1])
        assert {row[1:] for row in told if row[0] == number} == wanted, rows
        further += bool(wanted)
    assert 0 < further <= found.whole < len(classes)
    # Under more than k a class may be whole for other reasons.
    assert (further < found.whole) == (demand != "k")


def attacked(frame, privacy, **more):
    columns = {name: COLUMNS[name] for name in frame.columns}
    policy = pp.Policy(columns=columns, privacy=privacy, **{"method": "mondrian", **more})
    release = pp.publish(frame, policy, name="people", seed=1)
    told = pp.attack(release, original=policy, data=frame)
    (found,) = [each for each in told if each.attack == "refinement"]
    return release, found


def nurses():
    """Of five rows three share the middle job, three the middle town: two times three is more."""
    return pl.DataFrame({"job": [*"acbbb"], "town": [*"yyxzy"]})


@pytest.mark.parametrize("cells", ["bounds", "safe"])
def test_a_row_that_follows_on_paper(cells):
    """Had fewer than three the job b, the class could have been cut, and so it is for towns."""
    release, found = attacked(nurses(), pp.K(2), cells=cells)
    assert release.verify().holds
    assert found.figures == {
        "classes": 1,
        "whole": 1,
        "tried": 1,
        "otherwise": 0,
        "more": 1,
        "wrong": 0,
        "k": 2,
        "shared_by_few": 1,
        "shared_by_one": 1,
        "people": 5,
        "people_few": 1,
    }
    told, other, _ = found.sentence.partition(" The rule is that of mondrian without improve; ")
    assert told == (
        "For who knows how classes are cut, 1 further complete row follows from 1 class, 1 of "
        "them shared by fewer than 2 people; 1 person (20%) has such a row."
    )
    # Classes that were made to look alike seem to be one that was not cut.
    assert bool(other) is (cells == "safe")
    (light,) = [each for each in release.lights.alone.findings if each.attack == "refinement"]
    assert (light.people, light.beyond, light.remedy) == (1, "how the method works", None)


def test_nothing_follows_with_a_larger_k_or_a_list_more_to_choose_from():
    frame = pl.concat([nurses(), pl.DataFrame({"job": [*"acb"], "town": [*"yyy"]})])
    _, found = attacked(frame, pp.K(4))
    assert (found.figures["whole"], found.figures["more"]) == (0, 0)
    assert found.sentence.startswith("No further complete row follows")


def test_two_neighbouring_numbers_beside_null_are_such_a_list():
    jobs = [*"acbbb"]
    for ages, more in (([1, 1, None, 2, 1], 1), ([1, 1, None, 3, 1], 0)):
        frame = pl.DataFrame({"group": ages, "job": jobs})
        _, found = attacked(frame, pp.K(2))
        assert (found.figures["whole"], found.figures["more"]) == (more, more)


def test_other_methods_and_people_with_several_rows():
    release, _ = attacked(nurses(), pp.K(2))
    policy = pp.Policy(columns={"job": "quasi", "town": "quasi"}, privacy=pp.K(2))
    made = order_of(nurses(), policy, "people")[0].table
    (found,) = refinement(release, made, policy, exact=False)
    assert "The rule is that of mondrian without improve; mondrian goes by ano" in found.sentence
    _, found = attacked(nurses(), pp.K(2), method="incognito")
    assert not found.tried
    frame = nurses().with_columns(id=pl.Series([1, 2, 3, 4, 5]))
    columns = {"id": "identifier", "job": "quasi", "town": "quasi"}
    policy = pp.Policy(columns=columns, privacy=pp.K(2), person="id", method="mondrian")
    release = pp.publish(frame, policy, name="people")
    told = pp.attack(release, original=policy, data=frame)
    assert [each.tried for each in told if each.attack == "refinement"] == [False]


def test_lists_that_the_rule_does_not_lead_to_are_another_methods():
    """Four jobs of one row each could have been cut; no way to fill the list is left."""
    assert least_vectors(np.zeros((1, 0)), np.array([4]), 4, Demand(2)) == []
    middle = least_vectors(np.zeros((1, 0)), np.array([5]), 3, Demand(2))
    assert [each.tolist() for each in middle] == [[[1]], [[3]], [[1]]]
    assert list(unavoidable([middle, middle], np.array([5]))) == [(1, 1)]


def test_no_cell_is_told():
    frame = nurses().with_columns(job=pl.col("job").replace("b", "bZqx"))
    _, found = attacked(frame, pp.K(2))
    assert found.figures["more"] == 1
    assert "Zqx" not in str(found)
