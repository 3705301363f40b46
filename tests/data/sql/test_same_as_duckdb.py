"""What runs was written out from a tree: its rows and names are those of the text."""

import io

import duckdb
import polars as pl
import pyarrow as pa
import pytest

from papilio.data.sql.run import Request, write_rows
from sizes import spread

QUERIES = """
SELECT 1 AS a, 'x' AS b, 1.5 AS c, 1e5 AS d, NULL AS e, true AS f, 1_000 AS h, E'a\\nb' AS i, $$q$$ AS j
SELECT age + 1, -age, age * 2 - 3 / 4, age // 7 % 3, age ** 2, name || '!', NOT (age > 30 AND zip = '1' OR age < 5) FROM 'people.csv' ORDER BY name
SELECT age::VARCHAR, CAST(age AS DECIMAL(10, 2)), TRY_CAST(name AS INT), [age, 1]::INT[]::VARCHAR, {'x': age}::STRUCT(x BIGINT).x FROM 'people.csv' ORDER BY name
SELECT name LIKE 'a%', name NOT ILIKE 'B!%' ESCAPE '!', name SIMILAR TO 'a.*', name ~ 'n', name GLOB 'a*', age BETWEEN 1 AND 35, age NOT IN (30, 31), age IS DISTINCT FROM 30 FROM 'people.csv' ORDER BY name
SELECT CASE WHEN age > 35 THEN 'old' WHEN age IS NULL THEN '?' ELSE 'young' END AS g, CASE age WHEN 30 THEN 1 END AS h, coalesce(NULL, age), nullif(age, 30), if(age > 30, 1, 2), ifnull(NULL, 3) FROM 'people.csv' ORDER BY name
SELECT count(*), count(DISTINCT zip), sum(age) FILTER (WHERE age > 30), string_agg(name, ',' ORDER BY name DESC), median(age), quantile_cont(age, 0.25), mode(zip) FROM 'people.csv'
SELECT zip, count(*) AS n FROM 'people.csv' GROUP BY ALL HAVING count(*) > 0 ORDER BY ALL
SELECT zip, name, grouping(zip) AS g, count(*) AS n FROM 'people.csv' GROUP BY ROLLUP (zip, name) ORDER BY ALL
SELECT zip, age, name, count(*) AS n FROM 'people.csv' GROUP BY ROLLUP (zip, age), name ORDER BY ALL
SELECT name, row_number() OVER (ORDER BY age) AS r, lag(age, 1, 0) OVER w AS l, sum(age) OVER (PARTITION BY zip ORDER BY age ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM 'people.csv' WINDOW w AS (ORDER BY age) ORDER BY name
SELECT name FROM 'people.csv' QUALIFY rank() OVER (PARTITION BY zip ORDER BY age DESC) = 1 ORDER BY 1
SELECT * EXCLUDE (zip) FROM 'people.csv' ORDER BY ALL
SELECT * REPLACE (age + 1 AS age) RENAME (zip AS plz) FROM 'people.csv' ORDER BY ALL
SELECT COLUMNS('a.*|zip') FROM 'people.csv' ORDER BY ALL
SELECT list_sum([x + 1 FOR x IN [1, 2, 3] IF x > 1]), list_transform([1, 2], lambda x: x * 2)[2], len([1, 2][1:1]), {'a': {'b': 7}}.a.b, MAP {'k': 5}['k'], list_reduce([1, 2, 3], lambda x, y: x + y)
SELECT name.upper().substr(1, 2) AS u, extract(year FROM DATE '2020-03-04') AS y, position('n' IN name), substring(name FROM 2 FOR 1), trim(BOTH 'a' FROM name), DATE '2020-01-31' + INTERVAL 1 MONTH, date_diff('day', DATE '2020-01-01', DATE '2020-03-01') FROM 'people.csv' ORDER BY name
SELECT strftime(DATE '2020-02-03', '%d.%m.%Y') AS t, regexp_replace('a1b22', '[0-9]+', '#', 'g') AS r, printf('%05d', 7), format('{}-{}', 1, 'x'), concat_ws('/', 'a', NULL, 'b'), lpad('7', 3, '0')
SELECT p.name, t.town FROM 'people.csv' AS p JOIN 'towns.parquet' t ON p.zip::VARCHAR = t.zip ORDER BY 1
SELECT p.name, t.town FROM 'people.csv' p LEFT JOIN (SELECT zip, town FROM 'towns.parquet' WHERE town = 'x') t ON p.zip::VARCHAR = t.zip ORDER BY 1
SELECT a.name, b.name AS other FROM 'people.csv' a CROSS JOIN 'people.csv' b WHERE a.age < b.age ORDER BY 1, 2
SELECT name FROM 'people.csv' SEMI JOIN (SELECT 30 AS age) USING (age)
SELECT people.age, towns.town FROM 'people.csv' POSITIONAL JOIN 'towns.parquet' ORDER BY 1
SELECT s.b, l.c FROM (VALUES (1, 'a'), (2, 'b')) s(a, b), LATERAL (SELECT s.a * 10 AS c) l ORDER BY ALL
SELECT i, n FROM generate_series(5, 7) WITH ORDINALITY AS g(i, n) ORDER BY i
SELECT unnest([1, 2, 3]) AS u ORDER BY u DESC
WITH a AS (FROM 'people.csv'), b(x) AS MATERIALIZED (SELECT age FROM a) SELECT max(x) AS m FROM b
WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 5) SELECT * FROM r ORDER BY i
WITH RECURSIVE r(i, j) USING KEY (i) AS (SELECT 1, 2 UNION SELECT i, j + 1 FROM r WHERE j < 5) SELECT * FROM r
SELECT age FROM 'people.csv' UNION SELECT 99 EXCEPT SELECT 30 ORDER BY 1
SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS b ORDER BY ALL
(SELECT age FROM 'people.csv' ORDER BY age LIMIT 1) UNION ALL (SELECT 5 LIMIT 1) ORDER BY 1
SELECT DISTINCT ON (zip) zip, age FROM 'people.csv' ORDER BY zip, age DESC
SELECT age FROM 'people.csv' ORDER BY age DESC NULLS FIRST LIMIT 1 OFFSET 1
SELECT age FROM 'people.csv' ORDER BY age LIMIT 50%
SELECT (SELECT max(age) FROM 'people.csv') AS m, EXISTS (SELECT 1) AS e, 30 = ANY (SELECT age FROM 'people.csv') AS x, 99 > ALL (SELECT age FROM 'people.csv') AS y, len(ARRAY(SELECT age FROM 'people.csv')) AS z
SELECT name FROM 'people.csv' p WHERE age = (SELECT max(age) FROM 'people.csv' q WHERE q.zip = p.zip) ORDER BY 1
SELECT * FROM (SELECT zip, age FROM 'people.csv') PIVOT (sum(age) FOR zip IN (123, 456))
SELECT * FROM (SELECT 1 AS a, 2 AS b) UNPIVOT (v FOR n IN (a, b)) ORDER BY n
SELECT * FROM read_csv('people.csv', header = true, columns = {'n': 'VARCHAR', 'z': 'VARCHAR', 'a': 'INT'}, nullstr = ['', 'ann']) ORDER BY a
SELECT read_csv.v FROM read_csv(['parts/p1.csv', 'parts/p2.csv'], union_by_name := true) ORDER BY 1
SELECT v, x.v AS w FROM read_json('r.json') AS x ORDER BY 1
SELECT a.b, a['b'] AS c FROM 'nested.parquet' ORDER BY 1
SELECT d, t, m, i FROM 'typed.parquet' ORDER BY d
SELECT 'a' COLLATE NOCASE = 'A' AS same, 'ä' COLLATE NOACCENT = 'a' AS accent
SELECT 5!, ~5, @(-5), 7 & 3, 1 << 4, 'abc' ^@ 'a', '{"a": [1, 2]}'::JSON ->> '$.a[1]'
SELECT count(*) AS n FROM 'people.csv' TABLESAMPLE reservoir(1 ROWS) REPEATABLE (5)
FROM 'people.csv' SELECT name WHERE age > 30 -- a comment; COPY
SELECT a: 1, b: age FROM x: 'people.csv' ORDER BY ALL
SELECT try(name::INT) IS NULL AS t FROM 'people.csv'
SELECT "with space" FROM (SELECT 1 AS "with space", 2 AS "select", 3 AS "Ünïcode", 4 AS "it""s")
VALUES (1, 'x'), (2, 'y')
TABLE 'people.csv' ORDER BY ALL
""".strip().splitlines()  # noqa: E501


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("base")
    (folder / "parts").mkdir()
    (folder / "people.csv").write_text("name,zip,age\nann,123,30\nbob,456,40\ncyd,456,35\n")
    pl.DataFrame({"zip": ["123", "456"], "town": ["x", "y"]}).write_parquet(
        folder / "towns.parquet"
    )
    pl.DataFrame({"a": [{"b": 1}, {"b": 2}]}).write_parquet(folder / "nested.parquet")
    (folder / "r.json").write_text('[{"v": 1}, {"v": 2}]')
    for number in (1, 2):
        (folder / "parts" / f"p{number}.csv").write_text(f"v\n{number}\n")
    with duckdb.connect(":memory:") as connection:
        connection.execute(
            "COPY (SELECT DATE '2020-01-01' + i::INT AS d, TIME '10:00:00' AS t, "
            "TIMESTAMPTZ '2020-01-01 10:00:00+00' AS m, INTERVAL (i) DAY AS i FROM range(3) r(i)) "
            f"TO '{folder}/typed.parquet'"
        )
    return folder


def rows_through_us(sql, base):
    target = io.BytesIO()
    write_rows(Request(sql, base, (), 1 << 29), target)
    return pa.ipc.open_stream(target.getvalue()).read_all()


@pytest.mark.parametrize("sql", spread(QUERIES, 13))
def test_rows_and_names_are_those_of_the_text(sql, base, monkeypatch):
    monkeypatch.chdir(base)
    with duckdb.connect(":memory:") as connection:
        expected = connection.sql(sql).to_arrow_table()
    ours = rows_through_us(sql, base)
    assert ours.column_names == expected.column_names
    assert ours.to_pylist() == expected.to_pylist()
