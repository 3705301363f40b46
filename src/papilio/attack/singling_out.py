"""Singling out: conditions that are read off the release and are true of exactly one person.

The General Data Protection Regulation asks whether somebody can be singled out, and Cohen and
Nissim made that a game: after a look at the release an attacker names a condition on a row's
values, a *predicate*. It *isolates* if exactly one row of the original meets it. A predicate that
is named without a look does so by chance, so only those count which hardly anybody meets: of a
weight below 1 / n, where chance isolates with about 1 / e at most.

Source: Cohen and Nissim, "Towards formalizing the GDPR's notion of singling out", PNAS 117(15),
2020 (predicate singling out; that k-anonymity does not prevent it).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.certain_rows import ATTACKER, Ints, Numbered, numbered_by_cells
from papilio.attack.result import AttackResult, in_part, parts_of
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.verify.cover import Cover
from papilio.verify.fitting import fitting_pairs

NAME = "singling_out"

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Predicates:
    """Conditions "in the cells of this class, and this column has this value".

    Attributes
    ----------
    of_class, column, value
        The class, the column and the number of the value.
    weight
        Chance that a row drawn column by column from the marginals meets it.
    again
        Chance that it has the value, if it is in the cells.
    """

    of_class: Ints
    column: Ints
    value: Ints
    weight: Reals
    again: Reals


def singling_out(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    r"""Read one predicate off each class, and look whether it isolates.

    The predicates are "in all cells of the class, and this column has this value", for each column
    that varies and each value that its cell proves (:mod:`papilio.attack.certain_rows`): at least
    one row meets it. Of those of a weight :math:`w < 1 / n` the attacker takes the one whose value
    is rarest in its cell, without knowing the original, which only says if they are right.

    The weight is that under the product of the release's own marginals: in each column every
    published row is spread evenly over the values of the original that its cell allows. Chance
    isolates with :math:`n w (1 - w)^{n - 1}`, at most about :math:`1 / e` however w is chosen.

    Figures: ``rows``, n; ``classes``; ``read_off``, classes with a predicate of a weight below
    1 / n; ``isolating``, those whose predicate exactly one row of the original meets; ``share`` of
    the classes that are isolating; ``chance``, what it would be by chance, on average over the
    predicates that were read off. It is a share of classes and says of nobody who they are, so
    nobody is counted as exposed; whose whole row follows, :mod:`papilio.attack.certain_rows` says.

    Not tried: predicates about values that are published as they were, which isolate whoever is
    the only one of a class with a value; conditions on several columns of a class; random
    conditions, which isolate somebody of a class with about 1 / e whatever its cells say.

    Notes
    -----
    Cost: that of finding which rows fit which cells, and a few passes over these pairs.
    """
    del policy
    for part in parts_of(release, original):
        yield _result(release, part)


def _result(release: Release, original: Table) -> AttackResult:
    attacker = in_part(ATTACKER, original, release)
    table = release.manifest.table(original.name)
    quasi = [column.name for column in table.columns if column.role == "quasi"]
    if not quasi:
        return AttackResult(NAME, attacker, "Not tried: the release has no quasi-identifier.")
    figures = _figures(numbered_by_cells(release, table, original, quasi))
    return AttackResult(NAME, attacker, _sentence(figures), figures)


def _figures(both: Numbered) -> dict[str, int | float]:
    n, classes = len(both.values), len(both.fitting.demand.numbers)
    chosen = rarest(predicates_of(both), 1 / max(n, 1))
    isolating = int((meeting(both, chosen) == 1).sum())
    by_chance = n * chosen.weight * (1 - chosen.weight) ** (n - 1)
    return {
        "rows": n,
        "classes": classes,
        "read_off": len(chosen.of_class),
        "isolating": isolating,
        "share": isolating / classes if classes else 0.0,
        "chance": float(by_chance.mean()) if len(by_chance) else 0.0,
    }


def _sentence(figures: dict[str, int | float]) -> str:
    read_off, isolating = int(figures["read_off"]), int(figures["isolating"])
    if not read_off:
        return "No condition that hardly anybody meets can be read off a class."
    share = isolating / read_off
    conditions = "1 condition" if read_off == 1 else f"{read_off:,} conditions"
    told = "is" if isolating == 1 else "are"
    return (
        f"From {int(figures['classes']):,} classes {conditions} can be read off that hardly "
        f"anybody meets; {isolating:,} of them ({100 * share:.3g}%) {told} true of exactly one "
        f"row, where chance makes it {100 * figures['chance']:.3g}%."
    )


def predicates_of(both: Numbered) -> Predicates:
    """All predicates of one proven value, with their weights."""
    classes = both.fitting.demand.numbers
    marginals = [
        _marginal(cover, both.cells[:, place], both.values[:, place])
        for place, cover in enumerate(both.fitting.covers)
    ]
    inside = np.column_stack([each[classes[:, c]] for c, (_, each) in enumerate(marginals)])
    whole = inside.prod(axis=1)
    parts = []
    for place, (proof, (mass, _)) in enumerate(zip(both.proofs, marginals, strict=True)):
        pairs = pl.DataFrame({"cell": proof.cell, "value": proof.value})
        varying = np.flatnonzero(~proof.single[classes[:, place]])
        here = pl.DataFrame({"class": varying, "cell": classes[varying, place]})
        told = here.join(pairs, on="cell").filter(pl.col("value") >= 0).sort("class", "value")
        which, value = told.get_column("class").to_numpy(), told.get_column("value").to_numpy()
        # Cells of a class that says what no row has are met by nobody.
        around = inside[which, place]
        again = np.divide(mass[value], around, out=np.zeros(len(which)), where=around > 0)
        column = np.full(len(which), place, np.int64)
        parts.append((which, column, value, whole[which] * again, again))
    return Predicates(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _marginal(cover: Cover | None, cells: Ints, values: Ints) -> tuple[Reals, Reals]:
    """Per number of a value, and per cell, the chance that a row drawn from the release has it."""
    size = int(values.max(initial=0)) + 1
    if cover is None:
        mass = np.bincount(cells[cells >= 0], minlength=size) / max(len(cells), 1)
        return mass, mass
    size = max(size, cover.size)
    # A column without NULL has none behind a label that would allow it.
    null = cover.null & (values == 0).any()
    runs = np.flatnonzero(~cover.gaps & (cover.first <= cover.last))
    of_member, member = np.divmod(cover.members, cover.size)
    many = np.bincount(of_member, minlength=len(cover.first)) + null
    many[runs] += cover.last[runs] - cover.first[runs] + 1
    rows = np.bincount(cells, minlength=len(cover.first)) / max(len(cells), 1)
    each = np.divide(rows, many, out=np.zeros(len(rows)), where=many > 0)
    steps = np.zeros(size + 1)
    np.add.at(steps, cover.first[runs], each[runs])
    np.add.at(steps, cover.last[runs] + 1, -each[runs])
    # What is left of rounding must not make a chance negative.
    mass = np.maximum(np.cumsum(steps)[:size], 0.0)
    np.add.at(mass, member, each[of_member])
    mass[0] += each[null].sum()
    before = np.concatenate([[0.0], np.cumsum(mass)])
    inside = np.bincount(of_member, mass[member], minlength=len(rows)) + null * mass[0]
    inside[runs] += before[cover.last[runs] + 1] - before[cover.first[runs]]
    return mass, inside


def rarest(found: Predicates, below: float) -> Predicates:
    """Of each class the light predicate whose value is rarest in its cell; the first of several."""
    light = np.flatnonzero(found.weight < below)
    order = light[np.lexsort((found.weight[light], found.again[light], found.of_class[light]))]
    _, first = np.unique(found.of_class[order], return_index=True)
    kept = order[first]
    return Predicates(
        found.of_class[kept],
        found.column[kept],
        found.value[kept],
        found.weight[kept],
        found.again[kept],
    )


def meeting(both: Numbered, asked: Predicates) -> Ints:
    """How many rows of the original meet each predicate, of which there is one for a class."""
    supply = both.fitting.supply
    place = np.full(len(both.fitting.demand.numbers), -1, np.int64)
    place[asked.of_class] = np.arange(len(asked.of_class))
    met = np.zeros(len(asked.of_class), np.int64)
    for row, box in fitting_pairs(both.fitting):
        which = place[box]
        row, which = row[which >= 0], which[which >= 0]
        meets = supply.numbers[row, asked.column[which]] == asked.value[which]
        np.add.at(met, which[meets], supply.count[row[meets]])
    return met
