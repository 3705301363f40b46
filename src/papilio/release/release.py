"""A release in memory: published tables and their manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from papilio.data.io.frames import Kind, to_native
from papilio.errors import ReleaseError
from papilio.release.manifest import Manifest
from papilio.release.store import open_release, save_release

if TYPE_CHECKING:
    from papilio.attack.lights import Lights
    from papilio.attack.result import AttackResult
    from papilio.attack.risk import Risk
    from papilio.policy.policy import Policy
    from papilio.progress import Progress
    from papilio.query.answer import Answer
    from papilio.verify.verdict import Verdict
    from papilio.workflow.risk import Beside


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

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> release.save("release").name
    'release'
    >>> opened = pp.Release.open("release")
    >>> opened.verify().holds
    True
    >>> opened.query("SELECT count(*) FROM people")["count(*)"].exact
    True
    """

    manifest: Manifest
    frames: Mapping[str, pl.DataFrame]
    hierarchies: Mapping[str, str] = field(default_factory=dict)
    kind: Kind = Kind.POLARS
    directory: Path | None = None
    notes: tuple[str, ...] = ()
    #: Looks at the lights beside what the release was made of; never written, copied or pickled.
    _light: Callable[[Release], Lights] | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        # What a release was made of, and what follows from it, does not go where the release goes.
        kept = {name: value for name, value in self.__dict__.items() if name != "lights"}
        return {**kept, "_light": None}

    @cached_property
    def lights(self) -> Lights:
        """The three lights of a release that was just made; see :func:`papilio.lights`.

        They are looked at once, when first asked for, and take the time of all attacks. Until then
        the release holds on to what it was made of.

        Raises
        ------
        ReleaseError
            If it was opened from a directory, or sent here by another process: what somebody could
            learn can only be told beside the original.
        """
        if self._light is None:
            raise ReleaseError(
                "the lights of a release are told beside its original; use "
                "pp.lights(release, original=policy)",
                reason="no-original",
            )
        found = self._light(self)
        object.__setattr__(self, "_light", None)
        return found

    @property
    def tables(self) -> dict[str, Any]:
        """Published tables, as the kind of frame that was passed in (pandas, Polars, Arrow)."""
        return {name: to_native(frame, self.kind) for name, frame in self.frames.items()}

    def verify(
        self, *, original: Policy | None = None, data: Any = None, memory: int | None = None
    ) -> Verdict:
        """Let the independent verifier judge the release, as :func:`papilio.verify` does.

        Parameters
        ----------
        original
            The policy it was made with: then truthfulness is checked too.
        data
            The original as a frame, instead of the policy's source.
        memory
            Bytes that the database may use.
        """
        from papilio.workflow.verify import verify

        # What was opened is judged as it lies on disk.
        return verify(self.directory or self, original=original, data=data, memory=memory)

    def attack(
        self,
        *,
        original: Policy,
        data: Any = None,
        external: Any = None,
        who: str | None = None,
        key: str | None = None,
        also: Sequence[Release | str | Path] = (),
        learn: bool = False,
        limit: float | None = None,
        progress: Progress | None = None,
    ) -> tuple[AttackResult, ...]:
        """Attack the release as somebody who gets it could, as :func:`papilio.attack` does.

        Parameters
        ----------
        original, data
            As for :meth:`verify`.
        external
            A list of people from elsewhere, as a frame or a file, to be joined with the release.
        who
            The recipient who has the list; left out, anybody.
        key
            A column that names people in the list and in the original, identifiers included.
        also
            Further releases of the same people, or their directories.
        learn
            Whether to make the release once more without a tenth of the people, and to let somebody
            learn from it.
        limit
            Seconds after which no further attack is begun; those who learn are then tried as well.
        progress
            Told of each attack.
        """
        from papilio.workflow.risk import attack

        return attack(
            self,
            original=original,
            data=data,
            external=external,
            who=who,
            key=key,
            also=also,
            learn=learn,
            limit=limit,
            progress=progress,
        )

    def risk(
        self,
        *,
        original: Policy,
        population: int | None = None,
        threshold: float = 0.2,
        data: Any = None,
        beside: Beside | None = None,
        limit: float | None = None,
        progress: Progress | None = None,
    ) -> Risk:
        """Measure how exposed people were and are, as :func:`papilio.risk` does.

        Parameters
        ----------
        original, data, limit, progress
            As for :meth:`attack`.
        population
            People the table was drawn from; left out, the table is taken for all of them.
        threshold
            Chance above which somebody counts as at risk.
        beside
            What somebody has beside the release.
        """
        from papilio.workflow.risk import risk

        return risk(
            self,
            original=original,
            population=population,
            threshold=threshold,
            data=data,
            beside=beside,
            limit=limit,
            progress=progress,
        )

    def report(
        self,
        path: str | Path,
        *,
        original: Policy,
        data: Any = None,
        population: int | None = None,
        overwrite: bool = False,
        progress: Progress | None = None,
    ) -> Path:
        """Write the owner's report, as :func:`papilio.report` does; keep it to yourself.

        Parameters
        ----------
        path
            The file to write; it shows the original, and never lies inside a release.
        original, data, population, progress
            As for :meth:`risk`.
        overwrite
            Replace the file if it exists.
        """
        from papilio.workflow.report import report

        return report(
            self,
            path,
            original=original,
            data=data,
            population=population,
            overwrite=overwrite,
            progress=progress,
        )

    def query(self, sql: str, *, dialect: str = "duckdb") -> Answer:
        """Answer a query over the release with bounds, as :func:`papilio.ask` does.

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
