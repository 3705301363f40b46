"""People who have several rows, counted by the engine, and never exposed by it."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from papilio import Policy
from papilio.data.people import PERSON, people_of, person_names
from papilio.engines.spark.read import map_frames, read_part, schema_of, to_engine
from papilio.engines.spark.write import collect
from papilio.errors import DataError, PolicyError
from papilio.families.engines.spark import persons as module
from papilio.families.engines.spark import table
from papilio.families.engines.spark.persons import (
    count_people,
    flagged,
    people_in,
)
from papilio.families.engines.spark.table import check_whose_rows, scan_of
from papilio.families.generalising.plan import SEVERAL

ROWS = 300


def visits(rows=ROWS, seed=4):
    """Visits of people of whom some come often."""
    random = np.random.default_rng(seed)
    owners = np.minimum(random.integers(0, rows, rows), random.integers(0, rows, rows))
    return pl.DataFrame(
        {
            "pid": [f"patient {each}" for each in owners],
            "age": random.integers(0, 90, rows),
            "town": [f"town {each}" for each in random.integers(0, 8, rows)],
            "ill": [f"ill {each}" for each in random.integers(0, 6, rows)],
            "row": np.arange(rows),
        }
    )


COLUMNS = {
    "pid": "identifier",
    "age": "quasi",
    "town": "quasi",
    "ill": "sensitive",
    "row": "plain",
}


def policy_of(path, **more):
    said = {"columns": COLUMNS, "privacy": {"k": 3}, "method": "mondrian", "person": "pid"}
    return Policy(source=str(path), **(said | more))


def write(path, frame):
    if path.suffix == ".csv":
        frame.write_csv(path)
    else:
        frame.write_parquet(path, row_group_size=40)
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_people_are_counted_as_in_memory(session, tmp_path, kind):
    policy = policy_of(write(tmp_path / f"visits.{kind}", visits()))
    known = people_of(person_names(visits()["pid"]))
    found = count_people(session, scan_of(session, policy), "pid").counted
    assert (found.count, found.several, found.most) == (known.count, known.several, known.most)
    assert known.several > 30


@pytest.mark.parametrize("few", [3, 1000])
def test_who_has_most_rows_is_known_by_number(session, tmp_path, monkeypatch, few):
    monkeypatch.setattr(module, "HEAVY", few)
    policy = policy_of(write(tmp_path / "visits.parquet", visits()))
    found = count_people(session, scan_of(session, policy), "pid")
    times = visits().with_columns(pl.len().over("pid").alias("rows"))
    numbers = found.numbers(times)
    heavy = times.with_columns(numbers.is_in(found.counted.heavy.tolist()).alias("heavy"))
    others = heavy.filter(~pl.col("heavy"))["rows"].max()
    assert found.counted.rest == others
    assert heavy.filter("heavy")["rows"].min() >= others
    assert len(found.counted.heavy) == min(few, found.counted.several)


def test_blanks_around_names_make_nobody_else(session, tmp_path):
    frame = pl.DataFrame({"pid": ["a", " a", "b "], "age": [1, 2, 3]})
    policy = policy_of(
        write(tmp_path / "visits.parquet", frame), columns={"pid": "identifier", "age": "quasi"}
    )
    found = count_people(session, scan_of(session, policy), "pid").counted
    assert (found.count, found.several, found.most) == (2, 1, 2)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_rows_of_nobody_are_counted_over_all_parts(session, tmp_path, kind):
    frame = visits().with_columns(
        pl.when(pl.col("row") % 50 == 0).then(pl.lit("  ")).otherwise("pid").alias("pid")
    )
    policy = policy_of(write(tmp_path / f"visits.{kind}", frame))
    with pytest.raises(DataError) as here:
        person_names(frame["pid"])
    with pytest.raises(DataError) as there:
        count_people(session, scan_of(session, policy), "pid")
    assert str(there.value) == str(here.value)
    assert there.value.reason == "unknown-person"


@pytest.fixture
def numbered(session, tmp_path):
    """Rows of visits with the numbers of their people, and these people."""
    policy = policy_of(write(tmp_path / "visits.parquet", visits()))
    persons = count_people(session, scan_of(session, policy), "pid")

    def work(frame):
        return to_engine(
            frame.select(pl.col("row").cast(pl.Int64)).with_columns(persons.numbers(frame))
        )

    types = {"row": pl.Int64(), PERSON: pl.Int64()}
    return map_frames(session, persons.scan, work, schema_of(types)), persons


def test_who_has_several_rows_is_said_of_every_row(session, numbered):
    rows, persons = numbered
    found = pl.DataFrame(collect(flagged(rows, session, persons), "rows")).sort("row")
    wanted = visits().select(pl.len().over("pid") > 1).to_series()
    assert found.height == ROWS
    assert found.get_column(SEVERAL).to_list() == wanted.to_list()


def test_numbers_are_those_of_people_and_of_no_other_run(session, numbered, tmp_path):
    rows, _ = numbered
    found = pl.DataFrame(collect(rows, "rows")).sort("row").get_column(PERSON)
    pairs = pl.DataFrame([visits()["pid"], found]).unique()
    assert pairs.height == pairs["pid"].n_unique() == pairs[PERSON].n_unique()
    scan = scan_of(session, policy_of(tmp_path / "visits.parquet"))
    again = count_people(session, scan, "pid")
    frame = read_part(scan, scan.splits.parts[0])
    assert again.numbers(frame)[0] not in found


def test_without_flags_who_repeats_in_the_piece_has_several():
    assert people_in(pa.table({"c0": [1, 2]})) is None
    found = people_in(pa.table({PERSON: pa.array([7, 8, 7], pa.int64())}))
    assert found.several.tolist() == [True, False, True]
    told = pa.table({PERSON: pa.array([7, 8], pa.int64()), SEVERAL: [True, False]})
    assert people_in(told).several.tolist() == [True, False]


def counted(session, tmp_path, frame, kind="parquet"):
    write(tmp_path / f"table.{kind}", frame)
    columns = dict.fromkeys(frame.columns, "identifier") | {"age": "quasi"}
    policy = Policy(source=str(tmp_path / f"table.{kind}"), columns=columns, privacy={"k": 1})
    check_whose_rows(session, policy)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_an_identifier_that_repeats_in_another_part_is_asked_about(session, tmp_path, kind):
    numbers = np.arange(ROWS)
    numbers[-1] = 0
    frame = pl.DataFrame({"name": np.arange(ROWS), "number": numbers, "age": numbers % 7})
    with pytest.raises(PolicyError, match="'number' is an identifier and has 299 different values"):
        counted(session, tmp_path, frame, kind)


@pytest.mark.parametrize(
    "values",
    [
        [None, None, "a", "b"],
        [None, None, None, None],
        ["a", " a", "b", " b"],
        [1.5, 2.5, float("inf"), None],
        [2**63 + 1, 2**63 + 2, 2**63 + 3, 2**63 + 4],
        [Decimal(10**20), Decimal(10**20 + 1), Decimal(10**20 + 2), None],
    ],
    ids=["null", "nothing", "blanks", "infinite", "large", "decimal"],
)
def test_identifiers_that_do_not_repeat_are_not_asked_about(session, tmp_path, values):
    large = isinstance(values[0], int)
    name = pl.Series("name", values, dtype=pl.UInt64 if large else None)
    counted(session, tmp_path, pl.DataFrame([name, pl.Series("age", [1, 2, 3, 4])]))


def test_nobody_is_asked_who_has_said_it(session, tmp_path, monkeypatch):
    monkeypatch.setattr(table, "open_scan", None)
    path = write(tmp_path / "visits.parquet", visits())
    check_whose_rows(session, policy_of(path))
    check_whose_rows(session, policy_of(path, person="rows"))
