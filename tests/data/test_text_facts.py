"""Types found from texts seen a few at a time are those found from all at once."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.table import ColumnType
from papilio.data.text_facts import TextFacts, facts_of, settled_type
from papilio.data.text_values import read_as
from papilio.data.types import column_type, convert
from papilio.errors import DataError

POOLS = [
    ["1", "2", "-7", "0"],
    ["1", "2.5", "1e-05", "3"],
    ["1", "99999999999999999999", "12"],
    ["1.5", "99999999999999999999", "1e+999"],
    ["007", "+3", ".5", "1e3", "4."],
    ["2020-01-31", "1999-12-01"],
    ["2020-01-31", "2020-01-31 10:30", "2020-01-31T10:30:01.5"],
    ["2020-01-31T10:30Z", "2020-01-31T10:30+02:00"],
    ["2020-01-31T10:30Z", "2020-01-31 10:30", "2020-02-30"],
    ["true", "FALSE", "False"],
    ["true", "yes", "0", "n"],
    ["flu", "1", "true", "2020-01-31"],
]


@st.composite
def columns(draw):
    """Texts of one pool, or of several, cut into batches."""
    every = [text for pool in POOLS for text in pool]
    pool = draw(st.one_of(st.sampled_from(POOLS), st.just(every)))
    cells = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=12))
    cuts = draw(st.lists(st.integers(0, len(cells)), max_size=3))
    return cells, [0, *sorted(cuts), len(cells)]


def seen_in_batches(cells, borders, declared):
    facts = TextFacts()
    for begin, end in zip(borders, borders[1:], strict=False):
        part = cells[begin:end]
        texts = list(dict.fromkeys(part))
        counts = np.array([part.count(text) for text in texts], np.int64)
        first = np.array([begin + part.index(text) for text in texts], np.int64)
        facts |= facts_of(pl.Series(texts, dtype=pl.String), counts, first, declared=declared)
    return facts


@given(columns())
def test_the_type_is_that_of_the_whole_column(made):
    cells, borders = made
    whole = convert(pl.Series("it", cells), None, typed=False)
    kind, dtype = settled_type("it", seen_in_batches(cells, borders, declared=False), None)
    assert kind is column_type(whole, typed=True)
    if kind is ColumnType.CATEGORY:
        assert dtype == pl.String
    else:
        assert dtype == whole.dtype
        parts = [
            read_as(pl.Series("it", cells[begin:end], dtype=pl.String), dtype)
            for begin, end in zip(borders, borders[1:], strict=False)
        ]
        assert pl.concat(parts).equals(whole)


@given(columns(), st.sampled_from([ColumnType.NUMERIC, ColumnType.DATE, ColumnType.BOOLEAN]))
def test_a_declared_type_is_kept_or_refused_in_the_same_words(made, wanted):
    cells, borders = made
    facts = seen_in_batches(cells, borders, declared=True)
    try:
        whole = convert(pl.Series("it", cells), wanted, typed=False)
    except DataError as error:
        refused = str(error)
    else:
        assert settled_type("it", facts, wanted) == (wanted, whole.dtype)
        assert read_as(pl.Series("it", cells), whole.dtype).equals(whole)
        return
    with pytest.raises(DataError) as again:
        settled_type("it", facts, wanted)
    assert str(again.value) == refused


def test_no_text_at_all_is_a_category():
    assert settled_type("it", TextFacts(), None) == (ColumnType.CATEGORY, pl.String())
