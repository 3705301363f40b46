"""Trees are compared with what is declared; whatever is not is refused."""

import duckdb
import pytest

from papilio.data.sql.check import check
from papilio.data.sql.files import parse
from papilio.data.sql.kinds import FILE_FUNCTIONS, TABLE_FUNCTIONS, functions
from papilio.errors import DataError

#: Functions of the list that do not give the same result each time, each for a reason.
CHANGING = {
    "error",  # a query may refuse a row
    "random", "uuid", "gen_random_uuid", "uuidv4", "uuidv7",
    "current_date", "get_current_time", "get_current_timestamp", "now", "today",
    "transaction_timestamp",
}  # fmt: skip

REFUSED = {
    "settings": "SELECT current_setting('secret_directory')",
    "settings table": "SELECT * FROM duckdb_settings()",
    "variable": "SELECT getvariable('x')",
    "sequence": "SELECT nextval('s')",
    "environment": "SELECT getenv('HOME')",
    "log": "SELECT write_log('x')",
    "sleep": "SELECT sleep_ms(100000)",
    "sleep of pg": "SELECT pg_sleep(100)",
    "version": "SELECT version()",
    "sql from text": "SELECT json_serialize_sql('SELECT 1')",
    "sql to text": "SELECT json_deserialize_sql('{}')",
    "plan": "SELECT json_serialize_plan('SELECT 1')",
    "query()": "FROM query('SELECT 1')",
    "query_table()": "FROM query_table(['people.csv'])",
    "execute": "FROM json_execute_serialized_sql('{}')",
    "text of a file": "FROM read_text('people.csv')",
    "bytes of a file": "FROM read_blob('people.csv')",
    "list of files": "FROM glob('*')",
    "a look at a csv": "FROM sniff_csv('people.csv')",
    "a parquet's metadata": "FROM parquet_kv_metadata('x.parquet')",
    "a database": "FROM read_duckdb('x.db')",
    "memory of the process": "FROM arrow_scan(1, 2, 3)",
    "a frame of Python": "FROM pandas_scan(1)",
    "secrets": "FROM duckdb_secrets()",
    "which secret": "FROM which_secret('x', 's3')",
    "catalog": "FROM duckdb_tables",
    "catalog of pg": "FROM pg_catalog.pg_settings",
    "information schema": "FROM information_schema.tables",
    "sqlite": "FROM sqlite_master",
    "qualified function": "SELECT main.current_setting('x')",
    "function of a column": "SELECT name.current_setting()",
    "qualified table function": "FROM main.read_csv('people.csv')",
    "qualified file": "FROM main.'people.csv'",
    "qualified type": "SELECT 1::main.INT",
    "a table of ours": "FROM temp.main.papilio_file_0",
    "parameter": "SELECT $1",
    "default": "SELECT DEFAULT",
    "version of a table": "FROM 'people.csv' AT (VERSION => 1)",
    "show": "SHOW TABLES",
    "describe": "DESCRIBE 'people.csv'",
    "summarize": "SUMMARIZE 'people.csv'",
    "describe within": "FROM (DESCRIBE SELECT 1)",
    "pragma": "PRAGMA database_list",
    "pragma function": "FROM pragma_database_size()",
    "call": "CALL duckdb_settings()",
    "set": "SET threads = 1",
    "load": "LOAD httpfs",
    "attach": "ATTACH 'x.db'",
    "copy": "COPY (SELECT 1) TO 'x'",
    "copy in a WITH": "WITH x AS (COPY (SELECT 1) TO 'x') SELECT 1",
    "copy in a subquery": "SELECT (WITH x AS (COPY (SELECT 1) TO 'x') SELECT 1)",
    "insert in a WITH": "WITH x AS (INSERT INTO t VALUES (1) RETURNING *) FROM x",
    "delete in a WITH": "WITH x AS (DELETE FROM t RETURNING *) FROM x",
    "a WITH seen too late": "SELECT * FROM (WITH y AS (SELECT 1) FROM y), y",
    "a WITH seen too early": "WITH a AS (FROM b), b AS (SELECT 1) FROM a",
    "option": "FROM read_csv('people.csv', store_rejects=true)",
    "option with a key": "FROM read_parquet('x.parquet', encryption_config={footer_key: 'k'})",
    "computed option": "FROM read_csv('people.csv', delim=(SELECT ','))",
    "computed list": "FROM read_csv('people.csv', nullstr=[current_setting('x')])",
    "second argument": "FROM read_csv('people.csv', 'more.csv')",
    "name from a query": "FROM read_csv((SELECT 'people.csv'))",
    "name in a cast": "FROM read_csv('people.csv'::VARCHAR)",
    "no name": "FROM read_csv()",
    "empty list": "FROM read_csv([])",
    "numbered files": "FROM read_csv('people.csv') WITH ORDINALITY",
    "window function": "SELECT current_setting('x') OVER ()",
}  # fmt: skip


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect(":memory:") as made:
        yield made


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_refused(connection, text):
    with pytest.raises(DataError) as caught:
        check(parse(connection, text), text)
    assert "\n" not in str(caught.value)


