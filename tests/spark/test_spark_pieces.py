"""Rows on their way to their pieces, and pieces that fall short."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from papilio import Policy
from papilio.data.types import column_type, convert
from papilio.engines.spark.read import read_part
from papilio.engines.spark.value_counts import forms
from papilio.errors import DataError
from papilio.families.engines.meanings import typed_frame
from papilio.families.engines.piece import piece_of, top_codes
from papilio.families.engines.spark.coded import Slots, codes_as_read, dealt, slots_of
from papilio.families.engines.spark.counts import SparkCounter
from papilio.families.engines.spark.seeds import worker_randomness
from papilio.families.engines.spark.table import open_table
from papilio.families.engines.spark.transport import (
    PIECE,
    checked,
    leaves_of,
    merged,
    packed_rows,
    unpacked_piece,
)
from papilio.families.generalising.finish import top_demand
from papilio.families.generalising.top_tree import NodeCounts, TopTree, cut_top, piece_numbers
from papilio.kernels.demand import Demand
from papilio.randomness import Randomness

ROWS = 400


@pytest.fixture(scope="module", params=["parquet", "csv"])
def table(request, session, tmp_path_factory):
    """A table with NULL everywhere and every kind of column."""
    path = tmp_path_factory.mktemp("source") / f"people.{request.param}"
    random = np.random.default_rng(5)

    def gaps(values):
        return [None if random.random() < 0.1 else value for value in values]

    frame = pl.DataFrame(
        {
            "age": gaps(random.integers(0, 90, ROWS).tolist()),
            "pay": gaps((random.integers(0, 4000, ROWS) / 8).tolist()),
            "job": gaps([f"job {i}" for i in random.integers(0, 9, ROWS)]),
            "town": gaps([f"1{i:02}" for i in random.integers(0, 30, ROWS)]),
            "well": gaps((random.random(ROWS) < 0.3).tolist()),
            "ill": gaps([f"ill {i}" for i in random.integers(0, 6, ROWS)]),
            "note": [f"note {i}" for i in range(ROWS)],
        }
    )
    frame.write_parquet(path) if request.param == "parquet" else frame.write_csv(path)
    policy = Policy(
        source=str(path),
        columns={
            "age": "quasi",
            "pay": "quasi",
            "job": "quasi",
            "town": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [2, 1]}},
            "well": "quasi",
            "ill": "sensitive",
            "note": "plain",
        },
        privacy={"k": 3, "l": {"ill": 2}},
        method="mondrian",
    )
    return open_table(session, policy), policy


def test_codes_as_read_are_codes_of_typed_rows(table):
    table, _ = table
    frame = read_part(table.scan, table.scan.splits.parts[0])
    codes, sensitive = codes_as_read(frame, table.meanings)
    wanted, values = top_codes(typed_frame(frame, table.meanings), table.meanings)
    assert np.array_equal(codes, wanted)
    assert np.array_equal(sensitive, values)


def test_counts_of_the_engine_are_counts_of_the_rows(table):
    table, policy = table
    counter = SparkCounter(table)
    demand = top_demand(policy, table.meanings)
    tree = cut_top(counter, table.meanings.attributes, demand, piece_rows=60)
    assert len(tree.rows) > 4
    frame = read_part(table.scan, table.scan.splits.parts[0])
    codes, _ = codes_as_read(frame, table.meanings)
    found = np.bincount(piece_numbers(tree, codes), minlength=len(tree.rows))
    assert tuple(found) == checked(tree, counter, demand)[0].rows


def test_rows_arrive_as_they_left(table):
    table, policy = table
    demand = top_demand(policy, table.meanings)
    tree = cut_top(SparkCounter(table), table.meanings.attributes, demand, piece_rows=150)
    frame = read_part(table.scan, table.scan.splits.parts[0])
    slots = slots_of(tree, [], table.meanings, 150)
    sent = packed_rows(frame, table.meanings, tree, slots, Randomness(1))
    numbers = sent.column(PIECE).to_numpy()
    arrived = unpacked_piece(sent.drop_columns([PIECE]), table.meanings)
    wanted = piece_of(typed_frame(frame, table.meanings), table.meanings)
    assert np.array_equal(arrived.encoded.codes, wanted.encoded.codes)
    assert np.array_equal(arrived.sensitive, wanted.sensitive)
    assert_frame_equal(arrived.carried, wanted.carried)
    assert sorted(set(numbers.tolist())) == list(range(len(tree.rows)))


#: Node 0 is cut into 1 and 2, node 2 into 3 and 4; pieces are 1, 3 and 4.
TREE = TopTree(
    attribute=np.array([0, -1, 0, -1, -1], np.int32),
    cut=np.array([1, -1, 3, -1, -1], np.int32),
    left=np.array([1, -1, 3, -1, -1], np.int32),
    right=np.array([2, -1, 4, -1, -1], np.int32),
    piece=np.array([-1, 0, -1, 1, 2], np.int32),
    rows=(2, 2, 2),
    one_class=(False, False, False),
)


class Rows:
    """Counts rows at hand, and how often it was asked."""

    def __init__(self, codes):
        self.codes = np.array(codes, np.int16).reshape(-1, 1)
        self.asked = 0

    def count(self, tree, nodes):
        self.asked += 1
        places = piece_numbers(tree, self.codes)
        by_piece = {int(tree.piece[node]): node for node in nodes}
        assert set(places.tolist()) <= set(by_piece)
        return [
            NodeCounts((np.bincount(self.codes[places == piece, 0], minlength=6).astype(np.int64),))
            for piece in by_piece
        ]


def test_pieces_that_meet_the_demand_stay():
    rows = Rows([0, 1, 2, 3, 4, 5])
    assert checked(TREE, rows, Demand(2))[0].rows == (2, 2, 2)
    assert rows.asked == 1


def test_a_piece_that_falls_short_is_merged_with_its_neighbour():
    found, counts = checked(TREE, Rows([0, 1, 2, 3, 4]), Demand(2))
    assert [each.rows for each in counts] == [2, 3]
    assert found.rows == (2, 3)
    assert sorted(set(piece_numbers(found, Rows(range(6)).codes).tolist())) == [0, 1]


def test_merging_goes_on_until_all_meet_the_demand():
    assert checked(TREE, Rows([0, 1, 2, 4]), Demand(3))[0].rows == (4,)
    assert checked(TREE, Rows([0, 2, 2, 3, 4, 5]), Demand(2))[0].rows == (6,)


def test_merging_keeps_other_pieces():
    found = merged(TREE, [3], (2, 1, 2))
    assert leaves_of(found) == [1, 2]
    assert found.rows[0] == 2


TEXTS = st.one_of(
    st.sampled_from(
        ["true", "Yes", "0", "1", "01", "-0", "+1", "1.5", "1e-05", "1e5", ".5", "9" * 25, "1e-999",
         "9" * 400 + ".5", "2020-01-01", "2020-02-30", "2020-01-01T10:00", "2020-01-01 10:00:01.5Z",
         "2020-01-01T10:00+0200", "2020-01-01T25:00", "x", "nan", "inf"]
    ),
    st.text("0123456789-+.eE:TZ truefals", max_size=12).map(str.strip).filter(bool),
)  # fmt: skip


def check_forms(texts):
    every = pl.Series("cell", texts)
    alike = pl.DataFrame({"cell": every, "form": forms(every)}).group_by("form")
    some = alike.agg(pl.col("cell").min()).get_column("cell")
    assert column_type(some, typed=False) == column_type(every, typed=False)
    for wanted in (None, "numeric", "date", "boolean"):
        assert _outcome(some, wanted) == _outcome(every, wanted)


@given(st.lists(TEXTS, min_size=1, max_size=12, unique=True))
def test_one_text_of_each_form_decides_as_all_of_them(texts):
    check_forms(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["2020-01-01", "2020-01-01T10:00"],
        ["2020-01-01T10:00", "2020-01-01T10:00Z"],
        ["1", "9" * 25],
        ["1", "9" * 25, "1.5"],
        ["1", "1.5"],
        ["9.5", "1" * 25],
        ["01", "1"],
        ["1.5", "9" * 400 + ".5"],
        ["true", "yes"],
        ["0", "1", "2"],
    ],
)
def test_forms_that_make_a_difference_are_told_apart(texts):
    check_forms(texts)


def _outcome(series, wanted):
    try:
        found = convert(series, wanted, typed=False).dtype
    except DataError as error:
        return error.reason
    return "category" if isinstance(found, pl.Enum) else found


def test_a_large_class_is_dealt_out_evenly_and_by_chance():
    slots = Slots(np.array([0, 1, 5, 6]), {})
    pieces = np.repeat(np.array([0, 1, 2], np.int32), [10, 4000, 10])
    files = dealt(slots, pieces, Randomness(3))
    assert set(files[:10]) == {0}
    assert set(files[-10:]) == {5}
    inside = files[10:-10]
    assert min(np.bincount(inside)[1:5]) > 900
    # Neighbours are in one file as often as strangers are.
    assert np.mean(inside[1:] == inside[:-1]) == pytest.approx(0.25, abs=0.05)


def test_workers_with_a_seed_draw_differently_and_repeatably():
    draws = [worker_randomness(3, number).keys(4).tolist() for number in (0, 1, 0)]
    assert draws[0] == draws[2] != draws[1]
    assert (
        worker_randomness(None, 0).keys(4).tolist() != worker_randomness(None, 0).keys(4).tolist()
    )
    assert not worker_randomness(None, 0).seeded
