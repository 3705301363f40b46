"""Work between a class and the table when values lie on a line, equally spaced.

What has to cross the step from value k to value k + 1 is the difference of the shares up to k, so
the work is the sum over all steps of |f_k N - g_k m|, where f_k and g_k count the rows up to k of
the class (m rows) and of the table (N rows). Between two values of a class f stays as it is
and g grows; the sum over such a run of steps is split where the difference changes its sign, and
both parts follow from sums of g.
"""

from __future__ import annotations

from papilio.release.manifest import Claim
from papilio.verify import sql
from papilio.verify.class_values import ClaimError, sensitive_column
from papilio.verify.opened import WORK, Opened


def ordered_work(opened: Opened, claim: Claim, rows: int) -> tuple[int, str]:
    """Number of steps, and SQL for (size, work) of each class of ``class_values``.

    NULL stands before all other values. Numbers and dates have their own order, any other column
    the one the claim lists.
    """
    if sensitive_column(opened, claim).type in ("numeric", "date"):
        count = _place_by_size(opened)
    else:
        count = _place_as_listed(opened, claim.parameters.get("order"))
    _add_up(opened, count)
    return count - 1, _work(rows, count - 1)


def _place_by_size(opened: Opened) -> int:
    """Make ``placed`` (class, place, n) and return the number of places."""
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.placed AS SELECT class, "
        "dense_rank() OVER (ORDER BY value NULLS FIRST) - 1 AS place, n "
        f"FROM {WORK}.class_values"
    )
    (count,) = opened.row(f"SELECT max(place) + 1 FROM {WORK}.placed")
    return int(count)


def _place_as_listed(opened: Opened, order: object) -> int:
    """Make ``placed`` (class, place, n) and return the number of places."""
    if not isinstance(order, list) or not all(isinstance(each, str) for each in order):
        raise ClaimError("the claim lists no order of the values")
    if len(set(order)) != len(order):
        raise ClaimError("the order of the claim lists a value twice")
    (nulls,) = opened.row(f"SELECT count(*) FROM {WORK}.class_values WHERE value IS NULL")
    first = 1 if nulls else 0
    listed = ", ".join(map(sql.text, order))
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.placed AS SELECT class, n, CASE WHEN value IS NULL "
        f"THEN 0 ELSE place + {first} END AS place FROM {WORK}.class_values LEFT JOIN ("
        f"SELECT unnest([{listed}]::VARCHAR[]) AS listed, unnest(range({len(order)})) AS place) "
        "ON value::VARCHAR = listed"
    )
    (strangers,) = opened.row(f"SELECT coalesce(sum(n), 0) FROM {WORK}.placed WHERE place IS NULL")
    if strangers:
        raise ClaimError(f"{strangers} rows have a value that the order does not list")
    return len(order) + first


def _add_up(opened: Opened, count: int) -> None:
    """Make ``scale``: per place the rows up to it (g), and the sum of g over all places before."""
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.scale AS SELECT place, g, "
        "sum(g) OVER (ORDER BY place) - g AS before FROM ("
        "SELECT place, (sum(coalesce(total, 0)) OVER (ORDER BY place))::HUGEINT AS g "
        f"FROM (SELECT unnest(range({count})) AS place) LEFT JOIN (SELECT place, sum(n) AS total "
        f"FROM {WORK}.placed GROUP BY place) USING (place))"
    )


def _work(rows: int, steps: int) -> str:
    runs = (
        # Steps before the first value of a class, then those from each value to the next.
        f"SELECT class, 0 AS f, 0 AS begin, min(place) AS stop FROM {WORK}.placed GROUP BY class "
        "UNION ALL SELECT class, sum(n) OVER own, place, "
        f"coalesce(lead(place) OVER own, {steps}) FROM {WORK}.placed "
        "WINDOW own AS (PARTITION BY class ORDER BY place)"
    )
    sized = (
        f"SELECT r.*, size, f::HUGEINT * {rows} AS reached FROM ({runs}) AS r "
        f"JOIN (SELECT class, sum(n) AS size FROM {WORK}.placed GROUP BY class) USING (class)"
    )
    # Steps before the turn have g m <= f N; where several places have the same g, the last counts.
    split = (
        "SELECT s.*, greatest(begin, least(stop, coalesce(last + 1, 0))) AS turn "
        f"FROM ({sized}) AS s ASOF LEFT JOIN "
        f"(SELECT g, max(place) AS last FROM {WORK}.scale GROUP BY g) AS up "
        "ON s.reached // s.size >= up.g"
    )
    work = (
        "reached * (turn - begin) - size * (b.before - a.before) "
        "+ size * (c.before - b.before) - reached * (stop - turn)"
    )
    return (
        f"SELECT any_value(size) AS size, sum({work}) AS work FROM ({split}) AS w "
        f"JOIN {WORK}.scale AS a ON w.begin = a.place JOIN {WORK}.scale AS b ON w.turn = b.place "
        f"JOIN {WORK}.scale AS c ON w.stop = c.place GROUP BY class"
    )
