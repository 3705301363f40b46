"""Text read as numbers, dates and booleans; works on distinct values.

Columns of text that would be numbers but for a few cells.

One cell such as ``n/a`` or ``1e400`` makes labels of a whole column of numbers: ranges become
lists, and the owner may not notice. So it is said.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.table import ColumnType

_WHOLE = r"^[+-]?[0-9]+$"
_AS_WRITTEN = r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-][0-9]+)?$"
_ANY_NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_MOMENT = (
    r"^(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ](?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])"
    r"(?::(?P<second>[0-5][0-9])(?:\.(?P<fraction>[0-9]{1,9}))?)?"
    r"(?P<zone>Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])?)?$"
)
_TRUE_FALSE = {"true": True, "false": False}
_YES_NO = {"yes": True, "no": False, "y": True, "n": False, "t": True, "f": False}
_ONE_ZERO = {"1": True, "0": False}


@dataclass(frozen=True, eq=False)
class Parsed:
    """Distinct texts read as another type.

    Attributes
    ----------
    values
        One value per text, NULL where there is none.
    unreadable
        Which texts do not have the form of the type. A text of the right form can still have no
        value, such as a number beyond all limits.
    """

    values: pl.Series
    unreadable: pl.Series

    @property
    def fits(self) -> bool:
        """Whether every text has a value."""
        return self.values.null_count() == 0


def parse_text(distinct: pl.Series, goal: ColumnType, declared: bool) -> Parsed:
    """Read texts as numbers, dates or booleans.

    Parameters
    ----------
    distinct
        Texts without NULL.
    goal
        Any type but category.
    declared
        Whether the policy declares the type, which allows more ways of writing; see
        :func:`papilio.data.types.convert`.
    """
    if goal is ColumnType.NUMERIC:
        return _numbers(distinct, _ANY_NUMBER if declared else _AS_WRITTEN)
    if goal is ColumnType.DATE:
        return _moments(distinct)
    words = _TRUE_FALSE | _YES_NO | _ONE_ZERO if declared else _TRUE_FALSE
    values = distinct.str.to_lowercase().replace_strict(
        list(words), list(words.values()), default=None, return_dtype=pl.Boolean
    )
    return Parsed(values, values.is_null())


def read_as(texts: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Read texts as a type that all texts of the column, of which these are some, have.

    Where :func:`parse_text` finds the type from all texts at once, this takes it as given, so that
    a column can be read in parts.

    Parameters
    ----------
    texts
        Texts and NULL; every text fits.
    dtype
        ``Int64``, ``Float64``, ``Boolean``, ``Date`` or ``Datetime``.
    """
    if dtype == pl.Boolean:
        known = texts.drop_nulls().unique()
        values = parse_text(known, ColumnType.BOOLEAN, declared=True).values
        return texts.replace_strict(known, values, default=None, return_dtype=pl.Boolean)
    if dtype.is_numeric():
        return texts.cast(dtype)
    timed, zoned = isinstance(dtype, pl.Datetime), getattr(dtype, "time_zone", None) is not None
    return _read_moments(texts, timed=timed, zoned=zoned)[0].cast(dtype).alias(texts.name)


def number_parts(texts: pl.Series, *, declared: bool) -> tuple[pl.Series, pl.Series]:
    """Which texts have the form of a number, and which that of a whole one."""
    form = _ANY_NUMBER if declared else _AS_WRITTEN
    return texts.str.contains(form), texts.str.contains(_WHOLE)


