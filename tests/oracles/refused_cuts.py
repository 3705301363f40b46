"""Why a class was not cut, by trying every way to deal its values out. Imports nothing of Papilio.

Points are tuples of numbers, one for each quasi-identifier; values are dealt out to them.
"""

from fractions import Fraction
from itertools import permutations


def nearest_cut(numbers, least):
    """The number that the left half ends with, or nothing if no cut leaves enough."""
    best = None
    for cut in sorted(set(numbers))[:-1]:
        left = sum(number <= cut for number in numbers)
        right = len(numbers) - left
        if min(left, right) >= least and (best is None or abs(left - right) < best[0]):
            best = abs(left - right), cut
    return None if best is None else best[1]


def cuts(points, least):
    """Pairs of a quasi-identifier and where it would be cut under k alone."""
    columns = enumerate(zip(*points, strict=True))
    found = ((place, nearest_cut(numbers, least)) for place, numbers in columns)
    return [(place, cut) for place, cut in found if cut is not None]


def refused(points, values, least, meets):
    """Whether each of these cuts has a half whose values do not meet the demand."""
    for place, cut in cuts(points, least):
        halves = [], []
        for point, value in zip(points, values, strict=True):
            halves[point[place] > cut].append(value)
        if all(map(meets, halves)):
            return False
    return True


def beliefs(points, values, least, meets):
    """For each point, value -> chance, if every cut is known to have been refused."""
    possible = [way for way in set(permutations(values)) if refused(points, way, least, meets)]
    return [
        {
            value: Fraction(sum(way[place] == value for way in possible), len(possible))
            for value in set(values)
        }
        for place in range(len(points))
    ]


def mondrian(points, values, least, meets):
    """Classes of strict Mondrian as lists of places; the widest quasi-identifier is cut first."""

    spans = [max(column) - min(column) for column in zip(*points, strict=True)]

    def divide(places):
        here = [points[place] for place in places]
        widths = {}
        for each, column in enumerate(zip(*here, strict=True)):
            widths[each] = Fraction(max(column) - min(column), spans[each] or 1)
        cut_at = dict(cuts(here, least))
        for each in sorted(cut_at, key=lambda one: (-widths[one], one)):
            left = [place for place in places if points[place][each] <= cut_at[each]]
            right = [place for place in places if points[place][each] > cut_at[each]]
            if all(meets([values[place] for place in half]) for half in (left, right)):
                return divide(left) + divide(right)
        return [places]

    return divide(list(range(len(points))))
