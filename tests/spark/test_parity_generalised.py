"""One table for one recipient, on one machine and in the engine."""

from __future__ import annotations

import polars as pl
import pytest
from parity import MORE, check_parity, loss, pieces, publish_both

from papilio import Policy, samples
from papilio.errors import DataError
from papilio.workflow.publish import publish_to
from papilio.workflow.risk import attack
from sizes import some

QUASI = ("age", "workclass", "education-num", "marital-status", "sex")


@pytest.fixture(scope="module")
def adult(tmp_path_factory):
    """Adult as Parquet in several row groups, with a column that must stay behind."""
    path = tmp_path_factory.mktemp("source") / "adult.parquet"
    frame = samples.adult().select(*QUASI, "occupation", "income").with_row_index("person")
    frame = frame.with_columns(
        pl.when(pl.col("person") % 97 == 0).then(None).otherwise(pl.col("age")).alias("age"),
        pl.when(pl.col("person") % 89 == 0).then(None).otherwise(pl.col("sex")).alias("sex"),
    )
    frame.write_parquet(path, row_group_size=4000)
    return path


def policy_for(path, method, privacy, **more):
    columns = dict.fromkeys(QUASI, "quasi") | {
        "person": "identifier",
        "income": "sensitive",
        "occupation": "sensitive",
    }
    return Policy(source=str(path), columns=columns, privacy=privacy, method=method, **more)


@pytest.mark.parametrize(
    ("method", "privacy"),
    some(
        [
            ("mondrian", {"k": 10}),
            ("mondrian", {"k": 5, "l": {"occupation": 4}}),
            ("mondrian", {"k": 5, "l": {"occupation": {"entropy": 3}}}),
            ("mondrian", {"k": 5, "t": {"occupation": 0.3}}),
            ("hybrid", {"k": 10}),
            ("relaxed-mondrian", {"k": 10}),
            ("rising", {"k": 10}),
        ],
    ),
    ids=["mondrian", "distinct-l", "entropy-l", "t", "hybrid", "relaxed-mondrian", "rising"],
)
def test_methods(monkeypatch, tmp_path, adult, embedded, method, privacy):
    policy = policy_for(adult, method, privacy)
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 8000)
    assert pieces(pair.spark) > 3
    # Rows that share labels lie in several pieces.
    check_parity(pair, policy, more=0.15 if method == "rising" else MORE)


@pytest.mark.parametrize(
    ("privacy", "more"),
    some(
        [
            ({"k": 10}, {}),
            ({"k": 10, "suppress": "2%"}, {}),
            ({"k": 5, "l": {"occupation": 4}, "suppress": "4%"}, {"metric": "dm"}),
            ({"k": 5, "l": {"occupation": {"entropy": 3}}, "suppress": "4%"}, {}),
            ({"k": 5, "t": {"occupation": 0.3}}, {}),
        ],
        first=2,
    ),
    ids=["k", "suppress", "distinct-l", "entropy-l", "t"],
)
def test_levels_and_rows_left_out(monkeypatch, tmp_path, adult, embedded, privacy, more):
    policy = policy_for(adult, "incognito", privacy, **more)
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 8000)
    assert pieces(pair.spark) > 3
    check_parity(pair, policy)
    frames = [each.release.frames["adult"] for each in (pair.local, pair.spark)]
    columns = frames[0].columns
    assert frames[0].sort(columns).equals(frames[1].sort(columns))


def test_too_many_combinations_are_refused(monkeypatch, tmp_path, adult, embedded):
    monkeypatch.setattr("papilio.families.generalising.spark.MOST_COMBINATIONS", 100)
    policy = policy_for(adult, "incognito", {"k": 10})
    with pytest.raises(DataError, match="more than 100 different combinations"):
        publish_to(tmp_path / "out", policy, engine="spark", remote=embedded)
    assert not (tmp_path / "out").exists()


def test_strict_mondrian_makes_the_very_same_classes(monkeypatch, tmp_path, adult, embedded):
    policy = policy_for(adult, "mondrian", {"k": 7})
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 3000)
    assert pieces(pair.spark) > 8
    frames = [each.release.frames["adult"] for each in (pair.local, pair.spark)]
    columns = frames[0].columns
    local, spark = (frame.select(columns).sort(columns) for frame in frames)
    assert spark.equals(local)
    assert loss(pair.spark, policy) == loss(pair.local, policy)


