"""Attacks by comparing everybody with every row. Cells are sets of the values they allow."""


def fitting_rows(person, rows, known):
    """Rows whose cells allow what is known of a person."""
    return [row for row in rows if all(person[name] in row[name] for name in known)]


def figures(counts, learnt):
    """Sum up; ``counts`` has the candidates of each person, ``learnt`` yes or no per column."""
    found = [each for each in counts if each]
    return {
        "people": len(counts),
        "smallest": min(found, default=0),
        "average": sum(found) / len(found) if found else 0.0,
        "singled_out": counts.count(1),
        "expected": sum(1 / each for each in found),
        **{f"learnt: {name}": sum(each) for name, each in learnt.items()},
    }


def linked(people, rows, known, sensitive):
    """What somebody learns who knows some columns."""
    found = [fitting_rows(person, rows, known) for person in people]
    learnt = {name: [len({row[name] for row in each}) == 1 for each in found] for name in sensitive}
    return figures([len(each) for each in found], learnt)


def alike(rows, known, name):
    """Classes, classes with one value of a column, and the rows of these."""
    classes = {}
    for row in rows:
        classes.setdefault(tuple(row[each] for each in known), []).append(row[name])
    same = [each for each in classes.values() if len(set(each)) == 1]
    return {
        "rows": len(rows),
        "classes": len(classes),
        "alike": len(same),
        "learnt": sum(map(len, same)),
    }


def joined(people, releases, known, shared, sensitive):
    """What somebody learns who compares several releases on columns all publish as they are."""
    counts, learnt = [], {name: [] for name in sensitive}
    for person in people:
        left = [fitting_rows(person, rows, known) for rows in releases]
        keys = [{tuple(row[name] for name in shared) for row in each} for each in left]
        common = set.intersection(*keys)
        kept = [
            [row for row in each if tuple(row[name] for name in shared) in common] for each in left
        ]
        counts.append(min(map(len, kept)))
        for name in sensitive:
            learnt[name].append(len({row[name] for row in kept[0]}) == 1)
    return figures(counts, learnt)


def learnt_in_all_worlds(people, rows, known, column):
    """People whose value is the same in every world, and right; cells are sets of values.

    A world says which row is the person's, and which of the values that its cell allows they have.
    """
    learnt = 0
    for person in people:
        worlds = {value for row in fitting_rows(person, rows, known) for value in row[column]}
        learnt += worlds == {person[column]}
    return learnt
