"""What a policy says of columns that say something of each other, and what follows from it.

A column that ``follows`` another, and a column that a rule of ``depends`` names beside a
quasi-identifier, may be known to whoever knows the other: they are quasi-identifiers, whatever role
they were given. From here on nothing else has to know of rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.errors import DataError, Fault

if TYPE_CHECKING:
    from papilio.policy.column_policy import ColumnPolicy
    from papilio.policy.policy import Policy
    from papilio.policy.recipient_policy import RecipientPolicy

#: Columns on the left of a rule, and the one that they say.
Rule = tuple[tuple[str, ...], str]
#: A column by the path of the mapping that it stands in, and its name.
_Place = tuple[tuple[str, ...], str]

_ACCEPTED = "give [[town], county], or a list of such rules"


def rules_of(said: Any) -> tuple[Rule, ...]:
    """Read the key ``depends``: one rule, or a list of them.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if not isinstance(said, (list, tuple)):
        raise ValueError(_ACCEPTED)  # noqa: TRY004 - pydantic wants a ValueError
    one = len(said) == 2 and isinstance(said[1], str)
    return tuple(map(_rule, [said] if one else said))


def _rule(said: Any) -> Rule:
    match said:
        case [str(left), str(right)]:
            known: tuple[str, ...] = (left,)
        case [[*several], str(right)] if several and all(isinstance(e, str) for e in several):
            known = tuple(several)
        case _:
            raise ValueError(_ACCEPTED)
    if right in known or len(set(known)) < len(known):
        raise ValueError("a rule names each column once")
    return known, right


def dependent_faults(policy: Policy) -> Iterator[Fault]:
    """Find leaders and rules that name no column, or such as no rule can be about."""
    for path, columns in _mappings(policy):
        for name, column in columns.items():
            if column.follows is not None:
                message = _leader_fault(policy, path, column.follows)
                if message is not None:
                    yield policy.fault(message, *path, name, "follows")
    for rule in policy.depends:
        places = [_place(policy, name) for name in (*rule[0], rule[1])]
        yield from (policy.fault(place, "depends") for place in places if isinstance(place, str))
        found = [place for place in places if not isinstance(place, str)]
        if len(found) == len(places) and not any(
            _column(policy, place).role is Role.QUASI or place in _linked(policy) for place in found
        ):
            message = (
                "no column of this rule is quasi or leads to one that is, so that it says nothing "
                "of anybody; make one quasi or leave it out"
            )
            yield policy.fault(message, "depends")
    yield from _recipients(policy)


def _leader_fault(policy: Policy, path: tuple[str, ...], leader: str) -> str | None:
    said = dict(_mappings(policy))[path].get(leader)
    if said is None:
        return f"there is no column '{leader}' here; name the quasi-identifier that it follows"
    if said.follows is not None:
        return f"'{leader}' follows another column itself; name that one"
    if said.role is Role.QUASI or (path, leader) in _linked(policy):
        return None
    return f"'{leader}' is {said.role}, not quasi; name the quasi-identifier that it follows"


def _recipients(policy: Policy) -> Iterator[Fault]:
    if not _followers(policy):
        return
    for recipient, known in _readable(policy).items():
        for name in known:
            said = policy.columns.get(name)
            leader = None if said is None else said.follows
            if leader is not None and leader not in known:
                message = f"'{name}' follows '{leader}'; name '{leader}' for this recipient as well"
                yield policy.fault(message, "recipients", recipient)


def _readable(policy: Policy) -> dict[str, tuple[str, ...]]:
    """What recipients know, but those of files that cannot be read, which are told of later."""
    from papilio.policy.recipient_policy import known_to

    found = {}
    for name in policy.recipients:
        with suppress(DataError):
            found[name] = known_to(policy, name)
    return found


def _mappings(policy: Policy) -> Iterator[tuple[tuple[str, ...], Mapping[str, ColumnPolicy]]]:
    yield ("columns",), policy.columns
    for name, table in policy.tables.items():
        yield ("tables", name, "columns"), table.columns


def _column(policy: Policy, place: _Place) -> ColumnPolicy:
    path, name = place
    return dict(_mappings(policy))[path][name]


def _place(policy: Policy, said: str) -> _Place | str:
    """The column that a rule means, as ``column`` or ``table.column``, or what is wrong with it."""
    found = [
        (path, name)
        for path, columns in _mappings(policy)
        for name in columns
        if said == name or (len(path) == 3 and said == f"{path[1]}.{name}")
    ]
    if not found:
        return f"there is no column '{said}'; name columns of the policy"
    if len(found) > 1:
        return f"more than one table has a column '{said}'; write table.column"
    role = _column(policy, found[0]).role
    if role is Role.SENSITIVE:
        return (
            f"'{said}' is sensitive, and what follows from known columns, or says them, cannot be "
            "kept secret while it is published; make it quasi or leave the rule out"
        )
    if role is Role.IDENTIFIER:
        return f"'{said}' is an identifier, which is not published; leave the rule out"
    return found[0]


def _followers(policy: Policy) -> set[_Place]:
    return {
        (path, name)
        for path, columns in _mappings(policy)
        for name, column in columns.items()
        if column.follows is not None
    }


def _linked(policy: Policy) -> set[_Place]:
    """Columns that are quasi-identifiers by a rule, or because they follow one."""
    found = _followers(policy)
    quasi = found | {
        (path, name)
        for path, columns in _mappings(policy)
        for name, column in columns.items()
        if column.role is Role.QUASI
    }
    rules = [
        {place for place in (_place(policy, name) for name in rule) if not isinstance(place, str)}
        for rule in ((*left, right) for left, right in policy.depends)
    ]
    while True:
        more = {place for rule in rules if rule & quasi for place in rule} - quasi
        if not more:
            return found
        found |= more
        quasi |= more


def effective(policy: Policy) -> dict[str, Any]:
    """Fields of the policy that rules change, as they are to be read from then on."""
    linked = _linked(policy)
    if not linked and not policy.depends:
        return {}

    def read(path: tuple[str, ...], columns: Mapping[str, ColumnPolicy]) -> dict[str, ColumnPolicy]:
        return {
            name: column.model_copy(update={"role": Role.QUASI})
            if (path, name) in linked and column.role is not Role.QUASI
            else column
            for name, column in columns.items()
        }

    return {
        "columns": read(("columns",), policy.columns),
        "tables": {
            name: table.model_copy(
                update={"columns": read(("tables", name, "columns"), table.columns)}
            )
            for name, table in policy.tables.items()
        },
        "recipients": dict(policy.recipients) | _taught(policy),
    }


def _taught(policy: Policy) -> dict[str, RecipientPolicy]:
    """Recipients who know columns of the policy, with what follows from them."""
    return {
        name: policy.recipients[name].model_copy(
            update={"knows": _known(policy, set(known)), "file": None}
        )
        for name, known in _readable(policy).items()
        if set(known) <= {*policy.columns}
    }


def _known(policy: Policy, known: set[str]) -> tuple[str, ...]:
    """What somebody knows who knows some columns, the rules, and who follows whom."""
    rules = [{*left, right} for left, right in policy.depends]
    rules += [{name, c.follows} for name, c in policy.columns.items() if c.follows is not None]
    size = 0
    while size < len(known):
        size = len(known)
        for rule in rules:
            known |= rule if rule & known else set()
    return tuple(name for name in policy.columns if name in known)
