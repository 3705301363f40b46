"""Releases written down by hand, without any method."""

from __future__ import annotations

import datetime as dt

import polars as pl

from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release

HIERARCHY = "nurse,health,*\nclerk,office,*\n"

FRAME = pl.DataFrame(
    {
        "age_min": [20, 20, 30, 30],
        "age_max": [29, 29, 39, 39],
        "age_null": [False, False, True, True],
        "job": ["health", "health", "office", "office"],
        "pet": ['["cat"]', '["cat"]', '[null,"dog, \\"rex\\""]', '[null,"dog, \\"rex\\""]'],
        "code": ["007", "", None, "1e5"],
        "seen": [dt.date(2020, 1, 1), None, dt.date(1999, 12, 31), dt.date(2020, 2, 29)],
        "well": [True, False, None, True],
        "pay": [1.5, None, -2.0, 1e-9],
    }
)
COLUMNS = (
    PublishedColumn("age", "quasi", "numeric", "range", ("age_min", "age_max", "age_null")),
    PublishedColumn(
        "job", "quasi", "category", "node", ("job",), hierarchy={"paths": "hierarchy_2.csv"}
    ),
    PublishedColumn("pet", "quasi", "category", "set", ("pet",)),
    PublishedColumn("code", "sensitive", "category", "value", ("code",)),
    PublishedColumn("seen", "plain", "date", "value", ("seen",)),
    PublishedColumn("well", "plain", "boolean", "value", ("well",)),
    PublishedColumn("pay", "plain", "numeric", "value", ("pay",)),
)


def manifest(name="people", rows=4, **changes):
    given = {
        "kind": "generalised",
        "method": "mondrian",
        "claims": (Claim("k-anonymity", name, "everyone", ("age", "job", "pet"), {"k": 2}),),
        "tables": (PublishedTable(name, COLUMNS, rows),),
    }
    return Manifest(**{**given, **changes})


def release(name="people"):
    return Release(manifest(name), {name: FRAME}, {"hierarchy_2.csv": HIERARCHY})
