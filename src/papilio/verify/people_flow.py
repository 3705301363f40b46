r"""Whether rows can stand in lines so that nobody owns too much: as a flow.

Rows of a person flow to the classes that they fit, through a node for the person and the class that
lets no more than floor(|C| / k) of them pass, and on to lines of the class, each of which takes
one. Every assignment in which nobody owns more than one row in k is such a flow, so if not all
lines can be served the claim is broken for certain. The converse holds unless rows of one person
that fit the same class fit different lines of it, because they have different sensitive values:

- with a node for each person and *class*, a flow may let a person's rows come out in each other's
  lines, which need not be true of them;
- with a node for each person and *kind of line*, every flow is a true assignment, in which a person
  may own too much of a class by rows in lines of different kinds.

The second serves to find an assignment, of which the rest is mended by exchanges; both to tell that
there is none. (To decide it with both at once is a problem with two kinds of bundles, of which no
fast solution is known here.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.verify.whose_lines import Lists, Matching, deal

Ints: TypeAlias = NDArray[np.int64]

#: Most edges of a network; a million take some twenty seconds.
_EDGES = 4_000_000


@dataclass(frozen=True, eq=False)
class _Edges:
    """Which lines rows of one kind and one person fit.

    Attributes
    ----------
    holder_of_row
        Number of the kind and person of each row.
    count
        Rows of each.
    holder, kind
        Beside each other: a kind and person, and a kind of line that fits it.
    person
        The person of each pair.
    """

    holder_of_row: Ints
    count: Ints
    holder: Ints
    kind: Ints
    person: Ints


def assign(matching: Matching, class_of_kind: Ints, person: Ints, k: int) -> bool | None:
    """Assign rows anew so that nobody owns more than one row in k by lines of one kind.

    Parameters
    ----------
    matching
        Changed in place if there is such an assignment; every line stays true.
    class_of_kind
        Class of the lines of each kind.
    person
        Whose each row of the original is.
    k
        What is claimed.

    Returns
    -------
    bool or None
        Whether there is one; if not, the claim is broken. ``None`` if there is too much to try.

    Notes
    -----
    Cost: a maximum flow with an edge for each person, kind of row and kind of line that fit.
    """
    edges = _edges(matching, person)
    if edges is None:
        return None
    most = _most(matching, class_of_kind, k)
    served, given = _flow(matching, edges, edges.kind, most[class_of_kind[edges.kind]])
    if served < len(matching.kind_of_line):
        return False
    pairs = np.column_stack([edges.holder, edges.kind])
    matching.row_of_line[:] = deal(pairs, given, edges.holder_of_row, matching.kind_of_line)
    return True


def is_possible(matching: Matching, class_of_kind: Ints, person: Ints, k: int) -> bool | None:
    """Whether a flow in which nobody owns more than one row in k serves all lines.

    If not, the claim is broken. ``None`` if there is too much to try. Cost: as above.
    """
    edges = _edges(matching, person)
    if edges is None:
        return None
    most = _most(matching, class_of_kind, k)
    owned = class_of_kind[edges.kind]
    served, _ = _flow(matching, edges, owned, most[owned])
    return served == len(matching.kind_of_line)


def _most(matching: Matching, class_of_kind: Ints, k: int) -> Ints:
    most: Ints = np.bincount(class_of_kind[matching.kind_of_line]) // k
    return most


def _edges(matching: Matching, person: Ints) -> _Edges | None:
    kinds = int(matching.kind_of_row.max(initial=-1)) + 1
    keys = person * kinds + matching.kind_of_row
    held, holder_of_row, count = np.unique(keys, return_inverse=True, return_counts=True)
    fits = Lists.of_pairs(matching.pairs[:, 0], matching.pairs[:, 1], kinds)
    lengths = np.diff(fits.start)[held % kinds]
    if int(lengths.sum()) > _EDGES:
        return None
    holder = np.repeat(np.arange(len(held)), lengths)
    begins = fits.start[held % kinds] - (np.cumsum(lengths) - lengths)
    kind = fits.items[np.repeat(begins, lengths) + np.arange(len(holder))]
    owner = held[holder] // kinds
    return _Edges(holder_of_row.ravel().astype(np.int64), count, holder, kind, owner)


def _flow(matching: Matching, edges: _Edges, through: Ints, most: Ints) -> tuple[int, Ints]:
    """Lines that a maximum flow serves, and units along each edge.

    ``through`` and ``most`` say for each edge which node of its person it passes, and how many may.
    Where a kind of rows has several edges to a node, each is said to have the units of all.
    """
    # SciPy is needed only here and takes a while to load.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    wanted = np.bincount(matching.kind_of_line)
    _, one, node = np.unique(
        edges.person * (int(through.max(initial=0)) + 1) + through,
        return_index=True,
        return_inverse=True,
    )
    node = node.ravel()
    onward = np.unique(node * len(wanted) + edges.kind)
    holders, nodes = 1 + np.arange(len(edges.count)), np.arange(len(one))
    enter = 1 + len(holders)
    leave = enter + len(nodes)
    line = leave + len(nodes)
    sink = line + len(wanted)
    parts = [
        (np.zeros(len(holders), np.int64), holders, edges.count),
        (holders[edges.holder], enter + node, edges.count[edges.holder]),
        (enter + nodes, leave + nodes, most[one]),
        (leave + onward // len(wanted), line + onward % len(wanted), wanted[onward % len(wanted)]),
        (line + np.arange(len(wanted)), np.full(len(wanted), sink), wanted),
    ]
    tails, heads, room = (np.concatenate(each) for each in zip(*parts, strict=True))
    graph = csr_array((room.astype(np.int32), (tails, heads)), shape=(sink + 1, sink + 1))
    found = maximum_flow(graph, 0, sink)
    given = csr_array(found.flow)[holders[edges.holder], enter + node]
    return int(found.flow_value), np.asarray(given).ravel().astype(np.int64)
