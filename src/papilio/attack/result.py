"""What recipients know of a person, and what an attack found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from papilio.data.table import Table
from papilio.policy.recipients import EVERYONE
from papilio.release.release import Release
from papilio.verify.opened import Opened, open_frames

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def recipients_of(policy: Policy) -> dict[str, tuple[str, ...]]:
    """Recipients and the quasi-identifiers each knows."""
    return policy.known or {EVERYONE: policy.quasi}


def k_for(policy: Policy, recipient: str) -> int | None:
    """Least class size that a policy demands for one recipient; for everyone the general one."""
    said = policy.recipients.get(recipient)
    return policy.privacy.k if said is None or said.k is None else said.k


def together(recipients: Mapping[str, Iterable[str]], policy: Policy) -> tuple[str, ...]:
    """What some recipients know together, in the order of the policy."""
    known = {column for columns in recipients.values() for column in columns}
    return tuple(name for name in policy.quasi if name in known)


def someone_knowing(name: str, columns: Iterable[str]) -> str:
    """Name an attacker and what they know: ``insurer, knowing age, job``."""
    return f"{name}, knowing {', '.join(columns) or 'no column'}"


def people(number: int, total: int) -> str:
    """Write a number of people: ``12 people (0.4%)``, ``nobody``."""
    if number == 0:
        return "nobody"
    share = 100 * number / total
    text = "<0.1%" if share < 0.1 else ">99.9%" if 99.9 < share < 100 else f"{share:.3g}%"
    return f"{'1 person' if number == 1 else f'{number:,} people'} ({text})"


def rows(number: int) -> str:
    """Write a number of rows: ``1 row``, ``1,200 rows``."""
    return "1 row" if number == 1 else f"{number:,} rows"


def findings(figures: Mapping[str, int | float]) -> str:
    """Say what the figures of :class:`~papilio.attack.candidates.Candidates` mean."""
    total = int(figures["people"])
    learnt = [
        f"the value of {name.removeprefix('learnt: ')} is learnt of {people(int(number), total)}"
        for name, number in figures.items()
        if name.startswith("learnt: ")
    ]
    singled = people(int(figures["singled_out"]), total)
    verb = "is" if int(figures["singled_out"]) <= 1 else "are"
    said = (
        f"At least {rows(int(figures['smallest']))} may be a person's, "
        f"{rounded(figures['average'])} on average; {singled} {verb} singled out, and guessing "
        f"finds about {rounded(figures['expected'])} of {total:,}"
    )
    return "; ".join([said, *learnt]) + "."


def rounded(number: float) -> str:
    """Write a number with three significant digits, but all digits of its whole part."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


#: Name of the view of the original; a blank in it keeps it apart from published tables.
ORIGINAL = "papilio original"


@contextmanager
def confront(release: Release, original: pl.DataFrame) -> Iterator[Opened]:
    """Open a release in a private database that also has the original, as :data:`ORIGINAL`."""
    frames = {name: _plain(frame).to_arrow() for name, frame in release.frames.items()}
    with open_frames(release.manifest, frames, release.hierarchies) as opened:
        opened.connection.register(ORIGINAL, _plain(original).to_arrow())
        yield opened


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn categories into text, as a file would hold them."""
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


def parts_of(release: Release, original: Table) -> Iterator[Table]:
    """The original as each published table of people has it: whole, or of projections by parts.

    Tables of projections cannot be put together, so that a part of the original, under the name
    of its table, is all there is to compare with.
    """
    if len(release.manifest.tables) == 1:
        yield replace(original, name=release.manifest.tables[0].name)
        return
    for table in release.manifest.tables:
        names = [column.name for column in table.columns]
        columns = tuple(each for each in original.columns if each.name in names)
        frame = original.frame.select(each.name for each in columns)
        yield replace(original, name=table.name, frame=frame, columns=columns)


def in_part(attacker: str, part: Table, release: Release) -> str:
    """Say of an attacker which table they look at, if there are several."""
    return attacker if len(release.manifest.tables) == 1 else f"{attacker}, in {part.name}"


def sensitive_names(release: Release, original: Table) -> tuple[str, ...]:
    """Sensitive columns that are published as they are."""
    columns = release.manifest.table(original.name).columns
    return tuple(c.name for c in columns if c.role == "sensitive" and c.cells == "value")


@dataclass(frozen=True)
class Exposed:
    """How many people an attack succeeds against; by what is learnt of them.

    Attributes
    ----------
    people
        People of whom the attacker learns more than the owner wants known: a value that is
        certain, or fewer candidates than were promised.
    of
        People the attack was tried on, each counted once.
    column
        The sensitive column that is learnt; ``None`` if it is about who somebody is. It decides
        which of the lights it counts for, whatever the attack.
    through
        The published column that gives people away, if a policy can do something about it.
    drawn_from
        People that those it was tried on are a sample of; ``None`` if it was tried on all.
    by
        Columns that say it, if what gives people away is that the attacker knows these.
    verb
        What happens to the value, in words.
    width
        How wide a window is that the value is guessed to lie in, where a guess need only be near.
    """

    people: int
    of: int
    column: str | None = None
    through: str | None = None
    drawn_from: int | None = None
    by: tuple[str, ...] = ()
    verb: str = "is learnt"
    width: float | None = None

    @property
    def share(self) -> float:
        """Share of the people it was tried on that it succeeds against."""
        return self.people / self.of if self.of else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        by = list(self.by) or None
        more: dict[str, Any] = {"through": self.through, "drawn_from": self.drawn_from, "by": by}
        more["width"] = self.width
        said = {name: value for name, value in more.items() if value is not None}
        return {"people": self.people, "of": self.of, "column": self.column, **said}


#: How sentences begin that say why an attack was not tried.
_UNTRIED = "Not tried: "


@dataclass(frozen=True)
class AttackResult:
    """One attacker and what they learn; never a cell value.

    Attributes
    ----------
    attack
        Name of the attack, as its file is called.
    attacker
        Who is meant and what they know, in words.
    sentence
        What they could learn, and of how many people, in one plain sentence.
    figures
        The numbers behind the sentence.
    exposed
        People the attack succeeds against, for each column it is about; empty if it was not tried
        or does not count people.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> result = pp.attack(release, original=policy, data=people)[0]
    >>> result.attack, result.figures["people"], result.figures["singled_out"]
    ('linkage', 300, 0)
    """

    attack: str
    attacker: str
    sentence: str
    figures: dict[str, int | float] = field(default_factory=dict)
    exposed: tuple[Exposed, ...] = ()

    @property
    def tried(self) -> bool:
        """Whether there was something to try."""
        return not self.sentence.startswith(_UNTRIED)

    @property
    def reason(self) -> str:
        """Why it was not tried; the whole sentence if it was."""
        return self.sentence.removeprefix(_UNTRIED)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        return {
            "attack": self.attack,
            "attacker": self.attacker,
            "sentence": self.sentence,
            "figures": dict(self.figures),
            "exposed": [found.to_dict() for found in self.exposed],
        }
