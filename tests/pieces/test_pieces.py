"""A table published in pieces: the same classes, cells and claims as in one."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from in_pieces import publish_in_pieces
from papilio.errors import PapilioError
from papilio.families import choose
from papilio.policy.policy import Policy
from papilio.progress import silent
from papilio.randomness import Randomness

DAYS = [date(2020, 1, 31) + timedelta(days=20 * i) for i in range(30)]
QUASI = {
    "age": "quasi",
    "pay": "quasi",
    "job": {"role": "quasi", "type": "category"},
    "born": "quasi",
    "postcode": {"role": "quasi", "hierarchy": {"prefix": [3, 2, 1]}},
    "tax": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
    "pet": {"role": "quasi", "hierarchy": "automatic"},
    "ill": "quasi",
    "size": {"role": "quasi", "domain": ["S", "M", "L", "XL"]},
}


def people(seed, rows, nulls=0.1):
    """Rows of all kinds, with ties and NULL."""
    random = np.random.default_rng(seed)

    def some(values, dtype):
        drawn = pl.Series([values[i] for i in random.integers(0, len(values), rows)], dtype=dtype)
        return drawn.set(pl.Series(random.random(rows) < nulls), None)

    return pl.DataFrame(
        {
            "age": some(range(17, 60), pl.Int32),
            "pay": some([-1.5, 0.0, 0.25, 2.0, 1e6], pl.Float64),
            "job": some(["ash", "beech", "cedar", "elm", "fir"], pl.String),
            "born": some(DAYS, pl.Date),
            "postcode": some([str(1000 + 7 * i) for i in range(60)], pl.String),
            "tax": some(range(40), pl.Int64),
            "pet": some(["cat", "dog", "fox", "hen", "owl"], pl.String),
            "ill": some([True, False], pl.Boolean),
            "size": some(["S", "M", "XL"], pl.String),
            "disease": some(["flu", "hiv", "none", "none", "ulcer"], pl.String),
            "salary": some(range(0, 900, 50), pl.Int64),
            "city": some(["Oslo", "Rome"], pl.Categorical),
        }
    )


def in_one(frame, policy):
    """The release of the whole table, not verified."""
    original = policy.family.read(frame, policy, "table")
    choice = choose(policy, frame.height)
    return policy.family.make(original, choice, Randomness(1), silent).release


def refusal(publish, *arguments):
    """What is said against publishing, if anything."""
    try:
        publish(*arguments)
    except PapilioError as error:
        return str(error)
    return None


def ordered(frame):
    return frame.select(sorted(frame.columns)).sort(sorted(frame.columns), nulls_last=True)


def policy_of(quasi, privacy, **more):
    columns = {name: QUASI[name] for name in quasi}
    columns |= {"disease": "sensitive", "salary": "sensitive", "city": "plain"}
    return Policy(columns=columns, privacy=privacy, **{"method": "mondrian", **more})


PRIVACY = [
    {"k": 3},
    {"k": 2, "l": {"disease": 2}},
    {"k": 2, "l": {"disease": {"entropy": 1.8}, "salary": {"recursive": [2, 2]}}},
    {"k": 4, "t": {"disease": 0.4, "salary": 0.3}},
    {"k": 4, "t": {"disease": {"t": 0.5, "n": 40}}},
]


@settings(deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(5, 300),
    quasi=st.lists(st.sampled_from(sorted(QUASI)), min_size=1, max_size=5, unique=True),
    privacy=st.sampled_from(PRIVACY),
    piece_rows=st.sampled_from([1, 7, 40]),
    nulls=st.sampled_from([0.0, 0.2]),
    cells=st.sampled_from(["bounds", "text"]),
)
def test_pieces_are_classes_of_the_whole(seed, rows, quasi, privacy, piece_rows, nulls, cells):
    frame = people(seed, rows, nulls)
    policy = policy_of(quasi, privacy, cells=cells)
    refused = refusal(in_one, frame, policy)
    if refused is not None:
        assert refusal(publish_in_pieces, frame, policy, piece_rows) == refused
        return
    whole = in_one(frame, policy)
    pieces, tree = publish_in_pieces(frame, policy, piece_rows)
    assert ordered(pieces.frames["table"]).equals(ordered(whole.frames["table"]))
    assert pieces.frames["table"].schema == whole.frames["table"].schema
    assert pieces.manifest == whole.manifest
    assert pieces.hierarchies == whole.hierarchies
    assert sum(tree.rows) == rows
    oversize = [n > piece_rows for n in tree.rows]
    assert [o and c for o, c in zip(oversize, tree.one_class, strict=True)] == oversize
