"""Who gets the release, and what each may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papilio.web.forms.edits import Edit, Edits, mapping_at, value_at

#: Rows that recipients together are left with, unless somebody says otherwise.
_TOGETHER = 2
#: Names offered for new recipients, so that nobody has to type one.
_PROPOSED = ("insurer", "employer", "researcher", "authority", "partner")


@dataclass(frozen=True)
class RecipientForm:
    """One recipient and the quasi-identifiers they may know.

    Attributes
    ----------
    name, known
        Who, and what they may know.
    said
        All that the policy says of them: a list, or a mapping that has more.
    """

    name: str
    known: tuple[str, ...]
    said: Any = ()

    @property
    def place(self) -> tuple[str, ...]:
        """Key of the policy that lists what they know."""
        more = ("knows",) if isinstance(self.said, Mapping) else ()
        return ("recipients", self.name, *more)

    @property
    def has_file(self) -> bool:
        """Whether a file says what they know: ``file``, or a name in place of a list."""
        said = self.said
        return isinstance(said, Mapping) and ("file" in said or isinstance(said.get("knows"), str))


@dataclass(frozen=True)
class RecipientsForm:
    """All recipients.

    Attributes
    ----------
    quasi
        The quasi-identifiers, in the order of the policy.
    recipients
        Who gets the release; none: one recipient who may know all of them.
    together
        Least class size should they share what they know, if demanded.
    """

    quasi: tuple[str, ...]
    recipients: tuple[RecipientForm, ...]
    together: Any = None


def read_recipients(tree: Mapping[str, Any]) -> RecipientsForm:
    """Read the recipients of a policy."""
    said = mapping_at(tree, ("recipients",))
    return RecipientsForm(
        quasi=quasi_columns(tree),
        recipients=tuple(RecipientForm(name, _names(known), known) for name, known in said.items()),
        together=value_at(tree, ("privacy", "collusion_k")),
    )


def quasi_columns(tree: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the quasi-identifiers of a policy about one table."""
    return columns_with_role(tree, "quasi")


def columns_with_role(tree: Mapping[str, Any], role: str) -> tuple[str, ...]:
    """Names of the columns of one table that have a role, in the order of the policy."""
    return tuple(
        name for name, said in mapping_at(tree, ("columns",)).items() if _role(said) == role
    )


def sensitive_columns(tree: Mapping[str, Any]) -> tuple[str, ...]:
    """Sensitive columns as demands name them: those of linked tables with their table."""
    tables = mapping_at(tree, ("tables",))
    return columns_with_role(tree, "sensitive") + tuple(
        f"{table}.{name}"
        for table, said in tables.items()
        for name in columns_with_role(said if isinstance(said, Mapping) else {}, "sensitive")
    )


def _role(said: Any) -> Any:
    return said.get("role") if isinstance(said, Mapping) else said


def _names(known: Any) -> tuple[str, ...]:
    known = known.get("knows") if isinstance(known, Mapping) else known
    return tuple(known) if isinstance(known, list | tuple) else ()


def add_recipient(form: RecipientsForm, name: str | None = None) -> Edits:
    """Name one more recipient, who may know everything until told otherwise.

    The first time two are named: one recipient alone is the same as none.
    """
    taken = [each.name for each in form.recipients]
    names = [name] if name is not None else []
    while len(taken) + len(names) < 2 or not names:
        names.append(_free_name([*taken, *names]))
    named = tuple(Edit(("recipients", each), list(form.quasi)) for each in names)
    if form.recipients or form.together is not None:
        return named
    # Who gets the same release may well put together what they know.
    return (*named, Edit(("privacy", "collusion_k"), _TOGETHER))


def _free_name(taken: list[str]) -> str:
    used = {name.casefold() for name in taken}
    numbered = (f"recipient {number}" for number in range(1, len(taken) + 2))
    return next(each for each in (*_PROPOSED, *numbered) if each not in used)


def drop_recipient(form: RecipientsForm, name: str) -> Edits:
    """Take a recipient away; with the last one collusion goes too."""
    if [each.name for each in form.recipients] == [name]:
        return everybody()
    return (Edit(("recipients", name)),)


def everybody() -> Edits:
    """Name no recipient: whoever gets the release may know all quasi-identifiers."""
    gone = (("recipients",), ("privacy", "collusion_k"), ("privacy", "collusion"), ("wings",))
    return tuple(Edit(path) for path in gone)


def rename_recipient(form: RecipientsForm, name: str, new: str) -> Edits:
    """Call a recipient otherwise, in their place; a name that is taken changes nothing."""
    names = [each.name for each in form.recipients]
    if new == name or new in names or not new.strip():
        return ()
    renamed = {new if each.name == name else each.name: each.said for each in form.recipients}
    return (Edit(("recipients",), renamed),)


def let_know(form: RecipientsForm, name: str, column: str, knows: bool) -> Edits:
    """Say whether a recipient may know a column; columns keep the order of the policy.

    The columns of a recipient who has a file stay those of the file until one is chosen here.
    """
    (recipient,) = (each for each in form.recipients if each.name == name)
    known = set(recipient.known)
    if recipient.has_file and knows == (column in known):
        return ()
    known = known | {column} if knows else known - {column}
    strangers = [each for each in sorted(known) if each not in form.quasi]
    ordered = [each for each in form.quasi if each in known]
    listed = Edit(recipient.place, [*ordered, *strangers])
    if isinstance(recipient.said, Mapping) and "file" in recipient.said:
        return (Edit(("recipients", name, "file")), listed)
    return (listed,)


def known_to(form: RecipientsForm) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Columns by who knows them: the overlap of what recipients know."""
    groups: dict[tuple[str, ...], tuple[str, ...]] = {}
    for column in form.quasi:
        who = tuple(each.name for each in form.recipients if column in each.known)
        groups[who] = (*groups.get(who, ()), column)
    return groups
