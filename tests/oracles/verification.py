"""What a release says and whether it is true, slow and obvious. Imports nothing of Papilio.

Everything works on plain data: a described column is an entry of ``tables[].columns`` of
``release.json``, a published row a dictionary of cells, an original row a dictionary of values.
Texts of hierarchy files are passed by file name.
"""

import csv
import json
import math
from collections import Counter
from datetime import date, datetime
from fractions import Fraction

MISREAD = ValueError("a cell is not well formed")


def is_well_formed(column, row, files):
    """Whether a stranger can read the cell of a row."""
    try:
        allows(column, row, None, files)
    except ValueError:
        return False
    return True


def allows(column, row, value, files):
    """Whether the cell of a row allows the original value to be this one."""
    cells = [row[name] for name in column["published"]]
    if column["cells"] == "value":
        return cells[0] == value
    if column["cells"] == "range":
        return _range(column, cells, value)
    if column["cells"] == "set":
        return as_text(value) in _set(column, cells[0])
    return _node(column, cells[0], value, files)


def least_class(columns, rows):
    """Size of the smallest class."""
    names = [name for column in columns for name in column["published"]]
    # By their writing, because Python's NaN is not even equal to itself.
    return min(Counter(tuple(repr(row[name]) for name in names) for row in rows).values())


def is_true(columns, published, original, files):
    """Whether published rows can be given to original rows, one to one, each allowing its own."""
    if len(published) != len(original):
        return False
    fitting = [
        [p for p, cells in enumerate(published) if fits(columns, cells, values, files)]
        for values in original
    ]
    owner = {}

    def place(row, tried):
        for box in fitting[row]:
            if box not in tried:
                tried.add(box)
                if box not in owner or place(owner[box], tried):
                    owner[box] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(original)))


def fits(columns, cells, values, files):
    """Whether a published row may be an original row; a cell nobody can read allows nothing."""
    try:
        return all(allows(column, cells, values[column["name"]], files) for column in columns)
    except ValueError:
        return False


