"""Risk over people who may have several rows, row by row. Imports nothing of Papilio.

An original is a list of rows, dictionaries of values, and a list of whose they are. A release is a
list of dictionaries of cells: sets of the values that they allow, or the value itself.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb, prod


def allows(cell, value):
    """Whether a cell may be a value."""
    return value in cell if isinstance(cell, frozenset | range) else value == cell


def fits(row, published, names):
    """Whether a published row may be an original one, by some columns."""
    return all(allows(published[name], row[name]) for name in names)


def key(row, names):
    """What somebody sees of a row who knows some columns."""
    return tuple(str(row[name]) for name in names)


def shares(owners, classes):
    """Per person the largest share of a class that is theirs, given the class of each row."""
    sizes, own = Counter(classes), Counter(zip(owners, classes, strict=True))
    return {
        person: max(
            Fraction(own[person, one], sizes[one]) for one in set(classes) if own[person, one]
        )
        for person in set(owners)
    }


def summed_up(chances, threshold):
    """Largest, average, and how many are above a threshold."""
    limit = Fraction(threshold).limit_denominator(10**6)
    every = list(chances.values())
    return max(every), sum(every) / len(every), sum(each > limit for each in every)


def alone(owners, classes):
    """People with a row that is in a class of their own."""
    return sum(
        any(
            {owner for owner, other in zip(owners, classes, strict=True) if other == one}
            == {person}
            for one in set(classes)
        )
        for person in set(owners)
    )


def alone_together(owners, classes):
    """People whose classes, each as often as they have rows there, are nobody else's."""
    held = {
        person: sorted(one for owner, one in zip(owners, classes, strict=True) if owner == person)
        for person in set(owners)
    }
    return sum(list(held.values()).count(each) == 1 for each in held.values())


def fewest_people(owners, classes):
    """People in the class that has fewest."""
    return min(
        len({owner for owner, other in zip(owners, classes, strict=True) if other == one})
        for one in set(classes)
    )


def largest_possible(rows, owners, released, known, names, k=1):
    """Per person the largest share of a class that may be theirs, but for what is promised.

    A row that fits one class only is there. Of others, as many count as there are published rows
    which they fit, but together no more than one row in ``k``.
    """
    sizes = Counter(key(each, known) for each in released)
    found = {}
    for person in set(owners):
        own = [row for row, owner in zip(rows, owners, strict=True) if owner == person]
        kinds = {tuple(row.items()): own.count(row) for row in own}
        best = None
        for one, size in sizes.items():
            inside = [each for each in released if key(each, known) == one]
            most = least = 0
            for kind, number in kinds.items():
                row = dict(kind)
                here = sum(fits(row, each, names) for each in inside)
                fitting = {key(each, known) for each in released if fits(row, each, names)}
                most += min(number, here)
                least += min(number, here) if fitting == {one} else 0
            if most:
                share = max(Fraction(least, size), min(Fraction(most, size), Fraction(1, k)))
                best = share if best is None else max(best, share)
        if best is not None:
            found[person] = best
    return found


def pattern(row, released, known):
    """Classes that cover what is known of a row."""
    return frozenset(key(each, known) for each in released if fits(row, each, known))


def linked(rows, owners, released, known, sensitive, k=1):
    """What somebody learns of people from one row of theirs; see the figures of linkage."""
    found, learnt = {}, {name: set() for name in sensitive}
    for row, owner in zip(rows, owners, strict=True):
        there = [each for each in released if fits(row, each, known)]
        if not there:
            continue
        mine = pattern(row, released, known)
        own = [r for r, o in zip(rows, owners, strict=True) if o == owner]
        reached = sum(bool(pattern(each, released, known) & mine) for each in own)
        same = sum(pattern(each, released, known) == mine for each in own)
        certain = min(Fraction(same, len(there)), Fraction(1))
        possible = min(Fraction(reached, len(there)), Fraction(1, k))
        found.setdefault(owner, []).append((len(there), max(certain, possible)))
        for name in sensitive:
            if len({each[name] for each in there}) == 1:
                learnt[name].add(owner)
    fewest = [min(number for number, _ in each) for each in found.values()]
    best = [max(share for _, share in each) for each in found.values()]
    return {
        "people": len(set(owners)),
        "rows": len(rows),
        "smallest": min(fewest, default=0),
        "average": sum(fewest) / len(fewest) if fewest else 0.0,
        "largest_share": float(max(best, default=0)),
        "singled_out": sum(each == 1 for each in best),
        "expected": float(sum(best)),
        **{f"learnt: {name}": len(who) for name, who in learnt.items()},
    }


def several(owners, classes):
    """Of everybody with several rows, how many people have as many rows in each of their classes.

    The person is one of them.
    """
    held = {
        person: Counter(one for owner, one in zip(owners, classes, strict=True) if owner == person)
        for person in set(owners)
    }
    return {
        person: sum(all(other[one] >= n for one, n in mine.items()) for other in held.values())
        for person, mine in held.items()
        if mine.total() > 1
    }


def ways(owners, classes):
    """Fewest ways to pick the rows of somebody who has several, out of classes of these sizes."""
    sizes = Counter(classes)
    held = {
        person: Counter(one for owner, one in zip(owners, classes, strict=True) if owner == person)
        for person in set(owners)
    }
    return min(
        prod(comb(sizes[one], n) for one, n in mine.items())
        for mine in held.values()
        if mine.total() > 1
    )


def ways_by_trying(rows, released, known):
    """Ways to say which published rows some rows are; equal rows are not told apart."""
    found = set()
    for chosen in permutations(range(len(released)), len(rows)):
        if all(fits(row, released[at], known) for row, at in zip(rows, chosen, strict=True)):
            groups = {}
            for row, at in zip(rows, chosen, strict=True):
                groups.setdefault(pattern(row, released, known), set()).add(at)
            found.add(frozenset((each, frozenset(at)) for each, at in groups.items()))
    return len(found)


def alike(rows, owners, released, known, names, value):
    """People of the release, and those who may have a row in a class that shares one value."""
    classes = {}
    for each in released:
        classes.setdefault(key(each, known), []).append(each)
    here, learnt = set(), set()
    for row, owner in zip(rows, owners, strict=True):
        for members in classes.values():
            if any(fits(row, each, names) for each in members):
                here.add(owner)
                if len({each[value] for each in members}) == 1:
                    learnt.add(owner)
    return len(here), len(learnt)


def joined(rows, owners, released, known, sensitive):
    """Chances of guessing one sensitive value, without and with another, as means over people."""
    people, pairs = sorted(set(owners)), list(permutations(sensitive, 2))
    before, after, certain = Fraction(0), Fraction(0), Counter()
    for given, wanted in pairs:
        for person in people:
            own = [row for row, owner in zip(rows, owners, strict=True) if owner == person]
            told = [_guessed(row, released, known, given, wanted) for row in own]
            before += sum(each[0] for each in told) / len(told)
            after += sum(each[1] for each in told) / len(told)
            certain[person] += any(each[2] for each in told)
    number = len(people) * len(pairs)
    return {
        "people": len(people),
        "pairs": len(pairs),
        "before": float(before / number),
        "after": float(after / number),
        "certain": certain.total() / len(people),
        "learnt": sum(each > 0 for each in certain.values()),
    }


def _guessed(row, released, known, given, wanted):
    there = [each for each in released if fits(row, each, known)]
    left = [each for each in there if each[given] == row[given]]
    first = Fraction(sum(each[wanted] == row[wanted] for each in there), len(there))
    then = Fraction(sum(each[wanted] == row[wanted] for each in left), len(left))
    return first, then, then == 1 and first < 1
