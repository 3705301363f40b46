"""Strict Mondrian, slow and obvious: lists of rows, no arrays. Imports nothing of Papilio.

A column is described by ``("range", positions)``, ``("tree", paths)`` or ``("set", size)``:
``positions[code]`` is where a value lies, ``paths[code]`` the nodes from a leaf to the root.
"""


def width(kind, codes):
    """Share of the domain that a cell over these codes covers."""
    what, meaning = kind
    distinct = set(codes)
    if len(distinct) == 1:
        return 0.0
    if what == "range":
        return min(meaning[max(distinct)] - meaning[min(distinct)], 1.0)
    if what == "set":
        return (len(distinct) - 1) / (meaning - 1)
    common = next(n for n in meaning[min(distinct)] if all(n in meaning[c] for c in distinct))
    covered = sum(common in path for path in meaning)
    return (covered - 1) / (len(meaning) - 1)


def best_cut(codes, k):
    """The allowed cut nearest to the middle, the lower one of two; ``None`` if there is none."""
    allowed = []
    for cut in sorted(set(codes))[:-1]:
        left = sum(code <= cut for code in codes)
        right = len(codes) - left
        if left >= k and right >= k:
            allowed.append((abs(left - right), cut))
    return min(allowed)[1] if allowed else None


def strict_mondrian(rows, kinds, k, meets=lambda rows: True):
    """Classes of rows (lists of codes), as lists of row numbers.

    ``meets`` is any further demand on the row numbers of a class.
    """

    def divide(members):
        columns = range(len(kinds))
        widths = [width(kinds[c], [rows[m][c] for m in members]) for c in columns]
        for column in sorted(columns, key=lambda c: (-widths[c], c)):
            if widths[column] <= 0:
                break
            cut = best_cut([rows[m][column] for m in members], k)
            if cut is None:
                continue
            left = [m for m in members if rows[m][column] <= cut]
            right = [m for m in members if rows[m][column] > cut]
            if meets(left) and meets(right):
                return divide(left) + divide(right)
        return [members]

    return divide(list(range(len(rows))))
