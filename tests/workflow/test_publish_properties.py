"""What every publication keeps, whatever the table."""

import json
from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import measures as oracle
from papilio.data.hierarchy.build import build
from papilio.errors import InfeasibleError
from papilio.measure.losses import discernibility, ncp, uncertainty_penalty
from papilio.measure.published_classes import class_sizes, published_classes
from papilio.policy.apply import order_of
from papilio.workflow.publish import publish
from policies import policy_for
from tables import quasi_tables

some_tables = st.tuples(quasi_tables(max_rows=25), st.integers(1, 5)).filter(
    lambda drawn: drawn[0].height >= drawn[1]
)
cell_styles = st.sampled_from(["bounds", "text"])


def read_cells(release, original):
    """Published rows as the oracle's cells, one list per row, quasi-identifiers only."""
    frame = release.frames["table"]
    trees = {
        c.name: build(c.hierarchy, original.frame[c.name], c.type, c.name)
        for c in original.columns
        if c.hierarchy is not None
    }
    columns = [c for c in release.manifest.tables[0].columns if c.role == "quasi"]
    return [[read_cell(c, row, trees) for c in columns] for row in frame.iter_rows(named=True)]


def read_cell(column, row, trees):
    if column.cells == "node":
        tree = trees[column.name]
        node = tree.labels.index(row[column.name])
        return ("node", tree.leaves[tree.first[node] : tree.last[node] + 1])
    if column.cells == "set":
        return ("set", json.loads(row[column.name]))
    low, high, *null = (row[name] for name in column.published)
    return ("range", low, high, bool(null and null[0]))


def covers(cell, value):
    if cell[0] == "range":
        _, low, high, null = cell
        return null if value is None else low is not None and low <= value <= high
    return (value if cell[0] == "set" or value is None else str(value)) in cell[1]


@settings(max_examples=80, deadline=None)
@given(some_tables, cell_styles)
def test_every_publication_verifies_and_is_truthful(drawn, cells):
    made, k = drawn
    policy = policy_for(made, k, cells=cells)
    release = publish(made.frame, policy)
    assert release.frames["table"].height == made.height
    verdict = release.verify(original=policy, data=made.frame)
    assert verdict.holds, verdict.to_dict()


@settings(max_examples=100, deadline=None)
@given(some_tables)
def test_each_class_covers_its_rows_and_has_at_least_k(drawn):
    """Rows are told apart by a plain row number, which is published as it is."""
    made, k = drawn
    numbered = made.frame.with_row_index("row")
    policy = policy_for(made, k)
    policy = policy.model_copy(update={"columns": {**policy.columns, "row": _plain_column()}})
    release = publish(numbered, policy)
    frame = release.frames["table"]
    for cells, row in zip(read_cells(release, made), frame["row"].to_list(), strict=True):
        names = [c.name for c in made.columns if c.role == "quasi"]
        assert all(covers(c, made.frame[n][row]) for c, n in zip(cells, names, strict=True))
    published = [
        n for c in release.manifest.tables[0].columns if c.role == "quasi" for n in c.published
    ]
    assert frame.group_by(published).len()["len"].min() >= k
    assert sorted(frame["row"].to_list()) == list(range(made.height))


def _plain_column():
    from papilio.policy.column_policy import ColumnPolicy

    return ColumnPolicy(role="plain")


@settings(max_examples=60, deadline=None)
@given(some_tables, st.randoms())
def test_the_result_does_not_depend_on_the_order_of_rows(drawn, random):
    made, k = drawn
    order = list(range(made.height))
    random.shuffle(order)
    policy = policy_for(made, k, method="mondrian")
    once, again = publish(made.frame, policy), publish(made.frame[order], policy)
    assert Counter(once.frames["table"].rows()) == Counter(again.frames["table"].rows())


@settings(max_examples=60, deadline=None)
@given(some_tables)
def test_measures_equal_their_plain_twins(drawn):
    made, k = drawn
    policy = policy_for(made, k)
    release = publish(made.frame, policy)
    original = order_of(made.frame, policy, "table")[0].table
    classes = published_classes(release, original)
    rows = read_cells(release, made)
    domains = [_domain(c, made) for c in made.columns if c.role == "quasi"]
    assert ncp(classes).overall == pytest.approx(oracle.ncp(rows, domains), abs=1e-12)
    assert uncertainty_penalty(classes) == pytest.approx(
        oracle.uncertainty_penalty(rows, domains), abs=1e-9
    )
    keys = [str(row) for row in rows]
    assert discernibility(classes) == oracle.discernibility(keys)
    sizes = class_sizes(classes)
    assert (sizes.rows, sizes.classes) == (made.height, len(set(keys)))
    assert sizes.smallest == min(Counter(keys).values())
    text = publish(made.frame, policy_for(made, k, cells="text"))
    assert ncp(published_classes(text, original)).overall == pytest.approx(ncp(classes).overall)


def _domain(column, made):
    series = made.frame[column.name]
    if column.hierarchy is not None:
        return len(build(column.hierarchy, series, column.type, column.name).leaves)
    return series.to_list()


def test_a_seeded_run_repeats_and_says_so():
    frame = pl.DataFrame({"age": list(range(50)), "disease": ["flu", "none"] * 25})
    from papilio import K, Policy

    policy = Policy(columns={"age": "quasi", "disease": "sensitive"}, privacy=K(5))
    once, again = (publish(frame, policy, seed=7) for _ in range(2))
    assert once.frames["table"].equals(again.frames["table"])
    assert once.manifest.seeded
    free = [publish(frame, policy) for _ in range(2)]
    assert not free[0].manifest.seeded
    assert not free[0].frames["table"].equals(free[1].frames["table"])
    assert free[0].frames["table"].sort(pl.all()).equals(once.frames["table"].sort(pl.all()))


def test_more_rows_than_k_are_needed():
    frame = pl.DataFrame({"age": [1, 2]})
    from papilio import K, Policy

    with pytest.raises(InfeasibleError, match="k is 3, but the table has only 2 rows"):
        publish(frame, Policy(columns={"age": "quasi"}, privacy=K(3)))
