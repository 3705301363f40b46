"""Methods that lie: each is a release that proves its claims and is not true of the original.

A lie is a function that gets ``monkeypatch`` and bends one function of a method. What it bends
stays consistent with everything that a release claims, so that only a look at the original tells.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import numpy as np
import polars as pl

from papilio.data.hierarchy.tree import Hierarchy
from papilio.families.classes import Classes
from papilio.families.disguise.methods import publish as disguise
from papilio.families.generalising import cells
from papilio.families.generalising import finish as pieces
from papilio.families.generalising import publish as generalize
from papilio.families.graph import make as graph
from papilio.families.linked import make as relational
from papilio.families.permutation.make import Permutation
from papilio.families.recipients.methods import publish as recipients

ROWS = 24
START = datetime(2020, 1, 1)

#: Every type of column, in every form in which it is published.
PEOPLE = pl.DataFrame({
    "age": [20 + row // 2 for row in range(ROWS)],
    "height": [1.5 + row / 100 for row in range(ROWS)],
    "born": [date(1990, 1, 1) + timedelta(days=40 * row) for row in range(ROWS)],
    "seen": [START + timedelta(hours=7 * row) for row in range(ROWS)],
    "town": [f"t{row // 2}" for row in range(ROWS)],
    "zip": [f"{12000 + 100 * row}" for row in range(ROWS)],
    "member": [row % 3 == 0 for row in range(ROWS)],
    "visits": [None if row % 4 == 1 else row for row in range(ROWS)],
    "ill": [f"i{row % 5}" for row in range(ROWS)],
    "pay": [-0.0 if row == 3 else row / 7 for row in range(ROWS)],
    "smokes": [row % 2 == 0 for row in range(ROWS)],
    "last": [START + timedelta(minutes=row) for row in range(ROWS)],
    "note": [None if row % 6 == 0 else f"n{row}" for row in range(ROWS)],
})  # fmt: skip

ROLES = {
    "age": "quasi",
    "height": "quasi",
    "born": {"role": "quasi", "hierarchy": {"dates": ["month", "year"]}},
    "seen": "quasi",
    "town": "quasi",
    "zip": {"role": "quasi", "hierarchy": {"prefix": [3, 1]}},
    "member": "quasi",
    "visits": "quasi",
    "ill": "sensitive",
    "pay": "sensitive",
    "smokes": "sensitive",
    "last": "plain",
    "note": "plain",
}


def bent(monkeypatch, module, name, bend):
    """Let ``bend`` change what a function returns."""
    true = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *a, **k: bend(true(*a, **k)))


def _published(change):
    """Bend the finished table of a generalised release, or of each of its pieces."""

    def plant(monkeypatch):
        for module in (generalize, pieces):
            bent(monkeypatch, module, "published_rows", change)

    return plant


def rotated(name):
    """Everybody gets the value of the person one line above."""
    return _published(
        lambda frame: frame.with_columns(
            frame.get_column(column).gather(_rolled(frame))
            for column in frame.columns
            if column == name
        )
    )


def filled(name, value):
    """A value stands where there is none."""
    return _published(lambda frame: frame.with_columns(pl.col(name).fill_null(value)))


def absolute(name):
    """Minus zero becomes zero."""
    return _published(lambda frame: frame.with_columns(pl.col(name).abs()))


def changed(name, expression):
    """One line has another value."""
    first = pl.int_range(pl.len()) == 0
    return _published(
        lambda frame: frame.with_columns(
            pl.when(first).then(expression).otherwise(name).alias(name)
        )
    )


def moved_bound(name, by):
    """The same class is published with ends that leave somebody out."""
    return _published(lambda frame: frame.with_columns(pl.col(name) + by))


def off_by_one(monkeypatch):
    def smaller(found):
        low, high, null = found
        return np.where(low < high, low + 1, low), high, null

    bent(monkeypatch, cells, "class_ranges", smaller)


def unsaid_null(monkeypatch):
    bent(monkeypatch, cells, "class_ranges", lambda found: (*found[:2], np.zeros_like(found[2])))


def smaller_sets(monkeypatch):
    def shorter(found):
        distinct, which = found
        return [codes[:-1] if len(codes) > 1 else codes for codes in distinct], which

    bent(monkeypatch, cells, "_distinct_sets", shorter)


def sibling_labels(monkeypatch):
    true = Hierarchy.common_ancestors

    def sibling(tree, low, high):
        nodes = true(tree, low, high)
        leaf = int(np.flatnonzero(np.bincount(tree.parent[1:], minlength=len(tree.parent)) == 0)[0])
        return np.where(nodes == nodes[0], leaf, nodes) if len(set(nodes)) > 1 else nodes

    monkeypatch.setattr(Hierarchy, "common_ancestors", sibling)


def repeated_row(monkeypatch):
    """A row is lost, and another one published twice, as the method itself says."""

    def repeat(classes):
        rows = classes.rows.copy()
        rows[1] = rows[0]
        return Classes(rows, classes.starts)

    bent(monkeypatch, generalize, "shuffle", repeat)


def silently_repeated_row(monkeypatch):
    """The same, but the method says it published everybody."""
    repeat = pl.int_range(pl.len()) - (pl.int_range(pl.len()) == 1)
    _published(lambda frame: frame.select(pl.all().gather(repeat)))(monkeypatch)


def invented_witness(monkeypatch):
    """The release is true, but the method names rows that there are not."""
    bent(
        monkeypatch,
        generalize,
        "assembled_release",
        lambda made: replace(made, witness={name: rows + 1 for name, rows in made.witness.items()}),
    )


def no_witness(monkeypatch):
    bent(monkeypatch, generalize, "assembled_release", lambda made: replace(made, witness={}))


def dropped_row(monkeypatch):
    """A row of the largest class is lost, and the number of rows told accordingly."""

    def without(classes):
        largest = int(classes.sizes.argmax())
        starts = classes.starts - (np.arange(classes.count + 1) > largest)
        return Classes(np.delete(classes.rows, classes.starts[largest]), starts)

    bent(monkeypatch, generalize, "shuffle", without)


def other_peoples_cells(monkeypatch):
    """For one recipient's column, lines of two classes change places."""

    def swapped(found):
        placed, rows = found
        name, (made, which) = next(iter(placed.items()))
        return {**placed, name: (made, np.roll(which, 3))}, rows

    bent(monkeypatch, recipients, "attribute_wise_cells", swapped)


