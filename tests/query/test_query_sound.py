"""Whatever is asked, the true answer lies between the bounds."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import duckdb
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from partitioned import generalised, permuted
from random_sql import conditions, frames, groups

from oracles.bounds import aggregate
from papilio.errors import DataError
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
        # Doubles are rounded when they are added; docs/query.md says by how much at most.
        far, known = abs(Fraction(bounds.lo) - Fraction(true)), [v for v in values if v is not None]
        rounded = any(isinstance(each, float) for each in known) and function in ("sum", "avg")
        most = len(known) * Fraction(2) ** -52 * sum(abs(Fraction(each)) for each in known)
        assert bounds.lo == float(true) or (rounded and far <= most), (name, bounds, true)
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


@settings(max_examples=60)
@given(st.data())
def test_safe_cells(data):
    """Of each class one column varies, so that another has a cell with a value that nobody has."""
    frame = data.draw(frames(WHOLE, rows=(4, 9)))
    partition = data.draw(groups(frame.height))
    vary = [data.draw(st.sampled_from(["age", "size", "job", "born"])) for _ in set(partition)]
    first = [partition.index(group) for group in partition]
    alike = pl.Series(first)
    for name in ("age", "size", "job", "born", "well"):
        kept = pl.Series([vary[group] == name for group in partition])
        frame = frame.with_columns(
            pl.when(kept).then(frame[name]).otherwise(frame[name].gather(alike)).alias(name)
        )
    columns = data.draw(st.sampled_from([COLUMNS, TREES]))
    shown = {"columns": columns, "text": data.draw(st.booleans())}
    try:
        release = generalised(frame, partition, **shown, safe=True)
    except DataError:
        # No other column has two values in the table.
        assume(False)
    tight = generalised(frame, partition, **shown).frames["patients"]
    assume(not release.frames["patients"].equals(tight))
    check(frame, release, data.draw(conditions()), data.draw(st.sampled_from([None, None, "s"])))
    if columns is COLUMNS:
        answer = ask_table(release, "SELECT sum(age), avg(age), min(age), max(age) FROM patients")
        for name, bounds in answer.rows[0].answers.items():
            inside(name, bounds, frame["age"].to_list())


#: Every way to write labels, and days of four centuries so that each of their levels occurs.
DEEP = {
    **COLUMNS,
    "age": {"role": "quasi", "hierarchy": {"intervals": [2, 6]}},
    "job": {"role": "quasi", "hierarchy": {"prefix": [2, 1]}},
    "born": {
        "role": "quasi",
        "hierarchy": {"dates": ["month", "quarter", "year", "decade", "century"]},
    },
    "size": {"role": "quasi", "hierarchy": "automatic"},
    "well": {"role": "quasi", "hierarchy": "automatic"},
}
DAYS = [date(1785, 3, 31), date(1899, 12, 31), date(1900, 1, 1), date(1984, 2, 29),
        date(1984, 3, 1), date(1989, 12, 31), date(1990, 1, 1), date(2024, 4, 1)]  # fmt: skip
BORN = st.one_of(
    st.builds(
        "born {} DATE '{}'".format,
        st.sampled_from(["=", "<>", "<", "<=", ">", ">="]),
        st.sampled_from(DAYS),
    ),
    st.sampled_from(["extract(year FROM born) = 1984", "extract(day FROM born) = 1"]),
)
OTHERS = st.sampled_from(
    ["job LIKE 'a%'", "job = 'ash'", "well", "NOT well", "size > 0.5", "size = 7.25", "age > 3"]
)


@pytest.mark.parametrize("automatic", ["job", None])
@settings(max_examples=40)
@given(st.data())
def test_labels_of_every_hierarchy(automatic, data):
    frame = data.draw(frames(WHOLE))
    days = st.lists(st.sampled_from(DAYS), min_size=frame.height, max_size=frame.height)
    frame = frame.with_columns(born=pl.Series(data.draw(days)))
    columns = dict(DEEP)
    if automatic:
        # Labels that are lists of values instead of prefixes.
        columns[automatic] = {"role": "quasi", "hierarchy": "automatic"}
    release = generalised(frame, data.draw(groups(frame.height)), columns)
    for condition in (data.draw(BORN), data.draw(OTHERS)):
        check(frame, release, condition)
        check(frame, release, f"NOT ({condition})")


@pytest.mark.parametrize(
    "values", [["1", "2", "30"], ["true", "false"], ["2020-01-01", "2021-01-01"]]
)
@settings(max_examples=30)
@given(data=st.data())
def test_labels_of_a_file_of_paths(values, data, tmp_path_factory):
    """Labels of a file, over numbers, truth values and dates."""
    file = tmp_path_factory.mktemp("paths") / "x.csv"
    file.write_text("".join(f"{each},{'ab'[n > 0]},*\n" for n, each in enumerate(values)))
    kinds = {"1": ("numeric", int), "true": ("boolean", {"true": True, "false": False}.get),
             "2020-01-01": ("date", date.fromisoformat)}  # fmt: skip
    kind, read = kinds[values[0]]
    height = data.draw(st.integers(2, 7))
    drawn = data.draw(st.lists(st.sampled_from(values), min_size=height, max_size=height))
    frame = pl.DataFrame({"x": list(map(read, drawn)), "s": list(range(height))})
    columns = {"x": {"role": "quasi", "type": kind, "hierarchy": str(file)}, "s": COLUMNS["s"]}
    release = generalised(frame, data.draw(groups(height)), columns)
    value = data.draw(st.sampled_from(values))
    literal = f"DATE '{value}'" if kind == "date" else value
    compare = data.draw(st.sampled_from(["=", "<>", "<", ">="] if kind != "boolean" else ["="]))
    check(frame, release, f"x {compare} {literal}")


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