def test_every_listed_function_is_one_of_duckdb(connection):
    rows = connection.execute("SELECT function_name FROM duckdb_functions()").fetchall()
    # Arrows and unnest are syntax; they have no entry there.
    assert functions() - {name.lower() for (name,) in rows} <= {"->", "unnest"}


def test_no_listed_function_has_effects(connection):
    rows = connection.execute(
        "SELECT DISTINCT lower(function_name) FROM duckdb_functions() "
        "WHERE has_side_effects OR stability <> 'CONSISTENT'"
    ).fetchall()
    assert functions() & {name for (name,) in rows} == CHANGING


def test_no_listed_function_is_for_the_catalog_or_for_files(connection):
    """A function of tables or of PRAGMA is no function of expressions, but for series."""
    rows = connection.execute(
        "SELECT DISTINCT lower(function_name) FROM duckdb_functions() "
        "WHERE function_type IN ('table', 'pragma', 'table_macro')"
    ).fetchall()
    both = {"generate_series", "histogram", "range", "repeat", "unnest"}
    assert functions() & {name for (name,) in rows} == both
    assert not functions() & set(FILE_FUNCTIONS)
    assert functions() >= TABLE_FUNCTIONS


def test_macros_on_the_list_call_what_is_on_the_list(connection):
    rows = connection.execute(
        "SELECT lower(function_name), macro_definition FROM duckdb_functions() "
        "WHERE function_type = 'macro'"
    ).fetchall()
    for name, definition in rows:
        if name in functions():
            text = f"SELECT {definition}"
            assert check(parse(connection, text), text) == (), name


def test_keys_that_are_not_declared_must_say_nothing(connection):
    tree = parse(connection, "SELECT 1")
    tree["statements"][0]["node"]["new_key"] = None
    check(tree, "SELECT 1")
    tree["statements"][0]["node"]["new_key"] = {"type": "COPY_QUERY_NODE"}
    with pytest.raises(DataError, match="only reads"):
        check(tree, "SELECT 1")


def test_the_line_of_what_is_refused(connection):
    text = "SELECT 1,\n\n  current_setting('x')"
    with pytest.raises(DataError, match="'current_setting' in line 3"):
        check(parse(connection, text), text)


def test_files_in_the_order_of_the_tree(connection):
    text = (
        "WITH own AS (SELECT 1) SELECT * FROM 'a.csv', read_parquet(['b.parquet', 'c?.parquet']), "
        "own, \"OWN\", (SELECT * FROM 'd.json') d WHERE 1 IN (FROM 'e.tsv.gz')"
    )
    names = [name for named in check(parse(connection, text), text) for name in named.names]
    assert names == ["a.csv", "b.parquet", "c?.parquet", "d.json", "e.tsv.gz"]
