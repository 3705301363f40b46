import datetime as dt
from itertools import combinations, pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.uniqueness import all_measures, contains_smaller_key
from papilio.errors import PapilioError
from papilio.measure import uniqueness as module
from papilio.measure.uniqueness import ColumnSet, draw_rows, uniqueness
from papilio.randomness import Randomness

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult" / "adult.data"

cells = st.one_of(st.none(), st.integers(0, 2))
wide_cells = st.one_of(st.none(), st.integers(0, 9))


@st.composite
def tables(draw):
    width = draw(st.integers(1, 5))
    kinds = [draw(st.sampled_from([cells, wide_cells])) for _ in range(width)]
    return width, draw(st.lists(st.tuples(*kinds), max_size=12))


def as_frame(width, rows):
    schema = {f"c{place}": pl.Int64 for place in range(width)}
    return pl.DataFrame(rows, schema=schema, orient="row")


def by_places(sets):
    return {
        tuple(int(name[1:]) for name in each.columns): (
            each.distinctness,
            each.separation,
            each.unique_share,
            each.smallest_group,
        )
        for each in sets
    }


@settings(deadline=None)
@given(tables(), st.integers(1, 4))
def test_equals_the_definition_and_lists_all_but_supersets_of_keys(table, max_size):
    width, rows = table
    expected = all_measures(rows, width, max_size)
    found = uniqueness(as_frame(width, rows), max_size=max_size)
    counted = {
        columns: values
        for columns, values in expected.items()
        if not contains_smaller_key(columns, expected)
    }
    listed = by_places(found.sets)
    assert list(listed) == list(counted)
    for columns, values in counted.items():
        assert listed[columns] == pytest.approx(values, rel=1e-12)
    assert found.implied == len(expected) - len(counted)
    assert not any(each.implied for each in found.sets)


@settings(deadline=None)
@given(tables())
def test_implied_sets_are_what_counting_them_would_give(table):
    width, rows = table
    expected = all_measures(rows, width, 3)
    found = uniqueness(as_frame(width, rows), list_implied=True)
    listed = by_places(found.sets)
    assert list(listed) == list(expected)
    for columns, values in expected.items():
        assert listed[columns] == pytest.approx(values, rel=1e-12)
    assert sum(each.implied for each in found.sets) == found.implied


def test_threads_do_not_change_the_result():
    frame = crossed(6, 5).with_columns(pl.int_range(30).alias("key"), pl.lit(1).alias("same"))
    assert uniqueness(frame, threads=1) == uniqueness(frame, threads=5)


def crossed(left, right):
    return pl.DataFrame(
        {
            "left": [i for i in range(left) for _ in range(right)],
            "right": [i for _ in range(left) for i in range(right)],
        }
    )


def test_known_answers_on_a_cross_product():
    twice = pl.concat([crossed(4, 5), crossed(4, 5).head(5)])
    by_name = {each.columns: each for each in uniqueness(twice).sets}
    # left = 0 has ten rows, the others five; each right has five; five pairs occur twice.
    assert by_name["left",] == ColumnSet(("left",), 4 / 25, 1 - (90 + 60) / 600, 0.0, 5)
    assert by_name["right",] == ColumnSet(("right",), 5 / 25, 1 - 100 / 600, 0.0, 5)
    assert by_name["left", "right"] == ColumnSet(
        ("left", "right"), 20 / 25, 1 - 10 / 600, 15 / 25, 1
    )


@pytest.mark.skipif(not ADULT.exists(), reason="needs UCI Adult beside the repository")
def test_adult_agrees_with_polars():
    names = ["age", "workclass", "fnlwgt", "education", "education_num"]
    adult = pl.read_csv(ADULT, has_header=False).drop_nulls("column_1")
    adult = adult.select(adult.columns[:5]).rename(dict(zip(adult.columns[:5], names, strict=True)))
    found = {each.columns: each for each in uniqueness(adult, max_size=2).sets}
    assert adult.height == 32_561
    assert round(found["age",].distinctness * adult.height) == 73
    assert round(found["fnlwgt",].distinctness * adult.height) == 21_648
    # The number of years is a code for the name of the degree: together they tell no more.
    both = found["education", "education_num"]
    assert both.separation == found["education",].separation == found["education_num",].separation
    for columns in combinations(names, 2):
        sizes = adult.group_by(columns).len("n").get_column("n")
        assert round(found[columns].unique_share * adult.height) == (sizes == 1).sum()
        assert found[columns].smallest_group == sizes.min()


