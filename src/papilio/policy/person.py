"""The ``person:`` and ``link:`` keys of a policy about one table: whose row each row is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.errors import Fault, PolicyError
from papilio.policy.checks import alike_names, colliding_names, missing_roles

if TYPE_CHECKING:
    import polars as pl

    from papilio.policy.policy import Policy

#: Says that each row is another person.
ROWS = "rows"


class PersonColumn(str):
    """A column that was named as such, so that it may be called as the word is."""

    __slots__ = ()


def named_person(said: Any) -> Any:
    """``person: {column: NAME}`` as a name that is a column's whatever it is.

    Raises
    ------
    ValueError
        If a mapping says anything else.
    """
    if not isinstance(said, Mapping):
        return said
    name = said.get("column")
    if list(said) != ["column"] or not isinstance(name, str):
        raise ValueError(
            f"give the name of a column, {{column: {ROWS}}} for one of that name, or {ROWS}"
        )
    return PersonColumn(name)


def person_faults(policy: Policy) -> Iterator[Fault]:
    """Find a column of people that would be published, and names that mean two things."""
    column = policy.person_column
    if column is None:
        if policy.person == ROWS and ROWS in policy.columns:
            yield policy.fault(
                f"this says that each row is another person, and there is a column '{ROWS}' too; "
                f"write {{column: {ROWS}}} if that names people, or leave it out of columns",
                "person",
            )
        return
    said = policy.columns.get(column)
    if said is not None and said.role is not Role.IDENTIFIER:
        yield policy.fault(
            f"'{column}' says whose row it is, and is {said.role}, so that it would be published; "
            "make it an identifier or leave it out of columns",
            "person",
        )


def identifiers_to_count(policy: Policy) -> tuple[str, ...]:
    """Identifiers of one table whose policy does not say whose row each row is."""
    if policy.person is not None or policy.tables or policy.graph is not None:
        return ()
    return tuple(name for name, said in policy.columns.items() if said.role is Role.IDENTIFIER)


def check_people_said(policy: Policy, frame: pl.DataFrame) -> None:
    """Ask whose rows they are, if an identifier repeats and the policy does not say.

    Names repeat by accident, numbers of people because they have several rows. Nothing in the data
    tells one from the other, and to guess would either blur the data or expose people.

    Parameters
    ----------
    policy
        The order.
    frame
        The table as it was read, with :func:`identifiers_to_count`.

    Raises
    ------
    PolicyError
        With the rows, the different values, and the two lines that would be accepted; where people
        cannot be counted, with the reason, and the one line that is.

    Notes
    -----
    Cost: one hash per cell of the identifiers.
    """
    for name in identifiers_to_count(policy):
        values = frame.get_column(name).drop_nulls()
        check_counted(policy, {name: (len(values), values.n_unique())})


def check_counted(policy: Policy, counted: Mapping[str, tuple[int, int]]) -> None:
    """As :func:`check_people_said` where others have counted.

    Parameters
    ----------
    policy
        The order.
    counted
        For each of :func:`identifiers_to_count`, rows that have a value, and different values.
    """
    for name, (rows, different) in counted.items():
        if different < rows:
            raise PolicyError([_ask(policy, name, rows, different)])


def _ask(policy: Policy, name: str, rows: int, different: int) -> Fault:
    accepted = f"{{column: {name}}}" if name == ROWS else name
    told = (
        f"write person: {accepted} if people have several rows, or person: {ROWS} if each row is "
        "another person"
    )
    message = f"'{name}' is an identifier and has {different:,} different values in {rows:,} rows"
    return policy.fault(f"{message}; {not_over_people(policy, name) or told}", "person")


def not_over_people(policy: Policy, name: str) -> str:
    """Why the column would not be accepted for people, and what would be; empty if it would."""
    try:
        policy.varied([(("person",), PersonColumn(name))])
    except PolicyError as error:
        return next((fault.message for fault in error.faults if fault.where == "person"), "")
    return ""


def rows_only(policy: Policy, why: str) -> Iterator[Fault]:
    """Refuse a column of people where requirements are not defined over people.

    Parameters
    ----------
    policy
        The order.
    why
        What stands against it, in a few words.
    """
    if policy.person_column is not None:
        message = (
            f"{why}; write person: {ROWS} if each row is another person, or ask for k, l or t of "
            "one generalised table"
        )
        yield policy.fault(message, "person")


def link_faults(policy: Policy) -> Iterator[Fault]:
    """Find what is wrong with roles and names of a policy whose one table is taken apart."""
    key = policy.person_column
    if key is None:
        message = (
            "rows are kept together by the column that says whose row it is; name it, as in "
            "person: patient_id"
        )
        yield policy.fault(message, "link")
    else:
        yield from _taken_names(policy, key)
    for check in (missing_roles, colliding_names, alike_names, person_faults):
        yield from check(policy)


def _taken_names(policy: Policy, key: str) -> Iterator[Fault]:
    """Columns that would be published under the name of the key, which both tables have."""
    for name in policy.published:
        own = (name, *(f"{name}_{suffix}" for suffix in ("min", "max", "null")))
        names = own if name in policy.quasi else (name,)
        if name != key and key.casefold() in (each.casefold() for each in names):
            message = f"it may be published as '{key}', which the key of both tables is called"
            yield policy.fault(f"{message}; rename one of them in the source", "columns", name)
