"""What a missing value means.

NULL is a value of its own: equal to NULL and to nothing else. It takes part in every count: a row
whose age is NULL is in the same class as other rows whose age may be NULL, and a class of one
such row has size one. NaN means the same as NULL and is turned into it when a table is read;
infinite numbers are refused, because no range of finite numbers could cover them.

By role:

===========  ==================================================================================
quasi        a class may mix NULL with other values; the published cell then says "or NULL", and
             its loss is that of the widest possible cell (a range), of one more value (a set), or
             of the root (a hierarchy)
sensitive    one more sensitive value
plain        published as it is
===========  ==================================================================================
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.errors import DataError


def normalise_nulls(series: pl.Series, counts: NDArray[np.int64] | None = None) -> pl.Series:
    """Turn NaN into NULL and refuse infinite numbers.

    ``counts`` says of how many rows each entry stands, for the message; left out, of one.

    Raises
    ------
    DataError
        If the column holds an infinite number.
    """
    if not series.dtype.is_float():
        return series
    places = series.is_infinite().fill_null(False)
    if places.any():
        infinite = int(places.sum() if counts is None else counts[places.to_numpy()].sum())
        raise DataError(
            f"column '{series.name}': {infinite} infinite numbers; only finite numbers and "
            "missing values are accepted",
            reason="infinite-number",
        )
    return series.fill_nan(None)
