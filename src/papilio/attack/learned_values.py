"""Learned values: a model of each sensitive value, trained on nothing but the release.

A class with three illnesses seems to say one third each. But the classes together say at which ages
each illness occurs, and whoever has learnt that knows better which of the three is a person's: the
rows of a release are no draws that tell nothing of each other. Most of what is learnt so is true of
everybody, in the release or not, and no way of publishing that leaves data of use can hide it. What
being in the release cost a person is what is guessed better of them than of people who are not in
it. So people are held out, and guessed in the same way.

Source: Kifer, "Attacks on privacy and de Finetti's theorem", SIGMOD 2009, sections 3 and 4. The
model is naive Bayes, as in section 4.2; where Kifer draws ways to deal the values of a group out
by Gibbs sampling, expected numbers are taken here, as a few steps of expectation maximisation give.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.looks import restricted
from papilio.attack.result import (
    ORIGINAL,
    AttackResult,
    confront,
    people,
    recipients_of,
    someone_knowing,
)
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.randomness import sampling
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release
from papilio.verify.cover import Cover
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs
from papilio.verify.numbering import Side, number_every_row

NAME = "learned_values"
#: Kinds of values that are told apart: of the sensitive column, and of a known one.
_KINDS, _BINS = 12, 24
#: Values of a column that are compared with its cells, classes or rows learnt from, people tried.
_COMPARED, _MOST_ITEMS, _MOST_TRIED = 2_000, 200_000, 4_000
#: Steps of the fit, and how often values are dealt out in each.
_STEPS, _DEALS = 15, 5
#: Chance at which a column that says nothing is nevertheless learnt from.
_MISTAKEN = 0.001
#: Standard errors on either side of an interval that covers 95 of 100 truths.
_ERRORS = 1.96
#: Belief from which on a value counts as known.
_SURE = 0.9

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


def learned_values(
    release: Release, original: Table, policy: Policy, control: Table
) -> Iterator[AttackResult]:
    r"""Learn from a release, and guess people who are in it and people who are not.

    Published rows are *items* with cells :math:`c_j` in groups g, which have :math:`n_g(v)` rows of
    value v: a class is one item, in permuted releases the people of a group are items of their own
    whose values are dealt out to them. With :math:`\theta_{jv}` the chances of the values of known
    column j among people who have v, and :math:`\theta_v(x) = \prod_j \theta_{jv}(x_j)`, of a
    person x in group g

    .. math:: P(v \mid x, g) \propto \theta_v(x) F_g(v),

    with F such that the beliefs of a group's people add up to :math:`n_g(v)`. The fit goes back
    and forth between beliefs and :math:`\theta`. Only columns whose values go with v more than
    chance explains (chi-squared, mistaken once in 1000 tables) are learnt from, so that where
    nothing is to be learnt nothing is. Somebody whom several items cover may be any of their rows;
    whom none covers is guessed by the model alone. Up to 24 bands of neighbouring values are told
    apart of a known column, 12 of the sensitive one: bands of numbers, or the most frequent labels
    and one for all others.

    Figures, for people of the release and the same with ``control_`` for held-out ones: ``people``
    who were tried; ``right``, how many the best guess finds in expectation; ``plain``, the same
    from the numbers of the group alone; ``gain``, the difference as a share, and ``gain_error``,
    half its 95 % confidence interval. ``leak``: share found of people in the release, less that of
    control people, with ``leak_error``. ``sure``: people whose true value is believed with at least
    0.9, which the group alone did not say. ``columns``: known columns that were learnt from.

    Parameters
    ----------
    release, original, policy
        A release, the table it was made from, and how.
    control
        People who are not in it, with the same columns.

    Notes
    -----
    Does not try: dependence between known columns; several sensitive columns together; the order of
    bands. Cost: 15 steps of items times bands times kinds for each known column; above 200,000
    items nothing is tried.
    """
    tables = [each for each in release.manifest.tables if _is_about_people(each)]
    for name, known in recipients_of(policy).items():
        attacker = f"{someone_knowing(name, known)}, and what the release teaches"
        for table in tables:
            columns = [each.name for each in table.columns if each.name in known]
            for reading in _readings(release, table):
                yield _result(attacker, release, table, columns, reading, original, control)


def _is_about_people(table: PublishedTable) -> bool:
    return any(column.role == "quasi" for column in table.columns)


@dataclass(frozen=True, eq=False)
class Reading:
    """Where values of a sensitive column stand.

    Attributes
    ----------
    column
        Its name.
    group
        Column of the table of people that says whose values they share; ``None`` for classes.
    rows
        The frame that has the values, and its groups.
    """

    column: str
    group: str | None
    rows: pl.DataFrame


def _readings(release: Release, table: PublishedTable) -> Iterator[Reading]:
    """Sensitive columns of a table, or of the table of values that goes with it."""
    frame = release.frames[table.name]
    for column in table.columns:
        if column.role == "sensitive" and column.cells == "value":
            yield Reading(column.name, None, frame)
    beside = next((t for t in release.manifest.tables if t.name == f"{table.name}_values"), None)
    if beside is None:
        return
    (group,) = (column.published[0] for column in beside.columns if column.cells == "group")
    for column in beside.columns:
        if column.role == "sensitive":
            ends = [pl.col(name) for name in column.published]
            shown = release.frames[beside.name].select(
                group, ends[0].alias("low"), ends[-1].alias("high")
            )
            yield Reading(column.name, group, shown)


@dataclass(frozen=True, eq=False)
class Items:
    """What there is to learn from.

    Attributes
    ----------
    group
        Group of each item.
    many
        Rows of each.
    cells
        Per known column, the share of each band that the item's cell allows.
    counts
        Group and kind of value -> rows.
    """

    group: _Ints
    many: _Floats
    cells: tuple[_Floats, ...]
    counts: _Floats


@dataclass(frozen=True, eq=False)
class Model:
    """What was learnt.

    Attributes
    ----------
    chances
        Per known column that was learnt from, kind of value and band -> chance; else ``None``.
    factors
        Group and kind -> F of :func:`learned_values`.
    """

    chances: tuple[_Floats | None, ...]
    factors: _Floats

    def likelihood(self, weights: Sequence[_Floats]) -> _Floats:
        """Chance of what is known, for each kind of value; a line per item or person."""
        lines, kinds = len(weights[0]) if weights else 1, self.factors.shape[1]
        told = np.zeros((lines, kinds))
        for chances, weight in zip(self.chances, weights, strict=True):
            if chances is not None:
                told += np.log(np.maximum(weight @ chances.T, 1e-300))
        likelihood: _Floats = np.exp(told - told.max(axis=1, keepdims=True))
        return likelihood


def fit(items: Items) -> Model:
    """Learn a model from items; see :func:`learned_values`."""
    dealt = _share(items.counts)[items.group] * items.many[:, np.newaxis]
    whole = [_spread(cells, items.many[:, np.newaxis]) for cells in items.cells]
    tables = [
        _table(cells, dealt, each.repeat(dealt.shape[1], 0))
        for cells, each in zip(items.cells, whole, strict=True)
    ]
    known = [_goes_with(table, len(tables)) for table in tables]
    chances = tuple(
        _smoothed(table, each) if told else None
        for table, each, told in zip(tables, whole, known, strict=True)
    )
    model = Model(chances, _share(items.counts))
    if not any(known):
        return model
    for _ in range(_STEPS):
        dealt, factors = _deal(items, model.likelihood(items.cells))
        chances = tuple(
            None if old is None else _smoothed(_table(cells, dealt, old), each)
            for cells, old, each in zip(items.cells, model.chances, whole, strict=True)
        )
        model = Model(chances, factors)
    return Model(model.chances, _deal(items, model.likelihood(items.cells))[1])


def _share(counts: _Floats) -> _Floats:
    share: _Floats = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1e-300)
    return share


def _spread(cells: _Floats, many: _Floats) -> _Floats:
    """Chances of the bands of a column among all rows, whose cells allow some of them."""
    chances = np.full((1, cells.shape[1]), 1 / cells.shape[1])
    for _ in range(_STEPS):
        chances = _share(_table(cells, many, chances))
    return chances


def _table(cells: _Floats, dealt: _Floats, chances: _Floats) -> _Floats:
    """Expected rows of each kind and band: rows of a cell are divided as the chances are."""
    inside = np.maximum(cells @ chances.T, 1e-300)
    return np.asarray((dealt / inside).T @ cells * chances, np.float64)


def _smoothed(table: _Floats, whole: _Floats) -> _Floats:
    """Chances of bands for each kind, drawn towards those of all rows by one row per band."""
    return _share(table + table.shape[1] * whole)


def _goes_with(table: _Floats, columns: int) -> bool:
    """Whether kinds and bands go together more than chance explains."""
    from scipy.stats import chi2

    full = table[table.sum(axis=1) >= 1]
    full = full[:, full.sum(axis=0) >= 2 * len(full)]
    if min(full.shape) < 2:
        return False
    expected = full.sum(axis=1, keepdims=True) * full.sum(axis=0) / full.sum()
    statistic = float(((full - expected) ** 2 / expected).sum())
    freedom = (full.shape[0] - 1) * (full.shape[1] - 1)
    return bool(chi2.sf(statistic, freedom) < _MISTAKEN / columns)


def _deal(items: Items, told: _Floats) -> tuple[_Floats, _Floats]:
    """Deal the values of groups out to their items; also the factor of each group and kind."""
    groups, kinds = items.counts.shape
    factors = np.ones((groups, kinds))
    row = items.many.copy()
    for _ in range(_DEALS):
        sums = np.zeros((groups, kinds))
        np.add.at(sums, items.group, told * row[:, np.newaxis])
        factors = items.counts / np.maximum(sums, 1e-300)
        dealt = told * factors[items.group]
        row = items.many / np.maximum(dealt.sum(axis=1), 1e-300)
    return dealt * row[:, np.newaxis], factors


def _result(
    attacker: str,
    release: Release,
    table: PublishedTable,
    columns: Sequence[str],
    reading: Reading,
    original: Table,
    control: Table,
) -> AttackResult:
    if not columns:
        return AttackResult(NAME, attacker, "Not tried: no column of a person is known.")
    kinds = kinds_of(reading)
    if kinds is None:
        reason = f"cells of {reading.column} are no values, nor ranges of numbers"
        return AttackResult(NAME, attacker, f"Not tried: {reason}.")
    members = sampling().permutation(original.height)[:_MOST_TRIED]
    shown = [original.frame[members], control.frame]
    wanted = [*columns, reading.column]
    both = pl.concat([frame.select(wanted) for frame in shown], how="vertical_relaxed")
    with confront(release, both) as opened:
        asked = restricted(opened, table, columns)
        fitting = fitting_of(opened, asked, ORIGINAL)
        persons, rows = number_every_row(opened, asked, ORIGINAL)
    items, boxes = _items(rows, fitting, release.frames[table.name], reading, kinds)
    if len(items.many) > _MOST_ITEMS:
        reason = f"there are more than {_MOST_ITEMS:,} classes or people to learn from"
        return AttackResult(NAME, attacker, f"Not tried: {reason}.")
    believed = _believed(fit(items), items, boxes, persons, fitting)
    truth = kinds.of(both.get_column(reading.column))
    figures = _figures(*believed, truth, len(members))
    return AttackResult(NAME, attacker, _sentence(reading.column, figures), figures)


@dataclass(frozen=True, eq=False)
class Kinds:
    """Values of a sensitive column that are told apart.

    Attributes
    ----------
    ends
        Where bands of numbers end; ``None`` if values are labels.
    labels
        Label or number -> kind; all others are of the last kind.
    many
        How many kinds there are; the last is for what is missing.
    """

    ends: _Floats | None
    labels: dict[object, int]
    many: int

    def of(self, series: pl.Series) -> _Ints:
        """Kind of each value."""
        if self.ends is None:
            shown = [self.labels.get(each, self.many - 2) for each in _texts(series)]
            return np.where(series.is_null().to_numpy(), self.many - 1, np.array(shown, np.int64))
        numbers = _numbers(series)
        found = np.searchsorted(self.ends, np.nan_to_num(numbers), side="left")
        return np.where(np.isnan(numbers), self.many - 1, found)


def _texts(series: pl.Series) -> list[str | None]:
    return series.cast(pl.String).to_list()


def _numbers(series: pl.Series) -> _Floats:
    plain = series.to_physical() if series.dtype.is_temporal() else series
    return plain.cast(pl.Float64).to_numpy()


def _is_ordered(series: pl.Series) -> bool:
    return series.dtype.is_numeric() or series.dtype.is_temporal()


def kinds_of(reading: Reading) -> Kinds | None:
    """Find kinds among what is published; ``None`` if cells are ranges of labels."""
    frame = reading.rows
    low = frame.get_column(reading.column if reading.group is None else "low")
    high = low if reading.group is None else frame.get_column("high")
    if not _is_ordered(low) or low.n_unique() <= 2:
        if not low.equals(high.alias(low.name)):
            return None
        often = pl.Series("value", _texts(low)).drop_nulls().value_counts(sort=True)
        frequent = sorted(often.head(_KINDS - 1).get_column("value").to_list())
        return Kinds(None, {each: at for at, each in enumerate(frequent)}, len(frequent) + 2)
    numbers = np.concatenate([_numbers(low), _numbers(high)])
    numbers = numbers[~np.isnan(numbers)]
    places = np.arange(1, _KINDS) / _KINDS
    ends = np.unique(np.quantile(numbers, places, method="lower")) if len(numbers) else numbers
    return Kinds(ends, {}, len(ends) + 2)


def _counts(reading: Reading, kinds: Kinds, group: _Ints, groups: int) -> _Floats:
    """Rows of each group and kind; a range is divided among the bands it reaches by their width."""
    counts = np.zeros((groups, kinds.many))
    if reading.group is None:
        np.add.at(counts, (group, kinds.of(reading.rows.get_column(reading.column))), 1.0)
        return counts
    low, high = (reading.rows.get_column(name) for name in ("low", "high"))
    first, last = kinds.of(low), kinds.of(high)
    same = first == last
    np.add.at(counts, (group[same], first[same]), 1.0)
    if kinds.ends is None or same.all():
        return counts
    starts, stops = _numbers(low)[~same], _numbers(high)[~same]
    edges = np.concatenate([[-np.inf], kinds.ends, [np.inf]])
    for kind in range(len(edges) - 1):
        inside = np.minimum(stops, edges[kind + 1]) - np.maximum(starts, edges[kind])
        np.add.at(counts, (group[~same], kind), np.maximum(inside, 0) / (stops - starts))
    return counts


def _items(
    rows: _Ints, fitting: Fitting, frame: pl.DataFrame, reading: Reading, kinds: Kinds
) -> tuple[Items, _Ints]:
    """What there is to learn from, and the cells of each item."""
    if reading.group is None:
        boxes, item = np.unique(rows, axis=0, return_inverse=True)
        group = np.arange(len(boxes))
        counts = _counts(reading, kinds, item.ravel(), len(boxes))
    else:
        names = pl.concat([frame.get_column(reading.group), reading.rows.get_column(reading.group)])
        numbers = names.rank("dense").to_numpy().astype(np.int64) - 1
        lines = np.column_stack([rows, numbers[: len(rows)]])
        found, item = np.unique(lines, axis=0, return_inverse=True)
        boxes, group = found[:, :-1], found[:, -1]
        counts = _counts(reading, kinds, numbers[len(rows) :], int(numbers.max()) + 1)
    many = np.bincount(item.ravel(), minlength=len(boxes)).astype(np.float64)
    cells = tuple(
        _allowed(boxes[:, place], cover, _highest(fitting, place))
        for place, cover in enumerate(fitting.covers)
    )
    return Items(group, many, cells, counts), boxes


def _highest(fitting: Fitting, place: int) -> int:
    return int(fitting.supply.numbers[:, place].max(initial=0))


def _band(numbers: _Ints, highest: int) -> _Ints:
    """Band of values that are numbered by size; the first is for what is missing."""
    bands = min(_BINS, max(highest, 1))
    return np.where(numbers <= 0, 0, 1 + (np.maximum(numbers, 1) - 1) * bands // max(highest, 1))


def _allowed(cells: _Ints, cover: Cover | None, highest: int) -> _Floats:
    """Share of each band that each cell allows."""
    bands = min(_BINS, max(highest, 1)) + 1
    if cover is None:
        # What nobody among the people who are tried has stands in no band, and says nothing.
        known = np.eye(bands)[_band(cells, highest)]
        known[cells < 0] = 1.0
        return known
    different, which = np.unique(cells, return_inverse=True)
    values = np.unique(np.linspace(0, highest, min(highest + 1, _COMPARED)).astype(np.int64))
    inside = np.eye(bands)[_band(values, highest)]
    inside /= np.maximum(inside.sum(axis=0), 1)
    told = np.empty((len(different), bands))
    for place, cell in enumerate(different):
        allowed = cover.allows(np.full(len(values), cell), values)
        told[place] = allowed.astype(np.float64) @ inside
    return told[which.ravel()]


def _believed(
    model: Model, items: Items, boxes: _Ints, persons: _Ints, fitting: Fitting
) -> tuple[_Floats, _Floats]:
    """Beliefs in the kinds of each person's value: what was learnt, and the group alone."""
    points, which = np.unique(persons, axis=0, return_inverse=True)
    weights = [
        np.eye(cells.shape[1])[_band(points[:, place], _highest(fitting, place))]
        for place, cells in enumerate(items.cells)
    ]
    told = model.likelihood(weights)
    plain = _share(items.counts)
    learnt, alone = np.zeros(told.shape), np.zeros(told.shape)
    sides = Side(points, np.ones(len(points), np.int64)), Side(boxes, items.many.astype(np.int64))
    for some, reached in fitting_pairs(Fitting(*sides, fitting.covers)):
        groups, many = items.group[reached], items.many[reached, np.newaxis]
        np.add.at(learnt, some, _share(told[some] * model.factors[groups]) * many)
        np.add.at(alone, some, plain[groups] * many)
    nobody = alone.sum(axis=1) == 0
    whole = _share(items.counts.sum(axis=0))
    learnt[nobody], alone[nobody] = told[nobody] * whole, whole
    return _share(learnt)[which.ravel()], _share(alone)[which.ravel()]


