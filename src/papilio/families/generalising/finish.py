"""The published rows of one piece, and what the release says of all of them.

Pieces are finished by the same methods and kernels as a table in memory. What differs is where the
meanings of codes and the distribution of the whole table come from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.people import People, PeopleCounted
from papilio.errors import InfeasibleError, InternalError
from papilio.families import method_of
from papilio.families.classes import Classes
from papilio.families.engines.meanings import Meanings
from papilio.families.engines.piece import Piece, demand_on
from papilio.families.family import Choice
from papilio.families.generalising.cells import Cells, cells_of
from papilio.families.generalising.grouping import union_demand
from papilio.families.generalising.names import BOTTOM_UP, HYBRID, KIND
from papilio.families.generalising.publish import (
    PlacedCells,
    described,
    generalised_cells,
    published_rows,
    with_trees,
)
from papilio.families.generalising.top_tree import PIECE_ROWS
from papilio.kernels.demand import Demand, class_meets
from papilio.policy.policy import Policy
from papilio.policy.recipient_policy import least_together, together_key
from papilio.privacy.feasible import check_share
from papilio.randomness import Randomness
from papilio.release.manifest import Claim, Manifest, PublishedTable


def _alike(policy: Policy, choice: Choice, meanings: Meanings) -> None:
    del policy, choice, meanings


#: Methods whose cost grows faster than the rows get smaller pieces.
FEWER_ROWS = {BOTTOM_UP: 20_000, HYBRID: 200_000}


@dataclass(frozen=True)
class Division:
    """What differs between families whose tables are divided into classes piece by piece.

    Attributes
    ----------
    fewer_rows
        Most rows of a piece, for methods of which it is fewer than usual.
    cells
        Divide a piece so that each class meets a demand, and generalise it.
    claims
        What the release claims.
    weights
        How many times as wide each quasi-identifier counts when the top is cut, if it matters.
    """

    fewer_rows: Mapping[str, int]
    cells: Callable[
        [Piece, Demand, Policy, Choice, Randomness], tuple[PlacedCells, NDArray[np.int32]]
    ]
    claims: Callable[[Meanings, Policy], tuple[Claim, ...]]
    weights: Callable[[Policy, Choice, Meanings], tuple[float, ...] | None] = _alike


@dataclass(frozen=True, eq=False)
class Finished:
    """The published rows of a piece.

    Attributes
    ----------
    frame
        The rows.
    rows
        Which row of the piece each of them is made of; for the verifier, never written.
    """

    frame: pl.DataFrame
    rows: NDArray[np.int32] = field(repr=False)


def rows_of_piece(policy: Policy, choice: Choice) -> int:
    """How many rows a piece may have for the methods that will divide it."""
    within = (choice.method, policy.generalise, policy.wings)
    fewer = _division(choice).fewer_rows
    return min(fewer.get(name or "", PIECE_ROWS) for name in within)


def top_demand(policy: Policy, meanings: Meanings) -> Demand:
    """What each piece must satisfy as one class.

    Raises
    ------
    InfeasibleError
        If the table has fewer rows than all recipients together must see alike.
    """
    check_together(policy, meanings.people, meanings.rows)
    return union_demand(meanings.demand, least_together(policy) or 1)


def check_together(policy: Policy, people: People | PeopleCounted | None, rows: int) -> None:
    """Refuse more rows for recipients who put together what they know than there are.

    Raises
    ------
    InfeasibleError
        Names the most that is accepted.
    """
    least, key = least_together(policy), together_key(policy)
    if least is None:
        return
    if least > rows:
        raise InfeasibleError(
            f"{key} is {least}, but the table has only {rows} rows",
            reason="k-exceeds-rows",
            nearest=f"a {key} of at most {rows} is accepted",
        )
    check_share(least, key, people, rows)


def top_weights(policy: Policy, choice: Choice, meanings: Meanings) -> tuple[float, ...] | None:
    """How many times as wide each quasi-identifier counts when the top is cut, if it matters."""
    return _division(choice).weights(policy, choice, meanings)


def finish(
    piece: Piece,
    meanings: Meanings,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    *,
    share: float | None = None,
) -> Finished:
    """Divide a piece into classes and generalise each.

    Parameters
    ----------
    piece
        Its rows; together they meet :func:`top_demand`.
    meanings
        The table it is from.
    policy, choice
        What is demanded, and by which method.
    randomness
        For shuffling and for methods that break ties at random.
    share
        Share of the time or steps of ``improve`` that this piece gets; left out, its share of the
        rows.

    Returns
    -------
    Finished
        The published rows in random order; columns and types are the same for all pieces.

    Notes
    -----
    Cost: that of the method on the rows of the piece.
    """
    part = piece.rows / meanings.rows if share is None else share
    demand = demand_on(piece, meanings)
    _check_people(piece, demand)
    cells, rows = _division(choice).cells(
        piece, demand, _with_share(policy, part), choice, randomness
    )
    return Finished(published_rows(meanings.columns, piece.carried, cells, rows), rows)


def _check_people(piece: Piece, demand: Demand) -> None:
    """Refuse a demand over people that the whole piece does not meet, which only a table can."""
    if piece.people is not None and not class_meets(demand, np.arange(piece.rows, dtype=np.int32)):
        raise InfeasibleError(
            "what is demanded over people cannot be met, not even by all rows as one class without "
            "those of one person",
            reason="not-diverse",
            nearest="a smaller k or l, or a larger t, is accepted",
        )


def finish_one_class(
    piece: Piece,
    box: EncodedTable,
    meanings: Meanings,
    policy: Policy,
    randomness: Randomness,
) -> Finished:
    """Publish some rows of a class that is too large to be handled at once.

    Parameters
    ----------
    piece
        These rows.
    box
        Lines that, column by column, hold every value of the whole class.
    meanings, policy, randomness
        As for :func:`finish`.
    """
    cells, _ = generalised_cells(box, _one_class(box.height), policy.text_cells, randomness)
    # Not the height of what is carried: a frame without columns has none.
    first = np.zeros(piece.rows, np.int64)
    placed = {name: (each, first) for name, (each, _) in cells.items()}
    rows = randomness.permutation(piece.rows).astype(np.int32)
    return Finished(published_rows(meanings.columns, piece.carried, placed, rows), rows)


def _one_class(rows: int) -> Classes:
    return Classes(np.arange(rows, dtype=np.int32), np.array([0, rows], np.int64))


def _division(choice: Choice) -> Division:
    family, _ = method_of(choice)
    if family.division is None:
        raise InternalError(f"{choice.method} cannot divide pieces", reason="no-division")
    found: Division = family.division()
    return found


def _with_share(policy: Policy, share: float) -> Policy:
    """Policy that improves for a part of the time, or by a part of the steps."""
    asked = policy.improve
    if asked is None or share >= 1.0:
        return policy
    seconds = None if asked.seconds is None else asked.seconds * share
    steps = None if asked.steps is None else max(1, round(asked.steps * share))
    part = asked.model_copy(update={"seconds": seconds, "steps": steps})
    return policy.model_copy(update={"improve": part})


def manifest_of(
    meanings: Meanings,
    policy: Policy,
    choice: Choice,
    *,
    seeded: bool,
    cells: Mapping[str, Cells] | None = None,
    left_out: int = 0,
) -> tuple[Manifest, dict[str, str]]:
    """Manifest of the release without its files, and the hierarchy files that go with it.

    It is known before any row is published.

    Parameters
    ----------
    meanings, policy, choice, seeded
        The table, the order, the method, and whether chance can be repeated.
    cells
        Cells of one row, described as all are; left out, those of classes in boxes.
    left_out
        How many rows are not published.
    """
    shown = cells or _described_cells(meanings, text=policy.text_cells)
    columns, files = described(shown, meanings)
    trees = {
        each.meaning.column.name: each.meaning.hierarchy
        for each in meanings.sensitive
        if each.meaning.hierarchy is not None
    }
    leaves = {each.meaning.column.name: each.present for each in meanings.sensitive}
    columns, more = with_trees(columns, trees, leaves, meanings)
    manifest = Manifest(
        kind=KIND,
        method=choice.method,
        claims=_division(choice).claims(meanings, policy),
        tables=(
            PublishedTable(
                meanings.name, columns, meanings.rows - left_out, policy.privacy.suppress
            ),
        ),
        seeded=seeded,
    )
    return manifest, {**files, **more}


def _described_cells(meanings: Meanings, *, text: bool) -> Mapping[str, Cells]:
    """Cells of one made-up row, whose description is that of all."""
    codes = np.zeros((1, len(meanings.quasi)), np.int16)
    one = np.array([0, 1], np.int64)
    found = EncodedTable(codes, meanings.quasi)
    return {
        each.column.name: cells_of(each, found.codes, place, one, text=text)
        for place, each in enumerate(found.columns)
    }
