"""What is known about the answer to a question."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite
from typing import Any

#: What an aggregate can be; ``None`` is SQL's NULL.
Number = int | float | date | datetime | str | None


@dataclass(frozen=True)
class Bounds:
    """The answer to one aggregate over a release.

    Attributes
    ----------
    lo, hi
        The true answer lies between them, whatever the original was.
    estimate
        Its mean if every original that fits the release is equally likely; ``None`` if unknown.
    std
        Its standard deviation under the same assumption; ``None`` if unknown.
    exact
        Whether the release determines the answer; then ``lo``, ``hi`` and ``estimate`` are equal.
    null
        Whether the answer may also be NULL, because perhaps no value is aggregated; ``lo`` and
        ``hi`` then bound it if it is not.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> bounds = pp.ask(release, "SELECT count(*) AS n FROM people WHERE age > 50")["n"]
    >>> bounds.lo <= bounds.estimate <= bounds.hi
    True
    """

    lo: Number
    hi: Number
    estimate: Number
    std: float | None
    exact: bool
    null: bool = False

    @classmethod
    def known(cls, value: Number) -> Bounds:
        """An answer that the release determines."""
        return cls(value, value, value, 0.0, exact=True)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON; ``null`` is there only if the answer may be NULL."""
        numbers = {"lo": self.lo, "hi": self.hi, "estimate": self.estimate, "std": self.std}
        plain = {name: _plain(value) for name, value in numbers.items()}
        return {**plain, "exact": self.exact, **({"null": True} if self.null else {})}


def _plain(value: Number) -> int | float | str | None:
    """Dates as ISO text; JSON has no type for them, and none for what is no number."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value
