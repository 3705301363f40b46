"""The true answer to a query about a release, from its original."""

from __future__ import annotations

from papilio.data.types import as_text
from papilio.errors import ReleaseError
from papilio.policy.order import order_of
from papilio.policy.policy import Policy
from papilio.query.truth import Truth
from papilio.query.truth import truth as true_answer


def truth(sql: str, *, original: Policy, dialect: str = "duckdb") -> Truth:
    """Answer a query from the original, for the owner's eyes only.

    Parameters
    ----------
    sql, dialect
        A query that a release of one table answers.
    original
        The policy; its source is read.

    Returns
    -------
    dict
        The true aggregates, by the values of their group.

    Raises
    ------
    ReleaseError
        If the original is more than one table.
    """
    if original.family.data is not None:
        raise ReleaseError(
            "the true answer is looked up for releases of one table; linked tables and graphs have "
            "several",
            reason="several-tables",
        )
    order, _ = order_of(None, original, "original")
    return true_answer(sql, as_text(order.table.frame), dialect)
