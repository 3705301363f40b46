"""The same answers from memory, from Parquet and CSV files, and from a help table in any order."""

from dataclasses import replace
from datetime import UTC, date, datetime

import polars as pl
import pytest
from partitioned import PAPER, PAPER_COLUMNS, PAPER_GROUPS, generalised, permuted

from papilio.errors import ReleaseError
from papilio.release.release import Release
from papilio.workflow.ask import ask

QUERY = (
    "SELECT gender, sum(salary), avg(salary), min(salary), count(distinct salary), count(*), "
    "max(age) FROM patients WHERE age < 55 GROUP BY gender ORDER BY gender"
)
WITHOUT_GROUPS = "SELECT sum(salary), avg(salary), count(*), max(age) FROM patients WHERE age < 55"


@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.parametrize(("kind", "query"), [(permuted, QUERY), (generalised, WITHOUT_GROUPS)])
def test_files(tmp_path, kind, query, form):
    release = kind(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
    place = release.save(tmp_path / "it's [1]*", format=form)
    expected = ask(release, query)
    for answer in (ask(place, query), Release.open(place).query(query)):
        assert ends(answer) == ends(expected)
        # Sums of doubles depend on the order in which they are added, in their last digit.
        assert estimates(answer) == pytest.approx(estimates(expected), rel=1e-12)


def test_help_table_in_any_order():
    release = permuted(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
    frames = dict(release.frames)
    for order in (frames["patients_help"].reverse(), frames["patients_help"].sort("hits")):
        mixed = replace(release, frames={**frames, "patients_help": order})
        assert ends(ask(mixed, QUERY)) == ends(ask(release, QUERY))


def estimates(answer):
    return [
        number or 0.0
        for row in answer.rows
        for each in row.answers.values()
        for number in (each.estimate, each.std)
    ]


def ends(answer):
    return [
        [(each.lo, each.hi, each.exact, each.null) for each in row.answers.values()]
        for row in answer.rows
    ]


def test_a_missing_file(tmp_path):
    release = permuted(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
    place = release.save(tmp_path / "release")
    (place / "patients_help.parquet").unlink()
    with pytest.raises(ReleaseError, match="is missing"):
        ask(place, QUERY)
    (place / "patients_help.parquet").write_text("no table")
    with pytest.raises(ReleaseError, match="is not a Parquet file"):
        ask(place, QUERY)


def test_large_whole_numbers_stay_exact():
    large = 2**62
    frame = pl.DataFrame({"q": [1, 1, 2, 2], "s": [large, large + 1, large - 3, large + 5]})
    columns = {"q": "quasi", "s": {"role": "sensitive", "type": "numeric"}}
    release = permuted(frame, [0, 1, 0, 1], columns)
    (row,) = ask(release, "SELECT sum(s), min(s) FROM patients").rows
    assert row.answers["sum(s)"].lo <= 4 * large + 3 <= row.answers["sum(s)"].hi
    assert row.answers["min(s)"].lo == large - 3
    (row,) = ask(generalised(frame, [0, 1, 0, 1], columns), "SELECT sum(s) FROM patients").rows
    assert row.answers["sum(s)"].lo == 4 * large + 3
    assert row.answers["sum(s)"].exact


@pytest.mark.parametrize("text", [False, True])
def test_moments(text):
    moments = [datetime(2020, 1, 1, 8), datetime(2020, 1, 3, 9, 30), datetime(2020, 2, 1), None]
    zoned = [each and each.replace(tzinfo=UTC) for each in moments]
    frame = pl.DataFrame(
        {
            "at": pl.Series(moments, dtype=pl.Datetime("us")),
            "zone": pl.Series(zoned, dtype=pl.Datetime("us", "UTC")),
            "day": pl.Series([date(2020, 1, n) for n in (1, 5, 9, 13)]),
            "s": [1, 2, 4, 8],
        }
    )
    columns = {**dict.fromkeys(["at", "zone", "day"], "quasi"), "s": "sensitive"}
    release = generalised(frame, [0, 0, 1, 1], columns, text=text)
    for column in ("at", "zone"):
        # In the cells, not what the rows were: the second class is 2020-02-01 or NULL.
        expected = {
            f"{column} >= '2020-01-01 08:00:00'": (3, 15),
            f"{column} > '2020-01-02'": (None, 15),
            f"{column} < '2020-01-20'": (3, 3),
            f"{column} < '2020-01-02'": (None, 3),
            f"{column} IS NULL": (None, 12),
        }
        for condition, (lo, hi) in expected.items():
            found = ask(release, f"SELECT sum(s) FROM patients WHERE {condition}")["sum(s)"]
            assert found.null == (lo is None), condition
            assert found.hi == hi, condition
            assert lo is None or found.lo == lo, condition
    found = ask(release, "SELECT min(day), max(day) FROM patients WHERE s < 3")
    assert found["min(day)"].lo == date(2020, 1, 1)
    assert found["max(day)"].hi == date(2020, 1, 5)


def test_other_dialects_mean_the_same():
    release = permuted(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
    for dialect in ("duckdb", "postgres", "spark"):
        mark = "`" if dialect == "spark" else '"'
        query = f"SELECT avg(salary) FROM patients WHERE {mark}age{mark} > 50"
        assert ask(release, query, dialect=dialect)["avg(salary)"].lo == 80000


def test_rows_that_may_be_missing_are_mentioned():
    release = generalised(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
    (table,) = release.manifest.tables
    manifest = replace(release.manifest, tables=(replace(table, left_out_at_most=0.02),))
    (note,) = ask(replace(release, manifest=manifest), "SELECT count(*) FROM patients").notes
    assert "2.00%" in note
