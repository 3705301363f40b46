"""The answer to a query: one row per group, bounds for every aggregate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any

from papilio.query.refusal import QueryError

if TYPE_CHECKING:
    import altair as alt
    import polars as pl


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


#: Most groups that are drawn.
_DRAWN = 500


def error_bars(answer: Answer, aggregate: str | None = None) -> alt.LayerChart:
    """Draw the bounds of one aggregate.

    Raises
    ------
    QueryError
        If there is no such aggregate, or so many groups that nothing could be read.
    """
    names = list(dict.fromkeys(line["aggregate"] for line in answer.lines()))
    name = aggregate or (names[0] if names else "")
    if name not in names:
        raise QueryError(
            f"the answer has no aggregate '{name}' to draw; it has {', '.join(names) or 'none'}",
            reason="unknown-aggregate",
        )
    if len(answer.rows) > _DRAWN:
        raise QueryError(
            f"{len(answer.rows)} groups are too many to draw; ask for at most {_DRAWN}",
            reason="too-many-groups",
        )
    rows: list[dict[str, object]] = [
        {
            "group": ", ".join("NULL" if each is None else str(each) for each in row.group.values())
            or "all rows",
            "lo": row.answers[name].lo,
            "hi": row.answers[name].hi,
            "estimate": row.answers[name].estimate,
        }
        for row in answer.rows
        if row.answers[name].lo is not None
    ]
    return _drawn(rows, name, ", ".join(answer.rows[0].group) if answer.rows else "")


def _drawn(rows: list[dict[str, object]], name: str, groups: str) -> alt.LayerChart:
    # Only those who draw answers wait for the library.
    import altair as alt

    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("group:N", sort=None, title=groups or None),
        tooltip=[alt.Tooltip(f"{each}:Q") for each in ("lo", "estimate", "hi")],
    )
    bars = base.mark_errorbar(ticks=True).encode(
        x=alt.X("lo:Q", title=name, scale=alt.Scale(zero=False)), x2="hi:Q"
    )
    dots = (
        base.mark_point(filled=True)
        .encode(x="estimate:Q")
        .transform_filter("isValid(datum.estimate)")
    )
    return alt.LayerChart(layer=[bars, dots])


#: Digits enough for every double.
_EXACT = Context(prec=1200)


@dataclass(frozen=True)
class AnswerRow:
    """One row of an answer.

    Attributes
    ----------
    group
        Value of each expression of ``GROUP BY`` that is selected, by its name in the query.
    answers
        Bounds of each aggregate, by its name in the query.
    sure
        Whether the true answer has this row; a group of a generalised release may have no row
        that surely matches.
    """

    group: Mapping[str, Any]
    answers: Mapping[str, Bounds]
    sure: bool = True


@dataclass(frozen=True)
class Answer:
    """The answer to a query over a release.

    A notebook shows it as a table.

    Attributes
    ----------
    rows
        In the order the query asks for.
    notes
        What is to be known about the answer as a whole.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> answer = pp.ask(release, "SELECT count(*) AS n FROM people WHERE age > 50")
    >>> 0 < answer["n"].lo <= answer["n"].hi < 300
    True
    >>> [line["aggregate"] for line in answer.lines()]
    ['n']
    """

    rows: tuple[AnswerRow, ...]
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Bounds:
        """Bounds of an aggregate by its name, if the answer has one row.

        Raises
        ------
        KeyError
            If there is no such aggregate, or not exactly one row.
        """
        if len(self.rows) != 1:
            raise KeyError(f"the answer has {len(self.rows)} rows; look into its rows")
        return self.rows[0].answers[name]

    def to_dict(self) -> dict[str, Any]:
        """Give it as ``query --json`` prints it."""
        found: dict[str, Any] = {"rows": [_plain_row(row) for row in self.rows]}
        return {**found, "notes": list(self.notes)} if self.notes else found

    def lines(self) -> Iterator[dict[str, Any]]:
        """Give one line per group and aggregate: group, aggregate, lo, hi, estimate, std, exact."""
        for row in self.rows:
            for name, each in row.answers.items():
                cells = {"lo": each.lo, "hi": each.hi, "estimate": each.estimate, "std": each.std}
                flags = {"exact": each.exact, "null": each.null, "sure": row.sure}
                yield {**row.group, "aggregate": name, **cells, **flags}

    def to_polars(self) -> pl.DataFrame:
        """Give it as a frame with one row per group.

        Each aggregate has the columns ``name_lo``, ``name_hi``, ``name_estimate``, ``name_std``,
        ``name_exact`` and ``name_null``.
        """
        import polars as pl

        return pl.DataFrame([_flat(row) for row in self.rows], infer_schema_length=None)

    def chart(self, aggregate: str | None = None) -> alt.LayerChart:
        """Draw the bounds of an aggregate, group by group, as an error bar chart.

        Parameters
        ----------
        aggregate
            Its name in the query; the first one if left out.
        """
        return error_bars(self, aggregate)

    def _repr_html_(self) -> str:
        lines = list(self.lines())
        names = [name for name in (lines[0] if lines else {}) if name not in ("null", "sure")]
        head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
        body = "".join(
            f"<tr>{''.join(_html_cell(line, name) for name in names)}</tr>" for line in lines
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def _plain_row(row: AnswerRow) -> dict[str, Any]:
    return {
        "group": {name: _json_value(value) for name, value in row.group.items()},
        "answers": {name: each.to_dict() for name, each in row.answers.items()},
        **({} if row.sure else {"sure": False}),
    }


def _json_value(value: Any) -> Any:
    """A value of a group for JSON."""
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and value - value == 0 else str(value)


def _flat(row: AnswerRow) -> dict[str, Any]:
    flat = dict(row.group)
    for name, each in row.answers.items():
        for cell in ("lo", "hi", "estimate", "std", "exact", "null"):
            flat[f"{name}_{cell}"] = getattr(each, cell)
    return flat if row.sure else {**flat, "sure": False}


def shown(value: Any, rounding: str = ROUND_HALF_EVEN) -> str:
    """A cell of an answer for people: six digits, and two places at least."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and isfinite(value):
        return f"{_rounded(Decimal(value), rounding):,f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def shown_bound(line: Mapping[str, Any], name: str) -> str:
    """``lo`` or ``hi`` of a line for people, rounded outward unless it is exact."""
    value = line[name]
    outward = ROUND_FLOOR if name == "lo" else ROUND_CEILING
    text = shown(value, ROUND_HALF_EVEN if line["exact"] else outward)
    if value is None:
        return "NULL"
    return f"NULL or {text}" if name == "lo" and line["null"] else text


def _rounded(number: Decimal, rounding: str) -> Decimal:
    """Round to six digits, but to no less than two places; trailing zeros go."""
    places = min(-2, number.adjusted() - 5)
    rounded = number.quantize(Decimal(1).scaleb(places), rounding, _EXACT)
    whole = rounded.to_integral_value()
    return whole if whole == rounded else rounded.normalize(_EXACT)


def _html_cell(line: Mapping[str, Any], name: str) -> str:
    value = line[name]
    text = shown_bound(line, name) if name in ("lo", "hi") else shown(value)
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    align = ' style="text-align: right"' if numeric else ""
    return f"<td{align}>{escape(text)}</td>"
