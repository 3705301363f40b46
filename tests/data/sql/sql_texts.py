# ruff: noqa: E501 - lists of texts are read more easily as they are
"""Random texts for SQL sources: honest queries, hostile ones, and both after damage."""

from __future__ import annotations

import random

HONEST = [
    "SELECT {e} AS a, {f} AS b FROM {t} AS t ORDER BY ALL",
    "SELECT count(*) AS n, max({e}) AS m FROM {t} AS t WHERE {f} IS NOT NULL",
    "WITH c AS (SELECT {e} AS a FROM {t} AS t) SELECT a, {f} AS b FROM c, {t} AS t",
    "SELECT {e} AS a FROM {t} AS t UNION ALL SELECT {f} FROM {t} AS t",
    "SELECT {e} AS a, row_number() OVER (ORDER BY {f}) AS r FROM {t} AS t",
    "SELECT (SELECT max({e}) FROM {t} AS t) AS a, [{f}][1] AS b FROM {t} AS t LIMIT 2",
]
HONEST_TABLES = [
    "'people.csv'", '"people.csv"', "'p*.csv'", "'**/people.csv'", "E'p\\x65ople.csv'",
    "read_csv('people.csv')", "read_csv(E'people\\u002ecsv' /* ' */, header = true)",
    "read_csv($q$people.csv$q$, delim := ',')", "(SELECT 'ann' AS name, 30 AS age)",
    "(FROM 'people.csv' -- ; COPY\n)", "(VALUES ('x', 1)) v(name, age)",
]  # fmt: skip
HONEST_VALUES = [
    "age", "age + 1", "-age", "age::DOUBLE", "name", "upper(name)", "name || E'\\n;'", "'it''s'",
    "CASE WHEN age > 30 THEN 'x' END", "coalesce(NULL, name)", "length(name)", "age BETWEEN 1 AND 50",
    "list_sum([age, 1])", "{{'k': age}}.k", "date_part('year', DATE '2020-01-01')", "$$;COPY$$", "1.5",
]  # fmt: skip
#: Placeholders: ``{canary}`` is a folder outside of the policy's.
FILES = [
    "'people.csv'", '"people.csv"', "'./people.csv'", "'p*.csv'", "'parts/*.csv'", "'**/*.csv'",
    "$$people.csv$$", "$t$people.csv$t$", "E'people\\x2ecsv'", "E'p\\u0065ople.csv'", "e'people.csv'",
    "'{canary}/secret.csv'", "'{canary}/*.csv'", "'../canary/secret.csv'", "'link.csv'", "'l*.csv'",
    "'*/../../canary/*.csv'", "'**/p**.csv'",
    "E'{canary}/sec\\x72et.csv'", "'{canary}'", "'/etc/passwd'", "'/e*/hostname'", "'~/.bashrc'",
    "'file://{canary}/secret.csv'", "'https://example.org/x.csv'", "'s3://b/k.csv'", "''", "'.'",
    "'people.csv\x00'", "'pe\nople.csv'", "'people.csv' 'x'", "U&'people.csv'", "'/proc/self/environ'",
    "'/dev/stdin'", "'/proc/self/fd/0'", "['people.csv', '{canary}/secret.csv']", "[]", "['people.csv']",
    "'x'||'y.csv'", "(SELECT 'people.csv')", "NULL", "1", "'people.csv'::VARCHAR", "?", "$1", "'no.csv'",
]  # fmt: skip
FUNCTIONS = [
    "lower", "count", "sum", "max", "list", "random", "now", "range", "unnest", "repeat", "hash",
    "getenv", "current_setting", "getvariable", "nextval", "setval", "currval", "write_log", "version",
    "json_serialize_sql", "json_deserialize_sql", "json_execute_serialized_sql", "pg_sleep", "sleep_ms",
    "read_text", "read_blob", "glob", "query", "query_table", "which_secret", "current_database", "stats",
    "add_parquet_key", "txid_current", "icu_sort_key", "error", "list_aggr", "no_such", "main.lower",
    "system.main.read_text", "pg_catalog.current_setting", '"low\ner"', "invoke", "__cast", "parse_path",
]  # fmt: skip
TABLE_FUNCTIONS = [
    "read_csv", "read_csv_auto", "read_parquet", "parquet_scan", "read_json", "read_ndjson", "READ_CSV",
    "read_text", "read_blob", "glob", "sniff_csv", "parquet_metadata", "parquet_schema", "read_duckdb",
    "read_json_objects", "query", "query_table", "arrow_scan", "pandas_scan", "python_map_function",
    "duckdb_settings", "duckdb_secrets", "pragma_database_size", "checkpoint", "enable_logging",
    "enable_profiling", "seq_scan", "main.read_csv", "test_all_types", "duckdb_extensions", "summary",
    "register_external_resource", "json_execute_serialized_sql", "range", "generate_series", "unnest",
]  # fmt: skip
STATEMENTS = [
    "COPY (SELECT 1) TO '{canary}/stolen.csv'", "COPY (SELECT 1) TO 'people.csv' (USE_TMP_FILE false)",
    "COPY (FROM 'people.csv') TO 'new.parquet'", "EXPORT DATABASE '{canary}/x'", "IMPORT DATABASE '{canary}'",
    "ATTACH '{canary}/x.db' AS x", "ATTACH ':memory:' AS y", "DETACH memory", "USE temp", "INSTALL httpfs",
    "LOAD '{canary}/x.duckdb_extension'", "LOAD httpfs", "PRAGMA database_list", "PRAGMA enable_profiling",
    "SET enable_external_access = true", "SET profile_output = '{canary}/p'", "RESET lock_configuration",
    "SET VARIABLE x = 1", "CREATE TABLE t AS SELECT 1", "CREATE VIEW v AS FROM 'people.csv'",
    "CREATE MACRO m(x) AS TABLE FROM read_text(x)", "CREATE SECRET s (TYPE s3)", "INSERT INTO t VALUES (1)",
    "CALL duckdb_settings()", "CHECKPOINT", "VACUUM", "EXPLAIN ANALYZE SELECT 1", "DESCRIBE SELECT 1",
    "SUMMARIZE 'people.csv'", "PREPARE p AS SELECT 1", "EXECUTE p", "BEGIN", "ROLLBACK", "DROP TABLE t",
    "SHOW TABLES", "DELETE FROM t RETURNING *", "UPDATE t SET a = 1", "MERGE INTO t USING u ON true",
    "COMMENT ON TABLE t IS 'x'", "ALTER TABLE t ADD COLUMN a INT", "CREATE SEQUENCE s", "FORCE CHECKPOINT",
]  # fmt: skip
OPTIONS = [
    "header=true", "header := false", "delim=','", "columns={'a': 'VARCHAR'}", "nullstr=['', 'x']",
    "sample_size=-1", "filename=true", "store_rejects=true", "rejects_table='r'", "union_by_name=true",
    "encryption_config={footer_key: 'k'}", "skip=(SELECT 1)", "quote=current_setting('x')", "all_varchar=1",
    "hive_partitioning=true", "buffer_size=99999999999", "max_line_size=99999999999", "a.b=1", "1=1",
]  # fmt: skip
NOISE = [
    "/*", "*/", "--", "\n", ";", "'", '"', "E'", "$$", "$a$", "\\", "\x00", "\ufeff", "\u200b", "é", "𝒳",
    "(", ")", "[", "]", "{", "}", ",", ".", "::", ":", "->", "=>", ":=", "*", "?", "$1", "#1", "@", "%", "!",
    " UNION ALL ", " WITH ", " RECURSIVE ", " LATERAL ", " OVER () ", " FROM ", " SELECT ", "\r\n", "\t",
    "/* nested /* comment */", "-- */", "' /*E", "\u0027", "ʼ", "＇", "\x1a", "\ud7ff", "NULL", "0x", "1e999",
]  # fmt: skip


