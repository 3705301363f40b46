"""What may be varied about a policy, and what a variant is measured by: each family declares it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from papilio.policy.policy import Policy
from papilio.release.release import Release

#: Keys from the top of a policy, and what is written there; ``None`` takes the key away.
Change = tuple[tuple[str, ...], Any]


@dataclass(frozen=True)
class Line:
    """A method that may be tried, or a method with something after it.

    Attributes
    ----------
    name
        As it is spelled: ``hybrid``, ``hybrid+improve``.
    changes
        What it writes into the policy, and what it takes out because it does not know it.
    after
        Line that it goes on from, if it does.
    most
        Most rows it is tried on; ``None`` for any number.
    why_not
        Why it cannot be tried with this policy, in a sentence.
    """

    name: str
    changes: tuple[Change, ...] = ()
    after: str | None = None
    most: int | None = None
    why_not: str | None = None


@dataclass(frozen=True)
class Varied:
    """A key of the policy that may have several values.

    Attributes
    ----------
    key
        Where it is written, such as ``privacy.k``.
    title
        What it is, in a few words.
    values
        Values worth trying.
    usual
        Those that are tried if nobody says what varies; none if it stays as the policy has it.
    also
        Further keys that get the same value.
    promises
        Whether its values promise different things although it is no demand, so that the loss of
        variants with different ones is no match.
    """

    key: str
    title: str
    values: tuple[Any, ...]
    usual: tuple[Any, ...] = ()
    also: tuple[str, ...] = ()
    promises: bool = False

    @property
    def demand(self) -> bool:
        """Whether what is promised depends on it."""
        return self.promises or self.key.startswith("privacy.")

    @property
    def name(self) -> str:
        """As people call it: a demand by itself, another key in full."""
        return self.key.removeprefix("privacy.")

    def changes(self, value: Any) -> tuple[Change, ...]:
        """What a value writes into the policy."""
        return tuple((tuple(key.split(".")), value) for key in (self.key, *self.also))


@dataclass(frozen=True)
class Measure:
    """A figure that variants are compared by.

    Attributes
    ----------
    name
        Its name in JSON.
    title
        What stands above the column.
    words
        What it is, in a sentence.
    share
        Whether it is a share, to be written in per cent.
    drawn
        Whether a picture of its own is worth it.
    reference
        What the original itself has, if that is a figure.
    """

    name: str
    title: str
    words: str
    share: bool = False
    drawn: bool = False
    reference: float | None = None


@dataclass(frozen=True)
class Measured:
    """What a release comes to.

    Attributes
    ----------
    loss, risk
        The two figures of the trade-off, each from 0 to 1.
    people, left_out
        People in the release, and people of the original who are not.
    more
        Further figures by the names of their measures.
    """

    loss: float
    risk: float
    people: int
    left_out: int = 0
    more: dict[str, float | None] = field(default_factory=dict)


class Bench(Protocol):
    """What all variants of an original are measured with."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Further figures besides loss and risk."""

    def measure(self, release: Release, policy: Policy) -> Measured:
        """Measure the release of a variant; ``policy`` is that of the variant."""


@dataclass(frozen=True)
class Choices:
    """What may be tried for a policy.

    Attributes
    ----------
    lines
        Methods there are for it.
    usual
        Names of those that are tried if nobody says which.
    varied
        Keys that may vary; the first that does and holds numbers runs along the picture.
    loss, risk
        What the family calls loss and risk.
    bench
        Gets ready to measure releases of an original, given what was read of it.
    """

    lines: tuple[Line, ...]
    usual: tuple[str, ...]
    varied: tuple[Varied, ...]
    loss: Measure
    risk: Measure
    bench: Callable[[Any, Policy], Bench]


def sizes(own: int | None, usual: tuple[int, ...], more: tuple[int, ...] = ()) -> Varied:
    """Vary ``k``, by the usual numbers and the policy's own.

    Parameters
    ----------
    own
        The policy's own k, if it has one.
    usual, more
        What is tried if nobody says, and what else is worth trying.
    """
    first = tuple(sorted({*usual, *([] if own is None else [own])}))
    return Varied(
        "privacy.k", "k: rows that must look alike", tuple(sorted({*first, *more})), first
    )
