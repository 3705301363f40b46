"""Whether the order of lines of a release says anything, from the release alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from papilio.verify.line_order import Sequence, check_lines
from papilio.verify.line_order_graph import graph_sequences, unordered_tables
from papilio.verify.line_order_groups import grouped_sequences
from papilio.verify.line_order_links import linked_sequences
from papilio.verify.line_order_tables import generalised_sequences, projected_sequences
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding

CLAIM = "order of lines"

#: What the lines of each kind of release could follow.
SEQUENCES: Mapping[str, Callable[[Opened], Iterator[Sequence]]] = {
    "generalised": generalised_sequences,
    "projected": projected_sequences,
    "permuted": grouped_sequences,
    "disguised": grouped_sequences,
    "linked": linked_sequences,
    "graph": graph_sequences,
}


def check_order(opened: Opened) -> Finding:
    """Check that the order of lines says nothing, given what the release says anyway.

    Looked at are the first :data:`papilio.verify.lines.LOOKED_AT` lines of each table's first file;
    all else about the content must hold already.

    Notes
    -----
    What it does not find: see :func:`papilio.verify.line_order.check_lines`.
    """
    if opened.manifest.kind == "graph" and (faults := unordered_tables(opened)):
        return finding(CLAIM, "says nothing", "; ".join(faults), holds=False)
    return check_lines(CLAIM, SEQUENCES[opened.manifest.kind](opened))
