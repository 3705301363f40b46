"""The process that an SQL source runs in: ``python -m papilio.data.sql.child``.

It gets one request as a line of JSON. Rows go to its standard output as an Arrow stream; what it
found, or what is wrong, to the pipe whose number is its argument. It limits its own memory, writes
no file unless it was given a folder for it, and ends when the one who started it does.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import threading
from pathlib import Path
from typing import Any

from papilio.data.sql.run import Request, header_of, names_of_files, write_rows
from papilio.errors import PapilioError, told

#: Bytes for the interpreter, the libraries and threads' stacks, besides what DuckDB may use.
_BASE = 640 << 20
_PER_THREAD = 40 << 20
#: Levels of a tree that Python may walk; DuckDB itself accepts expressions of 1000 levels.
_LEVELS = 10_000


def main() -> None:
    """Read the request, answer it, and leave without waiting for anything."""
    sys.setrecursionlimit(_LEVELS)
    order = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    answer = _answer(order)
    sys.stdout.buffer.close()
    with os.fdopen(int(sys.argv[1]), "w", encoding="utf-8") as status:
        json.dump(answer, status)
    # A thread of DuckDB that still computes must not keep the process alive.
    os._exit(0)


def _answer(order: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"names": _work(order["task"], _request(order))}
    except PapilioError as error:
        return {"error": str(error), "reason": error.reason}
    except Exception as error:  # noqa: BLE001 - said in one line, without its text
        defect = told(error)
        return {"error": str(defect), "reason": defect.reason}


def _work(task: str, request: Request) -> tuple[str, ...]:
    _limit(request)
    match task:
        case "files":
            return names_of_files(request)
        case "header":
            return header_of(request)
        case "rows":
            return write_rows(request, sys.stdout.buffer)
        case _:
            raise ValueError(task)


def _request(order: dict[str, Any]) -> Request:
    allowed, columns, spill = order["allowed"], order["columns"], order["spill"]
    return Request(
        sql=order["sql"],
        base=Path(order["base"]),
        allowed=None if allowed is None else tuple(map(Path, allowed)),
        memory=order["memory"],
        columns=None if columns is None else tuple(columns),
        spill=None if spill is None else Path(spill),
    )


def _limit(request: Request) -> None:
    threads = 2 * (os.cpu_count() or 1)
    most = request.memory + _BASE + threads * _PER_THREAD
    _lower(resource.RLIMIT_DATA, most)
    _lower(resource.RLIMIT_CORE, 0)
    if request.spill is None:
        _lower(resource.RLIMIT_FSIZE, 0)


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard == resource.RLIM_INFINITY or value < hard:
        resource.setrlimit(which, (value, value))


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
