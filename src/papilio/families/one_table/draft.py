"""Write a commented policy for its owner to go through."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import yaml
from pydantic import BaseModel

from papilio.data.table import ColumnType, Role
from papilio.families.one_table.family import ONE_TABLE
from papilio.policy.column_policy import ColumnPolicy, HierarchyPolicy
from papilio.policy.person import ROWS
from papilio.policy.privacy_policy import ClosenessPolicy, DiversityPolicy, PrivacyPolicy
from papilio.policy.words import Words, words_of
from papilio.privacy.safe_cells import SAFE

_HEAD = """\
# A draft: the roles are suggestions from names and counts. Read every line before you publish.
papilio: 1
source: {source}

{roles}# A column whose line you delete is not published.
"""
_OUTSIDE = "# The data lies outside of this folder: run commands with --allow {allow}\n"
_NO_QUASI = "# No column is quasi yet: give at least one column this role.\n"
_SAFE = """
# No complete row that few people share then follows from the release, at the price of a little
# detail. bounds costs none, and publish says of how many people rows follow then. Leave it out if
# you name the method incognito or let it suppress rows.
"""
_METHOD = "\n# method: left out on purpose, Papilio chooses one and says why\n"

#: What a bare number means where demands are about columns.
_BARE: Mapping[str, tuple[type[BaseModel], str]] = {
    "l": (DiversityPolicy, "distinct"),
    "t": (ClosenessPolicy, "t"),
}
# Comments end here.
_WIDTH = 100
# A YAML reader looks no further than 1024 characters for the colon after a key.
_LONGEST_KEY = 1000
# Roles stand below each other up to this width; longer names push theirs out.
_WIDEST_KEY = 32
_PLAIN = re.compile(r"[^\W\d]\w*(?:[ .-]\w+)*")
_POSTCODE = re.compile(
    r"zip|post(?:al)?[ _-]?code|postleitzahl|plz|(?:code|c[oó]digo)[ _-]?postal", re.IGNORECASE
)


@dataclass(frozen=True)
class DraftColumn:
    """A column as a draft policy shows it.

    Attributes
    ----------
    name
        Its name, any text.
    role
        The role to write down.
    type
        How its values compare; decides which hierarchy is shown as an example.
    reason
        Why it has this role; becomes a comment.
    least, most, classes
        Of a sensitive column that was counted: the l to start with, the largest that can be met,
        and the most classes there can then be, see :class:`~papilio.measure.profile.ColumnProfile`.
    several
        Whether it has several values besides NULL, so that its cells can say less.
    """

    name: str
    role: Role
    type: ColumnType
    reason: str
    least: int | None = None
    most: int = 0
    classes: int = 0
    several: bool = True


def draft_policy(
    columns: Sequence[DraftColumn],
    source: str,
    *,
    rows: int,
    allow: str | None = None,
    person: tuple[str, str, str] | None = None,
    repeats: str = "",
) -> str:
    """Write a policy with a role for every column, the reasons as comments, and a k.

    The text is valid YAML whatever the names, and ``columns`` in it holds exactly the given names
    in the given order. Of each kind of hierarchy that would fit a column the first such column
    gets a line to uncomment. No method is named. Cells are safe if the columns allow it.

    Parameters
    ----------
    columns
        The columns, with distinct names.
    source
        Where the data is, as the policy shall say it.
    rows
        Largest k that can be met: the number of rows, or those over the most of one person.
    allow
        What the owner has to allow, if the data lies outside of the policy's folder.
    person
        The column that says whose row it is, how many rows people have in words, and which
        columns are the same in all rows of a person, if some are.
    repeats
        An identifier that repeats although each row seems to be another person.
    """
    text = _HEAD.format(source=_scalar(source), roles=_roles())
    if allow is not None:
        text = text.replace("\nsource:", f"\n{_OUTSIDE.format(allow=_comment(allow))}source:", 1)
    if not any(column.role is Role.QUASI for column in columns):
        text += _NO_QUASI
    text += "columns:\n" if columns else "columns: {}\n"
    widths = [len(_scalar(column.name)) for column in columns]
    width = max((width for width in widths if width <= _WIDEST_KEY), default=0)
    shown: set[str] = set()
    for column in columns:
        text += _line(column, width)
        kind = _fitting_hierarchy(column)
        if kind is not None and kind not in shown:
            shown.add(kind)
            text += _example(column, kind)
    sensitive = [column for column in columns if column.role is Role.SENSITIVE]
    return text + _person(person, repeats) + _privacy(rows, sensitive) + _cells(columns) + _METHOD


def _cells(columns: Sequence[DraftColumn]) -> str:
    """Cells that no complete row follows from, if there are two columns that can say less."""
    free = [column for column in columns if column.role is Role.QUASI and column.several]
    return f"{_SAFE}cells: {SAFE}\n" if ONE_TABLE.safe and len(free) > 1 else ""


def _person(person: tuple[str, str, str] | None, repeats: str) -> str:
    """The line that says whose row it is, if somebody has several or seems to."""
    further = ""
    if person is not None:
        column, why, same = person
        if same:
            told = (
                "With link: yes, and without cells, people and rows become linked tables "
                f"({_comment(same)})."
            )
            further = textwrap.fill(told, _WIDTH, initial_indent="# ", subsequent_indent="# ")
            further += "\n# link: yes\n"
        text = (
            f"Whose row it is: {why}. k, l and t then count people. If each row is another "
            "person, write: person: rows"
        )
    elif repeats:
        column, text = (
            "",
            (
                f"Each row seems to be another person, although '{_comment(repeats)}' repeats. If "
                "people have several rows, write the column that tells them apart."
            ),
        )
    else:
        return ""
    comment = textwrap.fill(text, _WIDTH, initial_indent="# ", subsequent_indent="# ")
    name = "{column: rows}" if column == ROWS else _scalar(column) if column else ROWS
    return f"\n{comment}\nperson: {name}\n{further}"


def _roles() -> str:
    meanings = words_of(ColumnPolicy, "role").meanings
    return "".join(f"# {role:<10}  {text}\n" for role, text in meanings.items())


def _privacy(rows: int, sensitive: Sequence[DraftColumn]) -> str:
    """The proposed k and l, and the other demands on one table as lines to uncomment."""
    words = words_of(PrivacyPolicy, "k")
    lines = [*_told(words), "It cannot exceed the number of people."]
    text = f"\nprivacy:\n{_wrapped(' '.join(lines))}  k: {min(words.start, max(rows, 1))}\n"
    for name in PrivacyPolicy.model_fields:
        if name in ONE_TABLE.demands - {"k"}:
            text += _diversity(sensitive) if name == "l" else ""
            text += _further(name, sensitive)
    return text


def _diversity(sensitive: Sequence[DraftColumn]) -> str:
    """The proposed l of each sensitive column that can have one, and what that costs."""
    known = [column for column in sensitive if column.most]
    proposed = [column for column in known if column.least is not None and _short(column)]
    text = "".join(
        _wrapped(
            f"'{_comment(column.name)}' has one value that all may share, so that no l can hide it."
        )
        for column in known
        if column.least is None
    )
    if not proposed:
        return text
    words = words_of(DiversityPolicy, "distinct")
    dearest = min(proposed, key=lambda column: column.classes)
    costs = (
        "Without it a class whose rows all say the same gives that away. It costs detail where one "
        f"value is common: for '{_comment(dearest.name)}' there can be no more than "
        f"{dearest.classes:,} classes. The largest l that can be met: {_mosts(proposed)}."
    )
    said = ", ".join(f"{_scalar(column.name)}: {column.least}" for column in proposed)
    return text + _wrapped(" ".join([*_told(words), costs])) + _mapping("l", said, proposed)


def _mosts(proposed: Sequence[DraftColumn]) -> str:
    return ", ".join(f"{_comment(column.name)} {column.most:,}" for column in proposed)


def _mapping(key: str, said: str, proposed: Sequence[DraftColumn]) -> str:
    """A demand on columns, on one line if they are few."""
    line = f"  {key}: {{{said}}}\n"
    if len(line) <= _WIDTH:
        return line
    below = "".join(f"    {_scalar(column.name)}: {column.least}\n" for column in proposed)
    return f"  {key}:\n{below}"


def _short(column: DraftColumn) -> bool:
    """Whether a YAML reader finds the colon after its name."""
    return len(_scalar(column.name)) <= _LONGEST_KEY


def _further(name: str, sensitive: Sequence[DraftColumn]) -> str:
    """A demand to uncomment; one on a column names the first that it may be about."""
    words = words_of(PrivacyPolicy, name)
    if words.widget != "demands":
        return f"{_wrapped(' '.join(_told(words)))}  # {name}: {words.example}\n"
    column = next((each for each in sensitive if _short(each)), None)
    if column is None or (name == "l" and any(each.least for each in sensitive)):
        return ""
    inner = words_of(*_BARE[name])
    said = f"{name}: {{{_scalar(column.name)}: {inner.example}}}"
    return f"{_wrapped(' '.join(_told(inner)))}  # {said}\n"


def _told(words: Words) -> list[str]:
    """What a demand does, and what to take."""
    return [words.plain, *([words.meaning.usual] if words.meaning else [])]


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="  # ", subsequent_indent="  # ") + "\n"


def _line(column: DraftColumn, width: int) -> str:
    key = _scalar(column.name)
    if len(key) > _LONGEST_KEY:
        return f"  ? {key}\n  : {column.role}  # {_comment(column.reason)}\n"
    return f"  {key + ':':<{width + 1}} {column.role:<10}  # {_comment(column.reason)}\n"


def _fitting_hierarchy(column: DraftColumn) -> str | None:
    if column.role is not Role.QUASI or column.type is ColumnType.BOOLEAN:
        return None
    if column.type is ColumnType.DATE:
        return "dates"
    if _POSTCODE.search(column.name):
        return "prefix"
    return "intervals" if column.type is ColumnType.NUMERIC else "file"


def _example(column: DraftColumn, kind: str) -> str:
    key = _scalar(column.name)
    if len(key) > _LONGEST_KEY:
        return ""
    words = words_of(HierarchyPolicy, kind)
    rule = _file_name(column.name) if kind == "file" else f"{{{kind}: {words.example}}}"
    # Read as a number, a postcode loses its leading zeros.
    type_ = "type: category, " if kind == "prefix" and column.type.ordered else ""
    return f"  # {key}: {{role: quasi, {type_}hierarchy: {rule}}}  # or {words.label}\n"


def _file_name(name: str) -> str:
    """Name of a file after a column, without anything a file system or YAML could trip over."""
    return (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "column") + ".csv"


def _scalar(text: str) -> str:
    """Text as YAML on one line: plain where every reader takes it for text, quoted elsewhere."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in ("y", "n")
    if plain and len(text) <= _LONGEST_KEY and yaml.safe_load(text) == text:
        return text
    quoted: str = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=sys.maxsize)
    return quoted.rstrip("\n")


def _comment(text: str) -> str:
    """Text on one line, without characters YAML does not allow even in comments."""
    line = " ".join(text.split())
    return "".join(letter if letter.isprintable() else "?" for letter in line)
