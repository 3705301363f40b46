"""Full-domain generalisation, slow and obvious: every vector of levels. Imports nothing of Papilio.

A column is ``(levels, leaves)``: ``levels[level][code]`` is the node that stands for a code, and
``leaves[node]`` says how many leaves lie below a node.
"""

from fractions import Fraction
from itertools import product


def classes_at(rows, columns, vector):
    """Row numbers of the rows that share all nodes, as a list of lists."""
    classes = {}
    for number, row in enumerate(rows):
        nodes = tuple(
            levels[level][code]
            for (levels, _), level, code in zip(columns, vector, row, strict=True)
        )
        classes.setdefault(nodes, []).append(number)
    return list(classes.values())


def unmet(rows, columns, vector, meets):
    """Row numbers in classes that do not meet the demand."""
    return {n for each in classes_at(rows, columns, vector) if not meets(each) for n in each}


def acceptable(rows, columns, meets, spare):
    """All vectors at which no more than ``spare`` rows are in classes that fall short."""
    everything = product(*(range(len(levels)) for levels, _ in columns))
    return [v for v in everything if len(unmet(rows, columns, v, meets)) <= spare]


def minimal(vectors):
    """Vectors that stand above no other of them."""
    return {
        v
        for v in vectors
        if not any(
            w != v and all(low <= high for low, high in zip(w, v, strict=True)) for w in vectors
        )
    }


def counted(columns, vectors):
    """Vectors whose classes Incognito counts, given all acceptable ones; the root is always one.

    Raising any one more column to the root must give an acceptable vector, and there must be no
    acceptable vector below that has the same columns at the root.
    """
    good, top = set(vectors), tuple(len(levels) - 1 for levels, _ in columns)

    def raised(v):
        return [(*v[:c], top[c], *v[c + 1 :]) for c in range(len(v)) if v[c] < top[c]]

    def deduced(v):
        return any(
            w != v
            and all(
                low <= high and (low == last) == (high == last)
                for low, high, last in zip(w, v, top, strict=True)
            )
            for w in good
        )

    everything = product(*(range(last + 1) for last in top))
    return {v for v in everything if good.issuperset(raised(v)) and not deduced(v)}


def ncp(rows, columns, vector, meets):
    """Normalised certainty penalty summed over all cells; 1 for every cell that is left out."""
    left_out = unmet(rows, columns, vector, meets)
    total = Fraction(0)
    for number, row in enumerate(rows):
        for (levels, leaves), level, code in zip(columns, vector, row, strict=True):
            if number in left_out:
                total += 1
            elif len(levels[0]) > 1:
                total += Fraction(leaves[levels[level][code]] - 1, len(levels[0]) - 1)
    return total


def discernibility(rows, columns, vector, meets):
    """Squares of the sizes of classes, and all rows for each row that is left out."""
    return sum(
        len(each) ** 2 if meets(each) else len(each) * len(rows)
        for each in classes_at(rows, columns, vector)
    )


def choice(rows, columns, vectors, meets, metric):
    """Vector with the least loss; ties by certainty penalty, by height, by the first columns."""

    def loss(vector):
        penalty, height = ncp(rows, columns, vector, meets), sum(vector)
        first = {
            "ncp": lambda: penalty,
            "discernibility": lambda: discernibility(rows, columns, vector, meets),
            "height": lambda: height,
        }[metric]()
        return (first, penalty, height, vector)

    return min(vectors, key=loss)
