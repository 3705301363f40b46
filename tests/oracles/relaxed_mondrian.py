"""Relaxed Mondrian, slow and obvious. Imports nothing of Papilio."""

from oracles.mondrian import width


def relaxed_mondrian(rows, kinds, k, keys):
    """Classes of rows as lists of row numbers; ``keys`` order rows that are equal throughout."""

    def divide(members):
        widths = [width(kind, [rows[m][c] for m in members]) for c, kind in enumerate(kinds)]
        order = sorted(range(len(kinds)), key=lambda c: (-widths[c], c))
        if len(members) < max(2 * k, 2) or widths[order[0]] <= 0:
            return [members]
        ranked = sorted(members, key=lambda m: ([rows[m][c] for c in order], keys[m]))
        half = len(members) // 2
        return divide(ranked[:half]) + divide(ranked[half:])

    return divide(list(range(len(rows))))
