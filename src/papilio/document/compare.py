"""The document about a comparison of variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from papilio.document.charts.trade_off import Axis, Point, is_dashed, looks_of, trade_off_chart
from papilio.document.html import render
from papilio.document.model import (
    NARROW,
    WIDE,
    Cell,
    Content,
    Document,
    Legend,
    Numbers,
    Part,
    Picture,
    Pictures,
    Styled,
    Terms,
    Text,
    Tile,
)
from papilio.document.text import count, percentage, plural, prose, significant
from papilio.version import __version__

if TYPE_CHECKING:
    from papilio.attack.lights import Light
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
    lights
        Colours of the three lights, by their names; none if nobody looked.
    reasons
        What those of them say that are amber or red, as :func:`reason_of` gives it.
    """

    loss: float
    risk: float
    people: int
    left_out: int
    seconds: float
    more: Mapping[str, float | None] = field(default_factory=dict)
    lights: Mapping[str, str] = field(default_factory=dict)
    reasons: tuple[Mapping[str, Any], ...] = ()

    @property
    def lit(self) -> str:
        """The colours of the lights in words: ``green/amber/green``."""
        return "/".join(self.lights.values()) or "–"


def reason_of(light: Light) -> dict[str, Any]:
    """Give plain data of a light that is amber or red: whom it is about, and what would help.

    ``remedy`` is that of the worst finding which has one, ``otherwise`` what helps where none has.
    """
    remedy, otherwise = next(iter(light.remedies), None), next(iter(light.otherwise), None)
    return {
        "light": light.name,
        "colour": light.colour.value,
        "sentence": light.sentence,
        "remedy": None if remedy is None else remedy.to_dict(),
        "otherwise": otherwise if remedy is None else None,
    }


def what_helps(reason: Mapping[str, Any]) -> str:
    """The line of the policy that a reason of an outcome names, or what helps instead."""
    remedy = reason["remedy"]
    return f"Try {remedy['line']}." if remedy else reason["otherwise"] or ""


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


#: Times below this are not told apart.
_SHORTEST = 0.001
#: A column of the table: its name, and what stands in it.
_Column = tuple[str, Callable[[Outcome], str]]


def render_comparison(comparison: Comparison) -> str:
    """Write the page of a comparison; it shows numbers and names of columns, and no value."""
    return render(document_of_comparison(comparison))


def document_of_comparison(comparison: Comparison) -> Document:
    """Tell everything about a comparison. Cost: a few drawings."""
    people = plural(comparison.people, "person", "people")
    return Document(
        purpose="Comparison of variants",
        name=comparison.table,
        subtitle=f"{people}, {plural(len(comparison.trials), 'variant', 'variants')}",
        shows="This page shows statistics of the original data.",
        tiles=tuple(_best(comparison)),
        head=(),
        parts=(
            _trade_off(comparison),
            *_measures(comparison),
            _numbers(comparison),
            *_lights(comparison),
            Part("How to read it", contents=(Terms(tuple(_words(comparison))),)),
        ),
        closing="Nothing was published.",
        made=comparison.made,
        papilio=comparison.papilio,
    )


def written(measure: Measure, value: float | None) -> str:
    """Write a figure as its measure asks."""
    if value is None:
        return "–"
    if measure.share:
        return percentage(value)
    return count(value) if isinstance(value, int) else significant(value)


def _best(comparison: Comparison) -> Iterator[Tile]:
    for trial in comparison.best:
        if trial.outcome is not None:
            others = [name for name in comparison.varied if name not in comparison.demands]
            by = ", ".join([*(f"{name} = {trial.values[name]}" for name in others), trial.method])
            at = ", ".join(f"{name} = {trial.values[name]}" for name in comparison.demands)
            words = f"least loss, by {by}" + (f", at {at}" if at else "")
            yield Tile(percentage(trial.outcome.loss), words)


def _several(comparison: Comparison) -> bool:
    return len({comparison.place(trial) for trial, _ in comparison.done}) > 1


def _trade_off(comparison: Comparison) -> Part:
    shape = (
        "Each line is a method or a variant of one: the lower it runs"
        if _several(comparison)
        else "Each bar is a method or a variant of one: the shorter it is"
    )
    beside = "; ".join(comparison.beside)
    besides = f" Besides, every release meets: {beside}." if beside else ""
    return Part(
        "Privacy against utility",
        f"{comparison.loss.words} {shape}, the more detail it keeps.{besides}",
        tuple(_main(comparison)),
        look="whole",
    )


def _main(comparison: Comparison) -> Iterator[Content]:
    if not comparison.done:
        yield Text("None of the variants gave a release; the table below says why.", "violated")
        return
    if _several(comparison):
        looks = looks_of([comparison.series(trial) for trial, _ in comparison.done])
        signs = (
            Styled(name, "dashed" if is_dashed(name) else "solid", colour)
            for name, (colour, _) in looks.items()
        )
        yield Legend(tuple(signs))
    loss = comparison.loss
    drawn = _picture(comparison, loss, lambda outcome: outcome.loss, (WIDE, 330), starred=True)
    yield Picture(loss.title, drawn, titled=False)


