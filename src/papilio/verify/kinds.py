"""Every kind of release that the verifier knows, in one table, and what depends on the kind.

A kind that is not here is not judged: a release of it is a violation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from papilio.release.made import Witness
from papilio.release.manifest import Manifest
from papilio.verify.disguised import judge_disguised
from papilio.verify.graph import judge_graph
from papilio.verify.line_order_kinds import (
    Sequence,
    check_lines,
    generalised_sequences,
    graph_sequences,
    grouped_sequences,
    linked_sequences,
    projected_sequences,
    unordered_tables,
)
from papilio.verify.line_order_source import (
    SOURCE,
    Sources,
    of_graph,
    of_groups,
    of_links,
    of_tables,
)
from papilio.verify.lines import (
    Rows,
    rows_of_graph,
    rows_of_groups,
    rows_of_links,
    rows_of_tables,
)
from papilio.verify.linked import judge_linked
from papilio.verify.opened import Opened, UnreadableError
from papilio.verify.people import check_owners
from papilio.verify.permuted import judge_permuted
from papilio.verify.promise.columns import promise_generalised
from papilio.verify.promise.graph import promise_graph
from papilio.verify.promise.linked import promise_linked
from papilio.verify.promise.permuted import promise_disguised, promise_permuted
from papilio.verify.promise.projected import promise_projected
from papilio.verify.promise.promise import Facts, Promise
from papilio.verify.tables import CHECKS, judge_generalised, judge_projected
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.disguised import check_disguised
from papilio.verify.witness.graph import check_graph
from papilio.verify.witness.held import ORIGINAL, PEOPLE, Originals
from papilio.verify.witness.linked import check_linked
from papilio.verify.witness.permuted import check_permuted
from papilio.verify.witness.table import check_projected, check_table

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

ORDER = "order of lines"


@dataclass(frozen=True)
class Kind:
    """How releases of a kind are judged.

    Attributes
    ----------
    name
        What their manifests call it.
    orders
        Whether a policy orders it; the first kind that says so is the one.
    promise
        What policy and original demand of such a release.
    content
        Judges its tables and claims, and, with the name of a view of the original, their truth.
    sequences
        What its lines could follow, from the release alone.
    rows
        Which rows of the original its tables are made of.
    follows
        What its lines could follow of the source.
    witness
        Checks that every line is true of the row that its method says it was made of.
    unordered
        Tables that must stand in a given order and do not, in words.
    """

    name: str
    orders: Callable[[Policy], bool]
    promise: Callable[[Policy, Facts, Manifest], Promise]
    content: Callable[[Opened, str | None], Iterator[Finding]]
    sequences: Callable[[Opened], Iterator[Sequence]]
    rows: Callable[[Manifest, str], Iterator[Rows]]
    follows: Callable[[Opened, Sources], Iterator[Sequence]]
    witness: Callable[[Opened, Originals, Witness], Iterator[Finding]]
    unordered: Callable[[Opened], list[str]] = lambda _: []


def _witness_tables(opened: Opened, originals: Originals, witness: Witness) -> Iterator[Finding]:
    for table in opened.manifest.tables:
        found = check_table(opened, table, originals[ORIGINAL], witness.get(table.name))
        yield found
        if found.status is Status.HOLDS and PEOPLE in originals:
            names = originals[PEOPLE].to_series()
            yield from check_owners(opened, table, names, witness[table.name], CHECKS)


def _orders_projections(policy: Policy) -> bool:
    if policy.method not in (None, "auto"):
        return policy.method == "projections"
    limited = policy.privacy.association_loss is not None or policy.privacy.exposure is not None
    several = any(column.values is not None for column in policy.columns.values())
    return not policy.recipients and (limited or several)


def _orders_permutation(policy: Policy) -> bool:
    if policy.method not in (None, "auto"):
        return policy.method == "permutation"
    return not policy.recipients and policy.privacy.e is not None


#: In the order in which they are asked whether a policy orders them.
_KINDS = [
    Kind(
        "graph",
        lambda policy: policy.graph is not None,
        promise_graph,
        judge_graph,
        graph_sequences,
        rows_of_graph,
        of_graph,
        check_graph,
        unordered_tables,
    ),
    Kind(
        "linked",
        lambda policy: bool(policy.tables) or policy.link,
        promise_linked,
        judge_linked,
        linked_sequences,
        rows_of_links,
        of_links,
        check_linked,
    ),
    Kind(
        "disguised",
        lambda policy: bool(policy.privacy.target),
        promise_disguised,
        judge_disguised,
        grouped_sequences,
        rows_of_groups,
        of_groups,
        lambda opened, originals, witness: check_disguised(opened, originals[ORIGINAL], witness),
    ),
    Kind(
        "permuted",
        _orders_permutation,
        promise_permuted,
        judge_permuted,
        grouped_sequences,
        rows_of_groups,
        of_groups,
        lambda opened, originals, witness: check_permuted(opened, originals[ORIGINAL], witness),
    ),
    Kind(
        "projected",
        _orders_projections,
        promise_projected,
        judge_projected,
        projected_sequences,
        rows_of_tables,
        of_tables,
        lambda opened, originals, witness: check_projected(opened, originals[ORIGINAL], witness),
    ),
    Kind(
        "generalised",
        lambda _: True,
        promise_generalised,
        judge_generalised,
        generalised_sequences,
        rows_of_tables,
        of_tables,
        _witness_tables,
    ),
]


def kinds() -> tuple[Kind, ...]:
    """All kinds that can be judged."""
    return tuple(_KINDS)


def register_kind(kind: Kind) -> None:
    """Add a kind that the verifier does not know by itself; it is asked before the others.

    Raises
    ------
    ValueError
        If there is one of this name.
    """
    if kind_called(kind.name) is not None:
        raise ValueError(f"there is a kind called '{kind.name}'")
    _KINDS.insert(0, kind)


def forget_kind(kind: Kind) -> None:
    """Take a kind away that was registered."""
    _KINDS.remove(kind)


def kind_called(name: str) -> Kind | None:
    """Look up a kind by what manifests call it."""
    return next((kind for kind in _KINDS if kind.name == name), None)


def _kind(opened: Opened) -> Kind:
    return next(kind for kind in _KINDS if kind.name == opened.manifest.kind)


def kind_of(policy: Policy) -> str:
    """Kind of release that a policy orders."""
    return next(kind.name for kind in _KINDS if kind.orders(policy))


def promise_of(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """Derive what a release must have and claim.

    Parameters
    ----------
    policy
        The order.
    facts
        What is known of the original.
    manifest
        The manifest in question. It is asked only for what a policy leaves to the method and what
        cannot weaken a promise: which sensitive columns of projections go together, and how a table
        is called that came as a frame without a name.
    """
    kind = next(kind for kind in _KINDS if kind.orders(policy))
    return kind.promise(policy, facts, manifest)


def check_order(opened: Opened) -> Finding:
    """Check that the order of lines says nothing, given what the release says anyway.

    Looked at are the first :data:`papilio.verify.lines.LOOKED_AT` lines of each table's first file;
    all else about the content must hold already.

    Notes
    -----
    What it does not find: see :func:`papilio.verify.line_order_kinds.check_lines`.
    """
    kind = _kind(opened)
    if faults := kind.unordered(opened):
        return finding(ORDER, "says nothing", "; ".join(faults), holds=False)
    return check_lines(ORDER, kind.sequences(opened))


def check_source_order(opened: Opened, sources: Sources) -> Finding:
    """Check that lines, classes, groups and keys do not follow the order of the source.

    Parameters
    ----------
    opened
        The release; all else about its content holds.
    sources
        Per table, a number for each line, or for as many of the first ones as are known: the source
        row it is made of, or anything else that grows with it. Tables may be missing. Nothing is
        believed of it: other numbers find less.

    Notes
    -----
    Lines and false alarms as for :func:`check_order`.
    """
    return check_lines(SOURCE, _kind(opened).follows(opened, sources))


def check_witness(opened: Opened, originals: Originals, witness: Witness) -> list[Finding]:
    """Check that every line of a release is true of the source row it is made of.

    Parameters
    ----------
    opened
        The release as it was written, opened so that the order of its lines is kept.
    originals
        The original as typed frames, all rows, with the columns that are published.
    witness
        Per table, the source row of each line, as the method says it. Nothing of it is believed.

    Notes
    -----
    To be asked after :func:`papilio.verify.judge.judge` has found tables and columns as described.
    Cost: linear in the cells of both sides. Does not protect against an original that was read
    wrongly in the first place.
    """
    kind = kind_called(opened.manifest.kind)
    if kind is None:
        measured = "nobody knows how to check releases of this kind"
        return [finding("truthfulness", "as in the original", measured, holds=False)]
    try:
        # With the setting off, lines come back in any order.
        opened.execute("SET preserve_insertion_order = true")
        return list(kind.witness(opened, originals, witness))
    except UnreadableError:
        return [finding("truthfulness", "as in the original", "cannot be read", holds=False)]
