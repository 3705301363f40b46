"""Truthfulness of a disguised release: each person with their group, whose subdomains can hold all.

People are looked up line by line; their values by :mod:`papilio.verify.witness.held`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.made import Witness
from papilio.verify.disguised_layout import (
    end_kind,
    layout_of,
    load_subdomains,
    read_claim,
    target_claims,
)
from papilio.verify.disguised_truth import PERSONAL
from papilio.verify.opened import Opened
from papilio.verify.target_tree import TargetTree
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.held import FITS, GROUPS, Held, check_fits, check_levels, leaves_of
from papilio.verify.witness.permuted import groups_of, without_group
from papilio.verify.witness.table import check_table

#: What is wrong where people cannot be compared with subdomains.
OTHERS = "the column or its subdomains are other ones"


def check_disguised(opened: Opened, original: pl.DataFrame, witness: Witness) -> Iterator[Finding]:
    """Check people, that groups can hold their values, and what each person demands."""
    layout = layout_of(opened.manifest)
    people = opened.manifest.tables[0]
    shown = original.drop(layout.sensitive.name, PERSONAL, strict=False)
    found = check_table(opened, without_group(people), shown, witness.get(people.name))
    yield found
    if found.status is not Status.HOLDS:
        return

    def held(tree: TargetTree, kind: str) -> Held | None:
        rows = witness[people.name]
        groups = groups_of(opened, people, layout.group, rows, original.height)
        return held_rows(original, layout.sensitive.name, groups, tree, kind)

    yield from check_groups(opened, held)


def held_rows(
    original: pl.DataFrame, column: str, groups: NDArray[np.int64], tree: TargetTree, kind: str
) -> Held | None:
    """People of the rows of an original, one by one; ``None`` if it has no such column."""
    if column not in original.columns:
        return None
    leaves = leaves_of(tree, original.get_column(column), kind)
    said = original.get_column(PERSONAL) if PERSONAL in original.columns else None
    return Held(groups, leaves, np.ones(original.height, np.int64), said)


def check_groups(
    opened: Opened, held: Callable[[TargetTree, str], Held | None]
) -> Iterator[Finding]:
    """Check that groups can hold their people, whose lines were found true.

    Parameters
    ----------
    opened
        The release.
    held
        Called with the tree of the release and the kind of its ends; gives the people of all
        groups, or ``None`` if it does not know them by this tree.
    """
    layout = layout_of(opened.manifest)
    (claim,) = target_claims(opened.manifest)
    claimed = read_claim(opened, layout, claim)
    people = None
    if not isinstance(claimed, str) and not load_subdomains(opened, layout, claimed.tree):
        people = held(claimed.tree, end_kind(opened, layout))
    if isinstance(claimed, str) or people is None:
        yield finding(GROUPS, FITS, OTHERS, holds=False)
        return
    yield check_fits(opened, claimed.tree, people)
    if claim.claim == "personal-levels":
        yield check_levels(opened, claimed, people)
