"""Claims over people beside the original, where nobody says which row each line is made of.

An assignment of rows to lines that is true is looked for in which the claims hold
(:mod:`papilio.verify.exchange`, :mod:`papilio.verify.people_flow`). If there is one, they hold of
what is published, and are counted. They are broken if they are in every true assignment: if no flow
serves all lines, or by what people own of classes for certain. Otherwise nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.manifest import Claim, PublishedTable
from papilio.verify import sql
from papilio.verify.class_values import ClaimError, whole_number
from papilio.verify.exchange import spread
from papilio.verify.exchange_rules import Rule, class_of_kinds, rule_of
from papilio.verify.opened import Opened, OpenedHere
from papilio.verify.people import Check, check_people, claims_over_people, whose_rows
from papilio.verify.people_flow import assign, is_possible
from papilio.verify.verdict import Finding, Status
from papilio.verify.whose_lines import Lists, Matching, match_lines

Ints: TypeAlias = NDArray[np.int64]


#: Most rows and classes they fit that are looked at.
_LOOKS = 50_000_000


def certain_lines(matching: Matching, class_of_kind: Ints, person: Ints) -> NDArray[np.bool_]:
    """Lines whose person owns the same rows of their class in every true assignment.

    A row is settled if it fits one class only and no row that is left out can come to stand in its
    stead. What a person owns of a class is certain if all their rows that fit it are settled.

    Parameters
    ----------
    matching
        One true assignment.
    class_of_kind
        Class of the lines of each kind.
    person
        Whose each row of the original is.

    Notes
    -----
    Cost: a pass over the pairs, and the classes that each unsettled row fits; if there are too many
    nothing is certain.
    """
    owned = class_of_kind[matching.pairs[:, 1]]
    kinds = int(matching.kind_of_row.max(initial=-1)) + 1
    doubtful = ~_settled(matching, owned, kinds)[matching.kind_of_row]
    fits = Lists.of_pairs(matching.pairs[:, 0], owned, kinds)
    keys = np.unique(person[doubtful] * kinds + matching.kind_of_row[doubtful])
    who, kind = keys // kinds, keys % kinds
    lengths = np.diff(fits.start)[kind]
    if int(lengths.sum()) > _LOOKS:
        return np.zeros(len(matching.kind_of_line), bool)
    begins = np.repeat(fits.start[kind] - (np.cumsum(lengths) - lengths), lengths)
    reached = fits.items[begins + np.arange(len(begins))]
    classes = int(class_of_kind.max(initial=-1)) + 1
    mine = person[matching.row_of_line] * classes + class_of_kind[matching.kind_of_line]
    return ~np.isin(mine, np.repeat(who, lengths) * classes + reached)


def _settled(matching: Matching, owned: Ints, kinds: int) -> NDArray[np.bool_]:
    """Kinds of rows that stand in the same class in every true assignment."""
    low, high = np.full(kinds, np.iinfo(np.int64).max), np.full(kinds, -1)
    np.minimum.at(low, matching.pairs[:, 0], owned)
    np.maximum.at(high, matching.pairs[:, 0], owned)
    settled: NDArray[np.bool_] = (low == high) & ~_may_be_left_out(matching, kinds)
    return settled


def _may_be_left_out(matching: Matching, kinds: int) -> NDArray[np.bool_]:
    """Kinds of rows that are connected, by what fits what, with a row that is left out."""
    out = np.ones(len(matching.kind_of_row), bool)
    out[matching.row_of_line] = False
    if not out.any():
        return np.zeros(kinds, bool)
    # SciPy is needed only here and takes a while to load.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    nodes = kinds + int(matching.kind_of_line.max(initial=-1)) + 1
    ends = (matching.pairs[:, 0], kinds + matching.pairs[:, 1])
    graph = coo_array((np.ones(len(matching.pairs), np.int8), ends), shape=(nodes, nodes))
    part = connected_components(graph, directed=False)[1]
    loose = np.zeros(nodes, bool)
    loose[part[matching.kind_of_row[out]]] = True
    found: NDArray[np.bool_] = loose[part[:kinds]]
    return found


_UNDECIDED = "classes overlap too much to decide from outside who is in which"


_IMPOSSIBLE = "somebody owns more, whichever rows the lines are made of"


#: Rows that are looked at to exchange some; before a flow is tried, and after.
_FEW_LOOKS, _LOOKS = 1_000_000, 10_000_000


@dataclass(frozen=True, eq=False)
class _Case:
    """A table, what is claimed of it, and whose its lines may be; the matching changes.

    Attributes
    ----------
    opened, table, claims, checks
        The release, the table, the claims over people and how each is checked over rows.
    matching
        Lines and rows.
    person, several
        Whose each row is, and whether they have others.
    """

    opened: Opened
    table: PublishedTable
    claims: list[Claim]
    checks: Mapping[str, Check]
    matching: Matching
    person: Ints
    several: NDArray[np.bool_]


def check_matched_people(
    opened: Opened, table: PublishedTable, original: str, checks: Mapping[str, Check]
) -> Iterator[Finding]:
    """Check the claims of a table over people; nothing if the original does not say who is who.

    Parameters
    ----------
    opened, table
        The release, and one of its tables, which is known to be truthful.
    original
        Name of a view of the original. One whose name goes on with ``people`` says whose rows.
    checks
        How each claim is checked over rows.

    Notes
    -----
    Cost: that of truthfulness, and where classes overlap that of exchanging rows, and if that does
    not succeed of a maximum flow.
    """
    claims = [each for each in claims_over_people(opened.manifest) if each.table == table.name]
    names = _people(opened, f"{original} people") if claims else None
    if names is None:
        return
    matching = match_lines(opened, table, original)
    if matching is None:
        yield from map(_undecided, claims)
        return
    yield from _found(_Case(opened, table, claims, checks, matching, *whose_rows(names)))


def _found(case: _Case) -> Iterator[Finding]:
    broken = _share_out(case)
    findings = _counted(case)
    others = any(each.claim != "k-anonymity" for each in case.claims)
    if others and any(each.status is not Status.HOLDS for each in findings):
        spread(case.matching, case.person, _rules(case, case.claims), _LOOKS)
        findings = _counted(case)
    for claim, found in zip(case.claims, findings, strict=True):
        if found.status is not Status.HOLDS:
            found = _disproved(case, claim, found, broken=claim is broken)
        yield found


def _share_out(case: _Case) -> Claim | None:
    """Assign rows so that nobody owns more than one in k, as far as that is found.

    A claim is returned if no assignment keeps it.
    """
    claims = [each for each in case.claims if each.claim == "k-anonymity"]
    rules = _rules(case, claims)
    if spread(case.matching, case.person, rules, _FEW_LOOKS):
        return None
    # Who knows most columns sees the smallest classes.
    claim = max(claims, key=lambda each: len(each.columns))
    classes, k = class_of_kinds(case.matching, case.table, claim), _k(claim)
    if k is not None and assign(case.matching, classes, case.person, k) is False:
        return claim
    spread(case.matching, case.person, rules, _LOOKS)
    return None


def _rules(case: _Case, claims: list[Claim]) -> list[Rule]:
    found = (rule_of(case.opened, case.table, each, case.matching, case.person) for each in claims)
    return [each for each in found if each is not None]


def _counted(case: _Case) -> list[Finding]:
    """Check the claims on the assignment at hand, which is made sure to be true."""
    if not case.matching.is_true():
        return [_undecided(claim) for claim in case.claims]
    rows = case.matching.row_of_line
    whose = case.person[rows], case.several[rows]
    return list(check_people(case.opened, case.claims, whose, case.checks))


def _disproved(case: _Case, claim: Claim, found: Finding, *, broken: bool) -> Finding:
    """A finding that a claim is broken in every true assignment, or that nothing is decided."""
    classes = class_of_kinds(case.matching, case.table, claim)
    rows = case.matching.row_of_line
    certain = certain_lines(case.matching, classes, case.person)
    if bool(certain.all()):
        return found
    if claim.claim == "k-anonymity":
        # What was counted is of one assignment only.
        sure = broken or _is_impossible(case, classes, claim)
        return replace(found, measured=_IMPOSSIBLE) if sure else _undecided(claim)
    whose = case.person[rows], case.several[rows] & certain
    (seen,) = check_people(case.opened, [claim], whose, case.checks)
    return seen if seen.status is Status.VIOLATED else _undecided(claim)


def _is_impossible(case: _Case, classes: Ints, claim: Claim) -> bool:
    """Whether no flow serves all lines without too many of one person."""
    k = _k(claim)
    if k is None:
        return False
    trial = replace(case.matching, row_of_line=case.matching.row_of_line.copy())
    if assign(trial, classes, case.person, k) is False:
        return True
    return is_possible(case.matching, classes, case.person, k) is False


def _k(claim: Claim) -> int | None:
    try:
        return whole_number(claim, "k")
    except ClaimError:
        return None


def _people(opened: Opened, view: str) -> pl.Series | None:
    """Whose each row of the original is, if somebody says so."""
    if not isinstance(opened, OpenedHere):
        return None
    shown = f"SELECT 1 FROM duckdb_views() WHERE view_name = {sql.text(view)}"
    if not opened.rows(shown):
        return None
    (names,) = opened.arrays(f"SELECT person FROM {sql.name(view)}")
    return pl.Series("person", np.ma.getdata(names).astype(str))


def _undecided(claim: Claim) -> Finding:
    found = Finding(claim.claim, "as claimed", _UNDECIDED, Status.NOT_CHECKED)
    return replace(found, claim=f"{claim.claim} over people", recipient=claim.recipient)
