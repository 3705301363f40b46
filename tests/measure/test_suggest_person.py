"""Columns that say whose row it is are found by their names and counts."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest

import papilio as pp

ROWS = 60


def _table(**columns):
    chance = random.Random(1)
    base = {"age": [chance.randrange(20, 60) for _ in range(ROWS)]}
    return pl.DataFrame({**columns, **base})


def _numbers(people, start=1000):
    return [start + 7 * (row % people) for row in range(ROWS)]


@pytest.mark.parametrize(
    "name",
    ["patient_nbr", "PatientID", "subject_id", "id_student", "pid", "idcode", "customer no"],
)
@pytest.mark.parametrize("people", [2, 20, 50])
def test_a_name_that_says_whom_it_is_about(name, people):
    """However few people there are: of whom rows are is not a question of how many they have."""
    found = pp.profile(_table(**{name: _numbers(people)}))
    assert found.person is not None
    assert found.person.name == name
    assert found.person.people == people
    assert found.person.rows == ROWS
    role = next(each.role for each in found.columns if each.name == name)
    assert role == "identifier"


@pytest.mark.parametrize(
    "name",
    ["visit_id", "encounter_id", "hadm_id", "product_id", "year", "town", "num_visits", "job"],
)
def test_a_name_of_something_else(name):
    assert pp.profile(_table(**{name: _numbers(20)})).person is None


def test_everybody_has_one_row():
    assert pp.profile(_table(patient_id=_numbers(ROWS))).person is None


def test_names_that_repeat_by_accident_are_found_too():
    names = [f"name {row % 55}" for row in range(ROWS)]
    assert pp.profile(_table(surname=names)).person.name == "surname"


def test_a_name_that_says_whom_it_is_about_goes_before_others():
    table = _table(surname=[f"name {row % 25}" for row in range(ROWS)], patient_id=_numbers(30))
    assert pp.profile(table).person.name == "patient_id"


def test_namesakes_are_an_accident_where_every_row_has_its_own_number():
    names = [f"name {row % 55}" for row in range(ROWS)]
    found = pp.profile(_table(surname=names, patient_id=_numbers(ROWS)))
    assert found.person is None
    assert found.repeated_identifier == "surname"


def test_people_are_counted_by_their_rows():
    people = [1] * 1 + [2] * 2 + [3] * 2 + [4] * 7 + [5] * 48
    found = pp.profile(_table(pid=people)).person
    assert found.histogram == ((1, 1, 1), (2, 2, 2), (6, 10, 1), (21, 48, 1))
    assert (found.people, found.rows, found.most) == (5, ROWS, 48)
    assert found.in_words() == (
        "5 people have 60 rows (1 with 1, 2 with 2, 1 with 6 to 10, 1 with 21 to 48)"
    )
    assert sum(step["people"] for step in found.to_dict()["rows_per_person"]) == 5


def test_rows_of_one_person_do_not_hide_each_other():
    """Whoever was born in 1950 is alone, however many rows they have."""
    visits = _table(
        pid=[1, 1, 1, 2, 2, 2] * 10,
        born=[1950, 1950, 1950, 1980, 1980, 1980] * 10,
        ward=["a", "a", "b", "b", "b", "b"] * 10,
        sex=["f"] * 60,
    )
    alone = {each.columns: each.unique_share for each in pp.profile(visits).risky_sets}
    assert alone[("pid",)] == alone[("born",)] == 1
    assert alone[("ward",)] == pytest.approx(1 / 3)
    assert ("sex",) not in alone
    assert not any(len(columns) > 1 for columns in alone if "born" in columns)


def test_random_rows_are_alone_where_nobody_else_has_their_values():
    for seed in range(6):
        chance = np.random.default_rng(seed)
        columns = {name: chance.integers(0, 6, 60).tolist() for name in "abc"}
        owners = [None if each == 0 else int(each) for each in chance.integers(0, 22, 60)]
        frame = _table(patient_id=owners, **columns)
        found = pp.profile(frame)
        assert found.person is not None
        own = [f"row {row}" if each is None else each for row, each in enumerate(owners)]
        for risky in found.risky_sets:
            held = {}
            for row, person in zip(frame.select(risky.columns).iter_rows(), own, strict=True):
                held.setdefault(row, []).append(person)
            alone = sum(len(each) for each in held.values() if len(set(each)) == 1)
            assert risky.unique_share == pytest.approx(alone / 60)


def test_rows_of_nobody_are_not_people():
    people = [None] * 20 + [row % 20 for row in range(40)]
    found = pp.profile(_table(pid=people)).person
    assert (found.people, found.rows, found.unknown) == (20, 40, 20)
    assert found.in_words() == (
        "20 people have 40 rows (20 with 2); 20 rows name nobody and must be filled in or left out"
    )
    assert found.to_dict()["unknown"] == 20
