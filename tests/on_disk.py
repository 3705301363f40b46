"""Publish from files piece by piece, with limits so small that a small table has many pieces."""

from __future__ import annotations

from papilio.data.io.stream import open_stream
from papilio.data.source import FileSource
from papilio.policy.apply import columns_to_read
from papilio.progress import silent
from papilio.workflow.out_of_core.publish import Limits, publish_out_of_core


def publish_on_disk(target, policy, *, piece_rows=200, values=100_000, tell=silent, **more):
    """A publication made of pieces of at most ``piece_rows`` rows."""
    source = policy.where()
    if isinstance(source, FileSource):
        source = open_stream(source, columns_to_read(policy))
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
