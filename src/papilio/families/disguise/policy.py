"""What does not go with a target distribution, and what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from papilio.data.table import ColumnType, Role
from papilio.errors import Fault
from papilio.families.tables import one_source_faults
from papilio.policy.meanings import KE, K
from papilio.policy.person import rows_only
from papilio.policy.recipients import EVERY
from papilio.policy.remedy import Remedy
from papilio.policy.words import Words
from papilio.privacy.decimals import exact
from papilio.privacy.group_floor import GroupFloor

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.edit import KeyPath
    from papilio.policy.policy import Policy


#: What the keys of a floor mean beside a target.
FLOOR_WORDS = {
    "k": Words(
        "k, people of a group",
        "Every group of people whose ranges follow the target has at least k people.",
        "5",
        start=5,
        meaning=K,
    ),
    "e": Words(
        "e, spread of a group",
        "The ranges of every group leave values open that are at least e apart: a number of the "
        "column.",
        "1000",
        start=1000,
        widget="number",
        usual="the target alone keeps values apart",
        meaning=KE,
    ),
}


def refused(policy: Policy, engine: str, instead: str) -> Iterator[Fault]:
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
    ((name, target),) = policy.privacy.target.items()
    if engine == "spark" and target.mode == "per-class" and (policy.privacy.k or 1) > 1:
        why = "small classes are put together by k, which needs all of them in one place"
        yield policy.fault(f"{why}; {instead}, leave k out, or mode: whole", "privacy", "k")
    if target.mode != "per-class":
        return
    if policy.privacy.personal is not None:
        why, other = "personal levels in every class cannot be planned from counts", ""
    elif engine == "pieces":
        why = "a group for every class is planned by who holds the class, not from counts"
        other = "use the engine spark, "
    else:
        return
    message = f"{why}; {instead}, {other}or mode: whole"
    yield policy.fault(message, "privacy", "target", name, "mode")


def two_values(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Let every group leave two values where one is certain."""
    ((name, _),) = policy.privacy.target.items()
    if exposed.column != name or any(floor.l > 1 for floor in floors_of(policy)):
        return None
    why = f"Every group then leaves at least 2 different values of {name}, so that none is certain."
    return Remedy(((("privacy", "l"), {name: 2}),), why)


