"""Releases over people made by the engine, counted by hand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyspark.sql import functions as f

import planted_lies as lies
from oracles import closeness, diversity
from oracles import people as oracle
from papilio import Policy
from papilio.data.people import PERSON
from papilio.errors import EngineError, InfeasibleError, PolicyError, VerificationError
from papilio.families.engines.spark import persons
from papilio.families.engines.spark.verify import verify_with_spark
from papilio.families.generalising import plan
from papilio.families.generalising import spark as module
from papilio.verify.people import STATED
from papilio.workflow.publish import publish_to
from papilio.workflow.verify import verify
from sizes import some

ROWS = 600
STEPS = {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20, 40]}}
RECIPIENTS = {"one": ["age"], "two": ["town"]}
COLUMNS = {
    "pid": "identifier",
    "age": "quasi",
    "town": "quasi",
    "ill": "sensitive",
    "row": "plain",
}


def visits(rows=ROWS, seed=4):
    """Visits of people, most of whom come once and some often; alike in their rows."""
    random = np.random.default_rng(seed)
    owners = np.minimum(random.integers(0, rows, rows), random.integers(0, rows, rows))
    return pl.DataFrame(
        {
            "pid": [f"patient {each}" for each in owners],
            "age": owners % 80 + random.integers(0, 4, rows),
            "town": [f"town {each}" for each in owners % 7],
            "ill": [f"ill {each}" for each in random.integers(0, 5, rows)],
            "row": np.arange(rows),
        }
    )


@pytest.fixture
def publish(embedded, tmp_path, monkeypatch):
    visits().write_parquet(tmp_path / "visits.parquet", row_group_size=100)

    def run(piece_rows=150, out="out", **more):
        monkeypatch.setattr(module, "rows_of_piece", lambda *_: piece_rows)
        policy = order(tmp_path, **more)
        return publish_to(tmp_path / out, policy, seed=7, engine="spark", remote=embedded)

    return run


def order(folder, **more):
    levels = more.get("method") == "incognito" and "columns" not in more
    columns = COLUMNS | {"age": STEPS} if levels else COLUMNS
    said = {"columns": columns, "privacy": {"k": 3}, "method": "mondrian", "person": "pid"}
    return Policy(source=str(folder / "visits.parquet"), **(said | more))


def classes_of(publication, known=("age", "town")):
    """Rows (person, value) of each class, for whoever knows some columns."""
    (frame,) = publication.release.frames.values()
    original, found = visits(), defaultdict(list)
    cells = [n for n in frame.columns if n.split("_")[0] in known]
    for cell, row in zip(frame.select(cells).iter_rows(), frame["row"], strict=True):
        found[repr(cell)].append((original["pid"][row], original["ill"][row]))
    return list(found.values())


def check_counted(publication, k, holds=None, **more):
    """Every class meets k over people, and what else is demanded."""
    table = list(visits().select("pid", "ill").iter_rows())
    classes = classes_of(publication, **more)
    assert len(classes) > 1
    assert all(oracle.k_over_people(rows, k) for rows in classes)
    if holds is not None:
        assert all(oracle.over_people(rows, table, holds) for rows in classes)


def files_of(publication):
    return sum(each.table is not None for each in publication.release.manifest.files)


@pytest.mark.parametrize(
    "method",
    some(["mondrian", "hybrid", "relaxed-mondrian", "bottom-up", "incognito"], first=2),
)
def test_k_over_people(publish, tmp_path, method):
    made = publish(method=method)
    assert files_of(made) > 1
    check_counted(made, 3)
    assert verify(made.directory, original=order(tmp_path, method=method)).holds
    local = publish_to(tmp_path / "local", order(tmp_path, method=method), seed=7)
    assert made.release.manifest.claims == local.release.manifest.claims


def is_close(t):
    domain = sorted(visits()["ill"].unique())
    whole = closeness.shares(visits()["ill"].to_list(), domain)
    return lambda values: closeness.equal(closeness.shares(values, domain), whole) <= Fraction(t)


DEMANDS = {
    "distinct": ({"l": {"ill": 3}}, lambda: lambda values: diversity.distinct(values, 3)),
    "entropy": (
        {"l": {"ill": {"entropy": 2}}},
        lambda: lambda values: diversity.entropy(values, 2),
    ),
    "closeness": ({"t": {"ill": 0.4}}, lambda: is_close("2/5")),
}


@pytest.mark.parametrize("demand", some(list(DEMANDS), "distinct", "closeness"))
@pytest.mark.parametrize("method", some(["mondrian", "hybrid", "incognito"], "mondrian"))
def test_values_over_people(publish, demand, method):
    privacy, holds = DEMANDS[demand]
    made = publish(method=method, privacy={"k": 3, **privacy})
    check_counted(made, 3, holds())


@pytest.mark.parametrize(
    ("method", "privacy"),
    some([("butterfly", {}), ("butterfly", {"collusion_k": 4}), ("union", {})], first=2),
)
def test_recipients(publish, method, privacy):
    made = publish(
        method=method,
        privacy={"k": 3, "l": {"ill": 2}, **privacy},
        recipients=RECIPIENTS,
    )
    for known in ("age", "town"):
        check_counted(made, 3, lambda values: diversity.distinct(values, 2), known=(known,))
    check_counted(made, privacy.get("collusion_k", 1))


def test_few_people_counted_one_by_one_are_enough(publish, monkeypatch):
    monkeypatch.setattr(persons, "HEAVY", 2)
    made = publish(privacy={"k": 3, "l": {"ill": 2}})
    assert files_of(made) > 1
    check_counted(made, 3, lambda values: diversity.distinct(values, 2))


def test_people_are_not_in_the_release(publish):
    made = publish(privacy={"k": 3, "l": {"ill": 2}})
    (frame,) = made.release.frames.values()
    assert set(frame.columns) == {"age_min", "age_max", "town", "ill", "row"}
    assert "pid" not in made.left_out
    for file in made.directory.rglob("*"):
        assert file.is_dir() or b"patient" not in file.read_bytes()


@pytest.mark.parametrize(
    ("privacy", "more"),
    [
        ({"k": 200}, {}),
        ({"k": 3, "collusion_k": 200}, {"method": "butterfly", "recipients": RECIPIENTS}),
    ],
    ids=["k", "collusion"],
)
def test_what_cannot_be_met_is_said_as_in_memory(publish, tmp_path, privacy, more):
    with pytest.raises(InfeasibleError) as here:
        publish_to(tmp_path / "local", order(tmp_path, privacy=privacy, **more))
    with pytest.raises(InfeasibleError) as there:
        publish(privacy=privacy, **more)
    assert str(there.value) == str(here.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("method", some(["mondrian", "incognito"], "mondrian"))
def test_one_person_does_not_make_a_table_diverse(publish, tmp_path, method):
    """A sixth disease that one person has alone, however often."""
    alone = pl.when(pl.col("pid") == commonest()).then(pl.lit("rare")).otherwise("ill")
    visits().with_columns(alone.alias("ill")).write_parquet(tmp_path / "visits.parquet")
    with pytest.raises(InfeasibleError) as error:
        publish(privacy={"k": 2, "l": {"ill": 6}}, method=method)
    assert error.value.reason == ("no-levels" if method == "incognito" else "not-diverse")
    assert "rare" not in str(error.value)
    assert not (tmp_path / "out").exists()


def commonest():
    return visits()["pid"].value_counts(sort=True)["pid"][0]


PAY = {"columns": {**COLUMNS, "age": "sensitive", "ill": "plain"}, "privacy": {"k": 2, "e": 0}}
TWO = {
    "columns": {**COLUMNS, "row": "sensitive", "age": "quasi"},
    "privacy": {"k": 3, "exposure": 0.0},
}
TARGET = {
    "columns": {**COLUMNS, "age": "sensitive", "ill": "plain"},
    "privacy": {"target": {"age": "uniform"}},
}


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("mondrian", {}),
        ("incognito", {}),
        ("butterfly", {"recipients": RECIPIENTS}),
        ("projections", TWO),
        ("permutation", PAY),
        ("disguise", TARGET),
    ],
)
def test_every_family_asks_whose_rows_they_are(publish, tmp_path, method, more):
    with pytest.raises(PolicyError) as here:
        publish_to(tmp_path / "local", order(tmp_path, method=method, person=None, **more))
    with pytest.raises(PolicyError) as there:
        publish(method=method, person=None, **more)
    assert str(there.value) == str(here.value)
    accepted = "write person: rows if" if more in (TWO, PAY, TARGET) else "write person: pid"
    assert "different values in 600 rows; " in str(there.value)
    assert accepted in str(there.value)
    assert not (tmp_path / "out").exists()


def test_whoever_says_rows_gets_rows(publish):
    assert publish(person="rows").verdict.holds


@pytest.mark.parametrize("privacy", [{"k": 3}, {"k": 3, "l": {"ill": 3}}], ids=["k", "l"])
def test_a_method_that_forgets_people_publishes_nothing(publish, monkeypatch, tmp_path, privacy):
    true = module.finish

    def forgetful(piece, meanings, *rest):
        careless = replace(meanings, demand=over_rows(meanings.demand))
        return true(replace(piece, people=None), careless, *rest)

    monkeypatch.setattr(module, "finish", forgetful)
    with pytest.raises(VerificationError, match="over people"):
        publish(privacy=privacy)
    assert not (tmp_path / "out").exists()


def over_rows(demand):
    return demand._replace(rules=demand.rules[1:], limits=demand.limits[1:])


def test_levels_that_forget_people_are_not_published(publish, monkeypatch, tmp_path):
    lies.bent(monkeypatch, plan, "over_people_of", over_rows)
    with pytest.raises(VerificationError, match="over people"):
        publish(method="incognito", privacy={"k": 3, "suppress": 0.3})
    assert not (tmp_path / "out").exists()


def others(table):
    """Everybody's rows are somebody else's."""
    place = table.schema.get_field_index(PERSON)
    turned = np.roll(table.column(PERSON).to_numpy(), 1)
    return table.set_column(place, table.schema.field(place), pa.array(turned))


def test_people_who_change_rows_on_their_way(publish, monkeypatch):
    lies.bent(monkeypatch, module, "packed_rows", others)
    with pytest.raises(VerificationError, match="made of other rows than the original's"):
        publish()


@pytest.mark.parametrize("said", [True, False])
def test_who_has_several_rows_is_not_lost_on_the_way(publish, monkeypatch, tmp_path, said):
    lies.bent(monkeypatch, module, "flagged", lambda rows: rows.withColumn("several", f.lit(said)))
    with pytest.raises(EngineError, match="lost who has several rows"):
        publish(privacy={"k": 3, "l": {"ill": 2}})
    assert not (tmp_path / "out").exists()


def test_people_are_counted_by_the_publisher_and_believed_by_others(publish, session):
    made = publish(privacy={"k": 3, "t": {"ill": 0.4}})
    counted = {f.claim: f.status for f in made.verdict.findings if "over people" in f.claim}
    assert counted == dict.fromkeys(["k-anonymity over people", "t-closeness over people"], "holds")
    found = verify_with_spark(made.directory, session)
    assert found.holds
    assert sum(STATED in each.measured for each in found.findings) == 2


def test_a_column_of_people_that_the_policy_does_not_list(publish):
    columns = {name: role for name, role in COLUMNS.items() if name != "pid"}
    made = publish(columns=columns)
    check_counted(made, 3)
    assert made.left_out == ()


@pytest.mark.parametrize("privacy", [{"k": 60}, {"k": 3, "t": {"ill": 0.01}}], ids=["k", "t"])
def test_a_large_class_stays_in_one_file(publish, privacy):
    """Its people are counted where all its rows are."""
    made = publish(privacy=privacy)
    assert [len(rows) for rows in classes_of(made)] == [ROWS]
    assert files_of(made) == 1


@pytest.mark.parametrize(
    "privacy",
    [{"k": 3, "suppress": 0.3}, {"k": 2, "l": {"ill": 3}, "suppress": 0.3}],
    ids=["k", "l"],
)
def test_levels_and_rows_left_out_are_those_of_one_machine(publish, tmp_path, privacy):
    made = publish(method="incognito", privacy=privacy)
    local = publish_to(tmp_path / "local", order(tmp_path, method="incognito", privacy=privacy))
    frames = [next(iter(each.release.frames.values())).sort("row") for each in (made, local)]
    assert frames[0].equals(frames[1])
    assert ROWS * 0.7 <= frames[0].height < ROWS
    check_counted(made, privacy["k"])
    assert files_of(made) > 1


def test_one_row_for_everybody_is_as_over_rows(publish, tmp_path):
    alone = visits().with_columns(pl.col("row").alias("pid"))
    alone.write_parquet(tmp_path / "visits.parquet", row_group_size=100)
    privacy = {"k": 3, "l": {"ill": 2}}
    people, rows = (publish(person=each, out=each, privacy=privacy) for each in ("pid", "rows"))
    frames = [next(iter(made.release.frames.values())).sort("row") for made in (people, rows)]
    assert frames[0].equals(frames[1])
