"""Whether a source is published in memory or piece by piece."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.data.io.read import header
from papilio.data.io.stream import Stream, open_stream
from papilio.data.size_text import size_text
from papilio.data.source import FileSource, SqlSource
from papilio.errors import PapilioError, PolicyError
from papilio.families import choose
from papilio.policy.apply import check_files, check_names, columns_to_read
from papilio.policy.policy import Policy
from papilio.workflow.out_of_core.memory import (
    BATCH_SHARE,
    beyond_machine,
    check_memory,
    estimated_rows,
    needed_memory,
    usual_memory,
)
from papilio.workflow.pieces.refuse import check_engine, refused


@dataclass(frozen=True)
class OutOfCore:
    """A run that goes piece by piece.

    Attributes
    ----------
    source
        The files, or a query whose result is written to one first.
    memory
        Bytes that the run may use.
    note
        Why it goes piece by piece, for the owner.
    """

    source: Stream | SqlSource
    memory: int
    note: str


def out_of_core(policy: Policy, memory: int | None) -> OutOfCore | None:
    """Decide for a policy; ``None`` if its source fits into memory.

    Parameters
    ----------
    policy
        The order.
    memory
        Bytes that the run may use; left out, a share of what the machine has, and what cannot be
        published piece by piece is tried in memory all the same.

    Raises
    ------
    PolicyError, PapilioError
        If a limit is given that the run would not keep.
    """
    limit = usual_memory() if memory is None else check_memory(memory)
    source = policy.where()
    if isinstance(source, SqlSource):
        return None if memory is None else _query(policy, source, limit)
    if not isinstance(source, FileSource):
        if memory is not None:
            raise PapilioError(
                "a memory limit is for one table in files, or a query over files; leave it out",
                reason="memory-unused",
            )
        return None
    check_files(policy)
    check_names(policy, header(source))
    stream = open_stream(source, columns_to_read(policy), limit // BATCH_SHARE)
    needed = needed_memory(stream)
    if needed <= limit:
        return None
    faults = refused(policy, choose(policy, estimated_rows(stream)), "pieces")
    if memory is None and faults:
        if beyond_machine(needed):
            raise PapilioError(
                f"{source.path}: this would take about {size_text(needed)} of memory, far more "
                "than there is; fewer rows or columns are accepted, or what can be published piece "
                f"by piece: {faults[0].message}",
                reason="too-little-memory",
            )
        return None
    if faults:
        raise PolicyError(faults)
    note = (
        f"Published piece by piece: in memory it would take about {size_text(needed)}, and "
        f"{size_text(limit)} may be used."
    )
    return OutOfCore(stream, limit, note)


def _query(policy: Policy, source: SqlSource, limit: int) -> OutOfCore:
    check_engine(policy, choose(policy, 0), "pieces")
    check_files(policy)
    check_names(policy, header(source))
    note = (
        "Published piece by piece, because how many rows a query returns is not known beforehand."
    )
    return OutOfCore(source, limit, note)
