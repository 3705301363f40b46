"""Levels of whole columns, and the rows that are left out, planned from counts alone.

Full-domain generalisation looks at nothing but how often each combination of quasi-identifiers
occurs, and with which sensitive values if something is demanded of them. Whoever can count these
(a pass over records on disk, an engine with many workers) has the levels found here, as those of a
table in memory are. Every row is then published at these levels, wherever it is, unless its class
is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, stack_codes
from papilio.data.people import PERSON
from papilio.errors import DataError
from papilio.families.classes import Classes
from papilio.families.engines.meanings import Meanings
from papilio.families.engines.piece import Piece, PiecePeople, over_people_of
from papilio.families.family import Choice
from papilio.families.generalising.cells import Cells
from papilio.families.generalising.finish import Finished
from papilio.families.generalising.full_domain import Vector, full_domain_cells, trees_of
from papilio.families.generalising.group import union_demand
from papilio.families.generalising.grouping import find_levels
from papilio.families.generalising.names import INCOGNITO
from papilio.families.generalising.publish import generalised_cells, published_rows
from papilio.kernels.codes import Codes
from papilio.policy.policy import Policy
from papilio.policy.recipient_policy import least_together
from papilio.randomness import Randomness

#: Column with the number of rows of a combination.
ROWS = "rows"
#: Whether the person whose a line is has several rows.
SEVERAL = "several"


def has_levels(policy: Policy, choice: Choice) -> bool:
    """Whether a method generalises whole columns, which only incognito does."""
    return INCOGNITO in (choice.method, policy.generalise if policy.recipients else None)


def count_combinations(codes: Codes, sensitive: NDArray[np.int32], quasi: int) -> pl.DataFrame:
    """Count combinations of codes among rows at hand; see :func:`add_combinations`.

    Parameters
    ----------
    codes, sensitive
        Codes of the rows.
    quasi
        Number of quasi-identifiers; ``codes`` may be padded.
    """
    frame = pl.DataFrame(_code_columns(codes, sensitive, quasi))
    return frame.group_by(frame.columns).len(ROWS).cast({ROWS: pl.Int64})


def _code_columns(
    codes: Codes, sensitive: NDArray[np.int32], quasi: int
) -> dict[str, NDArray[np.int32]]:
    """Codes by the names that they have in counts; ``codes`` may be padded."""
    columns = {f"q{place}": codes[:, place].astype(np.int32) for place in range(quasi)}
    return columns | {f"s{place}": sensitive[:, place] for place in range(sensitive.shape[1])}


def lines_of_people(
    codes: Codes, sensitive: NDArray[np.int32], quasi: int, people: PiecePeople
) -> pl.DataFrame:
    """Codes of rows at hand, one line each, and whose they are: all that levels depend on."""
    columns = _code_columns(codes, sensitive, quasi)
    return pl.DataFrame({**columns, PERSON: people.numbers, SEVERAL: people.several})


def check_lines(found: int, most: int) -> None:
    """Refuse more rows than can be held where people are counted.

    Raises
    ------
    DataError
        Says how many there may be, and what else would do.
    """
    if found > most:
        raise DataError(
            f"levels are chosen from all rows where people may have several, here from at most "
            f"{most:,}; more memory or the method mondrian are accepted",
            reason="too-many-rows",
        )


def add_combinations(counted: list[pl.DataFrame]) -> pl.DataFrame:
    """Add up what several batches or workers counted."""
    together = pl.concat(counted)
    names = [name for name in together.columns if name != ROWS]
    return together.group_by(names).agg(pl.col(ROWS).sum())


def check_combinations(found: int, most: int) -> None:
    """Refuse more combinations than can be held.

    Raises
    ------
    DataError
        Says how many there may be, and what else would do.
    """
    if found > most:
        raise DataError(
            f"the quasi-identifiers, with the sensitive columns that something is demanded of, "
            f"have more than {most:,} different combinations of values, too many to choose levels "
            "from; more memory, fewer quasi-identifiers, rounded values or the method mondrian are "
            "accepted",
            reason="too-many-combinations",
        )


@dataclass(frozen=True, eq=False)
class LevelPlan:
    """What becomes of each row.

    Attributes
    ----------
    levels
        The level of each quasi-identifier.
    published
        For each of them, the codes that published rows have.
    left_out
        Nodes of the classes that are left out, one line per class.
    suppressed
        How many rows are left out.
    """

    levels: Vector
    published: tuple[Codes, ...]
    left_out: NDArray[np.int32]
    suppressed: int


def plan_levels(counted: pl.DataFrame, meanings: Meanings, policy: Policy) -> LevelPlan:
    """Find the levels that the method finds for the whole table in memory.

    Parameters
    ----------
    counted
        All combinations, as :func:`add_combinations` gives them; where people may have several
        rows, all rows, as :func:`lines_of_people` gives them.
    meanings, policy
        What the codes mean, and what is demanded.

    Raises
    ------
    InfeasibleError, DataError
        As in memory.

    Notes
    -----
    Cost: that of :func:`papilio.families.generalising.incognito.incognito` on the
    combinations.
    """
    # In the order of the codes, so that nothing depends on who counted first.
    codes = [name for name in counted.columns if name not in (ROWS, PERSON, SEVERAL)]
    ordered = counted.sort(codes)
    quasi = [ordered.get_column(f"q{n}").to_numpy() for n in range(len(meanings.quasi))]
    table = EncodedTable(stack_codes(quasi, ordered.height), meanings.quasi)
    sensitive = np.empty((ordered.height, len(meanings.sensitive)), np.int32)
    for place in range(len(meanings.sensitive)):
        sensitive[:, place] = ordered.get_column(f"s{place}").to_numpy()
    demand = meanings.demand._replace(sensitive=sensitive)
    weights = None
    if meanings.people is None:
        weights = ordered.get_column(ROWS).to_numpy()
    else:
        whose = (ordered.get_column(name).to_numpy() for name in (PERSON, SEVERAL))
        demand = over_people_of(demand, PiecePeople(*whose))
    if policy.recipients:
        demand = union_demand(demand, least_together(policy) or 1)
    found = find_levels(table, demand, policy, weights)
    kept = np.zeros(ordered.height, np.bool_)
    kept[found.classes.rows] = True
    nodes = nodes_at(found.levels, meanings, table.codes)
    return LevelPlan(
        found.levels,
        tuple(np.unique(codes[kept]) for codes in quasi),
        np.unique(nodes[~kept], axis=0),
        int(found.suppressed),
    )


def nodes_at(levels: Vector, meanings: Meanings, codes: Codes) -> NDArray[np.int32]:
    """Node of each quasi-identifier of each row at some levels."""
    trees = trees_of(EncodedTable(codes, meanings.quasi))
    nodes = np.empty((len(codes), len(trees)), np.int32)
    for place, (tree, level) in enumerate(zip(trees, levels, strict=True)):
        nodes[:, place] = tree.levels[level][codes[:, place]]
    return nodes


def files_by_class(
    plan: LevelPlan, meanings: Meanings, codes: Codes, files: int, key: int
) -> NDArray[np.int64]:
    """File of each row, all rows of a class in one, so that its people can be counted there.

    Parameters
    ----------
    plan, meanings, codes
        The levels, and the rows.
    files
        How many files there are.
    key
        By which classes are dealt out; drawn for the run.
    """
    nodes = pl.DataFrame(nodes_at(plan.levels, meanings, codes), orient="row")
    return (nodes.hash_rows(key) % files).cast(pl.Int64).to_numpy()


def is_published(plan: LevelPlan, meanings: Meanings, codes: Codes) -> NDArray[np.bool_]:
    """Whether each row is in a class that is not left out."""
    nodes = pl.DataFrame(nodes_at(plan.levels, meanings, codes), orient="row")
    gone = pl.DataFrame(plan.left_out, nodes.schema, orient="row")
    placed = nodes.with_row_index("row").join(gone, on=nodes.columns, how="semi")
    kept = np.ones(len(codes), np.bool_)
    kept[placed.get_column("row").to_numpy()] = False
    return kept


def described_levels(plan: LevelPlan, meanings: Meanings) -> Mapping[str, Cells]:
    """Cells of one made-up row, whose description is that of all."""
    codes = stack_codes([each[:1] for each in plan.published], 1)
    one = Classes(np.zeros(1, np.int32), np.array([0, 1], np.int64))
    table = EncodedTable(codes, meanings.quasi)
    return full_domain_cells(table, plan.levels, one, plan.published)


def finish_at_levels(
    piece: Piece, plan: LevelPlan, meanings: Meanings, randomness: Randomness
) -> Finished:
    """Publish the rows of a piece at the levels of a plan, without those that are left out."""
    nodes = pl.DataFrame(nodes_at(plan.levels, meanings, piece.encoded.codes), orient="row")
    placed = nodes.with_row_index("row")
    if len(plan.left_out):
        placed = placed.join(
            pl.DataFrame(plan.left_out, orient="row"), on=nodes.columns, how="anti"
        )
    grouped = placed.group_by(nodes.columns).agg(pl.col("row"))
    rows = grouped.get_column("row").explode(empty_as_null=False).to_numpy().astype(np.int32)
    sizes = grouped.get_column("row").list.len().to_numpy()
    classes = Classes(rows, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
    cells, lines = generalised_cells(
        piece.encoded, classes, False, randomness, plan.levels, plan.published
    )
    return Finished(published_rows(meanings.columns, piece.carried, cells, lines), lines)
