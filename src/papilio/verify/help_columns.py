"""Columns of a help table against what they should be."""

from __future__ import annotations

from collections.abc import Sequence

from papilio.verify import sql
from papilio.verify.opened import Opened


def wrong_columns(opened: Opened, tests: Sequence[tuple[str, str]], source: str) -> list[str]:
    """Say of each column in how many rows it is wrong; nothing of those that are right.

    A number that is NULL, infinite or NaN is wrong whatever its test says.

    Parameters
    ----------
    opened
        The release.
    tests
        For each column, SQL that tells whether it is right.
    source
        What the tests are asked of: the help table joined with what it should say, as SQL.
    """
    counts = ", ".join(
        sql.count_where(f"NOT coalesce({sql.is_finite(sql.name(name))} AND {test}, false)")
        for name, test in tests
    )
    found = zip(tests, opened.row(f"SELECT {counts} FROM {source}"), strict=True)
    return [f"{int(count)} rows are wrong in {name}" for (name, _), count in found if count]
