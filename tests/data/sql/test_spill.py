"""What a query puts on disk because it does not fit into memory."""

from __future__ import annotations

import pytest

from papilio.data.sql.run import querying

ROWS = 3_500_000
#: Long enough that chance does not write it.
MARK = "RAWVALUE"


@pytest.mark.long
def test_rows_that_do_not_fit_are_encrypted(tmp_path):
    made = f"'{MARK}' || (i * 7919) % 900000 AS v, repeat('{MARK}', 5) AS p"
    with querying(160 << 20, tmp_path) as connection:
        connection.execute(f"CREATE TABLE s AS SELECT {made} FROM range({ROWS}) t(i) ORDER BY v")
        files = [file for file in tmp_path.rglob("*") if file.is_file() and file.stat().st_size]
        assert files
        assert not any(MARK.encode() in file.read_bytes() for file in files)
        (rows,) = connection.execute("SELECT count(*) FROM s WHERE v >= 'RAW'").fetchone()
    assert rows == ROWS
