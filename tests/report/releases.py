"""Releases of small tables for the tests of the report."""

from __future__ import annotations

from datetime import date, datetime

import polars as pl

from papilio import K
from papilio.data.encode import encode
from papilio.data.hierarchy.rules import AutomaticRule, DatesRule, PrefixRule
from papilio.data.table import ColumnType, Role
from papilio.document import Owned
from papilio.families.generalising.publish import generalised_release
from papilio.families.generalising.top_down import strict_mondrian
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import demand_of
from papilio.randomness import Randomness
from papilio.verify.verdict import Finding, Status, Verdict
from tables import column, table

HOLDS = Verdict((Finding("k-anonymity", "k >= 2", "k = 2 over 12345 classes", Status.HOLDS),))
HOSTILE = "<img src=x onerror=alert(1)> & \"'</svg><script>alert(2)</script>"


def release_of(original, k=2, *, text=False, seed=7):
    """Release a table with strict Mondrian; k falls to the number of rows if there are fewer."""
    requirements = (KAnonymity(min(k, original.height)),)
    encoded = encode(original, original.with_role(Role.QUASI))
    classes = strict_mondrian(encoded, demand_of(requirements, original), threads=1)
    return generalised_release(
        original,
        encoded,
        classes,
        requirements,
        method="mondrian",
        text=text,
        randomness=Randomness(seed),
    ).release


def calendar_table():
    """Dates, moments, and columns with hierarchies over dates and numbers."""
    days = [date(1990 + 3 * i, 1 + i % 12, 1 + 2 * i) for i in range(12)]
    moments = [datetime(2020, 1, 1 + i // 4, 6 * (i % 4), 30) for i in range(12)]
    return table(
        born=(pl.Series(days), column("born", ColumnType.DATE)),
        seen=(
            pl.Series(moments, dtype=pl.Datetime("us", "UTC")),
            column("seen", ColumnType.DATE),
        ),
        left=(
            pl.Series([*days[:11], None]),
            column("left", ColumnType.DATE, hierarchy=DatesRule(("month", "year"))),
        ),
        size=(
            pl.Series([i / 2 for i in range(12)]),
            column("size", ColumnType.NUMERIC, hierarchy=AutomaticRule()),
        ),
        visits=(pl.Series(range(12)), column("visits", ColumnType.NUMERIC, role=Role.PLAIN)),
        disease=(pl.Series(["flu", "none"] * 6), column("disease", role=Role.SENSITIVE)),
    )


def hostile_table(number="\x07bell</title>"):
    """Column names and values that would break a page or a picture if nothing were escaped."""
    cells = [HOSTILE, "\x00\x0b\x1b[31m", "\u202ereversed", "", " ", "a" * 500, "{{ 7 * 7 }}", None]
    names = {"label": HOSTILE, "code": "a.b['c']\\1", "number": number}
    made = {
        names["label"]: (pl.Series(cells * 2), column(names["label"])),
        names["code"]: (
            pl.Series(["<b>1", "<b>2", "<i>3", "<i>4"] * 4),
            column(names["code"], hierarchy=PrefixRule((3, 1))),
        ),
        names["number"]: (pl.Series(range(16)), column(names["number"], ColumnType.NUMERIC)),
        "kept": (pl.Series([HOSTILE, "plain"] * 8), column("kept", role=Role.SENSITIVE)),
    }
    return table("<b>people</b>", **made)


def owned(release, original, verdict=HOLDS, why="it fits", **more):
    """A release in the hands of its owner, with a verdict as the test wants it."""
    policy = Policy(columns={"any": "quasi"}, privacy=K(2))
    return Owned(release, policy, Order(original, ()), verdict, why, **more)
