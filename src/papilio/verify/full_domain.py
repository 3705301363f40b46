"""Whether a column that claims one level of its hierarchy is published on that level throughout."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal
from itertools import pairwise
from typing import Any

from papilio.release.manifest import PublishedColumn, PublishedTable, rule_fault
from papilio.verify.cells import distinct_cells
from papilio.verify.labels import label_reader
from papilio.verify.opened import Opened
from papilio.verify.readings import Anything, OneOf, Reader, Span, bound
from papilio.verify.verdict import Finding, finding

_ROOT = "*"
_DATES = {
    "day": r"\d{4}-\d{2}-\d{2}",
    "month": r"\d{4}-\d{2}",
    "quarter": r"\d{4}-Q[1-4]",
    "year": r"\d{4}",
    "decade": r"\d{3}0s",
    "century": r"\d{2}00-\d{2}99",
}
_INTERVAL = re.compile(r"\[(-?[\d.e+-]+), (-?[\d.e+-]+)\)")


def check_levels(opened: Opened, table: PublishedTable) -> list[Finding]:
    """Check every column whose labels all stand on one level (full-domain generalisation)."""
    return [
        _check(opened, table, column)
        for column in table.columns
        if column.cells == "node" and "level" in (column.hierarchy or {})
    ]


def _check(opened: Opened, table: PublishedTable, column: PublishedColumn) -> Finding:
    rule = column.hierarchy or {}
    claim, demanded = f"level of {table.name}", "one level in every row"
    files = frozenset(file.name for file in opened.manifest.files) | opened.hierarchies.keys()
    fault = rule_fault(rule, files)
    if fault is not None:
        return finding(claim, demanded, f"'{column.name}' {fault}", False, column=column.name)
    demanded = f"level {rule['level']} in every row"
    rows = distinct_cells(opened, table.name, column.published[0])
    # NULL stands on every level but the last, where it would be covered by the root.
    labels = {label: count for label, count in rows if label is not None}
    on_level = _test(rule, opened.hierarchies)
    if on_level is None:
        # The labels do not show their level, but those of one level never overlap.
        clash = _overlap(labels, label_reader(column, opened.hierarchies))
        measured = "labels overlap" if clash else "labels do not overlap"
        return finding(claim, demanded, measured, not clash, column=column.name)
    wrong = sum(count for label, count in labels.items() if not on_level(label))
    measured = f"{wrong} rows on another level" if wrong else "all rows"
    return finding(claim, demanded, measured, wrong == 0, column=column.name)


def _test(rule: Mapping[str, Any], files: Mapping[str, str]) -> Callable[[str], bool] | None:
    """Test whether a label stands on the level the rule names; ``None`` if that cannot be seen."""
    level = rule["level"]
    if not isinstance(level, int) or level < 0:
        return frozenset[str]().__contains__
    if "paths" in rule:
        lines = csv.reader(io.StringIO(files.get(str(rule["paths"]), "")))
        allowed = {line[level] for line in lines if level < len(line)}
        return allowed.__contains__
    if rule.get("flat"):
        return lambda label: (label == _ROOT) == (level == 1)
    steps = rule.get("prefix") or rule.get("intervals") or rule.get("dates")
    if steps is None:
        return None
    if level > len(steps):
        return lambda label: label == _ROOT
    if level == 0:
        return lambda label: label != _ROOT
    return _step_test(rule, steps[level - 1])


def _step_test(rule: Mapping[str, Any], step: Any) -> Callable[[str], bool]:
    if "prefix" in rule:
        return lambda label: (
            len(label) == step + 1 if label.endswith(_ROOT) else 0 < len(label) <= step
        )
    if "dates" in rule:
        return lambda label: re.fullmatch(_DATES[step], label) is not None
    return lambda label: _interval_width(label) == Decimal(str(step))


def _interval_width(label: str) -> Decimal | None:
    form = _INTERVAL.fullmatch(label)
    low, high = (None, None) if form is None else (bound(end, "numeric") for end in form.groups())
    if not isinstance(low, Decimal) or not isinstance(high, Decimal):
        return None
    return high - low


def _overlap(labels: Collection[str], read: Reader | None) -> bool:
    """Whether two labels of an automatic hierarchy allow the same value."""
    readings = [None if read is None else read(label) for label in labels]
    spans: list[tuple[Any, Any]] = sorted((r.low, r.high) for r in readings if isinstance(r, Span))
    values = [value for r in readings if isinstance(r, OneOf) for value in r.values]
    anything = any(r is None or isinstance(r, Anything) for r in readings)
    touching = any(one[1] >= other[0] for one, other in pairwise(spans))
    return (anything and len(readings) > 1) or touching or len(set(values)) < len(values)
