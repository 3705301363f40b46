"""Which rows may stand in which lines, by trying everything. Imports nothing of Papilio.

A row is (person, number, value), a line (low, high, value). A line is true of a row if the number
lies between its ends and the values are equal. Lines with the same ends are of one class. Rows may
be left out; lines may not.
"""

from collections import Counter


def is_true(row, line):
    """Whether a line is true of a row."""
    _, number, value = row
    low, high, published = line
    return low <= number <= high and value == published


def assignments(rows, lines):
    """Yield what people may own: Counter of (person, ends, value), each once."""
    seen = set()
    for owned in _ways(rows, Counter(lines), len(rows) - len(lines)):
        key = frozenset(owned.items())
        if key not in seen:
            seen.add(key)
            yield owned


def _ways(rows, free, spare):
    if not rows:
        yield Counter()
        return
    row, rest = rows[0], rows[1:]
    if spare:
        yield from _ways(rest, free, spare - 1)
    for line in [line for line, count in free.items() if count and is_true(row, line)]:
        free[line] -= 1
        for owned in _ways(rest, free, spare):
            found = Counter(owned)
            found[row[0], line[:2], line[2]] += 1
            yield found
        free[line] += 1


def classes_of(owned):
    """Ends of a class -> its rows as a list of (person, value)."""
    classes = {}
    for (person, ends, value), count in owned.items():
        classes.setdefault(ends, []).extend([(person, value)] * count)
    return classes
