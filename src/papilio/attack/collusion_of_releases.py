"""Collusion of separate releases: each is k-anonymous for its recipient, together they are not.

Somebody who has several releases about the same people compares them. A row of one and a row of
another can be the same person's only if they agree on every column that all releases publish as it
is. So of a person's candidates in one release only those remain that agree with a candidate in each
other release.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.candidates import Candidates
from papilio.attack.looks import restricted
from papilio.attack.result import ORIGINAL, AttackResult, confront, findings, someone_knowing
from papilio.data.table import Table
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release
from papilio.verify.fitting import Fitting, fitting_of, fitting_pairs
from papilio.verify.numbering import Side, number_original

NAME = "collusion-of-releases"
_PERSON, _ROWS = "papilio person", "papilio rows"
_NUMBER = PublishedColumn(_PERSON, "plain", "numeric", "value", (_PERSON,))


def collusion_of_releases(
    releases: Mapping[str, Release], original: Table, knowledge: Mapping[str, Sequence[str]]
) -> Iterator[AttackResult]:
    r"""Let recipients of separate releases of one table put them side by side.

    Three attackers in turn: each recipient with the release made for them; each recipient with
    all releases and nobody else's knowledge; all recipients together.

    Parameters
    ----------
    releases
        By recipient, the release made for them; all of the same table and the same people.
    original
        The table they were made from.
    knowledge
        By recipient, the columns they know of a person.

    Notes
    -----
    The figures are those of :meth:`papilio.attack.candidates.Candidates.figures`, where the
    candidates of a person are counted in the release that leaves fewest of them:

    .. math:: c_p = \min_i |\{r \in C_i(p) : \forall j\; \exists s \in C_j(p)\;\; r \sim s\}|

    with :math:`C_i(p)` the rows of release i whose cells cover what is known of p, and
    :math:`r \sim s` if r and s agree on the columns that all releases publish as they are. An
    attacker who also compares generalised cells of columns nobody knows may exclude more.

    Cost: the number of pairs of a person and a candidate, in memory. Source: Pei, Tao, Li, Xiao,
    "Butterfly: privacy preserving publishing on multiple quasi-identifiers", TR 2008-18, example 1.
    """
    for name, columns in knowledge.items():
        yield _attacked({name: releases[name]}, original, columns, f"{name} with one release")
    for name, columns in knowledge.items():
        yield _attacked(releases, original, columns, f"{name} with all releases")
    known = tuple(dict.fromkeys(each for columns in knowledge.values() for each in columns))
    yield _attacked(releases, original, known, "all recipients with all releases")


def _attacked(
    releases: Mapping[str, Release], original: Table, known: Sequence[str], attacker: str
) -> AttackResult:
    shared = _as_they_are(releases.values(), original.name, known)
    sensitive = [name for name, role in shared.items() if role == "sensitive"]
    leads = [_leads(each, original, known, tuple(shared)) for each in releases.values()]
    figures = _joined(leads, original.height, tuple(shared), sensitive).figures()
    return AttackResult(NAME, someone_knowing(attacker, known), findings(figures), figures)


def _as_they_are(releases: Iterable[Release], table: str, known: Sequence[str]) -> dict[str, str]:
    """Columns that all releases publish as they are and the attacker does not know; their role."""
    described = [release.manifest.table(table).columns for release in releases]
    plain = [{each.name for each in columns if each.cells == "value"} for columns in described]
    common = set.intersection(*plain) - {*known}
    return {each.name: each.role for each in described[0] if each.name in common}


def _leads(
    release: Release, original: Table, known: Sequence[str], shared: Sequence[str]
) -> pl.DataFrame:
    """Candidates of each person in one release, counted by their values of the shared columns."""
    table = release.manifest.table(original.name)
    usable = [name for name in known if any(each.name == name for each in table.columns)]
    if not usable and not shared:
        every = pl.DataFrame({_PERSON: np.arange(original.height)})
        return every.with_columns(pl.lit(release.frames[original.name].height).alias(_ROWS))
    with confront(release, original.frame.with_row_index(_PERSON)) as opened:
        asked = restricted(opened, table, [*usable, *shared])
        fitting = fitting_of(opened, asked, ORIGINAL)
        # Numbered again with the person as one more column: everybody is a point of their own.
        numbered = replace(asked, columns=(*asked.columns, _NUMBER))
        people = number_original(opened, numbered, ORIGINAL).numbers
    return _counted(fitting, people, len(usable), shared)


def _counted(
    fitting: Fitting, people: NDArray[np.int64], known: int, shared: Sequence[str]
) -> pl.DataFrame:
    demand = fitting.demand
    points = Side(people[:, :known], np.ones(len(people), np.int64))
    boxes = Side(demand.numbers[:, :known], demand.count)
    parts = list(fitting_pairs(Fitting(points, boxes, fitting.covers[:known])))
    some, which = (np.concatenate(each) for each in zip(*parts, strict=True))
    pairs = {
        _PERSON: people[some, -1] - 1,
        **{name: demand.numbers[which, known + place] for place, name in enumerate(shared)},
        _ROWS: demand.count[which],
    }
    return pl.DataFrame(pairs).group_by(_PERSON, *shared).agg(pl.col(_ROWS).sum())


def _joined(
    leads: Sequence[pl.DataFrame], people: int, shared: Sequence[str], sensitive: Sequence[str]
) -> Candidates:
    """Keep what agrees in all releases; see :func:`collusion_of_releases`."""
    named = [each.rename({_ROWS: f"{_ROWS} {place}"}) for place, each in enumerate(leads)]
    agreeing = reduce(lambda one, other: one.join(other, on=[_PERSON, *shared]), named)
    totals = [pl.col(f"{_ROWS} {place}").sum() for place in range(len(leads))]
    each = agreeing.group_by(_PERSON).agg(
        *totals, pl.col(*sensitive).n_unique() if sensitive else []
    )
    who = each.get_column(_PERSON).to_numpy()
    rows = np.zeros(people, np.int64)
    rows[who] = each.select(pl.min_horizontal(f"{_ROWS} {p}" for p in range(len(leads))))[:, 0]
    learnt = {name: np.zeros(people, bool) for name in sensitive}
    for name, same in learnt.items():
        same[who] = (each.get_column(name) == 1).to_numpy()
    return Candidates(np.ones(people, np.int64), rows, learnt)
