"""Cells of which no complete row follows that fewer than k people share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

#: Cells from which no complete row follows, as they are proposed.
SAFE = "safe"
#: Forms of such cells -> the same form of cells that are as small as they can be.
TIGHT = {SAFE: "bounds", "safe-text": "text"}


@dataclass(frozen=True)
class SafeCells:
    r"""Two cells of every class allow several values, or none does and the class has ``k`` rows.

    A *complete row* gives a value on each of the columns ``among``. It is *certain* if it occurs in
    every table that a release may have been made of. How cells are made is public, and decides
    which tables these are. For a class of n rows let :math:`C_i` be its cell on column i and
    :math:`\mathcal{S}_i` the sets of values that lead to it where every class gets the *smallest*
    cell that covers it: for a range all sets within it that have both ends, for a list the list
    itself, for the label of a node all sets within it that no single child of it covers. A column
    *varies* if its cell allows several values; then each set of :math:`\mathcal{S}_i` has two
    values or more.

    **Smallest cells.** Tables that lead to the same release have, for each class, any n rows whose
    values on each column form a set of :math:`\mathcal{S}_i`; columns are chosen independently.

    - *No column varies:* the row of the cells is certain, and n rows are equal to it.
    - *One column varies:* the row with v there is certain if v is in every set of
      :math:`\mathcal{S}_i`: each member of a list, each end of a range, and of a node with two
      children each child that is a leaf. A node with two leaves proves both; one with three
      children proves none.
    - *Two columns or more vary: no row is certain.* Let t be a row, A and B the sets that two of
      these columns have in the table at hand, so that :math:`2 \le |A|, |B| \le n`. If t₁ is not in
      A or t₂ not in B, the table does without t. Otherwise give the first row t₁ and some
      b ≠ t₂, the second some a ≠ t₁ and t₂, and all others values of A without t₁ and of B without
      t₂, in turn, so that each is there: no row has t₁ and t₂. Other columns stay. Classes are
      independent, so one table does without t in all of them.

    **Safe cells.** A class in which exactly one column varies is published with the smallest cells
    of its rows *and of one invented row*, which differs from them on a column that does not vary.
    All other classes keep their smallest cells. Let R be a release with safe cells and T a table
    that leads to R by smallest cells, which exists: rows and invented rows show which sets, and a
    class with an invented row has two rows at least. No class of T has exactly one column that
    varies. So the rule changes nothing, and T leads to R by safe cells as well. **Whoever knows the
    rule has to reckon with every table of whoever takes cells for the smallest, and so no more rows
    are certain to them**: none but those of classes in which no column varies. Which cell was
    widened, and by what, does not matter for that; it is the cheapest, and of equally cheap ones
    chance takes one.

    Why rows that k people share may be certain: k-anonymity says no more than that somebody is one
    of k, and hides nobody better where these k are alike. To hide them as well, two columns of such
    a class would have to be widened; a large table of few columns, all of whose classes are of that
    kind, would lose all it has for nothing.

    Attributes
    ----------
    k
        Rows of a class in which no column varies; 1 if no size is demanded.
    among
        Quasi-identifiers that follow no other: a follower's cell is a function of its leader's.

    Contract
    --------
    Guarantees
        For everybody, also who knows how cells are made: no complete row that fewer than ``k``
        people share is certain by the cells of the release.
    Monotone
        No: a union of two classes without a column that varies may have one. So it is not demanded
        of classes while they are formed but met by cells afterwards.
    Assumes about the attacker
        Knows no value of anybody, and no rule by which values of two quasi-identifiers go
        together but those of columns that follow others.
    Does not protect against
        Likely rows: a cell of two neighbouring values is more often a widened one than not. Single
        values, which ends and lists still prove where more than two columns vary. What the division
        into classes tells, and rows of other columns, see :doc:`limits`. Two releases of the same
        rows, whose invented rows differ; for the same reason several tables of projections put side
        by side, unless they have the same classes and invented rows: of each table by itself it
        holds.

    Source: the attack is the downcoding of Cohen, "Attacks on deidentification's defenses", USENIX
    Security 2022; definition, rule and proof are ours.
    """

    k: int
    among: tuple[str, ...]

    name: ClassVar[str] = "safe-cells"

    def parameters(self) -> dict[str, Any]:
        """What is promised, as a release's manifest states it."""
        return {"k": self.k, "among": list(self.among)}
