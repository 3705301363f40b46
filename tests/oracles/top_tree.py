"""The top of the strict Mondrian tree, slow and obvious. Imports nothing of Papilio."""

from oracles.mondrian import best_cut, width


def top_pieces(rows, kinds, k, piece_rows, meets=lambda rows: True):
    """Pieces as (row numbers, whether nothing could be cut), cut until they are small enough.

    ``rows`` are lists of codes, ``kinds`` as for :mod:`oracles.mondrian`; ``meets`` is any further
    demand on the row numbers of a piece.
    """

    def divide(members):
        if len(members) <= piece_rows:
            return [(members, False)]
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
        return [(members, True)]

    return divide(list(range(len(rows))))
