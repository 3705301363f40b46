"""People with several rows, the published rows that each row may be, and what that tells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from papilio.attack.candidates import (
    CLASS,
    COUNT,
    PATTERN,
    Candidates,
    Patterns,
    candidates,
    patterns_of,
)
from papilio.attack.holdings import owners_of, promised_share
from papilio.attack.result import Exposed, findings, people, rounded, rows
from papilio.data.table import Table
from papilio.release.release import Release

_OWN, _SAME, _OTHER = "own", "same", "other"


@dataclass(frozen=True, eq=False)
class PeopleRows:
    """The rows of people, as somebody sees them who knows some columns.

    Attributes
    ----------
    people, rows
        People and rows of the original.
    lines
        ``person``, ``class`` (their pattern) and ``rows`` of the person there; one line for each.
        Rows that no class covers, because they were left out, are not there.
    candidates
        ``class`` (pattern) and ``candidates``, the published rows that may be a row of it.
    covers
        ``class`` (pattern) and ``covering``, the classes that cover it.
    alike
        Per sensitive column, patterns whose candidates all share one value.
    promised
        k if it is claimed that nobody owns more than one row in k of a class; otherwise 1.
    """

    people: int
    rows: int
    lines: pl.DataFrame
    candidates: pl.DataFrame
    covers: pl.DataFrame
    alike: dict[str, pl.Series]
    promised: int

    @property
    def overlap(self) -> bool:
        """Whether some row may be in several classes."""
        return self.covers.height > self.candidates.height

    @cached_property
    def shares(self) -> pl.DataFrame:
        """Lines with ``candidates`` and ``share``, the part of them that is the person's.

        At most that: a row of the person that may be among the candidates counts, up to what is
        promised. Cost: for each person the square of their patterns that have a class in common.
        """
        there = self.lines.join(self.candidates, on="class").join(self.covers, on="class")
        pairs = there.select("person", "class", "covering").join(
            there.select("person", pl.col("class").alias(_OTHER), "covering", "rows"),
            on=["person", "covering"],
        )
        reached = pairs.unique(["person", "class", _OTHER])
        own = reached.group_by("person", "class").agg(pl.col("rows").sum().alias(_OWN))
        told = self.lines.join(self.candidates, on="class").join(own, on=["person", "class"])
        possible = pl.min_horizontal(pl.col(_OWN) / pl.col("candidates"), 1 / self.promised)
        certain = pl.col("rows") / pl.col("candidates")
        share = pl.max_horizontal(pl.min_horizontal(certain, 1.0), pl.min_horizontal(possible, 1.0))
        return told.with_columns(share.alias("share")).drop(_OWN)

    def fewer_than(self, k: int) -> int:
        """People of one of whose rows more than one candidate in k is theirs."""
        several = self.shares.filter(pl.col("share") * k > 1 + 1e-9)
        return several.get_column("person").n_unique()


def people_rows(
    release: Release, original: Table, known: Sequence[str], sensitive: Sequence[str]
) -> PeopleRows:
    """Find the candidates of all rows of everybody.

    Parameters
    ----------
    release
        A release of one table.
    original
        The table it was made from, which says whose rows they are.
    known
        Columns the attacker knows; may be none.
    sensitive
        Columns, published as they are, that the attacker wants to learn.

    Notes
    -----
    Cost: that of :func:`papilio.attack.candidates.patterns_of`.
    """
    owners = pl.Series("person", owners_of(original))
    table = release.manifest.table(original.name)
    if known:
        seen = patterns_of(release, table, original, known)
    else:
        seen = _without_knowledge(release, original, sensitive)
    counted = seen.candidates([]).select(
        pl.col(PATTERN).alias("class"), pl.col(COUNT).alias("candidates")
    )
    held = pl.DataFrame([owners, seen.people.get_column(PATTERN).alias("class")]).drop_nulls()
    return PeopleRows(
        people=owners.n_unique(),
        rows=original.height,
        lines=held.group_by("person", "class").len("rows"),
        candidates=counted,
        covers=seen.classes.select(pl.col(PATTERN).alias("class"), pl.col(CLASS).alias("covering")),
        alike={name: _alike(seen, name) for name in sensitive},
        promised=promised_share(release.manifest, table.name, known),
    )


def _alike(seen: Patterns, name: str) -> pl.Series:
    values = seen.candidates([name]).group_by(PATTERN).len("values")
    return values.filter(pl.col("values") == 1).get_column(PATTERN)


def _without_knowledge(release: Release, original: Table, sensitive: Sequence[str]) -> Patterns:
    """To somebody who knows nothing about anyone, every row may be theirs."""
    frame = release.frames[original.name]
    one = pl.lit(0, pl.Int64)
    rows = (
        frame.group_by(sensitive).len(COUNT) if sensitive else frame.select(pl.len().alias(COUNT))
    )
    return Patterns(
        original.frame.select(pl.repeat(0, pl.len(), dtype=pl.Int64).alias(PATTERN)),
        rows.with_columns(one.alias(CLASS)),
        pl.DataFrame({PATTERN: [0], CLASS: [0]}),
        tuple(sensitive),
    )


def linked(
    release: Release, original: Table, known: Sequence[str], sensitive: Sequence[str]
) -> tuple[str, dict[str, int | float]]:
    """Say what somebody finds who knows some columns, in a sentence and in figures.

    Over people if the original says whose rows they are, otherwise each row is a person.
    """
    return findings_of(known_by(release, original, known, sensitive))


#: What somebody who knows some columns sees: of rows that are people, or of people with rows.
Known = Candidates | PeopleRows


def known_by(
    release: Release, original: Table, known: Sequence[str], sensitive: Sequence[str]
) -> Known:
    """Find the candidates of everybody, of their rows if the original says whose they are."""
    if original.people is None:
        return candidates(release, original, known, sensitive)
    return people_rows(release, original, known, sensitive)


def findings_of(known: Known) -> tuple[str, dict[str, int | float]]:
    """Say what there is to see, in a sentence and in figures."""
    figures = known.figures() if isinstance(known, Candidates) else figures_of(known)
    told = findings if isinstance(known, Candidates) else findings_over_people
    return told(figures), figures


def figures_of(known: PeopleRows) -> dict[str, int | float]:
    r"""Sum up over people, each by the row that gives them away most.

    ``people``, ``rows``: those of the original. ``smallest``, ``average``: candidates of the row
    of a person that has fewest, of people who have any. ``largest_share``: the largest part of the
    candidates of a row that is its person's. ``singled_out``: people with a row all of whose
    candidates are theirs. ``expected``: people who are found if the attacker draws one candidate of
    each, the sum of the largest shares. ``learnt: <column>``: people with a row whose candidates
    all share one value. With one row a person these are the figures of
    :meth:`papilio.attack.candidates.Candidates.figures`.
    """
    lines = known.shares
    by_person = lines.group_by("person").agg(pl.col("candidates").min(), pl.col("share").max())
    shares, fewest = by_person.get_column("share"), by_person.get_column("candidates")
    found = by_person.height
    return {
        "people": known.people,
        "rows": known.rows,
        "smallest": int(fewest.to_numpy().min()) if found else 0,
        "average": float(fewest.to_numpy().mean()) if found else 0.0,
        "largest_share": float(shares.to_numpy().max(initial=0.0)),
        "singled_out": int((shares >= 1).sum()),
        "expected": math.fsum(shares.to_list()),
        **{
            f"learnt: {name}": lines.filter(pl.col("class").is_in(alike.implode()))
            .get_column("person")
            .n_unique()
            for name, alike in known.alike.items()
        },
    }


def findings_over_people(figures: Mapping[str, int | float]) -> str:
    """Say what :func:`figures_of` means."""
    total = int(figures["people"])
    learnt = [
        f"a value of {name.removeprefix('learnt: ')} is learnt of {people(int(number), total)}"
        for name, number in figures.items()
        if name.startswith("learnt: ")
    ]
    singled = people(int(figures["singled_out"]), total)
    verb = "is" if int(figures["singled_out"]) <= 1 else "are"
    said = (
        f"A row of a person may be any of at least {rows(int(figures['smallest']))}, "
        f"{rounded(figures['average'])} on average over people, and at most "
        f"{100 * figures['largest_share']:.3g}% of these are their own; {singled} {verb} singled "
        f"out, and guessing finds about {rounded(figures['expected'])} of {total:,} people"
    )
    return "; ".join([said, *learnt]) + "."


_LEARNT = "learnt: "


def exposed_among(
    known: Known, figures: Mapping[str, int | float], promised: int | None
) -> tuple[Exposed, ...]:
    """Count people with fewer candidates than promised, and those whose value is certain.

    Parameters
    ----------
    known, figures
        The candidates of everybody, and their figures.
    promised
        The k of the policy for this attacker; if there is none, or 1, only those who have one
        candidate count. Over people: those of one of whose rows more than one candidate in k is
        their own.
    """
    total = int(figures["people"])
    alone = known.fewer_than(max(promised or 2, 2))
    learnt = (
        Exposed(int(number), total, name.removeprefix(_LEARNT))
        for name, number in figures.items()
        if name.startswith(_LEARNT)
    )
    return Exposed(alone, total), *learnt
