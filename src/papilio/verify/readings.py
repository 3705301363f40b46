"""How a stranger reads generalised cells, as SQL expressions; see ``docs/release-format.md``."""

from __future__ import annotations

import csv
import io

from papilio.release.manifest import PublishedColumn
from papilio.verify import sql
from papilio.verify.opened import Opened

#: Label of the root of every hierarchy: any value, NULL included.
ROOT = "*"

_RANGE_FORM = r"^\[([^\[\],]+), ([^\[\],]+)\]( or NULL)?$"
_SET_MEMBER = r'("(?:[^"\\]|\\.)*"|[^,{}"]+)(?:, |$)'
_PERIODS = {
    r"^\d{4}-\d{2}-\d{2}$": "strftime({day}, '%Y-%m-%d')",
    r"^\d{4}-\d{2}$": "strftime({day}, '%Y-%m')",
    r"^\d{4}-Q\d$": "printf('%04d-Q%d', year({day}), quarter({day}))",
    r"^\d{4}$": "printf('%04d', year({day}))",
    r"^\d{4}s$": "printf('%04ds', year({day}) // 10 * 10)",
    r"^\d{4}-\d{4}$": (
        "printf('%04d-%04d', year({day}) // 100 * 100, year({day}) // 100 * 100 + 99)"
    ),
}


def set_values(column: PublishedColumn) -> str:
    """SQL for the list of values a set cell allows; NULL where the cell cannot be read."""
    cell = sql.name(column.published[0])
    if not column.text:
        return f"TRY(from_json({cell}, '[\"VARCHAR\"]'))"
    inner = f"regexp_extract({cell}, '^\\{{(.*)\\}}$', 1)"
    members = f"regexp_extract_all({inner}, {sql.text(_SET_MEMBER)}, 1)"
    member = (
        "CASE WHEN m = 'NULL' THEN NULL "
        "WHEN starts_with(m, '\"') THEN TRY(from_json(m, '\"VARCHAR\"')) ELSE m END"
    )
    return f"list_transform({members}, lambda m: {member})"


def range_bounds(column: PublishedColumn, kind: str) -> tuple[str, str, str]:
    """SQL for smallest value, largest value and "may be NULL" of a range cell.

    Parameters
    ----------
    column
        A column of ranges.
    kind
        SQL type of its values, needed where the range is written as text.
    """
    if not column.text:
        low, high, *null = map(sql.name, column.published)
        return low, high, null[0] if null else "false"
    cell = sql.name(column.published[0])
    bare = f"regexp_replace({cell}, ' or NULL$', '')"
    form = sql.text(_RANGE_FORM)
    low, high = (
        f"TRY_CAST(CASE WHEN regexp_matches({cell}, {form}) "
        f"THEN regexp_extract({cell}, {form}, {part}) ELSE {bare} END AS {kind})"
        for part in (1, 2)
    )
    return low, high, f"({cell} IS NULL OR ends_with({cell}, ' or NULL'))"


def known_labels(opened: Opened, column: PublishedColumn) -> list[str] | None:
    """Labels a hierarchy of paths has; ``None`` where labels speak for themselves."""
    paths = _paths(opened, column)
    if paths is None:
        return None
    return sorted({label for path in paths for label in path} | {ROOT})


def node_cover(opened: Opened, column: PublishedColumn, cells: str, values: str) -> str:
    """SQL for a table (cell, value) of what each label allows.

    Parameters
    ----------
    opened, column
        The release and a column of labels.
    cells
        Name of a table with the distinct labels (``cell``).
    values
        Name of a table with the distinct original values: ``value`` as text, ``raw`` as typed.
    """
    paths = _paths(opened, column)
    if paths is None:
        meets = _label_meets(column)
    else:
        pairs = sorted({(label, path[0]) for path in paths for label in path})
        connection = opened.connection
        connection.execute("CREATE OR REPLACE TEMP TABLE label (cell VARCHAR, leaf VARCHAR)")
        connection.executemany("INSERT INTO label VALUES (?, ?)", pairs)
        same = "leaf = value OR TRY_CAST(leaf AS DOUBLE) = TRY_CAST(raw AS DOUBLE)"
        meets = f"EXISTS (FROM label WHERE label.cell = cells.cell AND ({same}))"
    return (
        f"SELECT cell, value FROM {cells} AS cells, {values} WHERE CASE "
        f"WHEN cell IS NULL THEN value IS NULL WHEN cell = '{ROOT}' THEN true "
        f"WHEN value IS NULL THEN false ELSE coalesce({meets}, false) END"
    )


def _label_meets(column: PublishedColumn) -> str:
    """Condition that the label ``cell`` covers ``value``, by the hierarchy's rule."""
    rule = column.hierarchy or {}
    if "prefix" in rule:
        return "cell = value OR (ends_with(cell, '*') AND starts_with(value, cell[:-2]))"
    if "intervals" in rule:
        return _number_meets(r"^\[([^,]+), ([^)]+)\)$", "<", "DOUBLE")
    if "dates" in rule:
        return _period_meets()
    if column.type in ("numeric", "date"):
        kind = "TIMESTAMP" if column.type == "date" else "DOUBLE"
        return _number_meets(r"^\[([^,]+), ([^\]]+)\]$", "<=", kind)
    return "cell = value OR list_contains(TRY(from_json(cell, '[\"VARCHAR\"]')), value)"


def _number_meets(form: str, upper: str, kind: str) -> str:
    """Condition for labels that are a single value or a range of a form."""
    low, high = (
        f"TRY_CAST(regexp_extract(cell, {sql.text(form)}, {part}) AS {kind})" for part in (1, 2)
    )
    single = f"TRY_CAST(cell AS {kind}) = raw"
    return f"CASE WHEN {low} IS NULL THEN {single} ELSE raw >= {low} AND raw {upper} {high} END"


def _period_meets() -> str:
    """Condition for labels that are a day, month, quarter, year, decade or century."""
    cases = " ".join(
        f"WHEN regexp_matches(cell, {sql.text(form)}) "
        f"THEN cell = {text.format(day='CAST(raw AS DATE)')}"
        for form, text in _PERIODS.items()
    )
    return f"CASE {cases} ELSE false END"


def _paths(opened: Opened, column: PublishedColumn) -> list[list[str]] | None:
    file = (column.hierarchy or {}).get("paths")
    if file is None:
        return None
    return [row for row in csv.reader(io.StringIO(opened.hierarchies.get(str(file), ""))) if row]
