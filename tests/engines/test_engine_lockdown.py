"""What runs over a release inside this program reaches the release and nothing else."""

import duckdb
import polars as pl
import pytest

from papilio.engines.local import open_locally
from papilio.engines.names import quoted, text
from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release

SECRET = pl.DataFrame({"secret": [1]})


@pytest.fixture
def release():
    column = PublishedColumn("q", "plain", "numeric", "value", ("q",))
    manifest = Manifest("generalised", "none", (), (PublishedTable("people", (column,), 2),))
    return Release(manifest, {"people": pl.DataFrame({"q": [1, 2]})})


@pytest.mark.parametrize("place", ["memory", "parquet", "csv"])
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/etc/*')",
        "COPY (SELECT 1) TO '/tmp/papilio-leak.csv'",
        "ATTACH '/tmp/papilio-leak.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT * FROM SECRET",
    ],
)
def test_nothing_else_is_within_reach(release, tmp_path, place, statement):
    where = release if place == "memory" else release.save(tmp_path / "r", format=place)
    with open_locally(where) as opened:
        assert opened.connection.execute("SELECT sum(q) FROM people").fetchall() == [(3,)]
        with pytest.raises(duckdb.Error):
            opened.connection.execute(statement).fetchall()


def test_a_release_in_memory_stays_open(release):
    with open_locally(release) as first, open_locally(release) as second:
        assert first is second


@pytest.mark.parametrize("odd", ['"', "'", '";--', "a\\", "ü"])
def test_quoting(odd):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({quoted(odd)} VARCHAR)")
        connection.execute(f"INSERT INTO t VALUES ({text(odd)})")
        assert connection.execute(f"SELECT {quoted(odd)} FROM t").fetchall() == [(odd,)]
