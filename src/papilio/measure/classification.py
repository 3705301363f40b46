"""Classification metric.

Source: Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002 (CM).
"""

from __future__ import annotations

import polars as pl

from papilio.data.table import Role, Table
from papilio.errors import DataError
from papilio.release.release import Release

_ROWS = "papilio rows"


def classification(release: Release, original: Table, label: str) -> float:
    r"""Share of rows a majority vote of their class mislabels: :math:`\frac{1}{n} \sum penalty`.

    A row is penalised by 1 if its label is not the most frequent one of its class, or if the
    release leaves it out. Between 0 (classes are pure) and 1; a release as one single class has
    the share of all but the most frequent label, and cells that say nothing about the label come
    out the same. NULL is one more label.

    Parameters
    ----------
    release
        A generalised release.
    original
        The table it was made from.
    label
        A column that is published as it is, which a recipient may want to predict.

    Raises
    ------
    DataError
        If the release has no such column.
    """
    published = release.manifest.table(original.name).columns
    kept = [each.published[0] for each in published if each.cells == "value"]
    if label not in kept:
        raise DataError(
            f"'{label}' is no column that is published as it is; these are: "
            f"{', '.join(kept) or 'none'}",
            reason="no-label",
        )
    cells = [n for each in published if each.role == Role.QUASI for n in each.published]
    counts = release.frames[original.name].group_by([*cells, label]).len(_ROWS)
    majority = counts.group_by(cells).agg(pl.col(_ROWS).max()).get_column(_ROWS).sum()
    return 1 - int(majority) / original.height
