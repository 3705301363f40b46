"""Rules between columns and who is left by them, one by one. Imports nothing of Papilio.

Rows are dicts; published rows have a set, range or value per column.
"""

from collections import Counter


def wrong(rows, one, other):
    """Share of rows that must go until each value of some columns has one of another."""
    pairs = Counter((tuple(r[n] for n in one), tuple(r[n] for n in other)) for r in rows)
    most = {}
    for (left, _), count in pairs.items():
        most[left] = max(most.get(left, 0), count)
    return 1 - sum(most.values()) / len(rows)


def says(rows, one, other):
    """What each value of some columns most often has; ties are not decided: all of them."""
    pairs = {}
    for row in rows:
        counts = pairs.setdefault(tuple(row[n] for n in one), Counter())
        counts[tuple(row[n] for n in other)] += 1
    return {
        left: {value for value, count in counts.items() if count == max(counts.values())}
        for left, counts in pairs.items()
    }


def left(row, rows, released, known, rules, fits):
    """Published rows that may be a row's: all that fit it and follow the rules."""
    count = 0
    for line in released:
        if not fits(row, line, known):
            continue
        for columns, published, forward in rules:
            mine = tuple(row[n] for n in columns)
            if forward and (line[published],) not in says(rows, columns, [published])[mine]:
                break
            if not forward:
                said = says(rows, [published], columns).get((line[published],), set())
                if mine not in said:
                    break
        else:
            count += 1
    return count
