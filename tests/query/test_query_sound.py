"""Whatever is asked, the true answer lies between the bounds."""

from __future__ import annotations

from fractions import Fraction

import duckdb
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from partitioned import generalised, permuted
from random_sql import conditions, frames, groups

from oracles.bounds import aggregate
from papilio.query.ask import ask_table

COLUMNS = {
    **dict.fromkeys(["age", "size", "job", "born", "well"], "quasi"),
    "s": {"role": "sensitive", "type": "numeric"},
}
TREES = {
    **COLUMNS,
    "age": {"role": "quasi", "hierarchy": {"intervals": [2, 6]}},
    "job": {"role": "quasi", "hierarchy": {"prefix": [2, 1]}},
    "born": {"role": "quasi", "hierarchy": {"dates": ["month", "year"]}},
    "size": {"role": "quasi", "hierarchy": "automatic"},
}
WHOLE = st.integers(-3, 9)
ROUNDED = st.sampled_from([-0.1, 0.3, 1 / 3, 2.0, 1e9 / 7])
ASKED = "sum(s), avg(s), min(s), max(s), count(s), count(distinct s), count(*)"
KEYS = ["well", "age % 2", "job", "extract(year FROM born)"]


def known_somewhere(frame, groups):
    """A permuted group without any known value is no group."""
    known = {group for group, s in zip(groups, frame["s"], strict=True) if s is not None}
    return known == set(groups)


def truth(frame, condition, key="0"):
    """Values of the sensitive column, NULL included, by key."""
    with duckdb.connect() as connection:
        connection.register("patients", frame.to_arrow())
        rows = connection.sql(
            f"SELECT {key}, s FROM patients WHERE {condition or 'TRUE'}"
        ).fetchall()
    found = {}
    for group, value in rows:
        found.setdefault(group, []).append(value)
    return found


def inside(name, bounds, values):
    function = name.split("(")[0] + ("_distinct" if "distinct" in name else "")
    true = len(values) if name == "count(*)" else aggregate(function, values)
    if true is None:
        assert bounds.null or (bounds.exact and bounds.lo is None), (name, bounds)
    elif bounds.exact:
        assert bounds.lo == float(true), (name, bounds, true)
    else:
        assert Fraction(bounds.lo) <= true <= Fraction(bounds.hi), (name, bounds, true)
        if bounds.estimate is not None:
            assert bounds.lo <= bounds.estimate <= bounds.hi
        # So does what doubles give, in whichever order they are added.
        for order in (values, values[::-1]):
            doubles = [float(each) for each in order if each is not None]
            if function in ("sum", "avg") and doubles:
                plain = sum(doubles) / (len(doubles) if function == "avg" else 1)
                assert bounds.lo <= plain <= bounds.hi, (name, bounds, plain)


def check(frame, release, condition, key=None):
    where = f" WHERE {condition}" if condition else ""
    if key is None:
        answer = ask_table(release, f"SELECT {ASKED} FROM patients{where}")
        (values,) = list(truth(frame, condition).values()) or [[]]
        for name, bounds in answer.rows[0].answers.items():
            inside(name, bounds, values)
        return
    answer = ask_table(release, f"SELECT {key} AS k, {ASKED} FROM patients{where} GROUP BY k")
    found = {row.group["k"]: row for row in answer.rows}
    true = truth(frame, condition, key)
    assert set(true) <= set(found)
    for group, row in found.items():
        assert group in true or not row.sure
        for name, bounds in row.answers.items():
            inside(name, bounds, true.get(group, []))


@settings(max_examples=45)
@given(st.data())
def test_permuted(data):
    frame = data.draw(frames(data.draw(st.sampled_from([WHOLE, ROUNDED]))))
    partition = data.draw(groups(frame.height))
    assume(known_somewhere(frame, partition))
    release = permuted(frame, partition, COLUMNS)
    condition = data.draw(st.one_of(st.none(), conditions()))
    check(frame, release, condition, data.draw(st.sampled_from([None, None, *KEYS])))


@settings(max_examples=60)
@given(st.data())
def test_generalised(data):
    frame = data.draw(frames(data.draw(st.sampled_from([WHOLE, ROUNDED]))))
    partition = data.draw(groups(frame.height))
    columns = data.draw(st.sampled_from([COLUMNS, COLUMNS, TREES]))
    release = generalised(frame, partition, columns, text=data.draw(st.booleans()))
    condition = data.draw(conditions())
    check(frame, release, condition, data.draw(st.sampled_from([None, None, "s"])))


@settings(max_examples=20)
@given(st.data())
def test_generalised_numbers(data):
    """Aggregates over ranges themselves."""
    frame = data.draw(frames(WHOLE))
    release = generalised(
        frame, data.draw(groups(frame.height)), COLUMNS, text=data.draw(st.booleans())
    )
    condition = data.draw(conditions())
    asked = "SELECT sum(age), avg(age), min(age), max(age), count(age) FROM patients"
    answer = ask_table(release, f"{asked} WHERE {condition}")
    with duckdb.connect() as connection:
        connection.register("patients", frame.to_arrow())
        rows = connection.sql(f"SELECT age FROM patients WHERE {condition}").fetchall()
    for name, bounds in answer.rows[0].answers.items():
        inside(name, bounds, [row[0] for row in rows])