def text(chance: random.Random) -> str:
    """One text: an honest one now and then, most of the others hostile or damaged or both."""
    if chance.random() < 0.25:
        return _honest(chance)
    made = _query(chance, 3)
    match chance.randrange(8):
        case 0:
            made = f"{made}; {chance.choice(STATEMENTS)}"
        case 1:
            made = f"WITH x AS ({chance.choice(STATEMENTS)}) {made}"
        case 2:
            made = f"{chance.choice(STATEMENTS)}; {made}"
        case 3:
            made = f"{made} /*E, x); {chance.choice(STATEMENTS)}; SELECT 1 -- */"
    for _ in range(chance.choice([0, 0, 0, 1, 1, 2, 5])):
        made = _damaged(made, chance)
    return made


def _honest(chance: random.Random) -> str:
    made = chance.choice(HONEST)
    for place, choices in (("{e}", HONEST_VALUES), ("{f}", HONEST_VALUES), ("{t}", HONEST_TABLES)):
        while place in made:
            made = made.replace(
                place, chance.choice(choices).replace("{{", "{").replace("}}", "}"), 1
            )
    return _damaged(made, chance) if chance.random() < 0.3 else made


def _query(chance: random.Random, depth: int) -> str:
    columns = ", ".join(_expression(chance, depth) for _ in range(chance.randint(1, 3)))
    made = f"SELECT {columns} FROM {_table(chance, depth)}"
    if chance.random() < 0.3:
        made += f" WHERE {_expression(chance, depth)}"
    if chance.random() < 0.2:
        made += chance.choice([" GROUP BY ALL", " ORDER BY ALL", " LIMIT 3", " QUALIFY true"])
    if depth and chance.random() < 0.15:
        made += f" {chance.choice(['UNION ALL', 'UNION', 'EXCEPT', 'UNION BY NAME'])} "
        made += _query(chance, depth - 1)
    if depth and chance.random() < 0.2:
        inner = chance.choice(STATEMENTS) if chance.random() < 0.2 else _query(chance, depth - 1)
        made = f"WITH {chance.choice(['', 'RECURSIVE '])}c AS ({inner}) {made}"
    return made


