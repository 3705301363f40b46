"""Rising levels, slow and obvious. Imports nothing of Papilio.

A level of a column is a pair of lists: the node over each code, and its width. Rows are given in
the order in which equal ones are taken.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

from oracles.hybrid import box_width

#: The order is found anew when so many of the rows wait that waited before.
ANEW = 0.9


def cost(rows, levels, waiting, vector):
    """Summed width of the nodes over the rows that wait."""
    return sum(
        Fraction(levels[c][level][1][rows[r][c]]) for r in waiting for c, level in enumerate(vector)
    )


def nodes(row, levels, vector):
    return tuple(levels[c][level][0][row[c]] for c, level in enumerate(vector))


def lacking(values, group, whole):
    """How many rows of each value a group has too few, times the rows of the table."""
    have, every = Counter(values[r] for r in group), Counter(values)
    return {value: every[value] * len(group) - have[value] * whole for value in every}


def borrowed(group, inside, label, classes, values, meets):
    """Rows to borrow, and those that could not be spared; ``None`` if they are not enough."""
    taken, spent, open_ = [], set(), list(inside)
    while len(taken) < len(group):
        lacks = lacking(values, group + taken, len(values))
        useful = [r for r in open_ if lacks[values[r]] > 0]
        useful.sort(key=lambda r: (-lacks[values[r]], -label[r]))
        for row in useful:
            open_.remove(row)
            left = [r for r in classes[label[row]] if r != row and r not in taken]
            if meets(left):
                taken.append(row)
                break
            spent.add(row)
        else:
            return None, spent
        if meets(group + taken):
            return taken, spent
    return None, spent


def rising(rows, levels, least, meets=lambda group: True, values=None, enough=0):
    """Classes, and the rows that still wait.

    ``meets`` is any demand on a list of rows beyond their number; ``values`` are their sensitive
    values if rows may be lent; ``enough`` says when to stop.
    """
    waiting, classes, label, lenders, spent = list(range(len(rows))), [], {}, [], set()

    def holds(group):
        return len(group) >= least and meets(group)

    def found(group, lent):
        for row in lent:
            classes[label[row]].remove(row)
        for row in group + lent:
            label[row] = len(classes)
        classes.append(group + lent)
        if len(group) > least:
            fresh.update(group)

    vectors = list(product(*(range(len(each)) for each in levels)))
    since = None
    while vectors and len(waiting) > enough:
        if since is None or len(waiting) <= int(since * ANEW):
            since = len(waiting)
            vectors.sort(key=lambda vector: cost(rows, levels, waiting, vector))
        vector = vectors.pop(0)
        groups = {}
        for row in waiting:
            groups.setdefault(nodes(rows[row], levels, vector), []).append(row)
        large = [each for each in groups.values() if len(each) >= least]
        failing, fresh = [], set()
        could = [r for r in lenders if r not in spent]
        for group in large:
            if holds(group):
                found(group, [])
            else:
                failing.append(group)
        could = [r for r in could if len(classes[label[r]]) > least]
        for group in failing if values is not None else []:
            at = nodes(rows[group[0]], levels, vector)
            inside = [r for r in could if nodes(rows[r], levels, vector) == at]
            lent, refused = borrowed(group, inside, label, classes, values, holds)
            spent |= refused
            if lent is not None:
                found(group, lent)
        lenders += [row for row in waiting if row in fresh]
        waiting = [row for row in waiting if row not in label]
    return classes, waiting


def join_rest(rows, kinds, classes, waiting, meets):
    """Join what waits, equal rows together, to what grows least; all together meet the demand."""
    groups = [list(each) for each in classes]
    rest = {}
    for row in waiting:
        rest.setdefault(tuple(rows[row]), []).append(row)
    groups += rest.values()
    gone = set()
    for place in range(len(classes), len(groups)):
        while place not in gone and not meets(groups[place]):

            def growth(other, mine=groups[place]):
                both = mine + groups[other]
                before = box_width(rows, kinds, groups[other]) * len(groups[other])
                return box_width(rows, kinds, both) * len(both) - before

            others = [o for o in range(len(groups)) if o != place and o not in gone]
            if not others:
                break
            others.sort(key=growth)
            will = (o for o in others if meets(groups[place] + groups[o]))
            partner = next(will, others[0])
            groups[place] = groups[place] + groups[partner]
            gone.add(partner)
    return [each for number, each in enumerate(groups) if number not in gone]
