"""Attack a release as someone who gets it could, and say what they would learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from papilio.attack.result import AttackResult
from papilio.data.table import Table
from papilio.errors import ReleaseError
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release
from papilio.workflow.as_described import check_as_described
from papilio.workflow.order import order_of
from papilio.workflow.progress import Progress, silent

#: An attack: from a release, the original and its policy to what is learnt.
Attack = Callable[[Release, Table, Policy], Iterator[AttackResult]]


def attack(
    release: Release | str | Path,
    *,
    original: Policy,
    data: Any = None,
    progress: Progress | None = None,
) -> tuple[AttackResult, ...]:
    """Run every attack there is on this kind of release.

    Parameters
    ----------
    release
        A release or the directory of one.
    original
        The policy it was made with; the attacks need the original to tell who is right.
    data
        The original as a frame, instead of the policy's source.
    progress
        Told of each attack.

    Raises
    ------
    ReleaseError
        If no attack is known for this kind of release, or it was made with another policy.
    """
    opened = release if isinstance(release, Release) else Release.open(release)
    if opened.manifest.kind == "graph":
        return _attack_graph(opened, original, data, progress or silent)
    if opened.manifest.kind == "linked":
        return _attack_linked(opened, original, data, progress or silent)
    tell = progress or silent
    return attack_table(opened, original_of(opened, original, data, tell), original, tell)


def original_of(release: Release, policy: Policy, data: Any, tell: Progress) -> Table:
    """Read the table a release was made from; refuse the policy of another release."""
    attacks_on(release.manifest.kind)
    tell("reading", 0.0)
    order, _ = order_of(data, policy, release.manifest.tables[0].name)
    if release.manifest.kind == "projected":
        _check_projections(release.manifest.tables, order.table)
    if release.manifest.kind == "generalised":
        _check_table(release.manifest.tables[0], order.table)
    return order.table


def attack_table(
    release: Release, original: Table, policy: Policy, tell: Progress
) -> tuple[AttackResult, ...]:
    """Run every attack on a release of one table."""
    attacks = attacks_on(release.manifest.kind)
    results: list[AttackResult] = []
    for place, each in enumerate(attacks):
        tell(each.__name__, 0.1 + 0.9 * place / len(attacks))
        results += each(release, original, policy)
    return tuple(results)


def _attack_graph(
    release: Release, original: Policy, data: Any, tell: Progress
) -> tuple[AttackResult, ...]:
    from papilio.attack.learned_links import learned_links
    from papilio.attack.signature import signature
    from papilio.attack.static_edge import static_edge
    from papilio.workflow.make.graph import graph_order_of

    if original.graph is None:
        raise ReleaseError(
            "the policy is not one of a graph; give the policy the release was made with",
            reason="another-policy",
        )
    tell("reading", 0.0)
    order, _ = graph_order_of(data, original)
    attacks = (static_edge, learned_links, signature)
    results: list[AttackResult] = []
    for place, each in enumerate(attacks):
        tell(each.__name__, 0.1 + 0.9 * place / len(attacks))
        results += each(release, order.graph, original)
    return tuple(results)


def _attack_linked(
    release: Release, policy: Policy, data: Any, tell: Progress
) -> tuple[AttackResult, ...]:
    """Attack linked tables, whose original is more than one table."""
    from papilio.attack.known_children import known_children
    from papilio.workflow.make.linked import linked_order_of
    from papilio.workflow.verify import verify

    if {table.name for table in release.manifest.tables} != {*policy.tables}:
        raise ReleaseError(
            "the policy publishes other tables; give the policy the release was made with",
            reason="another-policy",
        )
    # Keys that lead nowhere would lead the attack astray.
    check_as_described(verify(release.directory or release), "attacked")
    tell("reading", 0.0)
    order, _ = linked_order_of(data, policy)
    tell("known_children", 0.1)
    return tuple(known_children(release, order.snowflake, policy))


def _check_table(published: PublishedTable, original: Table) -> None:
    """Refuse the policy of another release."""
    known = {column.name for column in published.columns}
    missing = [column.name for column in original.columns if column.name not in known]
    if published.name != original.name or missing:
        what = f"'{missing[0]}', which the release does not have" if missing else "another table"
        raise ReleaseError(
            f"the policy publishes {what}; give the policy the release was made with",
            reason="another-policy",
        )


def _check_projections(published: tuple[PublishedTable, ...], original: Table) -> None:
    """Refuse the policy of another release of projections."""
    known = {column.name for table in published for column in table.columns}
    if known != {column.name for column in original.columns}:
        raise ReleaseError(
            "the policy does not publish the columns of the release; give the policy the release "
            "was made with",
            reason="another-policy",
        )


def attacks_on(kind: str) -> tuple[Attack, ...]:
    """Attacks that apply to a kind of release."""
    match kind:
        case "generalised":
            from papilio.attack.background_join import background_join
            from papilio.attack.collusion import collusion
            from papilio.attack.homogeneity import homogeneity
            from papilio.attack.linkage import linkage

            return (linkage, homogeneity, collusion, background_join)
        case "projected":
            from papilio.attack.background_join import background_join
            from papilio.attack.intersection import intersection

            return (background_join, intersection)
        case "permuted":
            from papilio.attack.group_guess import group_guess
            from papilio.attack.open_identity import open_identity

            return (open_identity, group_guess)
        case "disguised":
            from papilio.attack.minimality import minimality
            from papilio.attack.open_identity import open_identity

            return (open_identity, minimality)
        case _:
            raise ReleaseError(
                f"no attack is known for a release of kind '{kind}'", reason="no-attack"
            )
