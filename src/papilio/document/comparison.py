"""What variants of a policy lose and risk, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from papilio.version import __version__

if TYPE_CHECKING:
    from papilio.families.choices import Change, Measure

#: Losses that are equal to so many digits are equal; they are sums of many numbers.
_DIGITS = 12


@dataclass(frozen=True)
class Outcome:
    """What a release comes to, and how long it took.

    Attributes
    ----------
    loss, risk
        What the family calls so, from 0 to 1; the comparison has the words.
    people, left_out
        People in the release, and people of the original who are not.
    seconds
        Time it took to make, without reading, compiling, verifying and measuring.
    more
        Further figures, by the names of their measures.
    """

    loss: float
    risk: float
    people: int
    left_out: int
    seconds: float
    more: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """One variant: an outcome, or the reason why there is none.

    Attributes
    ----------
    method
        The method; ``hybrid+improve`` is ``hybrid`` followed by the improvement.
    values
        What varies, by name, and the value it has.
    changes
        What the variant writes into the policy; ``None`` takes a key away.
    outcome
        What came out.
    why_not
        Why nothing did, in a sentence.
    """

    method: str
    values: Mapping[str, Any]
    changes: tuple[Change, ...] = ()
    outcome: Outcome | None = None
    why_not: str | None = None

    @property
    def words(self) -> str:
        """The variant in a few words."""
        return ", ".join([self.method, *(f"{name} = {v}" for name, v in self.values.items())])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without the parts that do not apply."""
        measured = {} if self.outcome is None else asdict(self.outcome)
        more = {"measures": measured.pop("more")} if measured else {}
        told = {} if self.why_not is None else {"why_not": self.why_not}
        return {"method": self.method, "values": dict(self.values), **measured, **more, **told}


@dataclass(frozen=True)
class Comparison:
    """All variants of a policy.

    Attributes
    ----------
    table
        Name of the table, or of the table of people, or of the links.
    people
        How many people there are in the original.
    varied, demands
        Names of what varies, and those among them that are demands.
    parameter
        That of them which runs along the picture; ``None`` if none of them is a number.
    beside
        What is demanded of every variant, in words.
    improve
        How long classes were improved, in words; ``None`` if none were.
    loss, risk, measures
        What the figures are.
    trials
        The variants, method after method.
    papilio
        Version of Papilio.
    made
        When it was made.
    """

    table: str
    people: int
    varied: tuple[str, ...]
    demands: tuple[str, ...]
    parameter: str | None
    beside: tuple[str, ...]
    improve: str | None
    loss: Measure
    risk: Measure
    measures: tuple[Measure, ...]
    trials: tuple[Trial, ...]
    papilio: str = __version__
    made: date = field(default_factory=date.today)

    @property
    def done(self) -> tuple[tuple[Trial, Outcome], ...]:
        """Variants that have an outcome."""
        return tuple((each, each.outcome) for each in self.trials if each.outcome is not None)

    @property
    def best(self) -> tuple[Trial, ...]:
        """Of variants with the same demands the one with the smallest loss; the first of several.

        In the order of what runs along the picture.
        """
        least = [min(rivals, key=_rounded_loss) for rivals in self._rivals()]
        return tuple(sorted(least, key=self.place))

    @property
    def starred(self) -> tuple[Trial, ...]:
        """Those of the best that are better than another one."""
        compared = [rivals for rivals in self._rivals() if len(rivals) > 1]
        return tuple(trial for trial in self.best if any(trial in each for each in compared))

    def _rivals(self) -> list[list[Trial]]:
        """Variants that have an outcome, by what is demanded of them."""
        found: dict[str, list[Trial]] = {}
        for trial, _ in self.done:
            demanded = [(name, trial.values[name]) for name in self.demands]
            found.setdefault(repr(demanded), []).append(trial)
        return list(found.values())

    def series(self, trial: Trial) -> str:
        """Line of the picture that a variant is on: its method and what else varies."""
        others = [f"{n} = {value}" for n, value in trial.values.items() if n != self.parameter]
        alone = others and len({each.method for each in self.trials}) == 1
        return ", ".join([*([] if alone else [trial.method]), *others])

    def place(self, trial: Trial) -> float:
        """Where along the picture it is."""
        return 0.0 if self.parameter is None else float(trial.values[self.parameter])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, as ``papilio compare --json`` prints it."""
        best = self.best
        figures = (self.loss, self.risk, *self.measures)
        return {
            "table": self.table,
            "people": self.people,
            "varied": list(self.varied),
            "demands": list(self.demands),
            "beside": list(self.beside),
            "improve": self.improve,
            "measures": {each.name: each.words for each in figures},
            "original": {e.name: e.reference for e in figures if e.reference is not None},
            "trials": [{**each.to_dict(), "best": each in best} for each in self.trials],
        }


def _rounded_loss(trial: Trial) -> float:
    return 1.0 if trial.outcome is None else round(trial.outcome.loss, _DIGITS)
