"""Columns that hold several values per person, as one boolean column per value.

The bitmap transformation of Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA
2011), Definition 2: a column B whose cells are sets of values becomes a column ``B=v`` for each
value v, true where v is in the set.

A cell is a set: the order of its values, repetitions, and blanks around them mean nothing; NULL,
an empty cell and a person without linked rows are the empty set. With that the transformation loses
nothing, and :func:`restore_sets` undoes it.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from papilio.errors import DataError


def bitmap_name(column: str, value: str) -> str:
    """Name of the column that says who has a value."""
    return f"{column}={value}"


def split_cells(cells: pl.Series, separator: str) -> pl.Series:
    """Cells of text as lists of values."""
    parts = cells.cast(pl.String).str.split(separator)
    return _tidy(parts)


def linked_sets(
    keys: pl.Series, linked_keys: pl.Series, values: pl.Series, column: str
) -> pl.Series:
    """Lists of the values that a table of (person, value) has for each person.

    Parameters
    ----------
    keys
        The person each row of the main table is about.
    linked_keys, values
        The columns of the linked table.
    column
        Name for messages.

    Raises
    ------
    DataError
        If a key of the main table is missing or not unique, or a linked row has no person there.
    """
    people = keys.cast(pl.String)
    if people.null_count() or people.n_unique() < len(people):
        raise DataError(
            f"column '{column}': the key '{keys.name}' must be there and different for each person",
            reason="key-not-unique",
        )
    linked = pl.DataFrame({"person": linked_keys.cast(pl.String), "value": values.cast(pl.String)})
    strangers = int((~linked.get_column("person").is_in(people.implode())).fill_null(True).sum())
    if strangers:
        raise DataError(
            f"column '{column}': {strangers} linked rows belong to nobody in the table; read only "
            "those of people who are in it, with {sql: ...} for instance",
            reason="unknown-key",
        )
    sets = linked.group_by("person").agg(pl.col("value"))
    joined = pl.DataFrame({"person": people}).join(
        sets, on="person", how="left", maintain_order="left"
    )
    return _tidy(joined.get_column("value"))


def _tidy(lists: pl.Series) -> pl.Series:
    """Lists without blanks around values, empty values and NULL; never NULL themselves."""
    value = pl.element().str.strip_chars()
    kept = pl.col("sets").list.eval(value.filter(value.is_not_null() & (value != "")))
    empty = pl.lit([], dtype=pl.List(pl.String))
    return pl.DataFrame({"sets": lists}).select(pl.coalesce(kept, empty)).to_series()


def bitmap(sets: pl.Series, column: str, domain: Sequence[str] | None = None) -> list[pl.Series]:
    """One boolean column per value, in the order of the domain or alphabetically.

    Parameters
    ----------
    sets
        Lists of values.
    column
        Name of the column.
    domain
        All values that may occur; left out, those that do.

    Raises
    ------
    DataError
        If there is no value at all, or one outside the domain.
    """
    occurring = sets.explode().drop_nulls().unique().sort().to_list()
    values = list(occurring if domain is None else domain)
    outside = set(occurring) - set(values)
    if outside:
        raise DataError(
            f"column '{column}': {len(outside)} values are not in the domain the policy gives; "
            "list every value that may occur",
            reason="outside-domain",
        )
    if not values:
        raise DataError(
            f"column '{column}': nobody has a value, so there is nothing to publish; leave the "
            "column out or give its domain",
            reason="no-values",
        )
    return [sets.list.contains(value).alias(bitmap_name(column, value)) for value in values]


def restore_sets(frame: pl.DataFrame, column: str) -> pl.Series:
    """Lists of values from the boolean columns of a multi-valued column; undoes :func:`bitmap`.

    Values stand in the order of the columns.
    """
    prefix = bitmap_name(column, "")
    names = [name for name in frame.columns if name.startswith(prefix)]
    flags = [
        pl.when(pl.col(name)).then(pl.lit(name.removeprefix(prefix))).otherwise(None)
        for name in names
    ]
    lists = pl.concat_list(flags).list.drop_nulls() if flags else pl.lit([], pl.List(pl.String))
    return frame.select(lists.alias(column)).to_series()
