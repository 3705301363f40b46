"""What recipients learn of columns that only others know, against trying every world."""

import random
from dataclasses import replace

import polars as pl
import pytest

import papilio as pp
from oracles import attacks as oracle
from papilio.attack.learnt_of_others import learnt_of_others
from papilio.attack.result import Exposed
from papilio.data.people import people_of, person_names
from shared_releases import shared_release
from sizes import tries

QUASI = ("age", "job", "city")
RECIPIENTS = {"one": ("age", "job"), "two": ("city",), "none": ()}


def random_release(seed):
    draw = random.Random(seed)
    rows = draw.randrange(1, 7)
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(3) for _ in range(rows)],
            "job": [draw.choice("ab") for _ in range(rows)],
            "city": [draw.choice("xyz"[: draw.randrange(1, 4)]) for _ in range(rows)],
        }
    )
    blocks = {name: [draw.randrange(3) for _ in range(rows)] for name in QUASI}
    return shared_release(frame, blocks, RECIPIENTS)


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(6, 300, "PAPILIO_OF_OTHERS")))
def test_as_by_trying_every_world(seed):
    made = random_release(seed)
    found = learnt_of_others(made.release, made.table, made.policy)
    total = len(made.people)
    for result, known in zip(found, RECIPIENTS.values(), strict=True):
        others = [name for name in QUASI if name not in known]
        learnt = {
            name: oracle.learnt_in_all_worlds(made.people, made.cells, known, name)
            for name in others
        }
        assert result.figures == {"people": total} | {f"learnt: {n}": learnt[n] for n in others}
        assert result.exposed == tuple(Exposed(learnt[n], total, n) for n in others)


@pytest.mark.parametrize("cells", ["bounds", "text"])
def test_the_school_learns_every_job(cells):
    """Classes of four by age and four by job: each age has one job."""
    frame = pl.DataFrame(
        {
            "age": [30 + row // 4 for row in range(16)],
            "job": [f"zebra{row // 4}" for row in range(16)],
        }
    )
    order = pp.Policy(
        columns={"age": "quasi", "job": "quasi"},
        recipients={"school": ["age"], "employer": ["job"]},
        privacy=pp.K(4),
        cells=cells,
    )
    release = pp.publish(frame, order, name="people", seed=1)
    assert release.verify().holds
    found = [
        each
        for each in pp.attack(release, original=order, data=frame)
        if each.attack == "learnt_of_others"
    ]
    assert [each.exposed for each in found] == [
        (Exposed(16, 16, "job"),), (Exposed(16, 16, "age"),)
    ]  # fmt: skip
    assert found[0].attacker == "school, knowing age"
    assert "job, which only others know, is learnt of 16 people (100%)" in found[0].sentence
    assert "zebra" not in repr(found)


def test_silent_where_cells_say_several_values_or_differ():
    frame = pl.DataFrame({"age": [1, 1, 2, 2], "job": ["a", "b", "a", "b"]})
    recipients = {"school": ("age",), "employer": ("job",)}
    for jobs in ([0, 1, 0, 1], [0, 0, 0, 0], [0, 0, 1, 1]):
        made = shared_release(frame, {"age": [0, 0, 1, 1], "job": jobs}, recipients)
        school, _ = learnt_of_others(made.release, made.table, made.policy)
        assert school.figures["learnt: job"] == 0
        assert "nobody" in school.sentence


def test_trees_missing_values_and_dates():
    """Labels of leaves say one value, others none; that a value is missing is a value."""
    frame = pl.DataFrame(
        {
            "age": [1, 1, 2, 2, 3, 3],
            "town": ["1010", "1010", "1020", "1030", None, None],
            "pay": [5, 5, 6, 7, None, None],
        }
    )
    columns = {
        "age": "quasi",
        "town": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [2, 1]}},
        "pay": "quasi",
    }
    recipients = {"school": ["age"], "mayor": ["town", "pay"]}
    order = pp.Policy(columns=columns, recipients=recipients, privacy=pp.K(2), method="butterfly")
    release = pp.publish(frame, order, name="people", seed=1)
    published = release.frames["people"].to_dicts()
    school, _ = (
        each
        for each in pp.attack(release, original=order, data=frame)
        if each.attack == "learnt_of_others"
    )

    def learnt(says):
        count = 0
        for person in frame.to_dicts():
            rows = [r for r in published if r["age_min"] <= person["age"] <= r["age_max"]]
            told = {says(row) for row in rows}
            count += len(told) == 1 and None not in told
        return count

    def pay(row):
        if row["pay_min"] is None:
            return "NULL"
        exact = row["pay_min"] == row["pay_max"] and not row["pay_null"]
        return row["pay_min"] if exact else None

    def town(row):
        if row["town"] is None:
            return "NULL"
        return None if row["town"].endswith("*") else row["town"]

    assert school.figures == {"people": 6, "learnt: town": learnt(town), "learnt: pay": learnt(pay)}


def test_of_people_who_were_left_out_nothing_right_is_learnt():
    frame = pl.DataFrame({"age": [1, 1, 2, 2], "job": ["a", "a", "b", "b"]})
    recipients = {"school": ("age",), "employer": ("job",)}
    made = shared_release(frame, {"age": [0, 0, 1, 1], "job": [0, 0, 1, 1]}, recipients)
    more = pl.concat([frame, pl.DataFrame({"age": [1, 9], "job": ["b", "b"]})])
    table = replace(made.table, frame=more)
    school, _ = learnt_of_others(made.release, table, made.policy)
    assert school.figures == {"people": 6, "learnt: job": 4}


def test_people_with_several_rows_count_once():
    frame = pl.DataFrame({"age": [1, 1, 2, 2], "job": ["a", "a", "b", "c"]})
    recipients = {"school": ("age",), "employer": ("job",)}
    made = shared_release(frame, {"age": [0, 0, 1, 1], "job": [0, 0, 1, 2]}, recipients)
    table = replace(made.table, people=people_of(person_names(pl.Series("pid", list("ppqp")))))
    school, _ = learnt_of_others(made.release, table, made.policy)
    assert school.exposed == (Exposed(1, 2, "job"),)


def test_who_knows_all_that_others_know_learns_nothing_of_them():
    frame = pl.DataFrame({"age": [1, 2], "job": ["a", "b"]})
    recipients = {"school": ("age", "job"), "employer": ("age", "job")}
    made = shared_release(frame, {"age": [0, 0], "job": [0, 0]}, recipients)
    (result,) = learnt_of_others(made.release, made.table, made.policy)
    assert result.sentence.startswith("Not tried")
    assert result.exposed == ()
