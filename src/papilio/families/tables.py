"""What all families do alike that publish one table of the owner: reading it, asking the release.

Heavy modules are imported when they are needed, as in the families' values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papilio.families.family import Original

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from papilio.data.io.frames import Kind
    from papilio.data.table import Table
    from papilio.errors import Fault
    from papilio.policy.apply import Order
    from papilio.policy.policy import Policy
    from papilio.query.answer import Answer
    from papilio.release.release import Release
    from papilio.verify.promise.promise import Facts


def read_table(data: Any, policy: Policy, name: str | None) -> Original:
    """Apply a policy to a frame, or to its own source if ``data`` is ``None``.

    ``name`` is what a frame is called, if it has a name.
    """
    from papilio.policy.apply import order_of

    order, kind = order_of(data, policy, name or "original")
    named = data is None or name is not None
    return _original(order, kind, policy, named=named)


def _original(order: Order, kind: Kind, policy: Policy, *, named: bool) -> Original:
    facts = partial(_facts, order, policy, named=named)

    def under(other: Policy) -> Original:
        from papilio.policy.apply import check_order

        check_order(other, order)
        return _original(order, kind, other, named=named)

    def only(rows: NDArray[np.bool_]) -> Original:
        from papilio.policy.apply import check_order

        kept = order.only(rows)
        check_order(policy, kept)
        return _original(kept, kind, policy, named=named)

    size, frames = order.table.height, partial(_frames, order)
    subject = order.table
    if order.personal is not None:
        subject = replace(subject, demands=order.personal)
    # Of people with several rows some would be there in part.
    some = only if order.person is None else None
    return Original(policy, order, subject, size, kind, facts, frames, under, some)


def _facts(order: Order, policy: Policy, *, named: bool) -> Facts:
    from papilio.families.facts import types_of, weight_facts
    from papilio.verify.promise.promise import Facts, TableFacts

    name = order.table.name if named else None
    table = TableFacts(name, types_of(order.table.columns), order.table.height)
    return Facts((table,), order.several, weight_facts(policy, table.types))


def _frames(order: Order) -> dict[str, pl.DataFrame]:
    """People who demand something for themselves have it beside their row.

    Whose row it is stands in a frame of its own.
    """
    import polars as pl

    from papilio.verify.disguised_truth import PERSONAL
    from papilio.verify.witness.held import ORIGINAL, PEOPLE

    if order.personal is not None:
        demanded = order.personal.cast(pl.String).alias(PERSONAL)
        return {ORIGINAL: order.table.frame.with_columns(demanded)}
    if order.person is not None:
        return {ORIGINAL: order.table.frame, PEOPLE: order.person.to_frame()}
    return {ORIGINAL: order.table.frame}


def one_source_faults(policy: Policy) -> Iterator[Fault]:
    """Find what is wrong with roles, names and demands of any policy about one source."""
    from papilio.policy.checks import (
        alike_names,
        colliding_names,
        misplaced_demands,
        misplaced_options,
        missing_roles,
    )
    from papilio.policy.person import person_faults

    checks = (
        missing_roles,
        colliding_names,
        misplaced_demands,
        misplaced_options,
        alike_names,
        person_faults,
    )
    for check in checks:
        yield from check(policy)


def class_requirements(policy: Policy) -> tuple[Any, ...]:
    """What is demanded of classes of rows; over people if the policy says whose rows they are."""
    from papilio.data.table import Role
    from papilio.privacy.requirement import over_people

    demanded = policy.privacy.requirements(policy.with_role(Role.SENSITIVE))
    return demanded if policy.person_column is None else over_people(demanded)


def ask_table(release: Release | Path, sql: str, dialect: str) -> Answer:
    """Answer a query over one table of a release."""
    from papilio.query.ask import ask_table as ask

    return ask(release, sql, dialect)


def rewrite_table(release: Release | Path, sql: str, to: str, dialect: str) -> str:
    """Rewrite a query over one table of a release for another engine."""
    from papilio.query.ask import rewrite_table as rewrite

    return rewrite(release, sql, to, dialect)


def table_questions(release: Release) -> Iterator[str]:
    """Queries about the first table of a release."""
    from papilio.query.example_questions import table_questions as questions

    return questions(release)


def any_policy(release: Release, policy: Policy, original: Original) -> None:
    """Take any policy whose columns can be read."""
    del release, policy, original


def check_same_table(release: Release, policy: Policy, original: Original) -> None:
    """Refuse the policy of another release of one table.

    Raises
    ------
    ReleaseError
        If the names of table or columns are not those of the release.
    """
    from papilio.errors import ReleaseError

    del policy
    table: Table = original.subject
    (published,) = release.manifest.tables
    known = {column.name for column in published.columns}
    missing = [column.name for column in table.columns if column.name not in known]
    if published.name != table.name or missing:
        what = f"'{missing[0]}', which the release does not have" if missing else "another table"
        raise ReleaseError(
            f"the policy publishes {what}; give the policy the release was made with",
            reason="another-policy",
        )
