"""The public manifest: what a release claims and how a stranger reads its cells.

It holds nothing that the tables do not show: no seed, no path or row number of the source, no
statistic of the raw data, no fingerprint of it. ``docs/release-format.md`` describes every key.

JSON of a stranger, read so that every reader of it reads the same.

Ordinary readers let the last of two equal keys win, or the first, and take words for numbers that
JSON does not have.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NoReturn

from pydantic import ConfigDict, TypeAdapter, with_config

from papilio.data.wording import can_be_shown
from papilio.errors import ReleaseError
from papilio.version import __version__

#: Periods that labels of dates stand for.
_PERIODS = ("day", "month", "quarter", "year", "decade", "century")
#: The key that names a rule, and what may stand beside it.
_KEYS: Mapping[str, frozenset[str]] = {
    "paths": frozenset(("level",)),
    "prefix": frozenset(("level",)),
    "intervals": frozenset(("level", "origin")),
    "dates": frozenset(("level",)),
    "automatic": frozenset(("level", "flat")),
}
#: More levels than this no hierarchy has.
_MOST_LEVELS = 1000


def rule_fault(rule: Mapping[str, Any], files: frozenset[str]) -> str | None:
    """Say what is wrong with a rule, if something is.

    Parameters
    ----------
    rule
        What a manifest says under ``hierarchy``.
    files
        Files of the release that carry no table.
    """
    named = [key for key in _KEYS if key in rule]
    if len(named) != 1 or not set(rule) <= {*named, *_KEYS[named[0]]}:
        return "has a hierarchy of an unknown kind"
    if not _is_level(rule.get("level", 0)):
        return "has a hierarchy that is not well formed"
    if "paths" in rule:
        known = isinstance(rule["paths"], str) and rule["paths"] in files
        return None if known else "has a hierarchy in a file that is not listed"
    return None if _FORMS[named[0]](rule) else "has a hierarchy that is not well formed"


def _is_level(level: Any) -> bool:
    return _is_whole(level) and 0 <= level <= _MOST_LEVELS


def _is_whole(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def is_number(number: Any) -> bool:
    """Whether something is a number that a double can hold."""
    if isinstance(number, float):
        return math.isfinite(number)
    return _is_whole(number) and abs(number) < 10**300


def _prefix(rule: Mapping[str, Any]) -> bool:
    return _listed(rule["prefix"]) and all(_is_whole(n) and n > 0 for n in rule["prefix"])


def _intervals(rule: Mapping[str, Any]) -> bool:
    widths = rule["intervals"]
    proper = _listed(widths) and all(is_number(width) and width > 0 for width in widths)
    return proper and is_number(rule.get("origin", 0))


def _dates(rule: Mapping[str, Any]) -> bool:
    return _listed(rule["dates"]) and all(period in _PERIODS for period in rule["dates"])


def _automatic(rule: Mapping[str, Any]) -> bool:
    return rule["automatic"] is True and rule.get("flat", True) is True


def _listed(entries: Any) -> bool:
    return isinstance(entries, list) and 0 < len(entries) <= _MOST_LEVELS


_FORMS = {
    "prefix": _prefix,
    "intervals": _intervals,
    "dates": _dates,
    "automatic": _automatic,
}
#: How deep lists and objects may be nested; a manifest needs seven levels.
DEEPEST = 16
#: Most digits of a whole number.
MOST_DIGITS = 40


def read_json(text: str) -> Any:
    """Read JSON.

    Raises
    ------
    ValueError
        If it is not JSON, has a key twice, a number that no double or no 40 digits can hold, half
        a character, or is nested deeper than :data:`DEEPEST`.
    """
    try:
        content = json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_refused,
            parse_float=_finite,
            parse_int=_short,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    _check_depth(content, DEEPEST)
    # Half characters are JSON, but no text.
    json.dumps(content, ensure_ascii=False).encode("utf-8")
    return content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refused(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("too large a number")
    return number


def _short(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("too long a number")
    return int(digits)


def _check_depth(content: Any, left: int) -> None:
    if left < 0:
        raise ValueError("nested too deeply")
    below = content.values() if isinstance(content, dict) else content
    if isinstance(content, dict | list):
        for each in below:
            _check_depth(each, left - 1)


#: Longest name of a table, a column, a file or anything else that may be printed.
LONGEST = 1000
#: Version of the release format.
FORMAT = 1
#: What is read has exactly these keys and types; pydantic's errors are ValueErrors.
_EXACT = with_config(ConfigDict(extra="forbid", strict=True))


@_EXACT
@dataclass(frozen=True)
class Claim:
    """One promise about a table of the release.

    Attributes
    ----------
    claim
        Which requirement, such as ``"k-anonymity"``.
    table
        Table it is about.
    recipient
        For whom it holds.
    columns
        Quasi-identifiers that this recipient may know.
    parameters
        What is demanded, such as ``{"k": 10}``.
    """

    claim: str
    table: str
    recipient: str
    columns: tuple[str, ...]
    parameters: dict[str, Any]


@_EXACT
@dataclass(frozen=True)
class PublishedColumn:
    """How a column of the source appears in the release.

    Attributes
    ----------
    name
        Name of the column in the source.
    role
        ``quasi``, ``sensitive`` or ``plain``.
    type
        ``numeric``, ``date``, ``category`` or ``boolean``.
    cells
        ``value`` (as it was), ``range`` (smallest and largest possible value), ``node`` (label in a
        hierarchy) or ``set`` (the possible values).
    published
        The published columns that carry it.
    text
        Whether ranges and sets are written as readable text in one column.
    hierarchy
        How to read the labels of a ``node`` column; for a sensitive column with a claim about
        distances in its hierarchy, the file of paths by which they are measured.
    """

    name: str
    role: str
    type: str
    cells: str
    published: tuple[str, ...]
    text: bool = False
    hierarchy: dict[str, Any] | None = None


@_EXACT
@dataclass(frozen=True)
class PublishedTable:
    """One table of the release.

    Attributes
    ----------
    name
        Its name.
    columns
        How its columns are read.
    rows
        Number of rows.
    left_out_at_most
        Share of the original's rows that may be missing; how many are is not public. 1 if nothing
        is said about it, as for linked tables without a limit.
    key
        Column that identifies rows, of a linked table that has one.
    parent
        Table that a linked table hangs off, and the column that holds its keys.
    """

    name: str
    columns: tuple[PublishedColumn, ...]
    rows: int
    left_out_at_most: float = 0.0
    key: str | None = None
    parent: dict[str, str] | None = None


@_EXACT
@dataclass(frozen=True)
class PublishedFile:
    """One file of the release directory and its SHA-256."""

    name: str
    sha256: str
    table: str | None = None

    def __post_init__(self) -> None:
        # A manifest may come from a stranger and must not lead out of its directory.
        if self.name in ("", ".", "..") or set(self.name) & set("/\\\0"):
            raise ValueError("a file of a release is named without folders")


@_EXACT
@dataclass(frozen=True)
class Manifest:
    """Everything ``release.json`` says.

    Attributes
    ----------
    kind
        Family of the release, such as ``"generalised"``.
    method
        Method that made it.
    claims
        What it promises.
    tables
        The tables and how to read them.
    files
        The files beside the manifest; empty while the release is only in memory.
    seeded
        Whether the shuffling can be repeated; such a release must not be published.
    papilio
        Version of Papilio that made it.
    """

    kind: str
    method: str
    claims: tuple[Claim, ...]
    tables: tuple[PublishedTable, ...]
    files: tuple[PublishedFile, ...] = ()
    seeded: bool = False
    papilio: str = field(default=__version__)

    def to_json(self) -> str:
        """Write it as the text of ``release.json``."""
        content = {"format": FORMAT, **asdict(self)}
        return json.dumps(_without_none(content), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Read the text of ``release.json``.

        Raises
        ------
        ReleaseError
            If it is not a manifest this version of Papilio can read.
        """
        try:
            content = read_json(text)
            found = content.pop("format")
            if found != FORMAT or isinstance(found, bool):
                raise ReleaseError(
                    f"release.json has another format than {FORMAT}, which this version reads",
                    reason="release-format",
                )
            return _shown(_READER.validate_json(json.dumps(content)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ReleaseError(
                "release.json is not a manifest of Papilio; see docs/release-format.md",
                reason="bad-manifest",
            ) from None

    def table(self, name: str) -> PublishedTable:
        """Return the table with a name.

        Raises
        ------
        ReleaseError
            If the manifest speaks of a table it does not describe.
        """
        for table in self.tables:
            if table.name == name:
                return table
        raise ReleaseError(
            f"release.json does not describe the table '{name}'", reason="bad-manifest"
        )


_READER: TypeAdapter[Manifest] = TypeAdapter(Manifest)


def _shown(manifest: Manifest) -> Manifest:
    if not all(can_be_shown(name) and len(name) <= LONGEST for name in _names(manifest)):
        raise ValueError("a name that cannot be shown")
    return manifest


def _names(manifest: Manifest) -> Iterator[str]:
    """Every text of a manifest that may be printed."""
    yield from (manifest.kind, manifest.method, manifest.papilio)
    for file in manifest.files:
        yield file.name
    for claim in manifest.claims:
        yield from (claim.claim, claim.table, claim.recipient, *claim.columns)
        yield from (value for value in claim.parameters.values() if isinstance(value, str))
    for table in manifest.tables:
        yield table.name
        for column in table.columns:
            yield from (column.name, column.role, column.type, column.cells, *column.published)


def _without_none(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _without_none(value) for key, value in content.items() if value is not None}
    if isinstance(content, (list, tuple)):
        return [_without_none(value) for value in content]
    return content