def _table(chance: random.Random, depth: int) -> str:
    file = chance.choice(FILES)
    options = [
        f"({file})",
        file,
        f"{chance.choice(TABLE_FUNCTIONS)}({file})",
        f"read_csv({file}, {chance.choice(OPTIONS)})",
        f"{chance.choice(TABLE_FUNCTIONS)}({file}, {chance.choice(OPTIONS)}) AS f(a)",
        "'people.csv' AS p",
        "range(3) AS r(i)",
        chance.choice(["c", "nope", "duckdb_settings", "information_schema.tables", "pg_settings"]),
        "temp.main.papilio_file_0",
        "(VALUES (1, 'a')) v(a, b)",
    ]
    if depth:
        options += [f"({_query(chance, depth - 1)}) s"] * 2
        options.append(f"{_table(chance, depth - 1)} JOIN {_table(chance, depth - 1)} ON true")
    return chance.choice(options)


def _expression(chance: random.Random, depth: int) -> str:
    plain = [
        "1",
        "'x'",
        "*",
        "age",
        "name AS n",
        "a",
        "A",
        "column0",
        "NULL",
        "i + 1",
        "p.age",
        "#1",
    ]
    if not depth:
        return chance.choice(plain)
    inner = _expression(chance, depth - 1)
    return chance.choice(
        [
            *plain,
            f"{chance.choice(FUNCTIONS)}({inner})",
            f"{chance.choice(FUNCTIONS)}({inner}) OVER ()",
            f"{chance.choice(FUNCTIONS)}({chance.choice(FILES)})",
            f"CAST({inner} AS {chance.choice(['INT', 'VARCHAR', 'JSON', 'main.INT', 'no_type'])})",
            f"CASE WHEN {inner} THEN 1 END",
            f"({_query(chance, depth - 1)})",
            f"EXISTS ({_query(chance, depth - 1)})",
            f"[{inner}]",
            f"{{'a': {inner}}}",
            f"list_transform([1], lambda x: {inner})",
            f"COLUMNS({chance.choice(FILES)})",
        ]
    )


def _damaged(made: str, chance: random.Random) -> str:
    start = chance.randrange(len(made) + 1)
    end = min(len(made), start + chance.choice([0, 0, 1, 3, 10]))
    match chance.randrange(4):
        case 0:
            return made[:start] + chance.choice(NOISE) + made[end:]
        case 1:
            return made[:start] + made[end:]
        case 2:
            return made[:start] + made[start:end] * 2 + made[end:]
        case _:
            return made[:start] + chr(chance.randrange(1, 0x250)) + made[start:]