def _measures(comparison: Comparison) -> Iterator[Part]:
    """Drawings of everything but the loss."""
    if comparison.done:
        risk, size = comparison.risk, (NARROW, 200)
        pictures = [
            Picture(
                risk.title, _picture(comparison, risk, lambda o: o.risk, size), remark=_note(risk)
            )
        ]
        for measure in comparison.measures:
            if measure.drawn:
                drawn = _picture(comparison, measure, _more(measure), size, stretch=True)
                pictures.append(Picture(measure.title, drawn, remark=_note(measure)))
        time = Axis("Time", "seconds", stretch=True)
        points = _points(comparison, lambda outcome: max(outcome.seconds, _SHORTEST))
        drawn = _chart(comparison, points, time, size)
        pictures.append(Picture(time.name, drawn, remark="of making it alone"))
        yield Part("Other measures", contents=(Pictures(tuple(pictures)),))


def _more(measure: Measure) -> Callable[[Outcome], float]:
    return lambda outcome: outcome.more[measure.name] or 0.0


def _note(measure: Measure) -> str:
    if measure.reference is None:
        return measure.words.partition(":")[0].partition(".")[0]
    return f"dotted: the original, {written(measure, measure.reference)}"


def _picture(
    comparison: Comparison,
    measure: Measure,
    value: Callable[[Outcome], float],
    size: tuple[int, int],
    *,
    starred: bool = False,
    stretch: bool = False,
) -> Markup:
    axis = Axis(measure.title, measure.title, share=measure.share, stretch=stretch)
    points = _points(comparison, value, starred=starred)
    return _chart(comparison, points, axis, size, measure.reference)


def _points(
    comparison: Comparison, value: Callable[[Outcome], float], *, starred: bool = False
) -> list[Point]:
    best = comparison.starred if starred else ()
    return [
        Point(comparison.series(trial), comparison.place(trial), value(outcome), trial in best)
        for trial, outcome in comparison.done
    ]


def _chart(
    comparison: Comparison,
    points: list[Point],
    axis: Axis,
    size: tuple[int, int],
    reference: float | None = None,
) -> Markup:
    width, height = size
    along = comparison.parameter or "method"
    return trade_off_chart(
        points, axis, width=width, height=height, reference=reference, along=along
    )


def _numbers(comparison: Comparison) -> Part:
    columns = list(_columns(comparison))
    rows: list[tuple[Cell, ...]] = []
    for place in sorted({comparison.place(trial) for trial in comparison.trials}):
        if comparison.parameter is not None:
            rows.append((f"{comparison.parameter} = {place:,g}",))
        trials = [trial for trial in comparison.trials if comparison.place(trial) == place]
        rows += [_row(comparison, trial, columns) for trial in trials]
    table = Numbers(("Method", *(name for name, _ in columns)), tuple(rows), look="trials")
    words = "Green and bold, with a star above: the least loss under the same demands."
    legend = (Text(words, "note"),) if comparison.starred else ()
    return Part("All numbers", contents=(table, *legend))


def _lights(comparison: Comparison) -> Iterator[Part]:
    """What lights say that are amber or red, and what would help; nothing if there are none."""
    rows = tuple(
        (trial.words, reason["colour"], prose(reason["sentence"]), prose(what_helps(reason)))
        for trial, outcome in comparison.done
        for reason in outcome.reasons
    )
    if rows:
        head = ("Variant", "Light", "Who is exposed", "What would help")
        yield Part("Lights that are amber or red", contents=(Numbers(head, rows, look="plain"),))


def _row(comparison: Comparison, trial: Trial, columns: list[_Column]) -> tuple[Cell, ...]:
    series = comparison.series(trial)
    if trial.outcome is None:
        return series, f"not run: {prose(trial.why_not or '')}"
    outcome = trial.outcome
    name = Styled(series, "least") if trial in comparison.starred else series
    return name, *(write(outcome) for _, write in columns)


def _columns(comparison: Comparison) -> Iterator[_Column]:
    yield comparison.loss.title, lambda outcome: percentage(outcome.loss)
    yield comparison.risk.title, lambda outcome: percentage(outcome.risk)
    for measure in comparison.measures:
        yield measure.title, _writer(measure)
    yield "People", lambda outcome: count(outcome.people)
    if any(outcome.left_out for _, outcome in comparison.done):
        yield "Left out", lambda outcome: count(outcome.left_out)
    yield "Seconds", lambda outcome: f"{outcome.seconds:.2f}"
    yield "Lights", lambda outcome: outcome.lit


def _writer(measure: Measure) -> Callable[[Outcome], str]:
    return lambda outcome: written(measure, outcome.more[measure.name])


def _words(comparison: Comparison) -> Iterator[tuple[str, str]]:
    for measure in (comparison.loss, comparison.risk, *comparison.measures):
        yield measure.title, measure.words
    yield (
        "Seconds",
        "Time it took to make on this machine, without reading, verifying and measuring.",
    )
    yield (
        "Lights",
        "Colours of the three lights: the claims hold; what is marked secret stays secret; nobody "
        "stands alone.",
    )
    if comparison.improve is not None:
        yield (
            "+improve",
            f"The method, and then a search for better classes: {comparison.improve} at most.",
        )
