"""What is measured: one task per point of the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

ROWS, K, ATTRIBUTES, METHODS = "rows", "k", "attributes", "methods"
SECTIONS = (ROWS, K, ATTRIBUTES, METHODS)

#: Methods that are followed over rows, k and attributes.
FOLLOWED = ("mondrian", "hybrid")
#: All that are measured once, and the most rows each is asked to take.
ALL_METHODS = {
    "mondrian": 10**7,
    "relaxed-mondrian": 10**6,
    "bottom-up": 10**4,
    "hybrid": 10**6,
    "incognito": 10**6,
    "union": 10**6,
    "butterfly": 10**6,
    "projections": 10**5,
    "permutation": 10**7,
    "disguise": 10**7,
}
KS = (2, 5, 10, 25, 50, 100)
USUAL_K = 10
ALL_ATTRIBUTES = 8


@dataclass(frozen=True)
class Task:
    """One publication, from Parquet to verified Parquet.

    Attributes
    ----------
    section
        Part of the page.
    method
        Method of the policy.
    rows, k, attributes
        Size of the table, what is demanded, and number of quasi-identifiers.
    """

    section: str
    method: str
    rows: int
    k: int = USUAL_K
    attributes: int = ALL_ATTRIBUTES

    @property
    def repeats(self) -> int:
        """How often it is run; the median counts."""
        return 3 if self.rows <= 10**5 else 1


@dataclass(frozen=True)
class Sizes:
    """How much is measured.

    Attributes
    ----------
    rows
        Numbers of rows of the first section.
    fixed
        Number of rows where k or the attributes vary.
    methods
        Number of rows of the last section, at most.
    ks, attributes
        Values of k, and numbers of quasi-identifiers.
    """

    rows: tuple[int, ...]
    fixed: int
    methods: int
    ks: tuple[int, ...] = KS
    attributes: tuple[int, ...] = (2, 4, 6, 8)


QUICK = Sizes((10**4, 10**5, 10**6), 10**5, 10**4)
FULL = Sizes((10**4, 10**5, 10**6, 10**7), 10**6, 10**5)
#: So many rows are more than memory holds, and are published piece by piece.
LARGE = 10**8


def tasks(sizes: Sizes, *, large: bool = False) -> Iterator[Task]:
    """List all tasks, small ones first within each section."""
    for rows in sizes.rows:
        for method in FOLLOWED:
            yield Task(ROWS, method, rows)
    if large:
        yield Task(ROWS, "mondrian", LARGE)
    for k in sizes.ks:
        for method in FOLLOWED:
            yield Task(K, method, sizes.fixed, k=k)
    for attributes in sizes.attributes:
        for method in FOLLOWED:
            yield Task(ATTRIBUTES, method, sizes.fixed, attributes=attributes)
    for method, most in ALL_METHODS.items():
        yield Task(METHODS, method, min(sizes.methods, most))
