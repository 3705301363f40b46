"""Marketer: somebody who matches the whole table with a register and lives with mistakes."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.attack.class_counts import ClassCounts
from papilio.attack.holdings import Holdings
from papilio.attack.journalist import journalist, journalist_over_people

NAME = "marketer"


@dataclass(frozen=True)
class Matched:
    """What matching everybody yields.

    Attributes
    ----------
    expected
        Rows that are matched with the right person, in expectation.
    share
        The same as a share of all rows.
    """

    expected: float
    share: float


def marketer(counts: ClassCounts, population: int | None = None) -> Matched:
    r"""Rows that are matched with the right person if each is matched at random within its class.

    :math:`\sum_j f_j / F_j` for classes with :math:`f_j` rows and :math:`F_j` people in the
    population; without a population that is the number of classes. With one, each :math:`1 / F_j`
    is estimated as for the journalist.

    What it assumes: a register of the whole population with the same columns, without errors. What
    it does not say: who the people are that are matched rightly; the attacker does not know that
    either, except where a class has one person.

    Source: Dankar and El Emam, "A method for evaluating marketer re-identification risk", PAIS
    2010.
    """
    share = journalist(counts, population).average
    return Matched(share * counts.people, share)


def marketer_over_people(held: Holdings, population: int | None = None) -> Matched:
    """People who are matched rightly if each is looked for by the row that gives them away most.

    The sum of the journalist's chances over people, and their average as a share of all people.
    With one row a person it is :func:`marketer`.
    """
    share = journalist_over_people(held, population).average
    return Matched(share * held.people, share)