def wide_groups(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Let every group leave values that are further apart than what counts as near."""
    ((name, _),) = policy.privacy.target.items()
    if not exposed.people or exposed.column != name or not exposed.width:
        return None
    least = _rounded_up(_WINDOWS * exposed.width)
    if policy.columns[name].type is ColumnType.DATE or any(
        exact(floor.e, "e") >= exact(least, "e") for floor in floors_of(policy)
    ):
        return None
    why = (
        f"Every group then leaves values of {name} that are at least {least:g} apart, "
        f"{_WINDOWS} times what counts as near."
    )
    return Remedy(((("privacy", "e"), least),), why)


#: Windows that a group must be wider than, and digits to write of that.
_WINDOWS, _DIGITS = 2, 2


def _rounded_up(number: float) -> float | int:
    """A number with few digits that is not below a positive one."""
    step = Decimal(1).scaleb(Decimal(repr(number)).adjusted() + 1 - _DIGITS)
    found = -(-Decimal(repr(number)) // step) * step
    return int(found) if found == found.to_integral_value() else float(found)


def blind_volunteers(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Let nobody join a pool because of their value."""
    del exposed
    if policy.privacy.volunteers is not None:
        return None
    why = (
        "Which pool somebody is in is then told by what they demand, and says nothing of their "
        "value inside of it."
    )
    changes: list[tuple[KeyPath, Any]] = [(("privacy", "volunteers"), "blind")]
    if (policy.privacy.k or 1) > 1:
        changes.append((("privacy", "k"), None))
    return Remedy(tuple(changes), why)


#: Keys of privacy that are about a target.
_WITH_TARGET = ("shift", "fakes", "personal")
_NOT_OVER_PEOPLE = (
    "quasi-identifiers are published exactly, so that several ranges of one person can be put "
    "together, which a target does not bound; disguise counts rows"
)


def floors_of(policy: Policy) -> Iterator[GroupFloor]:
    """What every group must leave beside the target, if the policy says anything about it."""
    privacy = policy.privacy
    counted = [each.distinct for said in privacy.l.values() for each in said if each.distinct]
    if privacy.k is None and privacy.e is None and not counted:
        return
    for name in privacy.target:
        e = 0.0 if privacy.e is None or isinstance(privacy.e, str) else privacy.e
        yield GroupFloor(name, privacy.k or 1, max(counted, default=1), e)


def disguise_faults(policy: Policy) -> Iterator[Fault]:
    """Find what does not fit between ``target`` and the other keys."""
    yield from one_source_faults(policy)
    yield from rows_only(policy, _NOT_OVER_PEOPLE)
    if policy.privacy.target:
        yield from _columns(policy)
        yield from _together(policy)
    else:
        message = "disguise needs a target distribution: privacy: {target: {column: uniform}}"
        yield policy.fault(message, "method")


def _columns(policy: Policy) -> list[Fault]:
    """One target, about the one sensitive column; parts are of quasi-identifiers."""
    faults = []
    for name, target in policy.privacy.target.items():
        where = ("privacy", "target", name)
        column = policy.columns.get(name)
        if column is None or column.role is not Role.SENSITIVE:
            faults.append(policy.fault("a target is about a sensitive column", *where))
            continue
        faults += [
            policy.fault(
                f"'{name}' may be published under this name; rename one of them in the source",
                "columns",
                f"{name}_{end}",
            )
            for end in ("min", "max")
            if f"{name}_{end}" in policy.published
        ]
        if target.tree is not None and (column.hierarchy or column.domain):
            message = "the column has a hierarchy or a domain; leave that or tree out"
            faults.append(policy.fault(message, *where, "tree"))
        strange = [each for each in target.by if each not in policy.quasi]
        if strange:
            message = f"'{strange[0]}' is not a quasi column; parts are told by those"
            faults.append(policy.fault(message, *where, "by"))
    sensitive = policy.with_role(Role.SENSITIVE)
    if len(policy.privacy.target) > 1 or len(sensitive) > 1:
        message = "a disguised release has one sensitive column and one target"
        faults.append(policy.fault(message, "privacy", "target"))
    return faults


def _together(policy: Policy) -> list[Fault]:
    privacy, faults = policy.privacy, list(_floor_faults(policy))
    (target, *_) = privacy.target.values()
    if privacy.personal is not None:
        faults += [
            policy.fault("does not go with personal", "privacy", key)
            for key in ("shift", "fakes")
            if getattr(privacy, key)
        ]
        said = policy.columns.get(privacy.personal)
        if said is not None and said.role is not Role.IDENTIFIER:
            message = (
                f"'{privacy.personal}' holds what people demand, which must not be published; "
                "leave it out of columns or make it an identifier"
            )
            faults.append(policy.fault(message, "privacy", "personal"))
    if target.allocation == "randomised" and any(getattr(privacy, key) for key in _WITH_TARGET):
        message = "a randomised allocation does not go with shift, fakes or personal"
        name = next(iter(privacy.target))
        faults.append(policy.fault(message, "privacy", "target", name, "allocation"))
    return faults


def _floor_faults(policy: Policy) -> Iterator[Fault]:
    """What a floor cannot say beside a target, and what goes with blind volunteers."""
    privacy = policy.privacy
    if isinstance(privacy.e, str):
        message = "beside a target e is a number, a distance of two published values"
        yield policy.fault(message, "privacy", "e")
    for name, demanded in privacy.l.items():
        if name != EVERY and name not in privacy.target:
            message = "beside a target l is about the column that has it"
            yield policy.fault(message, "privacy", "l", name)
        elif any(each.distinct is None for each in demanded):
            message = (
                "the target says how often each value seems to occur, so that beside it l counts "
                "different values; a whole number is accepted"
            )
            yield policy.fault(message, "privacy", "l", name)
    if privacy.volunteers != "blind":
        return
    if privacy.personal is None:
        message = "volunteers join pools of personal levels; add personal or leave volunteers out"
        yield policy.fault(message, "privacy", "volunteers")
    elif (privacy.k or 1) > 1:
        message = (
            "who fills a pool of fewer than k people depends on values, which blind volunteers "
            "must not; leave k or volunteers out"
        )
        yield policy.fault(message, "privacy", "volunteers")
