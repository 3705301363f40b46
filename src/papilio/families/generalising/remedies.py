"""What to change in a policy about classes of rows, so that an attack finds nothing any more.

Each function is given whom an attack exposes, and the policy, and says what to write instead; it
says nothing where no key of the policy closes what was found. The changes always make a policy that
is accepted; whether the data can meet it is seen when it is published.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.errors import PolicyError
from papilio.families.generalising.names import INCOGNITO
from papilio.policy.recipients import EVERY
from papilio.policy.remedy import Remedy
from papilio.privacy.safe_cells import TIGHT

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.edit import KeyPath
    from papilio.policy.policy import Policy

#: The k for a policy that has none.
_K = 5


def for_classes(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Demand larger classes, or more values in each of them."""
    if exposed.column is not None:
        return diverse(exposed.column, policy)
    if (policy.privacy.k or 1) >= 2:
        return None
    change = (("privacy", "k"), _K)
    return Remedy(
        (change,), f"Everybody then shares their quasi-identifiers with at least {_K - 1} others."
    )


def diverse(column: str, policy: Policy) -> Remedy | None:
    """Demand two values of a column in each class, if that is not demanded already."""
    if column not in policy.with_role(Role.SENSITIVE) or _values(column, policy) >= 2:
        return None
    said = policy.privacy.l.get(column, ())
    others = [each for each in said if each.distinct is None]
    value: Any = [2, *others] if others else 2
    return Remedy(
        ((("privacy", "l", column), value),),
        f"Every class then has at least 2 different values of {column}, so that none gives it "
        "away.",
    )


def _values(column: str, policy: Policy) -> int:
    """Different values of a column that are demanded of each class."""
    every = (*policy.privacy.l.get(column, ()), *policy.privacy.l.get(EVERY, ()))
    return max((each.distinct for each in every if each.distinct is not None), default=1)


def for_joins(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Publish sensitive columns in separate tables."""
    del exposed
    if policy.recipients or policy.person_column is not None or policy.privacy.k is None:
        return None
    own: list[tuple[KeyPath, Any]] = [(("method",), "projections")]
    if policy.method not in (None, "auto", "projections"):
        own.append((("generalise",), policy.method))
    return Remedy(
        (*own, (("privacy", "exposure"), 0)),
        "Sensitive columns that say something of each other are then published in separate tables.",
    )


def follow(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Stop a column that follows from known ones, or says them.

    A column that one quasi-identifier says follows it; where two say it the rule is named, and a
    column that says others becomes one of them.
    """
    if not exposed.people or exposed.through is None:
        return None
    table, name = "", exposed.through
    if policy.tables or policy.link:
        table, _, name = exposed.through.rpartition(".")
    path = ("tables", table, "columns", name) if policy.tables else ("columns", name)
    by = tuple(each.removeprefix(f"{table}.") for each in exposed.by)
    columns = policy.tables[table].columns if policy.tables else policy.columns
    said = columns.get(name)
    if said is None or said.role.value != "plain":
        return None
    kept: dict[str, Any] = {} if said.type is None else {"type": said.type.value}
    if len(by) == 1:
        value = {"role": "plain", **kept, "follows": by[0]}
        why = (
            f"{name} is then published as whatever the published {by[0]} may have, which tells "
            "nothing more."
        )
        return Remedy(((path, value),), why)
    if len(by) > 1:
        full = [f"{table}.{each}" if policy.tables else each for each in (*by, name)]
        rules = [[list(left), right] for left, right in policy.depends]
        rule = [[full[:-1], full[-1]]]
        why = f"{name} is then generalised with {' and '.join(by)}, as whoever knows them knows it."
        return Remedy(((("depends",), [*rules, *rule]), *_tight(policy)), why)
    if policy.recipients:
        return None
    why = f"{name} is then generalised like what it says."
    return Remedy(((path, {"role": "quasi", **kept} if kept else "quasi"),), why)


def say_less(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Let cells say less, with a method that can if that of the policy cannot.

    There is none where no form of the policy takes safe cells, as with one quasi-identifier alone.
    """
    if not exposed.people or policy.safe_cells:
        return None
    safe = next(safe for safe, tight in TIGHT.items() if tight == policy.cells)
    cells: tuple[KeyPath, Any] = (("cells",), safe)
    able = next((each.name for each in policy.family.methods if each.safe), None)
    for changes in ((cells,), ((("method",), able), cells)):
        try:
            policy.varied(changes)
        except PolicyError:
            continue
        return Remedy(
            changes,
            "Where one column of a class varies, another then says a little less, so that no "
            "complete row that few share follows from the cells.",
        )
    return None


def whole_levels(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Choose levels for the whole table, so that no class is one because it could not be cut."""
    if not exposed.people:
        return None
    method: tuple[KeyPath, Any] = (("method",), INCOGNITO)
    improve: tuple[tuple[KeyPath, Any], ...] = (
        () if policy.improve is None else ((("improve",), None),)
    )
    changes = (method, *improve, *_tight(policy))
    try:
        policy.varied(changes)
    except PolicyError:
        return None
    return Remedy(
        changes,
        "Levels are then chosen for the whole table, so that nobody can ask why a class was not "
        "cut.",
    )


def _tight(policy: Policy) -> tuple[tuple[KeyPath, Any], ...]:
    """What takes safe cells back where a policy has them and what it is to become does not."""
    return ((("cells",), TIGHT[policy.cells]),) if policy.safe_cells else ()
