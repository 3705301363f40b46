"""The rows and columns of Census-Income that the paper on disjoint projections uses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

DATA = Path(__file__).parents[2] / "shared" / "data" / "census-income"
QUASI = ("age", "race", "sex", "citizenship")
#: Sensitive columns of the paper: its names and the file's.
CATEGORIES = {
    "worker_class": "class_of_worker",
    "education": "education",
    "industry": "major_industry_code",
    "employment_status": "full_or_part_time_employment_stat",
    "business_status": "own_business_or_self_employed",
    "salary_class": "income",
    "occupation": "major_occupation_code",
}
NUMBERS = {
    "wage_per_hour": "wage_per_hour",
    "dividend": "dividends_from_stocks",
    "capital_gain": "capital_gains",
    "capital_loss": "capital_losses",
}
HOUSEHOLD = ("married", "under_18", "descendant", "subfamily")
SENSITIVE = (*CATEGORIES, *NUMBERS, *(f"household={value}" for value in HOUSEHOLD))
_OUTSIDE = "Not in universe or children"


def census_income(rows: int | None = None) -> tuple[pl.DataFrame, str]:
    """The table, with ``household`` as one column of several values, and where it is from.

    Without the data folder, rows of the same columns are invented.
    """
    file = DATA / "census_income_kdd_train.parquet"
    if not file.exists():
        return _invented(rows or 98_839), "invented rows: the data folder is not there"
    frame = pl.read_parquet(file).filter(pl.col("major_industry_code") != _OUTSIDE)
    table = frame.select(
        *QUASI,
        *(pl.col(old).cast(pl.String).alias(new) for new, old in CATEGORIES.items()),
        *((pl.col(old) > 0).alias(new) for new, old in NUMBERS.items()),
        _household(pl.col("detailed_household_and_family_stat")).alias("household"),
    )
    shown = table if rows is None else table.sample(rows, seed=1, shuffle=True)
    return shown, f"{shown.height} of the {table.height} rows with an industry"


def _household(status: pl.Expr) -> pl.Expr:
    """What the status says, of four things; the paper does not tell its rules."""
    said = {
        "married": status.str.contains("(?i)spouse| ever marr"),
        "under_18": status.str.contains("<18|under 18"),
        "descendant": status.str.contains("(?i)^(grand)?child"),
        "subfamily": status.str.contains("(?i)subfamily") & ~status.str.contains("(?i)not in"),
    }
    parts = [pl.when(flag).then(pl.lit(value)) for value, flag in said.items()]
    return pl.concat_list(parts).list.drop_nulls().list.join(";")


def _invented(rows: int) -> pl.DataFrame:
    """Columns that hang together through two hidden ones, of about the same numbers of values."""
    chance = np.random.default_rng(20)
    hidden = chance.integers(0, 6, rows), chance.integers(0, 4, rows)

    def label(values: int, noise: float, cause: int) -> list[str]:
        told = hidden[cause] % values
        other = chance.integers(0, values, rows)
        return [f"v{each}" for each in np.where(chance.random(rows) < noise, other, told)]

    sizes = {"worker_class": 7, "education": 16, "industry": 23, "employment_status": 8}
    sizes |= {"business_status": 3, "salary_class": 2, "occupation": 14}
    flags = np.column_stack([chance.random(rows) < share for share in (0.3, 0.02, 0.1, 0.02)])
    households = [
        ";".join(value for value, has in zip(HOUSEHOLD, row, strict=True) if has) for row in flags
    ]
    labels = {name: label(size, 0.6, place % 2) for place, (name, size) in enumerate(sizes.items())}
    return pl.DataFrame(
        {
            "age": chance.integers(15, 91, rows),
            "race": label(5, 0.3, 1),
            "sex": label(2, 1.0, 0),
            "citizenship": label(5, 0.2, 1),
            **labels,
            **{name: chance.random(rows) < 0.1 for name in NUMBERS},
            "household": households,
        }
    )
