"""The census table of the butterfly paper: nine attributes of Census-Income, as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from papilio.data.table import Column, ColumnType, Role, Table

#: Beside the repository, not part of it.
FOLDER = Path(__file__).parents[2] / "shared" / "data" / "census-income"
FILES = ("census_income_kdd_train.parquet", "census_income_kdd_test.parquet")
#: The paper's attributes and the columns that stand for them.
ATTRIBUTES = {
    "age": "age",
    "occupation": "major_occupation_code",
    "birthplace": "country_of_birth_self",
    "marital": "marital_stat",
    "gender": "sex",
    "salary": "weeks_worked_in_year",
    "workclass": "class_of_worker",
    "education": "education",
    "race": "race",
}
#: Education from the least to the most; all other labels are numbered alphabetically.
EDUCATION = (
    "Children", "Less than 1st grade", "1st 2nd 3rd or 4th grade", "5th or 6th grade",
    "7th and 8th grade", "9th grade", "10th grade", "11th grade", "12th grade no diploma",
    "High school graduate", "Some college but no degree", "Associates degree-occup /vocational",
    "Associates degree-academic program", "Bachelors degree(BA AB BS)",
    "Masters degree(MA MS MEng MEd MSW MBA)",
    "Prof school degree (MD DDS DVM LLB JD)", "Doctorate degree(PhD EdD)",
)  # fmt: skip
#: Values of each attribute where the table is made up.
_SIZES = {"age": 91, "occupation": 15, "birthplace": 43, "marital": 7, "gender": 2}
_SIZES |= {"salary": 53, "workclass": 9, "education": 17, "race": 5}


def census() -> tuple[pl.DataFrame, str]:
    """All rows as whole numbers, and where they come from."""
    if not FOLDER.is_dir():
        return _made_up(299_285), "made-up rows (no Census-Income beside the repository)"
    parts = [pl.read_parquet(FOLDER / file, columns=[*ATTRIBUTES.values()]) for file in FILES]
    both = pl.concat(parts, how="vertical_relaxed")
    columns = [_number(both.get_column(source), name) for name, source in ATTRIBUTES.items()]
    return pl.DataFrame(columns), "UCI Census-Income (KDD), train and test"


def _number(series: pl.Series, name: str) -> pl.Series:
    if series.dtype != pl.String:
        return series.cast(pl.Int64).alias(name)
    labels = series.str.strip_chars()
    if name == "education":
        order = {label: place for place, label in enumerate(EDUCATION)}
        return labels.replace_strict(order, return_dtype=pl.Int64).alias(name)
    return labels.rank("dense").cast(pl.Int64).alias(name)


def _made_up(rows: int) -> pl.DataFrame:
    random = np.random.default_rng(2008)
    skewed = {name: random.beta(1, 3, rows) * size for name, size in _SIZES.items()}
    return pl.DataFrame({name: values.astype(np.int64) for name, values in skewed.items()})


def resampled(frame: pl.DataFrame, rows: int) -> pl.DataFrame:
    """So many rows: all, fewer without or more with repetition, alike in every run."""
    if rows == frame.height:
        return frame
    return frame.sample(rows, with_replacement=rows > frame.height, seed=2008)


def census_table(frame: pl.DataFrame, names: Sequence[str]) -> Table:
    """Some attributes as numeric quasi-identifiers, as in the paper's definition of loss."""
    columns = tuple(Column(name, Role.QUASI, ColumnType.NUMERIC) for name in names)
    return Table("census", frame.select(names), columns)