def values_of_other_groups(monkeypatch):
    """Two values of different groups change places; each group is as diverse as before."""
    from papilio.families.permutation import make as permuted

    def swapped(found):
        rows = found.values.rows.copy()
        one, other = 0, int(found.values.starts[1])
        rows[[one, other]] = rows[[other, one]]
        return Permutation(found.people, Classes(rows, found.values.starts))

    bent(monkeypatch, permuted, "permutation", swapped)


def values_changed(monkeypatch):
    """One value is another, and so is the help table, which follows from it."""
    from papilio.families.permutation import make as permuted

    true = permuted.permuted_release

    def raised(table, *arguments, **options):
        frame = table.frame.with_columns(pl.col("pay") + (pl.int_range(pl.len()) == 0))
        return true(replace(table, frame=frame), *arguments, **options)

    monkeypatch.setattr(permuted, "permuted_release", raised)


def people_of_other_groups(monkeypatch):
    """Disguised: people of different groups change places."""

    def swapped(found):
        rows = found.people.rows.copy()
        rows[[0, -1]] = rows[[-1, 0]]
        return replace(found, people=Classes(rows, found.people.starts))

    bent(monkeypatch, disguise, "_shuffle", swapped)


def other_values_disguised(monkeypatch):
    """The subdomains follow the target, but are those of other values."""
    from papilio.families.disguise import make as disguised

    bent(
        monkeypatch,
        disguised,
        "domain_of",
        lambda found: (found[0], (found[0].leaves - 1 - found[1]).astype(np.int32)),
    )


def other_parents(monkeypatch):
    """Children hang off another person of the same label."""
    true = relational._assemble

    def orphaned(each, made, kept, above):
        if above is not None:
            above = replace(above, key=np.where(above.key > 0, len(above.key) + 1 - above.key, 0))
        return true(each, made, kept, above)

    monkeypatch.setattr(relational, "_assemble", orphaned)


def other_peoples_grades(monkeypatch):
    true = relational._assemble

    def rotated_grades(*arguments):
        frame, columns = true(*arguments)
        names = [c.name for c in columns if c.role == "sensitive"]
        return frame.with_columns(
            frame.get_column(n).gather(_rolled(frame)) for n in names
        ), columns

    monkeypatch.setattr(relational, "_assemble", rotated_grades)


def _rolled(frame):
    return np.roll(np.arange(frame.height), 1)


def other_edges(monkeypatch):
    """The masked graph is one like the original, but not it."""
    true = graph._edges
    monkeypatch.setattr(
        graph, "_edges", lambda g, one, two: true(g, replace(one, node=np.roll(one.node, 1)), two)
    )


def other_entities(monkeypatch):
    """Entities are published in the groups of others."""
    true = graph._entities

    def moved(entities, side):
        return true(entities, replace(side, group=np.roll(side.group, 1)))

    monkeypatch.setattr(graph, "_entities", moved)


def other_towns(monkeypatch):
    bent(
        monkeypatch,
        graph,
        "_entities",
        lambda frame: frame.with_columns(pl.col(frame.columns[0]).gather(_rolled(frame))),
    )
