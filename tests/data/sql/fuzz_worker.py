"""Answers texts one after the other as a child of an SQL source would, in one process for speed."""

from __future__ import annotations

import io
import json
import resource
import sys
import time
from pathlib import Path

import duckdb

from papilio.data.sql.check import check
from papilio.data.sql.files import parse
from papilio.data.sql.run import Request, names_of_files, querying, told, write_rows
from papilio.errors import PapilioError

MEMORY = 256 << 20


def main() -> None:
    base = Path(sys.argv[1])
    # As the child does: some bytes more than DuckDB may use, and no writing at all.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY * 5, MEMORY * 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sys.setrecursionlimit(10_000)
    with querying(MEMORY) as parser:
        for number, line in enumerate(sys.stdin):
            before = time.monotonic()
            answer = outcome(json.loads(line), base, parser, whole=number % 10 == 0)
            answer["seconds"] = time.monotonic() - before
            answer["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


def outcome(
    sql: str, base: Path, parser: duckdb.DuckDBPyConnection, *, whole: bool
) -> dict[str, object]:
    """Parse and check first where connections are open already; most texts get no further."""
    request = Request(sql, base, (), MEMORY)
    try:
        if whole:
            names_of_files(request)
        else:
            with told():
                check(parse(parser, sql), sql)
        write_rows(request, io.BytesIO())
    except PapilioError as error:
        return {"kind": "refused", "reason": error.reason, "message": str(error)}
    except Exception as error:  # noqa: BLE001 - this is what the test looks for
        return {"kind": "fault", "message": repr(error)}
    return {"kind": "ran"}


if __name__ == "__main__":
    main()
