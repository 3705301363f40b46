"""Publish from files piece by piece, with limits so small that a small table has many pieces."""

from __future__ import annotations

from papilio.data.io.stream import open_stream
from papilio.data.source import FileSource
from papilio.policy.apply import columns_to_look_at
from papilio.progress import silent
from papilio.workflow.publish import publish_to
from papilio.workflow.publish_pieces import Limits, publish_out_of_core
from papilio.workflow.verify import verify


def publish_on_disk(target, policy, *, piece_rows=200, values=100_000, tell=silent, **more):
    """A publication made of pieces of at most ``piece_rows`` rows."""
    source = policy.where()
    if isinstance(source, FileSource):
        source = open_stream(source, columns_to_look_at(policy))
    limits = Limits(1 << 30, piece_rows, values)
    return publish_out_of_core(target, policy, source, limits, tell=tell, **more)


def ordered(frame):
    """Rows and columns in an order that does not depend on chance."""
    return frame.select(sorted(frame.columns)).sort(sorted(frame.columns), nulls_last=True)


def table_of(publication):
    """The published rows, in that order."""
    return ordered(publication.release.frames[publication.release.manifest.tables[0].name])


def left_behind(folder):
    """What a failed run must not leave."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".papilio")]


def publish_both(folder, policy, **more):
    """Publish in pieces and in memory, with all that must be the same."""
    pieces = publish_on_disk(folder / "pieces", policy, **more)
    memory = publish_to(folder / "memory", policy, attacks=False)
    one, other = pieces.release, memory.release
    assert one.manifest.claims == other.manifest.claims
    assert one.manifest.tables == other.manifest.tables
    assert one.manifest.method == other.manifest.method
    assert one.hierarchies == other.hierarchies
    assert (pieces.left_out, pieces.choice) == (memory.left_out, memory.choice)
    assert pieces.notes == memory.notes
    assert _said(pieces.verdict) == _said(memory.verdict)
    for name, frame in other.frames.items():
        assert dict(one.frames[name].schema) == dict(frame.schema), name
    assert verify(pieces.directory).holds
    assert verify(pieces.directory, original=policy).holds
    return pieces, memory


def _said(verdict):
    return [(f.claim, f.recipient, f.column, f.demanded, f.status) for f in verdict.findings]
