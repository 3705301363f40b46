"""Who gets a release, what each of them knows of a person, and how that is said in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERYONE


def recipients_of(policy: Policy) -> dict[str, tuple[str, ...]]:
    """Recipients and the quasi-identifiers each knows."""
    return dict(policy.recipients) or {EVERYONE: policy.quasi}


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
        f"{_about(figures['average'])} on average; {singled} {verb} singled out, and guessing "
        f"finds about {_about(figures['expected'])} of {total:,}"
    )
    return "; ".join([said, *learnt]) + "."


def _about(number: float) -> str:
    """Write a number with three significant digits, but all digits of its whole part."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