def as_text(value):
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_moment(value):
    """A day as its midnight; everything else as it is."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return value


def as_day(value):
    return value.date() if isinstance(value, datetime) else value


def _range(column, cells, value):
    low, high, null = _ends(column, cells[0]) if column["text"] else (*cells, False)[:3]
    if null is None or (low is None) != (high is None):
        raise MISREAD
    if low is None:
        if not null:
            raise MISREAD
        return value is None
    if isinstance(low, float) and not (math.isfinite(low) and math.isfinite(high)):
        raise MISREAD
    if not low <= high:
        raise MISREAD
    return null if value is None else as_moment(low) <= as_moment(value) <= as_moment(high)


def _ends(column, cell):
    if cell is None:
        return None, None, True
    bare = cell.removesuffix(" or NULL")
    ends = [bare, bare]
    if bare.startswith("["):
        ends = bare[1:].split(", ")
        if len(ends) != 2 or not ends[1].endswith("]"):
            raise MISREAD
        ends[1] = ends[1][:-1]
    return _scalar(ends[0], column), _scalar(ends[1], column), bare != cell


def _scalar(text, column):
    """A number or a moment; whole numbers stay exact."""
    if not text[:1].isdigit() and not (text[:1] == "-" and text[1:2].isdigit()):
        raise MISREAD
    if text != text.strip() or "_" in text:
        raise MISREAD
    if column["type"] == "date":
        return datetime.fromisoformat(text)
    try:
        return int(text)
    except ValueError:
        return float(text)


def _set(column, cell):
    members = _readable_set(cell) if column["text"] else json.loads(cell or "")
    if not isinstance(members, list) or not members:
        raise MISREAD
    kind = bool if column["type"] == "boolean" and not column["text"] else str
    known = [each for each in members if each is not None]
    right = all(isinstance(each, kind) for each in known) and known == sorted(set(known))
    if not right or members not in (known, [None, *known]):
        raise MISREAD
    return [as_text(each) for each in members]


def _readable_set(cell):
    """Read ``{NULL, a, "b, c"}`` character by character."""
    if cell is None or not cell.startswith("{") or not cell.endswith("}"):
        raise MISREAD
    rest, members = cell[1:-1], []
    while True:
        if rest.startswith('"'):
            member, used = json.JSONDecoder().raw_decode(rest)
        else:
            used = min((rest.find(c) for c in ',{}"' if c in rest), default=len(rest))
            member = rest[:used]
            if member != member.strip() or not member:
                raise MISREAD
            member = None if member == "NULL" else member
        members.append(member)
        rest = rest[used:]
        if not rest:
            return members
        if not rest.startswith(", "):
            raise MISREAD
        rest = rest[2:]


def _node(column, cell, value, files):
    rule = column["hierarchy"]
    root = "*"
    if "paths" in rule:
        paths = list(csv.reader(files[rule["paths"]].splitlines()))
        root = paths[0][-1]
    value = as_day(value)
    if cell is None:
        return value is None
    if cell == root:
        return True
    if "paths" in rule:
        return _below(paths, cell, value)
    if "prefix" in rule:
        return _prefix(cell, value, rule["prefix"])
    if "intervals" in rule:
        return _interval(cell, value, rule)
    if "dates" in rule:
        return _period(cell, value, rule["dates"])
    if column["type"] in ("numeric", "date"):
        return _range({**column, "text": True}, [_no_null(cell)], value)
    return value is not None and (value == cell or value in _listed(cell))


def _no_null(cell):
    if cell.endswith(" or NULL"):
        raise MISREAD
    return cell


def _below(paths, cell, value):
    if not any(cell in path for path in paths):
        raise MISREAD
    return any(cell in path and _same(path[0], value) for path in paths)


def _same(leaf, value):
    if isinstance(value, float):
        return float(leaf) == value
    return leaf == as_text(value)


def _prefix(cell, value, keep):
    if "*" in cell[:-1] or (cell.endswith("*") and len(cell) - 1 not in keep):
        raise MISREAD
    if value is None:
        return False
    text = as_text(value)
    return cell == text or any(cell == text[:n] + "*" for n in keep if len(text) > n)


def _interval(cell, value, rule):
    if not cell.endswith(")"):
        return _scalar(cell, {"type": "numeric"}) == value
    if not cell.startswith("["):
        raise MISREAD
    low, high = (Fraction(end) for end in cell[1:-1].split(", "))
    origin = Fraction(str(rule["origin"]))
    steps = {width: (low - origin) / Fraction(str(width)) for width in rule["intervals"]}
    if not any(n == int(n) and high - low == Fraction(str(w)) for w, n in steps.items()):
        raise MISREAD
    return value is not None and low <= Fraction(str(value)) < high


def _period(cell, value, levels):
    """Compare with the labels of the units the day lies in."""
    named = {
        4: "year",
        5: "decade",
        7: "quarter" if "Q" in cell else "month",
        9: "century",
        10: "day",
    }.get(len(cell))
    if named not in (*levels, "day"):
        raise MISREAD
    start = {"decade": f"{cell[:4]}-01", "century": f"{cell[:4]}-01", "year": f"{cell}-01"}.get(
        named, cell
    )
    if named == "quarter":
        start = f"{cell[:4]}-{int(cell[6]) * 3 - 2:02}"
    first = date.fromisoformat(start if named == "day" else f"{start}-01")
    if _labels(first)[named] != cell:
        raise MISREAD
    return value is not None and _labels(value)[named] == cell


def _labels(day):
    century = day.year // 100 * 100
    return {
        "day": f"{day.year:04}-{day.month:02}-{day.day:02}",
        "month": f"{day.year:04}-{day.month:02}",
        "quarter": f"{day.year:04}-Q{(day.month + 2) // 3}",
        "year": f"{day.year:04}",
        "decade": f"{day.year // 10 * 10:04}s",
        "century": f"{century:04}-{century + 99:04}",
    }


def _listed(cell):
    try:
        members = json.loads(cell)
    except ValueError:
        return []
    return [each for each in members if isinstance(each, str)] if isinstance(members, list) else []
