"""DuckDB's switches one by one: each stops something, and without it that something works."""

import duckdb
import polars as pl
import pytest

from papilio.data.sql.run import SETTINGS, Rows, querying, reading, rows_of

MEMORY = 1 << 28


@pytest.fixture
def files(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("v\n1\n")
    return tmp_path / "a.csv", tmp_path / "b.csv"


def plain(**settings):
    """A connection with some settings alone."""
    connection = duckdb.connect(":memory:", config={"python_enable_replacements": False})
    for name, value in settings.items():
        connection.execute(f"SET {name} = {value}")
    return connection


def test_the_one_that_queries_opens_nothing(files):
    with querying(MEMORY) as connection:
        for text in (
            f"FROM '{files[0]}'",
            f"FROM read_text('{files[0]}')",
            f"FROM glob('{files[0].parent}/*')",
            f"COPY (SELECT 1) TO '{files[0]}'",
            f"COPY (SELECT 1) TO '{files[0].parent}/new.csv'",
            f"ATTACH '{files[0].parent}/new.db'",
            f"EXPORT DATABASE '{files[0].parent}/new'",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(text)
    assert {path.name for path in files[0].parent.iterdir()} == {"a.csv", "b.csv"}


def test_the_one_that_reads_opens_its_files_alone(files):
    with reading(files[:1], MEMORY) as connection:
        assert connection.execute(f"FROM '{files[0]}'").fetchall() == [(1,)]
        for text in (f"FROM '{files[1]}'", f"FROM '{files[0].parent}/*.csv'"):
            with pytest.raises(duckdb.Error):
                connection.execute(text)


def test_names_with_quotes_and_wildcards(tmp_path):
    file = tmp_path / "it's [1] *.csv"
    file.write_text("v\n5\n")
    with reading([file], MEMORY) as connection:
        text = str(file).replace("'", "''")
        assert connection.execute(f"FROM read_csv(['{text}'])").fetchall() == [(5,)]


def test_rows_can_be_scanned_again_and_again(files):
    with reading(files, MEMORY) as reader, querying(MEMORY) as connection:
        rows = rows_of(reader, f"FROM read_csv(['{files[0]}', '{files[1]}'])")
        assert isinstance(rows, Rows)
        connection.register("t", rows)
        joined = connection.execute("SELECT count(*) FROM t a, t b, t c").fetchall()
        assert joined == [(8,)]


class TestSwitches:
    """What each stops; the first half of each test shows that it would happen without."""

    def test_enable_external_access(self, files):
        with plain() as connection:
            assert connection.execute(f"FROM '{files[0]}'").fetchall() == [(1,)]
        with plain(enable_external_access="false") as connection:
            for text in (f"FROM '{files[0]}'", f"COPY (SELECT 1) TO '{files[0]}'", "LOAD httpfs"):
                with pytest.raises(duckdb.Error):
                    connection.execute(text)

    def test_allowed_paths_lets_files_be_written(self, files):
        """Why the query has none: a path that may be read may be overwritten."""
        with plain(allowed_paths=f"['{files[0]}']", enable_external_access="false") as connection:
            connection.execute(f"COPY (SELECT 2 AS v) TO '{files[0]}' (USE_TMP_FILE false)")
        assert files[0].read_text() == "v\n2\n"

    def test_disabled_filesystems(self, files):
        with plain(disabled_filesystems="'LocalFileSystem'") as connection:
            for text in (f"FROM '{files[0]}'", f"COPY (SELECT 1) TO '{files[0]}'"):
                with pytest.raises(duckdb.Error):
                    connection.execute(text)

    @pytest.mark.parametrize(
        "change",
        [
            "SET enable_external_access = true",
            "SET allowed_paths = ['/']",
            "SET allowed_directories = ['/']",
            "SET disabled_filesystems = ''",
            "SET memory_limit = '1TB'",
            "SET temp_directory = '/tmp'",
            "SET python_enable_replacements = true",
            "SET autoload_known_extensions = true",
            "RESET memory_limit",
        ],
    )
    def test_lock_configuration(self, change):
        with querying(MEMORY) as connection, pytest.raises(duckdb.Error):
            connection.execute(change)

    def test_python_enable_replacements(self):
        leak = pl.DataFrame({"secret": [1]})
        with duckdb.connect(":memory:") as connection:
            assert connection.execute("FROM leak").fetchall() == leak.rows()
        with querying(MEMORY) as connection, pytest.raises(duckdb.CatalogException):
            connection.execute("FROM leak")

    def test_extensions(self):
        with querying(MEMORY) as connection:
            for text in ("INSTALL httpfs", "LOAD httpfs", "INSTALL h3 FROM community"):
                with pytest.raises(duckdb.Error):
                    connection.execute(text)
            names = [name for name in SETTINGS if "extension" in name]
            for name in names:
                (value,) = connection.execute(f"SELECT current_setting('{name}')").fetchone()
                connection.abort()
                assert value is False
        assert len(names) == 4

    def test_allow_persistent_secrets(self):
        with querying(MEMORY) as connection, pytest.raises(duckdb.Error):
            connection.execute("CREATE PERSISTENT SECRET s (TYPE s3, KEY_ID 'k')")

    def test_memory_limit(self):
        text = "SELECT count(*) FROM (SELECT DISTINCT i FROM range(30000000) t(i))"
        with querying(MEMORY) as connection, pytest.raises(duckdb.OutOfMemoryException):
            connection.execute(text).fetchall()

    def test_temp_directory(self, tmp_path, monkeypatch):
        """What does not fit goes to the folder that was given, or nowhere."""
        text = "SELECT count(*) FROM (SELECT DISTINCT 'papilio' || i FROM range(3000000) t(i))"
        (tmp_path / "here").mkdir()
        (tmp_path / "spill").mkdir()
        monkeypatch.chdir(tmp_path / "here")
        with querying(100 << 20, tmp_path / "spill") as connection:
            assert connection.execute(text).fetchall() == [(3_000_000,)]
        with querying(100 << 20) as connection, pytest.raises(duckdb.OutOfMemoryException):
            connection.execute(text).fetchall()
        assert not any((tmp_path / "here").iterdir())
