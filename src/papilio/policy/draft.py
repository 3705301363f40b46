"""Write a commented policy for its owner to go through."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from papilio.data.column import ColumnType
from papilio.data.roles import Role

#: The k a draft proposes, if there are that many rows.
PROPOSED_K = 10

_HEAD = """\
# A draft: the roles are suggestions from names and counts. Read every line before you publish.
papilio: 1
source: {source}

# identifier  never leaves
# quasi       a recipient may know it; it is generalised until nobody stands alone
# sensitive   must not be learnt about a person
# plain       published as it is
# A column whose line you delete is not published.
"""
_OUTSIDE = "# The data lies outside of this folder: run commands with --allow {allow}\n"
_NO_QUASI = "# No column is quasi yet: give at least one column this role.\n"
_PRIVACY = """
privacy:
  # Each published combination of quasi values belongs to at least k rows, so a person hides among
  # k. A larger k hides better and blurs more: 5 is low, 10 a fair start, 20 and more for data
  # that anybody may download. It cannot exceed the number of rows.
  k: {k}

# method: left out on purpose, Papilio chooses one and says why
"""

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
    """

    name: str
    role: Role
    type: ColumnType
    reason: str


def draft_policy(
    columns: Sequence[DraftColumn], source: str, *, rows: int, allow: str | None = None
) -> str:
    """Write a policy with a role for every column, the reasons as comments, and a k.

    The text is valid YAML whatever the names, and ``columns`` in it holds exactly the given names
    in the given order. Of each kind of hierarchy that would fit a column the first such column
    gets a line to uncomment. No method is named.

    Parameters
    ----------
    columns
        The columns, with distinct names.
    source
        Where the data is, as the policy shall say it.
    rows
        Number of rows; k is at most this.
    allow
        What the owner has to allow, if the data lies outside of the policy's folder.
    """
    text = _HEAD.format(source=_scalar(source))
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
    return text + _PRIVACY.format(k=min(PROPOSED_K, max(rows, 1)))


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
    rule, meaning = {
        "dates": ("{dates: [month, year, decade]}", "instead: by calendar units"),
        "prefix": ("{prefix: [5, 3, 2]}", "instead: by its first characters"),
        "intervals": ("{intervals: [5, 20, 100]}", "instead: by fixed intervals"),
        "file": (_file_name(column.name), "instead: by a file, one path a line, leaf first"),
    }[kind]
    # Read as a number, a postcode loses its leading zeros.
    type_ = "type: category, " if kind == "prefix" and column.type.ordered else ""
    return f"  # {key}: {{role: quasi, {type_}hierarchy: {rule}}}  # {meaning}\n"


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
