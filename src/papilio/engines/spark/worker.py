"""What holds for every function of ours that the engine runs.

An engine puts the text of an exception into its logs and into the error it sends back. So nothing
leaves such a function but errors of Papilio, which are made for it, and the place of a defect.
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import TypeAlias

import pyarrow as pa

from papilio import errors
from papilio.errors import InternalError, PapilioError

#: Batches in, batches out.
Work: TypeAlias = "Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]"

_SAID = re.compile(r"papilio-says:([0-9a-f]+):end")


class WorkerError(RuntimeError):
    """An error of Papilio on its way through an engine."""


def guarded(work: Work) -> Work:
    """Make a function fit for ``mapInArrow``: its errors carry no cell of the data."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from work(batches)
        except GeneratorExit:
            raise
        except BaseException as error:  # noqa: BLE001 - a panic of Polars is not an Exception
            raise packed(error) from None

    return run


def guarded_table(work: Callable[[pa.Table], pa.Table]) -> Callable[[pa.Table], pa.Table]:
    """Make a function fit for ``applyInArrow``, in the same way."""

    def run(part: pa.Table) -> pa.Table:
        try:
            return work(part)
        except BaseException as error:  # noqa: BLE001 - a panic of Polars is not an Exception
            raise packed(error) from None

    return run


def packed(error: BaseException) -> WorkerError:
    """Write an error in a form that survives the engine."""
    if not isinstance(error, PapilioError):
        # A function also fails if the one whose rows it reads has failed.
        error = unpacked(str(error)) or _defect(error)
    content = {
        "class": type(error).__name__,
        "message": str(error),
        "reason": error.reason,
        "nearest": getattr(error, "nearest", None),
    }
    return WorkerError(f"papilio-says:{json.dumps(content).encode().hex()}:end")


def unpacked(text: str) -> PapilioError | None:
    """Find the error of Papilio in what an engine says, if there is one."""
    found = _SAID.search(text)
    if found is None:
        return None
    content = json.loads(bytes.fromhex(found[1]))
    message, reason, nearest = content["message"], content["reason"], content["nearest"]
    if nearest is not None:
        return errors.InfeasibleError(
            message.removesuffix(f"; {nearest}"), reason=reason, nearest=nearest
        )
    kind = getattr(errors, content["class"])
    made: PapilioError = kind(message, reason=reason)
    return made


def _defect(error: BaseException) -> PapilioError:
    if isinstance(error, MemoryError):
        return errors.EngineError(
            "a worker has not enough memory for its piece", reason="out-of-memory"
        )
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{PurePath(place.filename).name}:{place.lineno}"
    return InternalError(
        f"a defect of Papilio in a worker ({type(error).__name__} in {where}); please report it",
        reason="defect",
    )
