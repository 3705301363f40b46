"""The document about a comparison of methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markupsafe import Markup

from papilio.document.charts.trade_off import Axis, Point, colour_of, is_dashed, trade_off_chart
from papilio.document.comparison import Comparison, Outcome, Trial
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
from papilio.document.text import count, percentage, plural, prose, shown, significant

_NCP = Axis("NCP", "share of the domain an average cell covers", share=True)
_RATIO = Axis("Query ratio", "share of rows an average query finds", share=True, stretch=True)
_AVERAGE = Axis("Average class size", "rows per class, in units of k", stretch=True)
_CLASSIFICATION = Axis("Classification metric", "share of rows mislabelled", share=True)
_TIME = Axis("Time", "seconds", stretch=True)

#: Times below this are not told apart.
_SHORTEST = 0.001

#: A column of the table: its name, and what stands in it.
_Column = tuple[str, Callable[[Outcome], str]]


def render_comparison(comparison: Comparison) -> str:
    """Write the page of a comparison; it shows numbers and names of columns, and no value."""
    return render(document_of_comparison(comparison))


def document_of_comparison(comparison: Comparison) -> Document:
    """Tell everything about a comparison. Cost: four or five drawings."""
    quasi = plural(len(comparison.quasi), "quasi-identifier", "quasi-identifiers")
    return Document(
        purpose="Comparison of methods",
        name=comparison.table,
        subtitle=f"{plural(comparison.rows, 'row', 'rows')}, {quasi}",
        shows="This page shows statistics of the original data.",
        tiles=tuple(_best(comparison)),
        head=(),
        parts=(
            _trade_off(comparison),
            *_measures(comparison),
            _numbers(comparison),
            Part("How to read it", contents=(Terms(tuple(_words(comparison))),)),
        ),
        closing="Nothing was published.",
        made=comparison.made,
        papilio=comparison.papilio,
    )


def _best(comparison: Comparison) -> Iterator[Tile]:
    for trial in comparison.best:
        if trial.outcome is not None:
            words = f"least loss, by {trial.method}, at k = {count(trial.k)}"
            yield Tile(percentage(trial.outcome.ncp), words)


def _trade_off(comparison: Comparison) -> Part:
    several = len(comparison.best) > 1
    shape = (
        "Each line is a method: the lower it runs"
        if several
        else "Each bar is a method: the shorter it is"
    )
    besides = (
        f" Besides k, every release meets: {'; '.join(comparison.beside_k)}."
        if comparison.beside_k
        else ""
    )
    return Part(
        "Privacy against utility",
        f"The larger k, the more people each row could belong to, and the less its cells say. "
        f"{shape}, the more detail it keeps for the same privacy.{besides}",
        tuple(_main(comparison, several=several)),
        look="whole",
    )


def _main(comparison: Comparison, *, several: bool) -> Iterator[Content]:
    if not comparison.done:
        yield Text("None of the methods gave a release; the table below says why.", "violated")
        return
    if several:
        methods = dict.fromkeys(trial.method for trial, _ in comparison.done)
        yield Legend(
            tuple(
                Styled(each, "dashed" if is_dashed(each) else "solid", colour_of(each))
                for each in methods
            )
        )
    drawn = _picture(comparison, _NCP, lambda outcome: outcome.ncp, (WIDE, 330))
    yield Picture(_NCP.name, drawn, titled=False)


def _measures(comparison: Comparison) -> Iterator[Part]:
    """Drawings of everything but the NCP."""
    if comparison.done:
        exact = comparison.exact_query_ratio
        label = "" if comparison.label is None else shown(comparison.label)
        drawn: list[tuple[Axis, str, Callable[[Outcome], float], float | None]] = [
            (_RATIO, f"dotted: the original, {percentage(exact)}", lambda o: o.query_ratio, exact),
            (_AVERAGE, "best possible: 1", lambda o: o.average_class_size, None),
            (_CLASSIFICATION, f"of ‘{label}’", lambda o: o.classification or 0.0, None),
            (_TIME, "of the method alone", lambda o: max(o.seconds, _SHORTEST), None),
        ]
        pictures = tuple(
            Picture(axis.name, _picture(comparison, axis, value, (NARROW, 200), at), remark=note)
            for axis, note, value, at in drawn
            if axis is not _CLASSIFICATION or comparison.label is not None
        )
        yield Part("Other measures", contents=(Pictures(pictures),))


def _picture(
    comparison: Comparison,
    axis: Axis,
    value: Callable[[Outcome], float],
    size: tuple[int, int],
    reference: float | None = None,
) -> Markup:
    points = [Point(trial.method, trial.k, value(outcome)) for trial, outcome in comparison.done]
    width, height = size
    return trade_off_chart(points, axis, width=width, height=height, reference=reference)


def _numbers(comparison: Comparison) -> Part:
    columns = list(_columns(comparison))
    rows: list[tuple[Cell, ...]] = []
    for k in sorted({trial.k for trial in comparison.trials}):
        rows.append((f"k = {count(k)}",))
        rows += [_row(comparison, t, columns) for t in comparison.trials if t.k == k]
    table = Numbers(("Method", *(name for name, _ in columns)), tuple(rows), look="trials")
    legend = (Text("Green and bold: the least loss at that k.", "note"),) if comparison.best else ()
    return Part("All numbers", contents=(table, *legend))


def _row(comparison: Comparison, trial: Trial, columns: list[_Column]) -> tuple[Cell, ...]:
    if trial.outcome is None:
        return trial.method, f"not run: {prose(trial.why_not or '')}"
    best = trial in comparison.best
    outcome = trial.outcome
    name = Styled(trial.method, "least") if best else trial.method
    return name, *(write(outcome) for _, write in columns)


def _columns(comparison: Comparison) -> Iterator[_Column]:
    yield "NCP", lambda o: percentage(o.ncp)
    yield "Discernibility", lambda o: count(o.discernibility)
    yield "Classes", lambda o: count(o.classes)
    yield "Smallest class", lambda o: count(o.smallest)
    yield "Average ÷ k", lambda o: f"{o.average_class_size:.2f}"
    yield "Query ratio", lambda o: percentage(o.query_ratio)
    yield "Divergence", lambda o: significant(o.divergence)
    if comparison.label is not None:
        yield "CM", lambda o: percentage(o.classification or 0.0)
    if _some_left_out(comparison):
        yield "Left out", lambda o: count(o.left_out)
    yield "Seconds", lambda o: f"{o.seconds:.2f}"


def _some_left_out(comparison: Comparison) -> bool:
    return any(outcome.left_out for _, outcome in comparison.done)


def _words(comparison: Comparison) -> Iterator[tuple[str, str]]:
    yield (
        "NCP",
        "Normalised certainty penalty: the share of its column’s domain that an average cell of a "
        "quasi-identifier leaves open. 0% loses nothing, 100% tells nothing.",
    )
    yield (
        "Discernibility",
        "Sum of squared class sizes: each row costs the number of rows it cannot be told from. At "
        "best about rows × k.",
    )
    if comparison.recipients:
        yield (
            "Recipients",
            f"Each of {', '.join(map(shown, comparison.recipients))} sees other classes. "
            "Discernibility, the number of classes, their average and CM are means over the "
            "recipients; the smallest class is that of any of them.",
        )
    yield "Average ÷ k", "Rows per class in units of k. 1 is the best possible."
    yield (
        "Query ratio",
        f"{count(comparison.queries)} random queries ask for equality on one to "
        f"{len(comparison.quasi)} quasi-identifiers; the ratio is the share of the rows that an "
        "average one finds, counting every row that may match. The original itself has "
        f"{percentage(comparison.exact_query_ratio)}; the closer to that, the more precise the "
        "answers.",
    )
    yield (
        "Divergence",
        "Kullback–Leibler divergence, in bits, between a quasi-identifier and a recipient’s best "
        "guess of it; the mean over the columns. 0 if the guess is right.",
    )
    if comparison.label is not None:
        left_out = ", or that are left out" if _some_left_out(comparison) else ""
        yield (
            "CM",
            f"Classification metric: the share of rows whose ‘{shown(comparison.label)}’ is not "
            f"the most frequent one of their class{left_out}.",
        )
    yield (
        "Seconds",
        "Time the method took on this machine, without reading, encoding and verifying.",
    )
    if comparison.improve is not None:
        yield (
            "+improve",
            f"The method, and then a search for better classes: {comparison.improve} at most.",
        )
