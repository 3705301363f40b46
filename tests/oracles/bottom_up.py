"""The merging rounds of the bottom-up method, slow and obvious. Imports nothing of Papilio."""

from oracles.mondrian import width


def box_width(rows, kinds, members):
    """Summed width; sets by their reciprocal, so that ties round as in the kernel."""
    total = 0.0
    for column, (what, meaning) in enumerate(kinds):
        codes = [rows[m][column] for m in members]
        if what == "set":
            total += (len(set(codes)) - 1) * (1.0 / max(meaning - 1, 1))
        else:
            total += width((what, meaning), codes)
    return total


def merge_rounds(rows, kinds, meets):
    """Groups of row numbers, each meeting the demand; ``meets`` takes row numbers."""
    groups = {}
    for number in sorted(range(len(rows)), key=lambda n: tuple(rows[n])):
        groups.setdefault(tuple(rows[number]), []).append(number)
    alive = list(groups.values())
    waiting = True
    while waiting:
        waiting = False
        for place, group in enumerate(alive):
            if not group or meets(group):
                continue
            best = None
            for other, candidate in enumerate(alive):
                if other == place or not candidate:
                    continue
                both = group + candidate
                cost = len(both) * box_width(rows, kinds, both)
                if best is None or cost < best[0]:
                    best = (cost, other)
            if best is not None:
                group.extend(alive[best[1]])
                alive[best[1]] = []
                waiting = True
        alive = [group for group in alive if group]
    return alive
