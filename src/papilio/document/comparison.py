"""What methods lose at several k, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from papilio.version import __version__

#: Losses that differ by no more than this are equal; they are sums of many numbers.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Outcome:
    """What a release loses, and how long its classes took.

    Attributes
    ----------
    ncp
        Normalised certainty penalty.
    discernibility
        Sum of squared class sizes.
    classes, smallest
        How many classes there are, and how many rows the smallest has.
    average_class_size
        Rows per class in units of k.
    query_ratio
        Share of (query, row) pairs that match.
    divergence
        Kullback-Leibler divergence in bits, the mean over the columns.
    classification
        Share of rows whose label is not that of their class; ``None`` without a label.
    left_out
        Rows that are not published.
    seconds
        Time the method took, without reading, encoding and measuring.
    """

    ncp: float
    discernibility: int
    classes: int
    smallest: int
    average_class_size: float
    query_ratio: float
    divergence: float
    classification: float | None
    left_out: int
    seconds: float


@dataclass(frozen=True)
class Trial:
    """One method at one k: an outcome, or the reason why there is none.

    Attributes
    ----------
    method
        The method; ``hybrid+improve`` is ``hybrid`` followed by the improvement.
    k
        The k.
    outcome
        What came out.
    why_not
        Why nothing did, in a sentence.
    """

    method: str
    k: int
    outcome: Outcome | None = None
    why_not: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without the parts that do not apply."""
        measured = {} if self.outcome is None else asdict(self.outcome)
        told = {} if self.why_not is None else {"why_not": self.why_not}
        return {"method": self.method, "k": self.k, **measured, **told}


@dataclass(frozen=True)
class Comparison:
    """All trials on one table.

    Attributes
    ----------
    table
        Its name.
    rows
        Number of its rows.
    quasi
        Its quasi-identifiers.
    beside_k
        What is demanded besides k, in words.
    label
        Column by which ``classification`` is measured, if there is one.
    queries
        How many queries were asked.
    exact_query_ratio
        Query ratio of the original itself.
    improve
        How long classes were improved, in words; ``None`` if none were.
    trials
        The trials, method after method.
    recipients
        Whose classes were measured, if there are several; the numbers are means over them, and
        the smallest class is that of any.
    papilio
        Version of Papilio.
    made
        When it was made.
    """

    table: str
    rows: int
    quasi: tuple[str, ...]
    beside_k: tuple[str, ...]
    label: str | None
    queries: int
    exact_query_ratio: float
    improve: str | None
    trials: tuple[Trial, ...]
    recipients: tuple[str, ...] = ()
    papilio: str = __version__
    made: date = field(default_factory=date.today)

    @property
    def done(self) -> tuple[tuple[Trial, Outcome], ...]:
        """Trials that have an outcome."""
        return tuple((each, each.outcome) for each in self.trials if each.outcome is not None)

    @property
    def best(self) -> tuple[Trial, ...]:
        """For each k, the trial with the smallest NCP, by ascending k; the first if several."""
        least: dict[int, tuple[Trial, Outcome]] = {}
        for trial, outcome in self.done:
            if trial.k not in least or outcome.ncp < least[trial.k][1].ncp - _ROUNDING:
                least[trial.k] = trial, outcome
        return tuple(least[k][0] for k in sorted(least))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, as ``papilio compare --json`` prints it."""
        return {
            "table": self.table,
            "rows": self.rows,
            "quasi": list(self.quasi),
            "beside_k": list(self.beside_k),
            "label": self.label,
            "queries": self.queries,
            "exact_query_ratio": self.exact_query_ratio,
            "improve": self.improve,
            **({"recipients": list(self.recipients)} if self.recipients else {}),
            "trials": [trial.to_dict() for trial in self.trials],
        }
