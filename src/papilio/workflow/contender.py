"""A method as it takes part in a comparison, and the policy it runs under."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from papilio.errors import PapilioError
from papilio.policy.family import Family
from papilio.policy.improve_policy import ImprovePolicy
from papilio.policy.policy import Policy

#: Methods that make one release for everyone.
METHODS = ("mondrian", "relaxed-mondrian", "bottom-up", "hybrid", "incognito")
#: Methods that make one release for several recipients; compared if a policy names some.
FOR_RECIPIENTS = ("union", "butterfly")
#: Families whose methods generalise one table, so that they lose the same kind of thing.
COMPARED = frozenset({Family.ONE_TABLE, Family.RECIPIENTS})
#: Methods that are compared if nobody says which.
USUAL = ("mondrian", "relaxed-mondrian", "hybrid")
#: Most rows bottom-up is tried on; its time grows with the square of the distinct rows.
MOST_BOTTOM_UP = 100_000

_IMPROVED = "+improve"


@dataclass(frozen=True)
class Contender:
    """A method, with or without the improvement after it."""

    method: str
    improved: bool = False

    @property
    def name(self) -> str:
        """As it is spelled: ``hybrid``, ``hybrid+improve``."""
        return self.method + _IMPROVED * self.improved

    @property
    def for_recipients(self) -> bool:
        """Whether it is a method for several recipients."""
        return self.method in FOR_RECIPIENTS

    def why_not(self, rows: int, k: int, *, recipients: bool = False) -> str | None:
        """Say why it cannot run on a table of so many rows; ``None`` if nothing speaks against.

        ``recipients`` tells whether the policy names any.
        """
        if k > rows:
            return f"k is {k}, but the table has only {rows} rows"
        if self.method == "bottom-up" and rows > MOST_BOTTOM_UP:
            return f"bottom-up is for up to {MOST_BOTTOM_UP} rows; the table has {rows}"
        if self.method == "incognito" and self.improved:
            return "incognito keeps one level per column, so its classes cannot be improved"
        if self.for_recipients and not recipients:
            return f"{self.method} is for several recipients; the policy names none"
        if self.for_recipients and self.improved:
            return f"{self.method} looks for its own classes, which cannot be improved after it"
        return None

    def policy(self, policy: Policy, k: int, improve: ImprovePolicy) -> Policy:
        """Policy that orders this method at some k, without a metric it does not know."""
        known = self.method == "incognito" or policy.metric != "height"
        return policy.model_copy(
            update={
                "method": self.method,
                "metric": policy.metric if known else None,
                "improve": improve if self.improved else None,
                "privacy": policy.privacy.model_copy(update={"k": k}),
            }
        )


def contenders(names: Iterable[str], *, improved_too: bool = False) -> tuple[Contender, ...]:
    """Read methods as they are spelled, each once.

    Parameters
    ----------
    names
        Names of methods, each with or without ``+improve``.
    improved_too
        Whether to add every method that can be improved with its improvement, if none is spelled
        with it.

    Raises
    ------
    PapilioError
        If there is none, or one is unknown.
    """
    found = list(dict.fromkeys(_contender(name) for name in names))
    if not found:
        raise PapilioError(f"no method to compare; {_accepted()}", reason="unknown-method")
    if improved_too and not any(each.improved for each in found):
        found = [
            more
            for each in found
            for more in (each, Contender(each.method, improved=True))
            if more == each or (each.method != "incognito" and not each.for_recipients)
        ]
    return tuple(found)


def _contender(name: str) -> Contender:
    method = name.removesuffix(_IMPROVED)
    if method not in (*METHODS, *FOR_RECIPIENTS):
        close = difflib.get_close_matches(method, (*METHODS, *FOR_RECIPIENTS), n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise PapilioError(
            f"unknown method '{name}'{hint} ({_accepted()})", reason="unknown-method"
        )
    return Contender(method, improved=name != method)


def _accepted() -> str:
    several = " and ".join(FOR_RECIPIENTS)
    return (
        f"accepted are {', '.join(METHODS)}, each also with {_IMPROVED}, and for several "
        f"recipients {several}"
    )
