"""What would stop attacks on generalised tables: changes of a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papilio.policy.remedy import Remedy

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.policy import Policy


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
        return Remedy(((("depends",), [*rules, *rule]),), why)
    if policy.recipients:
        return None
    why = f"{name} is then generalised like what it says."
    return Remedy(((path, {"role": "quasi", **kept} if kept else "quasi"),), why)
