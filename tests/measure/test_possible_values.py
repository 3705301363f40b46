from collections import Counter
from datetime import datetime

import polars as pl
import pytest
from cells_by_row import encoded, possible_sets, published_tables
from hypothesis import given, settings
from paper_tables import AGE_2A, TABLE_1A, TABLE_2B, ZIPCODE_2A, release_of

from papilio import K, Policy
from papilio.errors import DataError
from papilio.measure.possible_values import exact_values, possible_values
from papilio.policy.apply import order_of
from papilio.workflow.publish import publish


def sets_of(cells, encoded_columns):
    """Cells as sets of values, one list per class, with the number of rows."""
    classes = []
    for number, size in enumerate(cells.sizes.tolist()):
        row = []
        for meaning in encoded_columns:
            runs = cells.columns[meaning.column.name]
            own = range(runs.first[number], runs.first[number + 1])
            codes = [c for run in own for c in range(runs.low[run], runs.high[run] + 1)]
            assert len(codes) == len(set(codes)) == runs.counts[number]
            row.append(frozenset(meaning.values[code] for code in codes))
        classes.append((tuple(row), size))
    return classes


@settings(max_examples=80)
@given(published_tables())
def test_cells_may_be_what_a_reader_of_single_rows_finds(drawn):
    original, release, _ = drawn
    found = sets_of(possible_values(release, original), encoded(original).columns)
    rows = Counter(tuple(map(frozenset, row)) for row in possible_sets(release, original))
    assert len(found) == len(rows)
    assert dict(found) == rows


def test_a_set_with_gaps_is_not_the_range_over_it():
    jobs = ["ash", "cedar", "fir"] * 2 + ["beech"] * 6
    policy = Policy(columns={"age": "quasi", "job": "quasi"}, privacy=K(6), method="mondrian")
    frame = pl.DataFrame({"age": [1] * 6 + [9] * 6, "job": jobs})
    original = order_of(frame, policy, "table")[0].table
    cells = possible_values(publish(frame, policy), original)
    found = dict(sets_of(cells, encoded(original).columns))
    assert found[frozenset({1}), frozenset({"ash", "cedar", "fir"})] == 6
    assert len(cells.columns["job"].low) == 3


def test_a_table_as_it_is():
    made = encoded(TABLE_1A)
    found = dict(sets_of(exact_values(made), made.columns))
    assert found[frozenset({20}), frozenset({101})] == 3
    assert found[frozenset({40}), frozenset({103})] == 1
    assert sum(found.values()) == 10


def test_encoding_is_not_repeated_if_it_is_at_hand():
    cells = possible_values(TABLE_2B, TABLE_1A, encoded=encoded(TABLE_1A))
    assert cells.rows == 10
    assert sorted(cells.sizes.tolist()) == [2] * 5


@pytest.mark.parametrize("cells", ["bounds", "text"])
def test_moments_and_missing_ones(cells):
    moments = [datetime(2020, 1, day, 23, day) for day in (1, 1, 2, 3)] + [None, None]
    policy = Policy(columns={"at": "quasi"}, privacy=K(2), method="mondrian", cells=cells)
    frame = pl.DataFrame({"at": moments})
    original = order_of(frame, policy, "table")[0].table
    found = sets_of(possible_values(publish(frame, policy), original), encoded(original).columns)
    assert sum(size for _, size in found) == 6
    for moment in moments:
        assert any(moment in cell for (cell,), _ in found)
    assert {None} in [set(cell) for (cell,), _ in found]


def test_cells_that_nothing_in_the_original_fits():
    strange = release_of([(21, 29)] * 3 + AGE_2A[3:], ZIPCODE_2A)
    with pytest.raises(DataError, match="column 'age': 1 published cells are unknown") as caught:
        possible_values(strange, TABLE_1A)
    assert caught.value.reason == "other-original"


@pytest.mark.parametrize("hierarchy", [None, "automatic"])
def test_labels_that_the_original_does_not_know(hierarchy):
    said = {"role": "quasi", "type": "category"}
    columns = {"job": said if hierarchy is None else {**said, "hierarchy": hierarchy}}
    policy = Policy(columns=columns, privacy=K(1), method="mondrian")
    release = publish(pl.DataFrame({"job": ["ash", "elm", "fir"]}), policy)
    other = order_of(pl.DataFrame({"job": ["ash", "elm", "oak"]}), policy, "table")[0].table
    with pytest.raises(DataError, match="column 'job': 1 published cells are unknown") as caught:
        possible_values(release, other)
    assert "fir" not in str(caught.value)
