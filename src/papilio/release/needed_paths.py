"""Files of paths with what a reader of the release needs, and nothing else.

A hierarchy file can hold far more than the column it is for. A line says something about the
release only if a published label stands in it: then its value may be behind a published cell. All
such lines stay, also those of values that no row has, since to leave them out would tell that.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from papilio.release.manifest import Manifest
from papilio.release.release import Release

#: Gives the distinct cells of a column, by the names of the table and of the published column.
Labels = Callable[[str, str], Collection[str | None]]


def needed_paths(
    manifest: Manifest, hierarchies: Mapping[str, str], labels: Labels
) -> dict[str, str]:
    """Files of a release, those of labelled columns with the lines of published labels only.

    Files that something else refers to, such as the tree of a claim, stay as they are.

    Notes
    -----
    Cost: the size of the files, and one pass over each labelled column.
    """
    published: dict[str, set[str | None]] = {}
    for table in manifest.tables:
        for column in table.columns:
            file = (column.hierarchy or {}).get("paths")
            if column.cells == "node" and isinstance(file, str):
                found = labels(table.name, column.published[0])
                published.setdefault(file, set()).update(found)
    return {
        file: _lines_with(text, published[file]) if file in published else text
        for file, text in hierarchies.items()
    }


def with_needed_paths(release: Release) -> Release:
    """Give a release in memory with the files of paths that its readers need."""

    def labels(table: str, column: str) -> Collection[str | None]:
        return release.frames[table].get_column(column).unique().to_list()

    files = needed_paths(release.manifest, release.hierarchies, labels)
    return replace(release, hierarchies=files)


def labels_in_files(folder: Path) -> Labels:
    """Read labels from the files of tables in a folder, piece by piece."""

    def labels(table: str, column: str) -> Collection[str | None]:
        found: set[str | None] = set()
        for file in sorted(folder.iterdir()):
            stem, _, ending = file.name.rpartition(".")
            if stem == table or (stem.startswith(f"{table}.") and stem[len(table) + 1 :].isdigit()):
                found.update(_distinct(file, ending, column))
        return found

    return labels


def _distinct(file: Path, ending: str, column: str) -> list[str | None]:
    rows = (
        pl.scan_parquet(file, glob=False)
        if ending == "parquet"
        else pl.scan_csv(file, infer_schema=False, glob=False)
    )
    return rows.select(pl.col(column).unique()).collect().get_column(column).to_list()


def _lines_with(text: str, labels: Collection[str | None]) -> str:
    kept = io.StringIO()
    writer = csv.writer(kept, lineterminator="\n")
    lines = csv.reader(io.StringIO(text, newline=""))
    writer.writerows(line for line in lines if any(label in labels for label in line))
    return kept.getvalue()
