"""Homogeneity: classes whose rows all share one sensitive value, which is then nobody's secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from papilio.attack.holdings import Holdings, holdings_after
from papilio.attack.result import (
    AttackResult,
    Exposed,
    people,
    recipients_of,
    sensitive_names,
    someone_knowing,
)
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release

NAME = "homogeneity"
_ROWS, _VALUES = "papilio rows", "papilio values"


def homogeneity(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Look at the classes of each recipient and at each sensitive column.

    Figures: ``classes``, all classes on what the recipient knows; ``alike``, classes whose rows
    share one value, NULL being a value; ``learnt``, rows of these classes: whoever knows that a
    person is in such a class knows their value, without knowing which row is theirs. If the
    original says whose rows they are, also ``people`` of the release, and ``people_learnt``: people
    who have a row in such a class, each counted once; where rows fit several classes, who may have.

    An attacker can tell a person's class only where no other class covers them too; linkage says
    of how many people a value is learnt for certain. Background knowledge that rules values out is
    not tried. Source: Machanavajjhala et al., ICDE 2006, section 2.1.

    Cost: one grouping of the release per recipient and sensitive column; over people, that of
    finding out whose rows they are.
    """
    sensitive = sensitive_names(release, original)
    if not sensitive:
        yield AttackResult(NAME, "anyone", "Not tried: no sensitive column is published.")
        return
    table, over_people = release.manifest.table(original.name), original.people is not None
    for name, columns in recipients_of(policy).items():
        held = holdings_after(release, table, original, columns) if over_people else None
        for value in sensitive:
            figures = _figures(release, table, columns, value, held)
            yield AttackResult(
                NAME,
                someone_knowing(name, columns),
                _sentence(figures, value),
                figures,
                (_exposed(figures, value),),
            )


def _figures(
    release: Release,
    table: PublishedTable,
    columns: Sequence[str],
    value: str,
    held: Holdings | None,
) -> dict[str, int | float]:
    described = {each.name: each for each in table.columns}
    cells = [cell for name in columns for cell in described[name].published]
    frame = release.frames[table.name]
    counted = [pl.len().alias(_ROWS), pl.col(value).n_unique().alias(_VALUES)]
    classes = frame.group_by(cells).agg(counted) if cells else frame.select(counted)
    alike = classes.filter(pl.col(_VALUES) == 1)
    return {
        "rows": frame.height,
        "classes": classes.height,
        "alike": alike.height,
        "learnt": int(alike.get_column(_ROWS).sum()),
        **_people_learnt(held, value),
    }


def _people_learnt(held: Holdings | None, value: str) -> dict[str, int | float]:
    """People who have a row in a class that shares one value; nothing if rows are people."""
    if held is None:
        return {}
    learnt = held.person[held.alike[value][held.group]]
    return {"people": held.people, "people_learnt": len(set(learnt.tolist()))}


def _exposed(figures: dict[str, int | float], value: str) -> Exposed:
    learnt, of = ("people_learnt", "people") if "people" in figures else ("learnt", "rows")
    return Exposed(int(figures[learnt]), int(figures[of]), value)


def _sentence(figures: dict[str, int | float], value: str) -> str:
    alike, classes = int(figures["alike"]), int(figures["classes"])
    if not alike:
        none = f"none of the {classes:,} classes shares" if classes > 1 else "it does not share"
        return f"Nobody's value of {value} can be told from their class: {none} one."
    over_people = "people" in figures
    of, who = ("people_learnt", "people") if over_people else ("learnt", "rows")
    learnt = people(int(figures[of]), int(figures[who]))
    share = "shares" if alike == 1 else "share"
    return (
        f"{alike:,} of {classes:,} classes {share} one value of {value}: it is known of {learnt}."
    )