def test_hierarchies_text_cells_and_dates(monkeypatch, tmp_path, embedded):
    frame = samples.adult().head(6000).with_row_index("person")
    frame = frame.select(
        pl.date(1950, 1, 1).dt.offset_by(pl.format("{}d", pl.col("person") % 9000)).alias("born"),
        (pl.col("person") * 7919 % 99991 / 8).alias("pay"),
        pl.col("age"),
        pl.col("occupation"),
        pl.format("{}", pl.col("person") % 400 + 1000).alias("postcode"),
        pl.col("income"),
    )
    frame.write_csv(tmp_path / "people.csv")
    policy = Policy(
        source=str(tmp_path / "people.csv"),
        columns={
            "born": "quasi",
            "pay": "quasi",
            "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
            "postcode": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [3, 2, 1]}},
            "occupation": {"role": "quasi", "hierarchy": "automatic"},
            "income": "sensitive",
        },
        privacy={"k": 4},
        method="mondrian",
        cells="text",
    )
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 2000)
    check_parity(pair, policy)


@pytest.mark.parametrize("method", some(["mondrian", "hybrid", "rising"]))
def test_safe_cells(monkeypatch, tmp_path, adult, embedded, method):
    policy = policy_for(adult, method, {"k": 10}, cells="safe")
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 8000)
    assert pieces(pair.spark) > 3
    check_parity(pair, policy, more=0.15 if method == "rising" else MORE)
    (found,) = (
        each
        for each in attack(pair.spark.directory, original=policy)
        if each.attack == "certain_rows"
    )
    assert (found.figures["one_varying"], found.figures["shared_by_few"]) == (0, 0)
    assert found.figures["certain"] > 0


@pytest.mark.long
def test_a_class_that_no_worker_could_hold_is_in_several_files(
    monkeypatch, tmp_path, adult, embedded
):
    policy = policy_for(adult, "mondrian", {"k": 5, "t": {"occupation": 0.0}})
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 8000)
    assert pieces(pair.spark) == 4
    check_parity(pair, policy)
    columns = pair.local.release.frames["adult"].columns
    local, spark = (each.release.frames["adult"] for each in (pair.local, pair.spark))
    assert spark.sort(columns).equals(local.sort(columns))


@pytest.mark.long
def test_a_table_of_quasi_identifiers_alone(monkeypatch, tmp_path, adult, embedded):
    policy = Policy(
        source=str(adult),
        columns=dict.fromkeys(QUASI, "quasi"),
        privacy={"k": 5},
        method="mondrian",
    )
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 8000)
    check_parity(pair, policy)


@pytest.mark.long
def test_the_method_is_chosen_by_the_number_of_rows(monkeypatch, tmp_path, adult, embedded):
    policy = policy_for(adult, None, {"k": 10})
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 100_000)
    assert pair.spark.choice.method == "hybrid"
    check_parity(pair, policy)


def test_the_order_of_rows_says_nothing_of_the_source(monkeypatch, tmp_path, embedded):
    frame = pl.DataFrame({"age": [i % 2 for i in range(4000)], "place": range(4000)})
    frame.write_parquet(tmp_path / "people.parquet", row_group_size=500)
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"age": "quasi", "place": "plain"},
        privacy={"k": 2},
        method="mondrian",
    )
    pair = publish_both(monkeypatch, tmp_path, policy, embedded, 100_000)
    places = pair.spark.release.frames["people"].with_row_index("published")
    for _, part in places.group_by("age_min"):
        numbers = part.get_column("place").cast(pl.Float64)
        moved = pl.corr(numbers, part.get_column("published").cast(pl.Float64), eager=True)
        assert abs(moved.item() if hasattr(moved, "item") else moved) < 0.1
        assert numbers.diff().drop_nulls().gt(0).mean() == pytest.approx(0.5, abs=0.1)


def test_without_a_seed_two_runs_differ(tmp_path, adult, embedded):
    from papilio.workflow.publish import publish_to

    policy = policy_for(adult, "mondrian", {"k": 50})
    runs = [
        publish_to(tmp_path / name, policy, engine="spark", remote=embedded).release
        for name in ("one", "two")
    ]
    assert not any(run.manifest.seeded for run in runs)
    first, second = (run.frames["adult"] for run in runs)
    assert first.sort(first.columns).equals(second.sort(first.columns))
    assert not first.equals(second)
