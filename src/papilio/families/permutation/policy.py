"""What permutation needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from papilio.data.table import ColumnType, Role
from papilio.errors import Fault, PolicyError
from papilio.families.tables import one_source_faults
from papilio.policy.meanings import KE, KNOWN
from papilio.policy.person import rows_only
from papilio.policy.words import FamilyWords, Words
from papilio.privacy.ke_anonymity import KeAnonymity

if TYPE_CHECKING:
    from papilio.data.table import Described
    from papilio.policy.policy import Policy


def _lacks(tables: float, columns: int, types: frozenset[str]) -> str:
    del columns
    return "needs a numeric column" if tables and ColumnType.NUMERIC not in types else ""


WORDS = FamilyWords(
    title="Permuted numbers",
    when=(
        "When one numeric column is the secret and sums and averages are asked for. Everything "
        "else stays exact."
    ),
    icon="shuffle",
    demands={
        "k": Words(
            "k, different values",
            "Every group of people has at least k different values of the numeric column, and the "
            "largest is at least e above the smallest.",
            "4",
            start=4,
            needed=True,
            meaning=KE,
        ),
        "known": Words(
            "Learnt rows",
            "k and e still hold in a group after any so many of its rows are struck out, because "
            "somebody knows their values.",
            "1",
            widget="number",
            start=1,
            usual="nobody's value is known",
            meaning=KNOWN,
        ),
    },
    one_secret=True,
    lacks=_lacks,
)


def refused(policy: Policy, engine: str, instead: str) -> Iterator[Fault]:  # noqa: ARG001
    """Options that need all rows in one place.

    Parameters
    ----------
    policy
        The order.
    engine
        ``"pieces"`` or ``"spark"``.
    instead
        How to do without the engine that counts, such as ``use local``.
    """
    if policy.minimise == "random":
        message = (
            "random divides rows one after the other, which cannot be planned from counts; "
            f"{instead}, or sum, max, max-exact or groups"
        )
        yield policy.fault(message, "minimise")
    trivial = any(
        isinstance(each, KeAnonymity) and each.takes_any_row for each in policy.requirements
    )
    if policy.minimise == "groups" and trivial:
        message = f"with k = 1 and e = 0 every row would be a group; {instead}, or a larger k or e"
        yield policy.fault(message, "minimise")


_ONE_COLUMN = "permutation is about exactly one sensitive column, a numeric one"
_NOT_OVER_PEOPLE = (
    "quasi-identifiers are published exactly, so that whoever finds the rows of one person in "
    "several groups learns what the groups share; permutation counts rows"
)


def permutation_faults(policy: Policy) -> Iterator[Fault]:
    """Find what permutation needs and a policy for it lacks."""
    yield from one_source_faults(policy)
    yield from rows_only(policy, _NOT_OVER_PEOPLE)
    yield from _sensitive_faults(policy)
    if policy.privacy.k is None:
        message = "permutation needs k: how many different values a group has at least"
        yield policy.fault(message, "privacy")
    if policy.privacy.known == "degree":
        message = "permutation takes known: 1, a number of rows; degree is about graphs"
        yield policy.fault(message, "privacy", "known")
    yield from _struck_faults(policy)


def _struck_faults(policy: Policy) -> Iterator[Fault]:
    """What does not go with ``known`` and ``near``."""
    for demanded in (each for each in policy.requirements if isinstance(each, KeAnonymity)):
        if demanded.struck and policy.minimise in ("random", "max-exact"):
            key = "known" if demanded.known else "near"
            message = f"{policy.minimise} does not go with {key}; sum, max and groups do"
            yield policy.fault(message, "minimise")
        if demanded.known and replace(demanded, known=0, near=None).takes_any_row:
            message = "with k = 1 and e = 0 there is nothing to strike out; give a larger k or e"
            yield policy.fault(message, "privacy", "known")


def _sensitive_faults(policy: Policy) -> list[Fault]:
    sensitive = policy.with_role(Role.SENSITIVE)
    if not sensitive:
        return [policy.fault(f"no column is sensitive; {_ONE_COLUMN}", "columns")]
    faults = [
        policy.fault(f"a second sensitive column; {_ONE_COLUMN}", "columns", name)
        for name in sensitive[1:]
    ]
    said = policy.columns[sensitive[0]]
    if said.type not in (None, ColumnType.NUMERIC) or said.values is not None:
        faults.append(policy.fault(f"not numeric; {_ONE_COLUMN}", "columns", sensitive[0]))
    return faults


def check_permutable(policy: Policy, table: Described) -> None:
    """Refuse a sensitive column that, now that types are known, is not numeric.

    Raises
    ------
    PolicyError
        Names the column and its type.
    """
    about = {each.column for each in policy.requirements if isinstance(each, KeAnonymity)}
    faults = [
        policy.fault(f"the column is {column.type}; {_ONE_COLUMN}", "columns", column.name)
        for column in table.columns
        if column.name in about and column.type is not ColumnType.NUMERIC
    ]
    if faults:
        raise PolicyError(faults)
