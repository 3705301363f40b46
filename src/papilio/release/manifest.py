"""The public manifest: what a release claims and how a stranger reads its cells.

It holds nothing that the tables do not show: no seed, no path or row number of the source, no
statistic of the raw data, no fingerprint of it. ``docs/release-format.md`` describes every key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import ConfigDict, TypeAdapter, with_config

from papilio.data.shown_name import can_be_shown
from papilio.errors import ReleaseError
from papilio.release.strict_json import read_json
from papilio.version import __version__

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
