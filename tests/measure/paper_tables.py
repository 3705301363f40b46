"""Tables 1a, 2a and 2b of the paper on hybrid recoding, as an original and two releases."""

from __future__ import annotations

import polars as pl

from papilio.data.table import ColumnType, Role
from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release
from tables import column, table

DISEASES = [
    "H1N1",
    "HIV",
    "flu",
    "Pneumonia",
    "HBV",
    "HIV",
    "dyspepsia",
    "flu",
    "flu",
    "HIV",
]
AGE = [20, 20, 20, 30, 30, 40, 40, 50, 50, 50]
ZIPCODE = [101, 101, 101, 102, 103, 102, 103, 104, 104, 104]

TABLE_1A = table(
    "medical",
    age=(pl.Series(AGE), column("age", ColumnType.NUMERIC)),
    zipcode=(pl.Series(ZIPCODE), column("zipcode", ColumnType.NUMERIC)),
    disease=(pl.Series(DISEASES), column("disease", role=Role.SENSITIVE)),
)

AGE_2A = [(20, 20)] * 3 + [(30, 30)] * 2 + [(40, 40)] * 2 + [(50, 50)] * 3
ZIPCODE_2A = [(101, 101)] * 3 + [(102, 103)] * 4 + [(104, 104)] * 3
AGE_2B = [(20, 20)] * 2 + [(20, 30)] * 2 + [(30, 40)] * 2 + [(40, 50)] * 2 + [(50, 50)] * 2
ZIPCODE_2B = (
    [(101, 101)] * 2 + [(101, 102)] * 2 + [(102, 103)] * 2 + [(103, 104)] * 2 + [(104, 104)] * 2
)


def release_of(age, zipcode):
    """Release of Table 1a with the given ranges, row after row."""
    bounds = {
        f"{name}_{end}": [cell[place] for cell in cells]
        for name, cells in (("age", age), ("zipcode", zipcode))
        for place, end in enumerate(("min", "max"))
    }
    columns = (
        *(
            PublishedColumn(name, "quasi", "numeric", "range", (f"{name}_min", f"{name}_max"))
            for name in ("age", "zipcode")
        ),
        PublishedColumn("disease", "sensitive", "category", "value", ("disease",)),
    )
    described = PublishedTable("medical", columns, len(age))
    frame = pl.DataFrame({**bounds, "disease": DISEASES[: len(age)]})
    return Release(Manifest("generalised", "by hand", (), (described,)), {"medical": frame})


TABLE_2A = release_of(AGE_2A, ZIPCODE_2A)
TABLE_2B = release_of(AGE_2B, ZIPCODE_2B)
