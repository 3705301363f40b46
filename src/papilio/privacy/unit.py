r"""What a requirement counts: rows, or people who may have several rows.

A release protects people. Where a person may have several rows, a policy names the column that says
whose row it is (``person``), and every requirement is over people.

k-anonymity
    In every class C, k m(C) <= \|C\|, with m(C) the most rows of one person. So C has rows of at
    least k people, and a row drawn from C is a given person's with probability at most 1/k. In the
    same units as before: with one row a person, m(C) = 1. Closed under unions:
    k m(C u D) <= k m(C) + k m(D) <= \|C\| + \|D\|.
diversity and closeness
    D'(C): the requirement D holds for C and, for every person p who has several rows in the table,
    for C without p's rows, unless nothing is left. Otherwise one person with three diseases makes a
    class diverse in which everybody else has the same; p themself, and whoever knows p's rows,
    would read the others' value. With one row a person it is D. Closed under unions whenever D is,
    because (C u D) \ p = (C \ p) u (D \ p), where an empty part changes nothing. That p counts who
    has one row in C and others elsewhere is what makes it so.
    Closeness compares C \ p with the whole table, whose distribution is known to everybody.

Who knows some of p's rows only. Let such a person rule out the rows they know. What is left is a
mixture of C \ p and of those u rows of p in C which they do not know. Their share
u / (\|C \ p\| + u) is at most what all of p's rows have of C, and with k over people that is at
most 1 / k. Hence entropy is at least (1 - 1 / k) times that of C \ p, because it is concave;
distances from the table are at most t + 1 / k, because they are convex and at most 1; of distinct
values there are no fewer than in C \ p.

What it does not protect against: two people who put together what they know of their own rows;
knowing which rows of different classes are one person's, if something else tells.
"""

from __future__ import annotations

from typing import Any

#: What a manifest says of a requirement that holds over people.
OVER_PEOPLE = {"unit": "people"}


def stated(*, people: bool) -> dict[str, Any]:
    """What a manifest says of the unit: nothing where each row counts by itself."""
    return dict(OVER_PEOPLE) if people else {}
