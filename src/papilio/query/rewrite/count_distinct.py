"""``COUNT(DISTINCT …)``: how many different values the aggregated ones can be.

Rows that are known one by one: those of the sure rows at least, those of all at most.

Permuted groups: h draws from a group hold at least as many different values as it takes to fill h
places, NULL first and then the most frequent values, and at most h. Together: at least what one
group holds, and at least the sum of what groups hold beyond values they share; at most the sum, and
at most all there are. Sound. Tight for one group, and for groups without common values; not always
otherwise. Mean: a value is absent with probability ∏ (N − h − i + 1) / (N − i + 1) over its copies
i in each group.
"""

from __future__ import annotations

from papilio.query.rewrite.tally import Rewriting, Tally, b, pieces


def rewrite_count_distinct(tally: Tally) -> Rewriting:
    """Bounds of ``COUNT(DISTINCT …)``; of no row it is 0."""
    draws = tally.draws(None)
    if draws is None:
        lo, hi = (f"COALESCE({b(tally, name)}, 0)" for name in ("distinct_lo", "distinct_hi"))
        return Rewriting(lo, hi, pieces=pieces(tally, "distinct_lo", "distinct_hi"))
    part = f"{tally.label}_distinct"
    names = {
        name: f"{part}_{name}" for name in ("draws", "cells", "copies", "kinds", "groups", "odds")
    }
    return Rewriting(
        f"COALESCE({part}.lo, 0)",
        f"COALESCE({part}.hi, 0)",
        f"{part}.mean",
        pieces=pieces(tally, "rows"),
        relations={
            names["draws"]: draws,
            names["cells"]: _cells(tally, names["draws"]),
            names["copies"]: _copies(tally, names["cells"]),
            names["kinds"]: _kinds(tally, names["copies"]),
            names["groups"]: _groups(tally, names["kinds"]),
            names["odds"]: _odds(tally, names["cells"]),
        },
        parts={part: _together(tally, names)},
    )


def _listed(tally: Tally, alias: str = "") -> str:
    return "".join(f"{alias}{key}, " for key in tally.keys)


def _cells(tally: Tally, draws: str) -> str:
    """Cells with the size of their group, and which copy of its value each is."""
    return (
        f"SELECT {_listed(tally)}g, h, v, COUNT(*) OVER (PARTITION BY {_listed(tally)}g) AS n, "
        f"COUNT(v) OVER (PARTITION BY {_listed(tally)}g) AS m, "
        f"ROW_NUMBER() OVER (PARTITION BY {_listed(tally)}g, v ORDER BY v) AS nth FROM {draws}"
    )


def _copies(tally: Tally, cells: str) -> str:
    """Values of each group, how often they occur, and how many draws NULL cannot take up."""
    return (
        f"SELECT {_listed(tally)}g, v, MIN(h) AS h, MIN(h) - MIN(n) + MIN(m) AS filled, "
        f"COUNT(*) AS copies FROM {cells} WHERE v IS NOT NULL GROUP BY {_listed(tally)}g, v"
    )


def _kinds(tally: Tally, copies: str) -> str:
    """Values with the copies of more frequent ones in their group, and whether others have it."""
    return (
        f"SELECT {_listed(tally)}g, v, h, filled, SUM(copies) OVER (PARTITION BY {_listed(tally)}g "
        "ORDER BY copies DESC, v ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - copies AS "
        f"ahead, COUNT(*) OVER (PARTITION BY {_listed(tally)}v) AS holders FROM {copies}"
    )


def _groups(tally: Tally, kinds: str) -> str:
    return (
        f"SELECT {_listed(tally)}g, COUNT(CASE WHEN ahead < filled THEN 1 END) AS few, "
        "LEAST(MIN(h), COUNT(*)) AS many, COUNT(CASE WHEN holders > 1 THEN 1 END) AS shared "
        f"FROM {kinds} GROUP BY {_listed(tally)}g"
    )


def _odds(tally: Tally, cells: str) -> str:
    """Probability that a value occurs among the draws."""
    left = "n - h - nth + 1"
    return (
        f"SELECT {_listed(tally)}v, CASE WHEN MIN({left}) <= 0 THEN 1 ELSE 1 - EXP(SUM(CASE WHEN "
        f"{left} > 0 THEN LN(CAST({left} AS DOUBLE) / (n - nth + 1)) END)) END AS p "
        f"FROM {cells} WHERE v IS NOT NULL GROUP BY {_listed(tally)}v"
    )


def _together(tally: Tally, names: dict[str, str]) -> str:
    grouped = f" GROUP BY {', '.join(tally.keys)}" if tally.keys else ""
    sides = (
        f"SELECT {_listed(tally)}GREATEST(MAX(few), SUM(GREATEST(few - shared, 0))) AS lo, "
        f"SUM(many) AS hi FROM {names['groups']}{grouped}"
    )
    values = f"SELECT {_listed(tally)}COUNT(*) AS d, SUM(p) AS mean FROM {names['odds']}{grouped}"
    same = " AND ".join(f"s.{key} IS NOT DISTINCT FROM d.{key}" for key in tally.keys)
    join = f"JOIN ({values}) AS d ON {same}" if same else f"CROSS JOIN ({values}) AS d"
    return (
        f"SELECT {_listed(tally, 's.')}s.lo AS lo, LEAST(s.hi, d.d) AS hi, d.mean AS mean "
        f"FROM ({sides}) AS s {join}"
    )
