"""Let the independent verifier judge a table that is not a release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papilio.data.hierarchy.build import build
from papilio.data.hierarchy.paths import paths_text
from papilio.data.io.frames import from_native
from papilio.data.io.read import header
from papilio.data.source import FileSource, parse_source
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.data.types import as_text
from papilio.errors import PolicyError
from papilio.policy.apply import Order, order_from_source, order_of
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.policy.recipient_policy import coalitions, requirements_of
from papilio.policy.recipients import EVERYONE
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import Requirement, over_people, settled
from papilio.privacy.t_closeness import Distance, TCloseness
from papilio.progress import Progress, silent
from papilio.release.manifest import Claim, PublishedColumn
from papilio.verify.people import whose_rows
from papilio.verify.tables import judge_table
from papilio.verify.verdict import Verdict

#: A recipient, the columns they know, and what is demanded of their classes.
_Demanded = tuple[str, tuple[str, ...], Requirement]


@dataclass(frozen=True)
class TableCheck:
    """What was found about a table.

    Attributes
    ----------
    verdict
        One finding per requirement, two if it is over people, and one about identifiers.
    left_out
        Columns of the table that the policy does not mention and nothing was checked about.
    """

    verdict: Verdict
    left_out: tuple[str, ...]


def check_table(data: Any, policy: Policy, *, progress: Progress | None = None) -> TableCheck:
    """Check which requirements of a policy a table meets as it is.

    Classes are rows with equal values on all quasi-identifiers of the policy, of several recipients
    on those that each of them knows, and those who collude together, whoever generalised them and
    however: types and hierarchies that the policy gives these columns are not looked at, and of
    text every character counts. Rows that another tool blanked out form a class like any other.

    Parameters
    ----------
    data
        A frame (pandas, Polars, Arrow), or where to find one: a file, a folder, or
        ``postgresql://…/database#table``.
    policy
        What is demanded. Its source, method and limits play no part.
    progress
        Told of each stage.

    Raises
    ------
    PolicyError, DataError
        If the table lacks a quasi-identifier or a sensitive column that a requirement is about, or
        cannot be read.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> policy = pp.Policy(columns={"age": "quasi", "sex": "quasi"}, privacy=pp.K(5))
    >>> pp.check_table(people, policy).verdict.status.value
    'violated'
    """
    _check_family(policy)
    tell = progress or silent
    tell("reading", 0.0)
    order = _order(data, policy)
    table = order.table
    tell("verifying", 0.5)
    demanded = list(_demanded(order, policy))
    columns, hierarchies = _describe(table, tuple(each for _, _, each in demanded))
    claims = [
        Claim(each.name, table.name, recipient, known, each.parameters())
        for recipient, known, each in demanded
    ]
    # What is not read for a requirement is either said to be something else or not mentioned.
    identifiers = [n for n in order.left_out if n in policy.with_role(Role.IDENTIFIER)]
    # Whose row it is says more of people than anything else, so it must be gone as well.
    identifiers += [] if order.person is None else [str(policy.person_column)]
    whose = None if order.person is None else whose_rows(order.person)
    rows = as_text(table.frame).to_arrow()
    verdict = judge_table(rows, columns, claims, identifiers, hierarchies, whose)
    return TableCheck(verdict, tuple(n for n in order.left_out if n not in policy.columns))


def _demanded(order: Order, policy: Policy) -> Iterator[_Demanded]:
    """For whom, on which columns, what: of each recipient and coalition, or of everyone."""
    if not policy.recipients:
        for each in settled(order.requirements(policy), order.table):
            yield EVERYONE, policy.quasi, each
    people = policy.person_column is not None
    for recipient, known in policy.known.items():
        demanded = requirements_of(policy, recipient)
        for each in settled(over_people(demanded) if people else demanded, order.table):
            yield recipient, known, each
    for several in coalitions(policy):
        size = KAnonymity(several.k, people=people)
        yield several.called(policy), several.columns(policy), size


def _check_family(policy: Policy) -> None:
    """Refuse demands that one table as it is cannot meet."""
    if (reason := policy.family.one_table) is not None:
        key, message = reason
        key = ("link",) if policy.link else key
        raise PolicyError([policy.fault(message, *key)])


def _order(data: Any, policy: Policy) -> Order:
    if not isinstance(data, (str, Path)):
        frame = from_native(data)[0]
        return order_of(frame, _as_cells(policy, frame.columns), "table")[0]
    source = parse_source(str(data), Path())
    if isinstance(source, FileSource) and policy.source is not None:
        source = FileSource(source.path, policy.source.null)
    names = header(source) if policy.person_column is not None else ()
    return order_from_source(_as_cells(policy, names), source)


def _needed(policy: Policy) -> set[str]:
    """Quasi-identifiers, and the sensitive columns that something is demanded of."""
    about = (each for each in policy.requirements if not isinstance(each, KAnonymity))
    return {*policy.quasi, *(each.column for each in about)}


def _as_cells(policy: Policy, names: Sequence[str]) -> Policy:
    """Policy under which the table's own values are cells, and nothing is refused for its size.

    A table that is fit to go out does not say whose rows they are.
    """
    cell = ColumnPolicy(role=Role.QUASI, type=ColumnType.CATEGORY)
    columns = {
        name: cell if said.role is Role.QUASI else said
        for name, said in policy.columns.items()
        if name in _needed(policy)
    }
    privacy = policy.privacy.model_copy(update={"k": 1, "l": {}})
    person = policy.person if policy.person_column in names else None
    return policy.model_copy(update={"columns": columns, "privacy": privacy, "person": person})


def _describe(
    table: Table, requirements: tuple[Requirement, ...]
) -> tuple[list[PublishedColumn], dict[str, str]]:
    """Columns of the table, and the hierarchies that distances between values need."""
    trees = {
        each.column
        for each in requirements
        if isinstance(each, TCloseness) and each.distance is Distance.HIERARCHICAL
    }
    columns, files = [], {}
    for place, column in enumerate(table.columns):
        reading = None
        if column.name in trees:
            file = f"hierarchy_of_column_{place + 1}.csv"
            reading, files[file] = {"paths": file}, _paths(table, column)
        columns.append(
            PublishedColumn(
                column.name,
                column.role.value,
                column.type.value,
                "value",
                (column.name,),
                hierarchy=reading,
            )
        )
    return columns, files


def _paths(table: Table, column: Column) -> str:
    assert column.hierarchy is not None  # noqa: S101 - a hierarchical distance has been settled
    series = table.frame.get_column(column.name)
    return paths_text(build(column.hierarchy, series, column.type, column.name))
