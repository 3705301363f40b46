import datetime as dt
import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import papilio as pp
from papilio.data.table import ColumnType, Role
from papilio.errors import DataError
from papilio.measure.profile import profile
from papilio.randomness import Randomness

CATEGORY, NUMERIC, DATE = ColumnType.CATEGORY, ColumnType.NUMERIC, ColumnType.DATE
MARKER = "xyzzy"


def patients(rows=60):
    frame = pl.DataFrame(
        {
            "record": range(1_000, 1_000 + rows),
            "name": [f"{MARKER} {row}" for row in range(rows)],
            "age": [20 + row % 12 for row in range(rows)],
            "city": [f"{MARKER} city {row % 5}" for row in range(rows)],
            "disease": [None if row % 4 == 0 else f"{MARKER} ill" for row in range(rows)],
            "visit": [dt.date(2020, 1, 1 + row % 3) for row in range(rows)],
            "amount": [987_654_321.5 + 3 * (row % 7) for row in range(rows)],
        }
    )
    kinds = [NUMERIC, CATEGORY, NUMERIC, CATEGORY, CATEGORY, DATE, NUMERIC]
    types = dict(zip(frame.columns, kinds, strict=True))
    return frame, types


def by_name(found):
    return {column.name: column for column in found.columns}


def test_columns_are_counted_over_all_rows():
    frame, types = patients()
    found = profile(frame, types, sample=10, randomness=Randomness(1))
    columns = by_name(found)
    assert list(columns) == frame.columns
    assert (found.rows, found.looked_at) == (60, 10)
    disease = columns["disease"]
    assert (disease.distinct, disease.missing_share, disease.unique_share) == (2, 0.25, 0.0)
    assert (disease.smallest_group, disease.largest_group) == (15, 45)
    assert columns["age"].distinct == 12
    assert (columns["record"].distinct, columns["record"].unique_share) == (60, 1.0)
    assert columns["visit"].type is DATE


def test_roles_come_with_reasons():
    columns = by_name(profile(*patients()))
    assert {name: column.role for name, column in columns.items()} == {
        "record": Role.IDENTIFIER,
        "name": Role.IDENTIFIER,
        "age": Role.QUASI,
        "city": Role.QUASI,
        "disease": Role.SENSITIVE,
        "visit": Role.QUASI,
        "amount": Role.QUASI,
    }
    assert columns["record"].reason == "a running number, different in nearly every row"
    # 12 ages and 7 amounts have no common divisor: within 84 rows no combination comes twice.
    assert columns["amount"].reason == (
        "a guess: together with 'age' it singles out 100% of the rows"
    )


def test_risky_sets_put_minimal_ones_first_and_identifiers_alone():
    found = profile(*patients())
    sets = {each.columns: each for each in found.risky_sets}
    assert sets["record",].minimal
    assert sets["name",].unique_share == 1.0
    assert sets["age", "city"].unique_share == 1.0
    for columns in sets:
        assert len(columns) == 1 or not {"record", "name"} & set(columns)
    order = [(not each.minimal, -each.unique_share) for each in found.risky_sets]
    assert order == sorted(order)
    for each in found.risky_sets:
        smaller = [other for other in sets if set(other) < set(each.columns)]
        assert each.minimal is (not smaller)


def test_an_identifier_that_repeats_is_not_combined_either():
    frame, types = patients()
    frame = frame.with_columns(pl.col("name").shift(1, fill_value=f"{MARKER} 0"))
    found = profile(frame, types)
    assert by_name(found)["name"].unique_share == 58 / 60
    assert [each.columns for each in found.risky_sets if "name" in each.columns] == [("name",)]


def test_only_sets_above_the_threshold_are_risky():
    frame = pl.DataFrame({"a": [1, 2, 3, 4, 4, 4, 4, 4], "b": [1, 1, 1, 1, 1, 1, 2, 2]})
    types = {"a": NUMERIC, "b": NUMERIC}
    assert [each.columns for each in profile(frame, types, risky=3 / 8).risky_sets] == [
        ("a",),
        ("a", "b"),
    ]
    assert profile(frame, types, risky=0.5).risky_sets == ()
    # Without any lone row nothing is risky, however low the threshold.
    assert [each.columns for each in profile(frame, types, risky=0.0).risky_sets] == [
        ("a",),
        ("a", "b"),
    ]


def test_a_long_list_is_cut_but_counted():
    frame, types = patients()
    everything = profile(frame, types)
    assert len(everything.risky_sets) == everything.risky_count > 2
    cut = profile(frame, types, limit=2)
    assert cut.risky_sets == everything.risky_sets[:2]
    assert cut.risky_count == everything.risky_count


def test_no_value_of_a_cell_gets_into_the_profile():
    frame, types = patients()
    text = json.dumps(profile(frame, types).to_dict())
    for value in (MARKER, "987654321", "987654339", "1000", "1059", "2020"):
        assert value in str(frame.to_dicts())
        assert value not in text


def test_to_dict_is_plain_json():
    found = profile(*patients())
    plain = found.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["columns"][2] == {
        "name": "age",
        "type": "numeric",
        "distinct": 12,
        "missing_share": 0.0,
        "unique_share": 0.0,
        "smallest_group": 5,
        "largest_group": 5,
        "role": "quasi",
        "reason": "its name ('age') says that others may know it",
        "most_l": 12,
        "proposed_l": 3,
        "most_classes": 50,
        "proposed_near": "50% within 5%",
    }
    assert type(plain["columns"][2]["role"]) is str
    assert plain["risky_sets"][0]["columns"] == ["record"]


