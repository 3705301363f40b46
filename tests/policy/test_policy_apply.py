"""A policy meets data."""

import polars as pl
import pytest

from papilio import K, Policy
from papilio.data.io.read import Raw
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.policy.apply import order_from_raw, order_from_source

FRAME = pl.DataFrame({"name": ["a", "b", "c"], "age": [30, 40, 50], "job": ["x", "y", "x"]})


def order(columns, frame=FRAME, k=2):
    return order_from_raw(Policy(columns=columns, privacy=K(k)), Raw("people", frame, typed=True))


def test_only_what_the_policy_publishes_is_held():
    made = order({"job": "sensitive", "name": "identifier", "age": "quasi"})
    assert made.table.frame.columns == ["job", "age"]
    assert made.table.name == "people"
    assert made.left_out == ()


def test_columns_that_are_not_mentioned_are_left_out():
    made = order({"age": "quasi"})
    assert made.table.frame.columns == ["age"]
    assert made.left_out == ("name", "job")


@pytest.mark.parametrize(
    ("person", "read_too"), [("person: rows\n", []), ("", ["name"])], ids=["said", "not said"]
)
def test_identifiers_are_read_only_to_see_whether_they_repeat(
    tmp_path, monkeypatch, person, read_too
):
    from papilio.policy import apply

    FRAME.write_csv(tmp_path / "people.csv")
    read, asked = apply.read, []

    def spying(source, columns):
        asked.extend(columns)
        return read(source, columns)

    monkeypatch.setattr(apply, "read", spying)
    text = "source: people.csv\ncolumns: {name: identifier, age: quasi}\nprivacy: {k: 2}\n"
    order = order_from_source(Policy.parse(text + person, base=tmp_path))
    assert asked == ["age", *read_too]
    assert order.table.frame.columns == ["age"]


def test_identifier_that_is_not_there_is_told_too():
    with pytest.raises(PolicyError, match="no column 'nam'; did you mean 'name'"):
        order({"nam": "identifier", "age": "quasi"})


def test_long_lists_of_names_are_cut():
    frame = pl.DataFrame({f"c{i}": [1] for i in range(100)})
    with pytest.raises(PolicyError) as caught:
        order({"age": "quasi"}, frame)
    assert "c29, …" in str(caught.value)
    assert "c30" not in str(caught.value)


def test_k_beyond_the_rows():
    with pytest.raises(InfeasibleError) as caught:
        order({"age": "quasi"}, k=4)
    assert caught.value.reason == "k-exceeds-rows"
    assert order({"age": "quasi"}, k=3).table.height == 3


def test_no_rows():
    with pytest.raises(DataError) as caught:
        order({"age": "quasi"}, FRAME.head(0), k=1)
    assert caught.value.reason == "empty-table"


def test_no_source():
    with pytest.raises(PolicyError, match="source: this key is required"):
        order_from_source(Policy(columns={"age": "quasi"}, privacy=K(2)))


def test_domain_of_numbers_found_in_the_data():
    with pytest.raises(PolicyError, match=r"domain.*type: category"):
        order({"age": {"role": "quasi", "domain": ["30", "40"]}})
    columns = {"age": {"role": "quasi", "type": "category", "domain": ["30", "40", "50"]}}
    assert order(columns).table.columns[0].domain == ("30", "40", "50")


def test_missing_hierarchy_file_of_a_frame():
    with pytest.raises(PolicyError, match=r"columns.job.hierarchy: no such file: nowhere.csv"):
        order({"job": {"role": "quasi", "hierarchy": "nowhere.csv"}})
