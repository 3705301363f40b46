"""What changes in a policy when a column gets another role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papilio.web.forms.column_form import read_column, with_role, written_column
from papilio.web.forms.edits import ABSENT, Edit, Edits, mapping_at, on_tree, value_at
from papilio.web.forms.places import Place


def role_edits(tree: Mapping[str, Any], place: Place, name: str, role: str | None) -> Edits:
    """Give a column a role, and bring what other keys say of it into line.

    A column that stops being quasi is taken from what recipients know; one that becomes quasi may
    be known to all of them, the careful assumption. Demands on a column that stops being sensitive
    go away. Nothing else is touched.
    """
    said = value_at(tree, place.column(name), ABSENT)
    form = with_role(read_column(name, said), role)
    edits = (Edit(place.column(name), written_column(form)),)
    if place.path:
        return (*edits, *_demands(tree, f"{place.title}.{name}", role))
    return (*edits, *_recipients(tree, name, role), *_demands(tree, name, role))


def suggested_edits(tree: Mapping[str, Any], place: Place, roles: Mapping[str, str]) -> Edits:
    """Give columns the roles that are suggested; those that have theirs keep all they say."""
    edits: Edits = ()
    now = dict(tree)
    for name, role in roles.items():
        form = read_column(name, value_at(tree, place.column(name), ABSENT))
        if form.role != role:
            changes = role_edits(now, place, name, role)
            edits, now = (*edits, *changes), on_tree(now, changes)
    return edits


def _recipients(tree: Mapping[str, Any], name: str, role: str | None) -> Edits:
    edits = []
    for recipient, known in mapping_at(tree, ("recipients",)).items():
        if not isinstance(known, list | tuple):
            continue
        kept = [each for each in known if each != name]
        wanted = [*kept, name] if role == "quasi" and name not in known else kept
        if role == "quasi" and name in known:
            wanted = list(known)
        if wanted != list(known):
            edits.append(Edit(("recipients", recipient), wanted))
    return tuple(edits)


def _demands(tree: Mapping[str, Any], name: str, role: str | None) -> Edits:
    if role == "sensitive":
        return ()
    edits = []
    for key in ("l", "t", "target"):
        said = mapping_at(tree, ("privacy", key))
        if name in said:
            alone = len(said) == 1
            edits.append(Edit(("privacy", key) if alone else ("privacy", key, name)))
    return tuple(edits)