@pytest.mark.parametrize(
    ("values", "role"),
    [
        ([*range(7, 67)], Role.IDENTIFIER),
        ([str(row) for row in range(60)], Role.IDENTIFIER),
        ([row * 2 for row in range(60)], Role.IDENTIFIER),
        ([row * 3 for row in range(60)], Role.QUASI),
        ([row / 2 for row in range(60)], Role.QUASI),
        ([f"{row}.5" for row in range(60)], Role.QUASI),
        ([*map(str, range(58)), "58.5", "59.5"], Role.QUASI),
        ([None] * 60, Role.QUASI),
    ],
    ids=["running", "text", "second", "third", "halves", "text halves", "mixed", "missing"],
)
def test_running_numbers(values, role):
    found = profile(pl.DataFrame({"x": values}), {"x": NUMERIC})
    assert found.columns[0].role is role


def test_null_is_not_one_of_the_values_that_differ_in_every_row():
    labels = [f"label {row}" for row in range(18)]
    frame = pl.DataFrame({"x": [*labels, *labels[:2], None]})
    found = profile(frame, {"x": CATEGORY})
    assert (found.columns[0].distinct, found.columns[0].role) == (19, Role.QUASI)


def test_nan_is_null():
    found = profile(pl.DataFrame({"x": [1.0, float("nan"), None, 2.0]}), {"x": NUMERIC})
    assert (found.columns[0].distinct, found.columns[0].missing_share) == (3, 0.5)


def test_a_table_of_identifiers_has_no_larger_sets():
    frame = pl.DataFrame({"id": [1, 2, 3], "email": ["a", "b", "c"]})
    found = profile(frame, {"id": NUMERIC, "email": CATEGORY})
    assert (found.rows, found.looked_at) == (3, 3)
    assert [each.columns for each in found.risky_sets] == [("id",), ("email",)]


def test_an_empty_table():
    frame = pl.DataFrame({"age": [], "x": []}, schema={"age": pl.Int64, "x": pl.String})
    found = profile(frame, {"age": NUMERIC, "x": CATEGORY})
    assert found.risky_sets == ()
    for column in found.columns:
        assert (column.distinct, column.missing_share, column.unique_share) == (0, 0.0, 0.0)
        assert (column.smallest_group, column.largest_group) == (0, 0)


def test_a_column_without_a_type_is_refused():
    with pytest.raises(DataError, match="column 'x' has no type"):
        profile(pl.DataFrame({"x": [1]}), {})


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=12))
def test_progress_rises_to_one(rows):
    shares = []
    frame = pl.DataFrame(rows, schema=["a", "b"], orient="row")
    profile(frame, {"a": NUMERIC, "b": NUMERIC}, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def values(**sizes):
    return pl.Series([value for value, times in sizes.items() for _ in range(times)])


@pytest.mark.parametrize(
    ("sizes", "proposed"),
    [
        ({"a": 40, "b": 40, "c": 20}, (3, 20)),
        ({"a": 90, "b": 8, "c": 2}, (2, 10)),
        ({"a": 99, "b": 1}, (2, 1)),
        ({"a": 100}, (None, 0)),
    ],
)
def test_an_l_to_start_with_and_what_it_costs_at_least(sizes, proposed):
    frame = pl.DataFrame({"illness": values(**sizes)})
    (column,) = profile(frame, {"illness": CATEGORY}).columns
    assert (column.proposed_l, column.most_classes) == proposed
    assert column.most_l == len(sizes)


@pytest.mark.parametrize(
    ("pay", "proposed"),
    [
        (list(range(100)), "50% within 5%"),
        ([0] * 40 + list(range(100, 160)), "70% within 5%"),
        ([0] * 90 + list(range(100, 110)), "95% within 5%"),
        ([0] * 98 + [100, 200], None),
        ([7] * 50, None),
        ([None] * 50 + [0.0] * 25 + [float("inf")] * 5 + [100.0] * 20, "60% within 5%"),
    ],
)
def test_what_may_be_near_to_start_with_is_met_and_leaves_no_light(pay, proposed):
    frame = pl.DataFrame({"name": [f"n{row}" for row in range(len(pay))], "pay": pay})
    (column,) = (c for c in profile(frame, {"name": CATEGORY, "pay": NUMERIC}).columns[1:])
    assert column.proposed_near == proposed
    if proposed is None or None in pay:
        return
    privacy = {"k": 2, "e": 1, "near": proposed}
    policy = pp.Policy(columns={"name": "quasi", "pay": "sensitive"}, privacy=privacy)
    lights = pp.publish(frame, policy, name="people", seed=1).lights
    assert not [each for each in lights.secret.findings if each.attack == "near_value"]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abcd")), min_size=1, max_size=9))
def test_the_largest_l_is_what_all_rows_as_one_class_meet(visits):
    # Everybody has a second row, as those with one row are not asked about.
    visits = [*visits, *visits]
    frame = pl.DataFrame(visits, schema=["patient_id", "illness"], orient="row")
    found = profile(frame, {"patient_id": CATEGORY, "illness": CATEGORY})
    people = {person for person, _ in visits}
    others = [{value for who, value in visits if who != person} for person in people]
    if found.person is None:
        others = [{value for _, value in visits}]
    (illness,) = (each for each in found.columns if each.name == "illness")
    assert illness.most_l == min(len(values) for values in others)
