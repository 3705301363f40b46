"""Known values: how many rows of a group must be learnt until it protects the others no longer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import polars as pl

from papilio.attack.group_reading import GROUP, LOW, MANY, GroupReading, reach, read_groups
from papilio.attack.result import (
    AttackResult,
    Exposed,
    people,
    recipients_of,
    rows,
    someone_knowing,
)
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "known_values"
_ROWS, _KNOWN, _OPENS = "rows", "known", "opens"


def known_values(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Count, for each group of a permuted release, the rows that open it.

    The attacker knows the values of some people, by whatever way, and strikes them out of their
    group. It is open once fewer than k different values are left, or values that span less than
    e. An attacker who may choose needs as many rows as the smaller of two numbers: the sum of the
    d - k + 1 smallest counts of its d different values; and the number of its values less the
    most that lie within a span below e. NULL is no value.

    Exposed is everybody in a group that a single learnt row opens: somebody there is protected by
    the promise only as long as nobody at all is known.

    Figures: ``rows``; ``groups``; ``k`` and ``e``, as claimed; ``least``, rows that open the first
    group; ``median`` over people; ``by_one``, people in groups that one row opens, and
    ``groups_by_one``, these groups.

    Notes
    -----
    Not tried: values that are known but for a range; learnt rows that are chosen blindly. Cost: two
    sorts of the different values of each group.
    """
    claims = [claim for claim in release.manifest.claims if claim.claim == "ke-anonymity"]
    k, e = (claims[0].parameters.get(key, 0) if claims else 0 for key in "ke")
    for name, columns in recipients_of(policy).items():
        reading = read_groups(release, original.name, columns)
        figures = known_figures(reading, int(k), Fraction(str(e)))
        who = f"{someone_knowing(name, columns)}, and the values of some others"
        exposed = Exposed(
            int(figures["by_one"]), reading.total, reading.column, verb="is laid open"
        )
        yield AttackResult(NAME, who, _sentence(figures, reading), figures, (exposed,))


def known_figures(reading: GroupReading, k: int, e: Fraction) -> dict[str, int | float]:
    """Figures of :func:`known_values`."""
    groups = openings(reading, k, e)
    many, opens = groups.get_column(_ROWS).to_numpy(), groups.get_column(_OPENS).to_numpy()
    one = opens <= 1
    middle = np.sort(np.repeat(opens, many))
    return {
        "rows": int(many.sum()),
        "groups": groups.height,
        "k": k,
        "e": float(e),
        "least": int(opens.min(initial=2**62)) if len(opens) else 0,
        "median": int(middle[len(middle) // 2]) if len(middle) else 0,
        "by_one": int(many[one].sum()),
        "groups_by_one": int(one.sum()),
    }


def openings(reading: GroupReading, k: int, e: Fraction) -> pl.DataFrame:
    """``group``, its ``rows``, and how many of them must be learnt until it is open: ``opens``."""
    known = reading.cells.filter(pl.col(LOW).is_not_null()).sort(GROUP, LOW)
    sizes = reading.cells.group_by(GROUP).agg(pl.col(MANY).sum().alias(_ROWS)).sort(GROUP)
    few = _until_few(known, k)
    near = known.select(GROUP, _until_near(known, e)).group_by(GROUP).agg(pl.col(_OPENS).min())
    return (
        sizes.join(few, on=GROUP, how="left")
        .join(near, on=GROUP, how="left", suffix="_near")
        .select(
            GROUP,
            pl.col(_ROWS).cast(pl.Int64),
            pl.min_horizontal(_OPENS, f"{_OPENS}_near").fill_null(0).cast(pl.Int64),
        )
    )


def _until_few(known: pl.DataFrame, k: int) -> pl.DataFrame:
    """Rows to learn until a group has fewer than k different values."""
    rarest = (pl.len().cast(pl.Int64) - k + 1).clip(0)
    counts = pl.col(MANY).cast(pl.Int64).sort()
    return known.group_by(GROUP).agg(counts.head(rarest).sum().alias(_OPENS))


def _until_near(known: pl.DataFrame, e: Fraction) -> pl.Series:
    """Rows to learn until nothing is left but values less than e above each value of a group.

    With e = 0 there are no such windows: what is left is then never too near.
    """
    values = known.get_column(LOW).unique().sort().to_numpy()
    rank = np.searchsorted(values, known.get_column(LOW).to_numpy())
    first = reach(values, e)[rank]
    group = known.get_column(GROUP).rle_id().to_numpy().astype(np.int64)
    # Cells stand by group and value: those of a group below a value are a stretch of them.
    places = group * (len(values) + 1)
    end = np.searchsorted(places + rank, places + first)
    before = np.concatenate([[0], np.cumsum(known.get_column(MANY).to_numpy().astype(np.int64))])
    sizes = np.bincount(group, np.diff(before)).astype(np.int64) if len(group) else group
    held = before[end] - before[np.arange(len(group))]
    return pl.Series(_OPENS, sizes[group] - held, pl.Int64)


def _sentence(figures: dict[str, int | float], reading: GroupReading) -> str:
    many = people(int(figures["by_one"]), reading.total)
    least = rows(int(figures["least"]))
    if figures["by_one"]:
        return (
            f"One learnt {reading.column} is enough to open {int(figures['groups_by_one']):,} of "
            f"{int(figures['groups']):,} groups, with {many}: fewer than k different values are "
            f"left of them, or less than e; half of all people are in groups that "
            f"{rows(int(figures['median']))} or fewer open."
        )
    return (
        f"{least} of a group must be learnt before the first one has fewer than k different values "
        f"of {reading.column} left, or spans less than e."
    )
