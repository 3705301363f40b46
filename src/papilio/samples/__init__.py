"""Sample data that comes with Papilio; see ``ATTRIBUTION.md`` beside it.

Examples
--------
>>> import papilio as pp
>>> pp.samples.adult().shape
(30162, 15)
>>> pp.samples.ADULT_QUASI[:3]
('age', 'workclass', 'education-num')
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

FOLDER = Path(__file__).parent
#: The eight quasi-identifiers used throughout the literature on Adult.
ADULT_QUASI = (
    "age",
    "workclass",
    "education-num",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
)


def adult(*, part: str = "train", complete: bool = True) -> pl.DataFrame:
    """UCI Adult: people of the US census of 1994 and whether they earn more than 50 000 dollars.

    Parameters
    ----------
    part
        ``"train"`` (32 561 rows), ``"test"`` (16 281) or ``"all"``.
    complete
        Only rows without a missing value: 30 162 in the training part.
    """
    frame = pl.read_parquet(FOLDER / "adult.parquet")
    if part != "all":
        frame = frame.filter(pl.col("part") == part)
    return (frame.drop_nulls() if complete else frame).drop("part")