def test_rows_fewer_than_two():
    empty = uniqueness(as_frame(2, []))
    assert {each.columns for each in empty.sets} == {("c0",), ("c1",), ("c0", "c1")}
    for each in empty.sets:
        assert (each.distinctness, each.separation, each.unique_share) == (0.0, 1.0, 0.0)
        assert each.smallest_group == 0
    one = uniqueness(as_frame(2, [(None, 1)]))
    assert one.sets == (
        ColumnSet(("c0",), 1.0, 1.0, 1.0, 1),
        ColumnSet(("c1",), 1.0, 1.0, 1.0, 1),
    )
    assert one.implied == 1


def test_no_columns():
    found = uniqueness(pl.DataFrame(), progress=lambda share: None)
    assert (found.sets, found.implied) == ((), 0)


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([1.5, float("nan"), None, 1.5, 2.0]),
        pl.Series(["a", None, None, "a", "b"]),
        pl.Series(["a", None, None, "a", "b"], dtype=pl.Categorical),
        pl.Series(["a", None, None, "a", "b"], dtype=pl.Enum(["b", "c", "a"])),
        pl.Series([dt.date(2020, 1, 1), None, None, dt.date(2020, 1, 1), dt.date(2021, 1, 1)]),
        pl.Series([True, None, None, True, False]),
        pl.Series([[1, 2], None, None, [1, 2], [2, 1]]),
        pl.Series([0.0, None, float("nan"), -0.0, 1.0]),
    ],
    ids=lambda series: str(series.dtype),
)
def test_every_type_groups_by_value_with_null_as_one(values):
    (found,) = uniqueness(values.alias("row").to_frame()).sets
    assert found == ColumnSet(("row",), 3 / 5, 1 - 4 / 20, 1 / 5, 1)


def test_a_sample_says_so_and_has_no_row_twice():
    frame = pl.DataFrame({"key": range(500), "half": [0, 1] * 250})
    found = uniqueness(frame, sample=40, randomness=Randomness(3))
    assert (found.rows, found.looked_at, found.sampled) == (500, 40, True)
    by_name = {each.columns: each for each in found.sets}
    assert by_name["key",].unique_share == 1.0
    assert 0 < by_name["half",].separation < 1
    assert not uniqueness(frame, sample=500).sampled


def test_a_sample_is_uniform_and_in_order():
    frame = pl.DataFrame({"row": range(10)})
    randomness = Randomness(11)
    drawn = [draw_rows(frame, 4, randomness).get_column("row").to_list() for _ in range(2_000)]
    assert all(len(rows) == 4 and all(a < b for a, b in pairwise(rows)) for rows in drawn)
    times = [sum(row in rows for rows in drawn) for row in range(10)]
    # 800 expected; the standard deviation is 22.
    assert all(690 < count < 910 for count in times)


def test_wide_tables_are_sampled_further(monkeypatch):
    monkeypatch.setattr(module, "FEWEST_ROWS", 100)
    frame = as_frame(6, [[row // 7] * 6 for row in range(400)])
    of_three, of_two = 6 + 15 + 20, 6 + 15
    found = uniqueness(frame, work=of_three * 400)
    assert (found.looked_at, found.largest_size) == (400, 3)
    found = uniqueness(frame, work=of_three * 400 - 1)
    assert (found.looked_at, found.largest_size, found.sampled) == (399, 3, True)
    found = uniqueness(frame, work=of_three * 100)
    assert (found.looked_at, found.largest_size) == (100, 3)
    # Below the fewest rows the sets of three are given up, those of two never are.
    found = uniqueness(frame, work=of_three * 100 - 1)
    assert (found.looked_at, found.largest_size) == ((of_three * 100 - 1) // of_two, 2)
    assert max(len(each.columns) for each in found.sets) == 2
    found = uniqueness(frame, work=of_two * 5)
    assert (found.looked_at, found.largest_size) == (5, 2)


def test_a_short_table_is_not_sampled_below_its_rows():
    frame = as_frame(4, [[row % 3] * 4 for row in range(20)])
    found = uniqueness(frame, work=14 * 20)
    assert (found.looked_at, found.largest_size) == (20, 3)


def test_progress_rises_to_one():
    shares = []
    uniqueness(crossed(4, 5).with_columns(pl.int_range(20).alias("key")), progress=shares.append)
    assert shares[-1] == 1.0
    assert all(before < after for before, after in pairwise(shares))


def test_an_interrupt_from_the_callback_ends_the_count():
    def interrupt(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        uniqueness(crossed(4, 5), progress=interrupt)


@pytest.mark.parametrize("argument", ["max_size", "sample", "work", "threads"])
def test_arguments_below_one_are_refused(argument):
    with pytest.raises(PapilioError, match=f"{argument} is 0; 1 or more is accepted"):
        uniqueness(crossed(2, 2), **{argument: 0})
