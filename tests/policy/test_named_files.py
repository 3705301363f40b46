"""Every file a policy names is found, and nothing that only looks like one."""

from __future__ import annotations

from typing import Any

import pytest

from papilio.policy.named_files import NamedFile, named_files
from sizes import spread

SQL = "WITH own AS (SELECT 1) SELECT * FROM 'a.csv', read_parquet(['b.parquet']), own"


@pytest.mark.parametrize(
    ("tree", "found"),
    spread(
        [
            ({"source": "x.csv"}, ["x.csv"]),
            ({"source": {"file": "x.csv", "null": ["-"]}}, ["x.csv"]),
            ({"source": {"sql": SQL, "name": "t"}}, ["a.csv", "b.parquet"]),
            ({"source": {"sql": "SELECT FROM WHERE"}}, []),
            ({"source": "postgresql://h/db#t"}, []),
            ({"source": {"postgresql": "postgresql://h/db", "table": "t"}}, []),
            ({"database": "all.duckdb"}, ["all.duckdb"]),
            ({"columns": {"job": {"role": "quasi", "hierarchy": "job.csv"}}}, ["job.csv"]),
            ({"columns": {"job": {"hierarchy": {"file": "trees/job.csv"}}}}, ["trees/job.csv"]),
            ({"columns": {"job": {"hierarchy": "automatic"}}}, []),
            ({"columns": {"source": "quasi", "hierarchy": "plain", "file": "quasi"}}, []),
            ({"columns": {"s": {"role": "sensitive", "source": "s.csv", "key": "k"}}}, ["s.csv"]),
            ({"tables": {"source": {"source": "t.csv", "columns": {"a": "quasi"}}}}, ["t.csv"]),
            (
                {"graph": {"left": {"source": "l.csv"}, "edges": {"source": "e.csv"}}},
                ["l.csv", "e.csv"],
            ),
            ({"privacy": {"target": {"salary": {"file": "wages.csv"}}}}, ["wages.csv"]),
            ({"source": "x.csv", "graph": {"left": {"source": "x.csv"}}}, ["x.csv"]),
            ({"source": 7, "columns": None}, []),
        ],
        4,
    ),
)
def test_files_are_found(tree: dict[str, Any], found: list[str]) -> None:
    assert [each.name for each in named_files(tree)] == found


def test_uses_tell_rows_from_trees() -> None:
    tree = {
        "source": "x.csv",
        "columns": {"a": {"hierarchy": "a.csv"}},
        "privacy": {"target": {"b": {"file": "b.csv"}}},
    }
    assert [each.use for each in named_files(tree)] == ["data", "hierarchy", "target"]


@pytest.mark.parametrize(
    ("name", "relative"),
    [("x.csv", True), ("a/b.csv", True), ("/x.csv", False), ("../x.csv", False), ("a/../x", False)],
)
def test_only_what_lies_beside_the_policy_is_relative(name: str, relative: bool) -> None:
    assert NamedFile(name, "data").relative is relative
