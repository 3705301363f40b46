import datetime as dt

import polars as pl
import pytest

from papilio.data.io.read import header, read
from papilio.data.source import SqlSource
from papilio.errors import DataError
from sizes import spread


@pytest.fixture
def base(tmp_path):
    folder = tmp_path / "it's, a base"
    (folder / "parts").mkdir(parents=True)
    (folder / "people.csv").write_text("name,zip,age\nann,00123,30\nbob,00456,40\n")
    pl.DataFrame({"zip": ["00123", "00456"], "town": ["x", "y"]}).write_parquet(
        folder / "towns.parquet"
    )
    for number in (1, 2):
        (folder / "parts" / f"p{number}.csv").write_text(f"v\n{number}\n")
    (tmp_path / "outside.csv").write_text("v\n7\n")
    return folder


def values(sql, base, columns=None):
    raw = read(SqlSource(sql, base), columns)
    assert (raw.name, raw.typed) == ("table", True)
    return raw.frame.to_dict(as_series=False)


@pytest.mark.parametrize(
    ("sql", "expected"),
    spread([
        ("SELECT age FROM 'people.csv' ORDER BY age", {"age": [30, 40]}),
        ('SELECT age FROM "people.csv" ORDER BY age;', {"age": [30, 40]}),
        ("SELECT age FROM './people.csv' ORDER BY age ; -- done; 'x.csv'", {"age": [30, 40]}),
        ("/* é 'no.csv' */ SELECT p.age FROM 'people.csv' AS p ORDER BY 1", {"age": [30, 40]}),
        ("SELECT people.age FROM 'people.csv' ORDER BY 1", {"age": [30, 40]}),
        ("FROM read_csv('people.csv', delim := ',') SELECT max(age) AS m", {"m": [40]}),
        ("SELECT sum(v)::INT AS s FROM 'parts/*.csv'", {"s": [3]}),
        ("SELECT sum(v)::INT AS s FROM '**/p?.csv'", {"s": [3]}),
        ("SELECT sum(v)::INT AS s FROM read_csv(['parts/p1.csv', $$parts/p2.csv$$])", {"s": [3]}),
        ("SELECT v FROM '../outside.csv'", {"v": [7]}),
        ("WITH t AS (FROM 'people.csv') SELECT count(*) AS n FROM t", {"n": [2]}),
        ("WITH \"people.csv\" AS (SELECT 5 AS v) FROM 'people.csv'", {"v": [5]}),
        ("SELECT 1 AS a UNION ALL SELECT 2 ORDER BY a", {"a": [1, 2]}),
        ("WITH RECURSIVE r AS (SELECT 1 i UNION ALL SELECT i + 1 FROM r WHERE i < 3) FROM r",
         {"i": [1, 2, 3]}),
        ("SELECT i FROM range(3) AS r(i)", {"i": [0, 1, 2]}),
        ("SELECT name, town FROM 'people.csv' JOIN 'towns.parquet' USING (zip) ORDER BY name",
         {"name": ["ann", "bob"], "town": ["x", "y"]}),
        ("SELECT 'people.csv' AS text, (SELECT count(*) FROM 'people.csv') AS n",
         {"text": ["people.csv"], "n": [2]}),
    ], 4),
)  # fmt: skip
def test_queries(base, sql, expected):
    assert values(sql, base) == expected


def test_files_are_relative_to_the_base_not_to_the_working_folder(base, tmp_path, monkeypatch):
    (tmp_path / "people.csv").write_text("age\n99\n")
    monkeypatch.chdir(tmp_path)
    assert values("SELECT max(age) AS m FROM 'people.csv'", base) == {"m": [40]}


def test_a_relative_base_is_taken_from_the_working_folder(base, monkeypatch):
    monkeypatch.chdir(base.parent)
    source = SqlSource("SELECT max(age) AS m FROM 'people.csv'", base.relative_to(base.parent))
    assert read(source).frame["m"].to_list() == [40]


def test_absolute_files(base, tmp_path):
    assert values(f"SELECT v FROM '{tmp_path}/outside.csv'", tmp_path / "elsewhere") == {"v": [7]}


def test_only_the_columns_asked_for(base):
    sql = "SELECT age, name, error(name) AS trap FROM 'people.csv' ORDER BY age"
    assert values(sql, base, ["name", "age"]) == {"age": [30, 40], "name": ["ann", "bob"]}


def test_a_list_that_is_not_asked_for_does_no_harm(base):
    assert values("SELECT age, [1] AS l FROM 'people.csv' ORDER BY 1", base, ["age"]) == {
        "age": [30, 40]
    }


def test_strange_column_names(base):
    assert values('SELECT 1 AS "a ""b", 2 AS "x.y"', base, ['a "b', "x.y"]) == {
        'a "b': [1],
        "x.y": [2],
    }


def test_the_header(base):
    source = SqlSource("SELECT age AS years, error(name) AS trap FROM 'people.csv'", base)
    assert header(source) == ("years", "trap")


def test_types(base):
    sql = """
    SELECT 1::TINYINT AS tiny, 1.5::DECIMAL(10, 2) AS exact, 2::HUGEINT AS huge, 0.5::DOUBLE AS d,
      true AS flag, NULL AS nothing, DATE '2020-01-31' AS day, 'a'::ENUM('b', 'a') AS enumerated,
      TIMESTAMP '2020-01-31 10:00:00' AS moment, TIME '10:00' AS clock,
      '12345678-1234-1234-1234-123456789abc'::UUID AS key, 'x' AS text
    """
    frame = read(SqlSource(sql, base)).frame
    assert frame.row(0, named=True) == {
        "tiny": 1,
        "exact": pytest.approx(1.5),
        "huge": 2,
        "d": 0.5,
        "flag": True,
        "nothing": None,
        "day": dt.date(2020, 1, 31),
        "enumerated": "a",
        "moment": dt.datetime(2020, 1, 31, 10),
        "clock": dt.time(10),
        "key": "12345678-1234-1234-1234-123456789abc",
        "text": "x",
    }
    assert frame["enumerated"].dtype == pl.Enum(["a"])


def test_many_batches(base):
    sql = "SELECT i, CASE WHEN i % 3 > 0 THEN 'v' || i % 1000 END AS t FROM range(300000) r(i)"
    frame = read(SqlSource(sql, base)).frame.sort("i")
    assert frame["t"].to_list() == [f"v{i % 1000}" if i % 3 else None for i in range(300_000)]


def test_a_fault_in_a_late_row_shows_no_cell(base):
    sql = "SELECT CASE WHEN i < 250000 THEN '1' ELSE 'Zaphod' END::INT AS n FROM range(300000) r(i)"
    with pytest.raises(DataError) as caught:
        read(SqlSource(sql, base))
    assert caught.value.reason in ("sql-conversion", "sql-failed")
    assert "Zaphod" not in str(caught.value)


def test_nothing_is_written_anywhere(base, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    values("SELECT zip, count(*) AS n FROM 'people.csv' GROUP BY zip", base)
    assert sorted(tmp_path.rglob("*")) == before
