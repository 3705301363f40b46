"""Several recipients, slow and obvious: exhaustive optima and a plain twin of the heuristic.

Imports nothing of Papilio. Columns are described as in :mod:`oracles.mondrian`.
"""

from itertools import product

from oracles.mondrian import best_cut, strict_mondrian, width


def partitions(members, least=1):
    """All divisions of a list into parts of at least ``least``."""
    members = list(members)
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for chosen in range(1 << len(rest)):
        part = [first, *(m for place, m in enumerate(rest) if chosen >> place & 1)]
        if len(part) >= least:
            others = [m for place, m in enumerate(rest) if not chosen >> place & 1]
            for more in partitions(others, least):
                yield [part, *more]


def part_loss(rows, kinds, columns, part):
    """Sum over the rows of a part of the widths of its cells on some columns."""
    return len(part) * sum(width(kinds[c], [rows[m][c] for m in part]) for c in columns)


def parts_loss(rows, kinds, columns, parts):
    return sum(part_loss(rows, kinds, columns, part) for part in parts)


def best_division(rows, kinds, columns, members, k):
    """Least loss of dividing rows into classes of at least k on some columns."""
    if not columns:
        return 0.0
    return min(parts_loss(rows, kinds, columns, parts) for parts in partitions(members, k))


def union_optimum(rows, kinds, k):
    return best_division(rows, kinds, range(len(kinds)), range(len(rows)), k)


def classes_of(divisions, columns, count):
    """Rows that share a part in the divisions of all given columns."""
    part_of = [
        {row: number for number, part in enumerate(division) for row in part}
        for division in divisions
    ]
    found = {}
    for row in range(count):
        found.setdefault(tuple(part_of[c][row] for c in columns), []).append(row)
    return list(found.values())


def true_optimum(rows, kinds, recipients, k, together=1):
    """Least loss over all ways to give each column a division of its own."""
    every = range(len(kinds))
    choices = list(partitions(range(len(rows))))
    losses = [[parts_loss(rows, kinds, [c], parts) for parts in choices] for c in every]
    best = union_optimum(rows, kinds, max(k, together))
    for picked in product(range(len(choices)), repeat=len(kinds)):
        loss = sum(losses[c][number] for c, number in enumerate(picked))
        if loss >= best:
            continue
        divisions = [choices[number] for number in picked]
        seen = [classes_of(divisions, sorted(known), len(rows)) for known in recipients]
        whole = classes_of(divisions, every, len(rows))
        if all(len(each) >= k for classes in seen for each in classes) and all(
            len(each) >= together for each in whole
        ):
            best = loss
    return best


def block_optimum(rows, kinds, recipients, k, members, solve):
    """Least loss of dividing rows into blocks, each of which ``solve`` finds the loss of."""
    return min(sum(solve(block) for block in blocks) for blocks in partitions(members, k))


def super_optimum(rows, kinds, recipients, k, members=None):
    """Least loss over all divisions into super-butterflies."""
    members = range(len(rows)) if members is None else members
    shared = {
        c
        for place, one in enumerate(recipients)
        for other in recipients[place + 1 :]
        for c in one & other
    }

    def solve(block):
        wings = [sorted(known - shared) for known in recipients]
        body = part_loss(rows, kinds, sorted(shared), block)
        return body + sum(best_division(rows, kinds, wing, block, k) for wing in wings)

    return block_optimum(rows, kinds, recipients, k, members, solve)


def nested_optimum(rows, kinds, recipients, k, members=None):
    """Least loss over all nested butterflies: any groups of recipients, any blocks, any depth."""
    members = list(range(len(rows)) if members is None else members)
    recipients = [known for known in recipients if known]
    recipients = [
        known
        for place, known in enumerate(recipients)
        if not any(known < other for other in recipients) and known not in recipients[:place]
    ]
    if not recipients:
        return 0.0
    if len(recipients) == 1:
        return best_division(rows, kinds, sorted(recipients[0]), members, k)
    first, rest = recipients[0], recipients[1:]
    best = float("inf")
    for chosen in range((1 << len(rest)) - 1):
        one = [first, *(s for place, s in enumerate(rest) if chosen >> place & 1)]
        other = [s for place, s in enumerate(rest) if not chosen >> place & 1]
        shared = frozenset().union(*one) & frozenset().union(*other)

        def solve(block, one=one, other=other, shared=shared):
            inside = sum(
                nested_optimum(rows, kinds, [s - shared for s in group], k, block)
                for group in (one, other)
            )
            return part_loss(rows, kinds, sorted(shared), block) + inside

        best = min(best, block_optimum(rows, kinds, recipients, k, members, solve))
    return best


def tree(rows, kinds, k, weights, members):
    """Cuts of strict Mondrian as nested pairs; widths count by weight, leaves are lists."""
    columns = range(len(kinds))
    widths = [width(kinds[c], [rows[m][c] for m in members]) * weights[c] for c in columns]
    for column in sorted(columns, key=lambda c: (-widths[c], c)):
        if widths[column] <= 0:
            break
        cut = best_cut([rows[m][column] for m in members], k)
        if cut is not None:
            left = [m for m in members if rows[m][column] <= cut]
            right = [m for m in members if rows[m][column] > cut]
            return tree(rows, kinds, k, weights, left), tree(rows, kinds, k, weights, right)
    return members


def wing_loss(rows, kinds, columns, members, k):
    """Loss of strict Mondrian on some columns of some rows."""
    if not columns:
        return 0.0
    part = [[rows[m][c] for c in columns] for m in members]
    chosen = [kinds[c] for c in columns]
    return parts_loss(part, chosen, range(len(columns)), strict_mondrian(part, chosen, k))


def butterfly(rows, kinds, one, other, k, weight):
    """Loss of the heuristic for two recipients, without any bounds."""
    shared = sorted(one & other)
    wings = [sorted(one - other), sorted(other - one)]
    every = range(len(kinds))

    def walk(node, root=False):
        if isinstance(node, list):
            return node, part_loss(rows, kinds, every, node)
        (left, left_loss), (right, right_loss) = walk(node[0]), walk(node[1])
        members, best = left + right, left_loss + right_loss
        if shared or root:
            body = part_loss(rows, kinds, shared, members)
            built = body + sum(wing_loss(rows, kinds, wing, members, k) for wing in wings)
            best = min(best, built)
        return members, best

    weights = [weight if c in shared else 1 for c in every]
    found = walk(tree(rows, kinds, k, weights, list(range(len(rows)))), root=True)[1]
    union = parts_loss(rows, kinds, every, strict_mondrian(rows, kinds, k))
    return min(found, union)


def nearest(rows, kinds, columns, members, k):
    """Distance of each row to its (k - 1)-th nearest among the members, itself the 0-th."""
    found = []
    for one in members:
        distances = sorted(
            sum(width(kinds[c], [rows[one][c], rows[other][c]]) for c in columns)
            for other in members
        )
        found.append(distances[k - 1])
    return found
