"""A release in memory: published tables and their manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from papilio.data.io.frames import Kind, to_native
from papilio.release.manifest import Manifest
from papilio.release.store import open_release, save_release

if TYPE_CHECKING:
    from papilio.attack.result import AttackResult
    from papilio.policy.policy import Policy
    from papilio.query.answer import Answer
    from papilio.verify.verdict import Verdict


@dataclass(frozen=True, eq=False)
class Release:
    """What goes out.

    Attributes
    ----------
    manifest
        Claims, and how to read the cells.
    frames
        The published tables as Polars frames.
    hierarchies
        Path files a stranger needs to read labels, by file name.
    kind
        Which library's frames ``tables`` gives.
    directory
        Where it was opened from, if from a directory; that is what gets verified then.
    notes
        What its owner should know about how it was made; never written into the release.
    """

    manifest: Manifest
    frames: Mapping[str, pl.DataFrame]
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    kind: Kind = Kind.POLARS
    directory: Path | None = None
    notes: tuple[str, ...] = ()

    @property
    def tables(self) -> dict[str, Any]:
        """Published tables, as the kind of frame that was passed in (pandas, Polars, Arrow)."""
        return {name: to_native(frame, self.kind) for name, frame in self.frames.items()}

    def verify(self, *, original: Policy | None = None, data: Any = None) -> Verdict:
        """Let the independent verifier judge the release.

        Parameters
        ----------
        original
            The policy it was made with: then truthfulness is checked too.
        data
            The original as a frame, instead of the policy's source.
        """
        from papilio.workflow.verify import verify

        return verify(self.directory or self, original=original, data=data)

    def attack(self, *, original: Policy, data: Any = None) -> tuple[AttackResult, ...]:
        """Attack the release as somebody who gets it could, and say what they would learn.

        Parameters
        ----------
        original, data
            As for :meth:`verify`.
        """
        from papilio.workflow.attack import attack

        return attack(self, original=original, data=data)

    def report(self, path: str | Path, *, original: Policy, data: Any = None) -> Path:
        """Write the owner's report, one HTML file; it shows the original, so keep it to yourself.

        Parameters
        ----------
        path
            The file to write; it must not exist.
        original, data
            As for :meth:`verify`.
        """
        from papilio.workflow.report import report

        return report(self, path, original=original, data=data)

    def query(self, sql: str, *, dialect: str = "duckdb") -> Answer:
        """Answer a query over the release with bounds; see ``docs/query.md``.

        Parameters
        ----------
        sql
            One SELECT over the table of the release, as if it were the original.
        dialect
            What it is written in: ``duckdb``, ``postgres`` or ``spark``.
        """
        from papilio.workflow.ask import ask

        return ask(self, sql, dialect=dialect)

    def save(self, directory: str | Path, *, format: str = "parquet") -> Path:  # noqa: A002
        """Write the release, whole or not at all, to a directory that does not exist yet."""
        return save_release(self.manifest, self.frames, self.hierarchies, Path(directory), format)

    @classmethod
    def open(cls, directory: str | Path) -> Release:
        """Read a release from a directory."""
        return cls(*open_release(Path(directory)), directory=Path(directory))