def moment_parts(texts: pl.Series) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Day of each text or NULL, and which texts have a time and a time zone."""
    parts = texts.str.extract_groups(_MOMENT).struct.unnest()
    days = parts["day"].str.to_date("%Y-%m-%d", strict=False)
    return days, parts["hour"].is_not_null(), parts["zone"].is_not_null()


def _numbers(distinct: pl.Series, form: str) -> Parsed:
    readable = distinct.str.contains(form)
    texts = distinct.filter(readable)
    if texts.str.contains(_WHOLE).all():
        numbers = texts.cast(pl.Int64, strict=False)
    else:
        numbers = texts.cast(pl.Float64, strict=False)
        numbers = numbers.set(numbers.is_infinite(), None)
    return Parsed(_spread(numbers, readable), ~readable)


def _spread(values: pl.Series, places: pl.Series) -> pl.Series:
    """Put values, in order, where ``places`` is true and NULL elsewhere."""
    if len(values) == len(places):
        return values
    index = places.cast(pl.Int64).cum_sum() - 1
    return values.gather(index.set(~places, None))


def _moments(distinct: pl.Series) -> Parsed:
    _, timed, zoned = moment_parts(distinct)
    moments, days = _read_moments(distinct, timed=timed.any(), zoned=zoned.any())
    return Parsed(moments, days.is_null())


def _read_moments(texts: pl.Series, *, timed: bool, zoned: bool) -> tuple[pl.Series, pl.Series]:
    """Read texts as days, as moments, or as moments in UTC; return them and their days."""
    parts = texts.str.extract_groups(_MOMENT).struct.unnest()
    days = parts["day"].str.to_date("%Y-%m-%d", strict=False)
    if not timed:
        return days, days
    moments = days.cast(pl.Datetime("us")) + _since_midnight(parts) - _offset(parts["zone"])
    if zoned:
        moments = moments.dt.replace_time_zone("UTC").set(parts["zone"].is_null(), None)
    return moments, days


def _since_midnight(parts: pl.DataFrame) -> pl.Series:
    def number(name: str) -> pl.Expr:
        return pl.col(name).cast(pl.Int64).fill_null(0)

    micros = (pl.col("fraction") + "000000").str.slice(0, 6).cast(pl.Int64).fill_null(0)
    seconds = number("hour") * 3600 + number("minute") * 60 + number("second")
    return parts.select((seconds * 1_000_000 + micros).cast(pl.Duration("us"))).to_series()


def _offset(zone: pl.Series) -> pl.Series:
    """How far each local time is ahead of UTC."""
    digits = zone.str.replace_all("[^0-9]", "")
    hours = digits.str.slice(0, 2).cast(pl.Int64, strict=False).fill_null(0)
    minutes = digits.str.slice(2, 2).cast(pl.Int64, strict=False).fill_null(0)
    sign = zone.str.starts_with("-").fill_null(False).cast(pl.Int64) * -2 + 1
    return (sign * (hours * 60 + minutes) * 60_000_000).cast(pl.Duration("us"))


#: Share of the cells that may be something else in a column that was meant to be numbers.
FEW = 0.05


def nearly_numeric(
    texts: pl.Series, name: str, counts: NDArray[np.int64] | None = None
) -> str | None:
    """What to tell the owner of a column that was taken for labels; ``None`` if nothing.

    Parameters
    ----------
    texts
        Cells of a source without types.
    name
        The column, for the message.
    counts
        Of how many rows each cell stands; left out, of one.

    Returns
    -------
    str
        A sentence with the number of cells that are no finite numbers, without any of them.

    Notes
    -----
    Cost: the distinct cells are parsed once.
    """
    rows = pl.DataFrame({"text": texts.cast(pl.String), "rows": 1 if counts is None else counts})
    distinct = rows.drop_nulls("text").group_by("text").agg(pl.col("rows").sum())
    parsed = parse_text(distinct.get_column("text"), ColumnType.NUMERIC, declared=True)
    stray = int(distinct.get_column("rows").filter(parsed.values.is_null()).sum())
    cells = int(distinct.get_column("rows").sum())
    if not 0 < stray <= FEW * cells:
        return None
    are = "is no finite number" if stray == 1 else "are no finite numbers"
    return (
        f"Column '{name}' is taken for labels, because {stray:,} of its {cells:,} cells {are}; "
        "declare type: numeric to be told which is the first, or type: category if that is meant."
    )