def _figures(learnt: _Floats, alone: _Floats, truth: _Ints, members: int) -> dict[str, int | float]:
    right, plain = _right(learnt, truth), _right(alone, truth)
    own = np.arange(len(truth)), truth
    sure = (learnt[own] >= _SURE) & (alone[own] < _SURE)
    figures: dict[str, int | float] = {}
    for prefix, some in (("", slice(0, members)), ("control_", slice(members, None))):
        gain = right[some] - plain[some]
        figures |= {
            f"{prefix}people": len(gain),
            f"{prefix}right": float(right[some].sum()),
            f"{prefix}plain": float(plain[some].sum()),
            f"{prefix}gain": float(gain.mean()),
            f"{prefix}gain_error": _error(gain),
            f"{prefix}sure": int(sure[some].sum()),
        }
    found = right[:members], right[members:]
    leak = float(found[0].mean() - found[1].mean())
    error = math.hypot(*(_error(each) for each in found))
    return {**figures, "leak": leak, "leak_error": error}


def _right(beliefs: _Floats, truth: _Ints) -> _Floats:
    """Chance that the best guess is right; of equally good ones any is taken."""
    best = beliefs >= beliefs.max(axis=1, keepdims=True) * (1 - 1e-9)
    found = best[np.arange(len(truth)), truth]
    return np.asarray(found / best.sum(axis=1), np.float64)


def _error(numbers: _Floats) -> float:
    """Half of the 95 % confidence interval of a mean."""
    if len(numbers) < 2:
        return 1.0
    return _ERRORS * float(numbers.std(ddof=1)) / math.sqrt(len(numbers))


def _sentence(column: str, figures: dict[str, int | float]) -> str:
    control, tried = int(figures["control_people"]), int(figures["people"])
    found, other, plain = (
        f"{100 * figures[f'{one}'] / figures[f'{many}']:.3g}%"
        for one, many in (
            ("right", "people"), ("control_right", "control_people"), ("plain", "people")
        )
    )  # fmt: skip
    leak, error = 100 * figures["leak"], 100 * figures["leak_error"]
    meant = "more than chance explains" if leak > error else "no more than chance explains"
    return (
        f"A model learnt from a release that was made once more, without {control:,} control "
        f"people, guesses {column} rightly of {found} of {tried:,} people in it, where their "
        f"groups alone give {plain}, and of {other} of the control people; being in it costs "
        f"{leak:.2g} percentage points (± {error:.2g}), {meant}. "
        f"{_capital(people(int(figures['sure']), tried))} became known with a chance of 90% or "
        "more."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
