"""Which attributes are shared in a butterfly, and what is solved apart inside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

#: The attributes a recipient knows, by their places in the table.
Known: TypeAlias = frozenset[int]


@dataclass(frozen=True)
class Plan:
    """How a block of rows is divided for some recipients.

    All rows of the block get equal cells on the body. Each branch is then solved inside the block
    without regard to the others: no two of them have an attribute in common.

    Attributes
    ----------
    recipients
        What each recipient knows of ``attributes``; none knows all that another knows.
    body
        Attributes on which a block is one cell.
    branches
        What is solved apart; a wing, which has one recipient, has neither body nor branches.
    """

    recipients: tuple[Known, ...]
    body: tuple[int, ...] = ()
    branches: tuple[Plan, ...] = ()

    @property
    def attributes(self) -> tuple[int, ...]:
        """All attributes, in the order of the table."""
        return tuple(sorted(frozenset().union(*self.recipients)))

    @property
    def is_wing(self) -> bool:
        """Whether there is a single recipient, so that nothing is shared."""
        return len(self.recipients) == 1


def wing(recipient: Known) -> Plan:
    """Plan for one recipient."""
    return Plan((recipient,))


def widest(recipients: Iterable[Known]) -> tuple[Known, ...]:
    """Recipients who are not contained in another, each once and in a fixed order.

    Whoever knows less sees unions of the other's classes; every requirement is closed under union
    of classes, so what holds for the one who knows more holds for both.
    """
    different = set(recipients)
    kept = [each for each in different if not any(each < other for other in different)]
    return tuple(sorted((each for each in kept if each), key=sorted))


def without(recipients: Iterable[Known], body: Iterable[int]) -> tuple[Known, ...]:
    """Recipients of a block whose cells on the body are all equal: what is left to them."""
    return widest(each.difference(body) for each in recipients)
