"""Permuted values, on one machine and in the engine."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from both_engines import check_same, collected, mixed, publish_family
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papilio import Policy
from papilio.errors import InfeasibleError
from papilio.families.engines.spark import cells, people
from papilio.families.permutation import spark as permuted_plan
from papilio.families.permutation import spark_ranges as permuted_ranges
from papilio.workflow.publish import publish_to
from sizes import some


def salaries(rows, seed=1, missing=0.03):
    chance = np.random.default_rng(seed)
    values = chance.lognormal(10, 0.7, rows).astype(np.int64)
    return pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(rows)],
            "age": chance.integers(18, 90, rows),
            "job": [f"job {number}" for number in chance.integers(0, 40, rows)],
            "born": pl.Series(chance.integers(0, 9000, rows), dtype=pl.Int32).cast(pl.Date),
            "salary": pl.Series(values).set(pl.Series(chance.random(rows) < missing), None),
        }
    )


def order(path, k=10, e=1000, further=(), **more):
    columns = {
        "name": "identifier",
        "age": "quasi",
        "job": "quasi",
        "born": "plain",
        "salary": {"role": "sensitive", "type": "numeric"},
    }
    privacy = {"k": k, "e": e, **dict(further)}
    return Policy(source=str(path), columns=columns, privacy=privacy, method="permutation", **more)


def widths(publication, column="salary"):
    """Widths of the groups, ascending."""
    name = publication.release.manifest.tables[1].name
    values = publication.release.frames[name]
    spread = pl.col(column).max() - pl.col(column).min()
    return sorted(values.group_by("group").agg(spread.alias("w")).get_column("w").to_list())


def sizes(publication):
    """Rows and missing values of each group, as a sorted list."""
    name = publication.release.manifest.tables[1].name
    values = publication.release.frames[name]
    counted = values.group_by("group").agg(pl.len().alias("n"), pl.col("salary").count())
    return sorted(counted.select("n", "salary").rows())


@pytest.mark.parametrize("minimise", some(["sum", "max", "groups", "max-exact"]))
def test_objectives(tmp_path, embedded, minimise):
    frame = salaries(3000).with_columns(pl.col("salary") % 97)
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=700)
    policy = order(tmp_path / "people.parquet", k=4, e=5, minimise=minimise)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert widths(pair.spark) == widths(pair.local)
    known = [[n for _, n in sizes(each)] for each in (pair.local, pair.spark)]
    assert sorted(known[0]) == sorted(known[1])


def test_known_rows_windows_and_shares_of_the_range(tmp_path, embedded):
    frame = salaries(1500).with_columns(pl.col("salary") % 97)
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=700)
    further = {"known": 2, "near": {"width": "5%", "at_most": 0.5}}
    policy = order(tmp_path / "people.parquet", 4, "10%", further)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert pair.spark.release.manifest.claims[0].parameters["known"] == 2
    assert widths(pair.spark) == widths(pair.local)


def test_people_and_values_are_those_of_the_source(tmp_path, embedded):
    frame = salaries(2500)
    frame.write_csv(tmp_path / "people.csv")
    policy = order(tmp_path / "people.csv", k=4, e=100.5)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    published = pair.spark.release.frames
    shown = frame.select("age", "job", "born")
    assert mixed(published["people"].drop("group")).equals(mixed(shown))
    values = published["people_values"].get_column("salary")
    assert values.sort().equals(frame.get_column("salary").sort())


def test_doubles_both_zeros_and_names_that_engines_use(tmp_path, embedded):
    chance = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "group": chance.integers(0, 5, 900),
            "key": [f"it's `{n}`" for n in chance.integers(0, 5, 900)],
            "own, first.": chance.random(900) < 0.5,
            "grp": pl.Series(chance.choice([0.0, -0.0, 0.1, 1.5, 2.25, -7.125, 1e100], 900)).set(
                pl.Series(chance.random(900) < 0.1), None
            ),
        }
    )
    frame.write_parquet(tmp_path / "people.parquet")
    columns = dict.fromkeys(frame.columns[:-1], "quasi") | {"grp": "sensitive"}
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns=columns,
        privacy={"k": 2, "e": 0.1},
        method="permutation",
    )
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    values = [each.release.frames["people_values"] for each in (pair.local, pair.spark)]
    spread = pl.col("grp").max() - pl.col("grp").min()
    local, spark = (v.group_by("group_").agg(spread).get_column("grp").sort() for v in values)
    assert spark.equals(local)


def test_missing_values_are_shared_out_in_proportion(tmp_path, embedded):
    salaries(4000, missing=0.2).write_parquet(tmp_path / "people.parquet", row_group_size=900)
    pair = publish_family(tmp_path, order(tmp_path / "people.parquet"), embedded)
    share = 1 - sum(n for _, n in sizes(pair.spark)) / 4000
    for rows, known in sizes(pair.spark):
        assert abs((rows - known) - known * share / (1 - share)) < 1


def test_rows_of_equal_value_are_dealt_out_by_chance(tmp_path, embedded):
    # The rows of 2 are shared by two groups; whoever comes first must not be in the same one.
    frame = pl.DataFrame({"place": range(400), "pay": [1] * 100 + [2] * 200 + [3] * 100})
    frame.write_parquet(tmp_path / "people.parquet")
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"place": "quasi", "pay": "sensitive"},
        privacy={"k": 2, "e": 1},
        method="permutation",
    )
    runs = [
        publish_to(tmp_path / f"run {n}", policy, engine="spark", remote=embedded) for n in (1, 2)
    ]
    shared = []
    for run in runs:
        people = run.release.frames["people"]
        middle = people.filter(pl.col("place").is_between(100, 299))
        assert people.group_by("group").len().get_column("len").to_list() == [200, 200]
        assert not people.get_column("place").is_sorted()
        high = people.filter(pl.col("place") == 399).get_column("group").item()
        mine = set(middle.filter(pl.col("group") == high).get_column("place").to_list())
        assert len(mine) == 100
        # Of a random half, about half are among the first half.
        assert 30 < len([place for place in mine if place < 200]) < 70
        shared.append(mine)
    assert shared[0] != shared[1]


def test_order_in_the_files_says_nothing_of_the_source(tmp_path, embedded):
    rows = 4000
    frame = pl.DataFrame({"place": range(rows), "pay": [n % 40 for n in range(rows)]})
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=500)
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"place": "quasi", "pay": "sensitive"},
        privacy={"k": 3, "e": 1},
        method="permutation",
    )
    release = publish_to(tmp_path / "out", policy, engine="spark", remote=embedded).release
    places = release.frames["people"].get_column("place")
    assert places.diff().drop_nulls().gt(0).mean() == pytest.approx(0.5, abs=0.05)
    values = release.frames["people_values"]
    assert not values.get_column("group").is_sorted()
    assert values.get_column("pay").diff().drop_nulls().gt(0).mean() < 0.6


@pytest.fixture
def small_pieces(monkeypatch):
    """Files of few rows, so that groups and help tables are cut into stretches."""
    for module in (people, cells):
        monkeypatch.setattr(module, "PIECE_ROWS", 300)


@pytest.mark.parametrize("whole", some([True, False]))
def test_many_files_and_groups_larger_than_a_file(tmp_path, embedded, small_pieces, whole):
    frame = salaries(2000).with_columns(pl.col("salary") // 10_000)
    if not whole:
        frame = frame.with_columns(pl.col("salary") / 8)
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=250)
    policy = order(tmp_path / "people.parquet", k=3, e=0)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert max(n for n, _ in sizes(pair.spark)) > 600
    counted = {}
    for file in pair.spark.release.manifest.files:
        counted[file.table] = counted.get(file.table, 0) + 1
    assert min(counted.values()) > 1
    assert widths(pair.spark) == widths(pair.local)


@pytest.fixture
def few_values(monkeypatch):
    """So few values planned in one place that workers have to plan ranges."""
    monkeypatch.setattr(permuted_plan, "MOST_VALUES", 50)
    monkeypatch.setattr(permuted_ranges, "RANGE_VALUES", 700)


@pytest.mark.parametrize("minimise", some(["sum", "groups"]))
def test_ranges_planned_by_workers_lose_little(tmp_path, embedded, few_values, minimise):
    salaries(6000).write_parquet(tmp_path / "people.parquet", row_group_size=2000)
    policy = order(tmp_path / "people.parquet", k=10, e=50, minimise=minimise)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    local, spark = widths(pair.local), widths(pair.spark)
    assert len(spark) == pytest.approx(len(local), rel=0.02)
    if minimise == "sum":
        assert sum(spark) == pytest.approx(sum(local), rel=0.02)


def test_ranges_that_are_no_group_are_joined(tmp_path, embedded, few_values, monkeypatch):
    monkeypatch.setattr(permuted_ranges, "RANGE_VALUES", 20)
    salaries(1500).write_parquet(tmp_path / "people.parquet")
    policy = order(tmp_path / "people.parquet", k=60, e=3000)
    pair = publish_family(tmp_path, policy, embedded)
    check_same(pair, policy)
    assert min(known for _, known in sizes(pair.spark)) >= 60


def test_what_cannot_be_met_says_what_can(tmp_path, embedded, few_values):
    salaries(300).write_parquet(tmp_path / "people.parquet")
    policy = order(tmp_path / "people.parquet", k=5, e=10**9)
    said = []
    for engine in ({}, {"engine": "spark", "remote": embedded}):
        with pytest.raises(InfeasibleError) as caught:
            publish_to(tmp_path / "out", policy, **engine)
        said.append((str(caught.value), caught.value.nearest))
    assert said[0] == said[1]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["people.parquet"]


def test_what_is_collected_does_not_grow_with_the_rows(tmp_path, embedded):
    tallies = []
    for rows in (1000, 8000):
        frame = salaries(rows).with_columns(pl.col("salary") % 50)
        frame.write_parquet(tmp_path / f"{rows}.parquet", row_group_size=1000)
        policy = order(tmp_path / f"{rows}.parquet", k=5, e=2)
        tallies.append(collected(tmp_path / f"out {rows}", policy, embedded))
    assert tallies[1].rows <= tallies[0].rows * 1.05 + 20
    assert tallies[1].rows < 1000


def test_what_is_collected_of_many_values_does_not_grow_with_them(tmp_path, embedded, few_values):
    salaries(8000).write_parquet(tmp_path / "people.parquet", row_group_size=2000)
    policy = order(tmp_path / "people.parquet", k=10, e=50)
    tally = collected(tmp_path / "out", policy, embedded)
    found = {each.what: each.rows for each in tally.entries}
    # A sample of 64 values for each range of 700 values.
    assert found["a sample of the values"] < 2000
    assert found["values and their counts"] <= 52


@pytest.mark.long
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.one_of(st.none(), st.integers(-5, 5)), min_size=6, max_size=30),
    st.integers(1, 3),
    st.integers(0, 3),
)
def test_tiny_tables(tmp_path_factory, embedded, values, k, e):
    folder = tmp_path_factory.mktemp("tiny")
    frame = pl.DataFrame({"age": range(len(values)), "pay": pl.Series(values, dtype=pl.Int64)})
    frame.write_parquet(folder / "people.parquet", row_group_size=4)
    policy = Policy(
        source=str(folder / "people.parquet"),
        columns={"age": "quasi", "pay": "sensitive"},
        privacy={"k": k, "e": e},
        method="permutation",
    )
    try:
        publish_to(folder / "local", policy, seed=1)
    except InfeasibleError:
        with pytest.raises(InfeasibleError):
            publish_to(folder / "spark", policy, engine="spark", remote=embedded)
        return
    spark = publish_to(folder / "spark", policy, seed=1, engine="spark", remote=embedded)
    pairs = [spark, publish_to(folder / "again", policy, seed=1)]
    assert widths(pairs[0], "pay") == widths(pairs[1], "pay")
