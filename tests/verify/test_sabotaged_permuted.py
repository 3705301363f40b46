"""Whatever is changed about a permuted release, the verifier notices."""

from __future__ import annotations

import polars as pl
import pytest
from damage import assert_holds, assert_violated
from permuted_damage import permuted_sample

from papilio.verify.verdict import Status
from sizes import some, spread

HELP = "help of staff_help"


@pytest.fixture(scope="module", params=some(["parquet", "csv"]))
def whole(request, tmp_path_factory):
    return permuted_sample(tmp_path_factory.mktemp("permuted"), request.param)


@pytest.fixture
def sample(whole, tmp_path):
    return whole.copy(tmp_path / "copy")


def with_cell(frame, row, name, value):
    cells = frame.get_column(name).to_list()
    cells[row] = value
    return frame.with_columns(pl.Series(name, cells, dtype=frame.schema[name]))


def rows_of(frame, group):
    return frame.with_row_index().filter(group=group).get_column("index").to_list()


def swapped(frame, name, first, second):
    one, other = frame[first, name], frame[second, name]
    return with_cell(with_cell(frame, first, name, other), second, name, one)


def test_an_unchanged_release_holds(whole):
    assert_holds(whole.verdict(original=False))
    assert_holds(whole.verdict())


@pytest.mark.parametrize(
    "name",
    spread([
        "count_lo", "count_hi", "sum_lo", "sum_hi", "sum_mean", "sum_var",
        "min_lo", "min_hi", "max_lo", "max_hi", "avg_lo", "avg_hi",
    ], 2),
)  # fmt: skip
@pytest.mark.parametrize("step", [-1, 1])
def test_a_changed_bound(sample, name, step):
    table = sample.table("staff_help")
    sample.rewrite(staff_help=with_cell(table, 5, name, table[5, name] + step))
    assert_violated(sample.verdict(original=False), HELP)


@pytest.mark.parametrize("name", ["sum_lo", "min_hi", "avg_lo", "sum_var"])
def test_a_bound_that_is_missing(sample, name):
    table = sample.table("staff_help")
    sample.rewrite(staff_help=with_cell(table, 0, name, None))
    assert_violated(sample.verdict(original=False), HELP)


def test_two_bounds_swapped(sample):
    table = sample.table("staff_help")
    renamed = table.rename({"sum_lo": "sum_hi", "sum_hi": "sum_lo"}).select(table.columns)
    sample.rewrite(staff_help=renamed)
    assert_violated(sample.verdict(original=False), HELP)


@pytest.mark.parametrize(
    "damage",
    [
        lambda table: table.head(-1),
        lambda table: pl.concat([table, table.head(1)]),
        lambda table: pl.concat([table.head(-1), table.head(1)]),
        lambda table: with_cell(table, 0, "hits", 99),
        lambda table: with_cell(table, 0, "hits", 0),
        lambda table: with_cell(table, 0, "group", 99),
        lambda table: with_cell(table, 0, "group", None),
    ],
)
def test_rows_of_the_help_table(sample, damage):
    sample.rewrite(staff_help=damage(sample.table("staff_help")))
    assert_violated(sample.verdict(original=False), HELP)


def test_a_person_moved_to_another_group(sample):
    people = sample.table("staff")
    sample.rewrite(staff=with_cell(people, 0, "group", people[-1, "group"]))
    assert_violated(sample.verdict(original=False), "groups")


def test_two_people_of_different_groups_exchanged(sample):
    people = sample.table("staff")
    sample.rewrite(staff=swapped(people, "group", 0, people.height - 1))
    assert_holds(sample.verdict(original=False))
    assert_violated(sample.verdict(), "truthfulness")


def test_two_values_of_different_groups_exchanged(sample):
    """The forger computes the help table anew; only the original tells."""
    values = sample.table("staff_values")
    first = values.with_row_index().filter(group=1).drop_nulls().row(0)[0]
    other = values.with_row_index().filter(group=2).drop_nulls().row(0)[0]
    sample.rewrite(staff_values=swapped(values, "pay", first, other))
    assert_violated(sample.verdict(original=False), HELP)
    assert_violated(sample.verdict(), "truthfulness")


@pytest.mark.parametrize("name", ["age", "job", "room"])
def test_a_changed_description(sample, name):
    people = sample.table("staff")
    value = "waiter" if name == "job" else 99
    sample.rewrite(staff=with_cell(people, 3, name, value))
    assert_violated(sample.verdict(), "truthfulness")


@pytest.mark.parametrize("value", [None, 0, 10**6])
def test_a_changed_value(sample, value):
    values = sample.table("staff_values")
    known = values.with_row_index().drop_nulls().row(0)[0]
    sample.rewrite(staff_values=with_cell(values, known, "pay", value))
    assert_violated(sample.verdict(), HELP)
    assert_violated(sample.verdict(), "truthfulness")


def test_a_null_that_leaks_as_a_value(sample):
    values = sample.table("staff_values")
    missing = values.with_row_index().filter(pl.col("pay").is_null()).row(0)[0]
    sample.rewrite(staff_values=with_cell(values, missing, "pay", 123))
    assert_violated(sample.verdict(), "truthfulness")


def test_people_left_out(sample):
    people = sample.table("staff")
    sample.rewrite(staff=people.head(-1))
    assert_violated(sample.verdict(original=False), "groups")


def test_a_person_and_a_value_left_out(sample):
    tables = {name: sample.table(name) for name in ("staff", "staff_values", "staff_help")}
    sample.rewrite(**{name: table.filter(pl.col("group") > 1) for name, table in tables.items()})
    assert_violated(sample.verdict(original=False), "groups")
    assert_violated(sample.verdict(), "truthfulness")


@pytest.mark.parametrize(
    "parameters",
    [{"k": 4}, {"e": 10**6}, {"e": 0.5, "k": 99}, {"k": None}, {"k": True}, {"e": -1}, {"e": None},
     {"e": "2"}, {"column": "age"}, {"column": "nothing"}],
)  # fmt: skip
def test_a_stronger_or_odd_claim(sample, parameters):
    manifest = sample.manifest
    values = sample.table("staff_values").drop_nulls()
    smallest = values.group_by("group").agg(pl.col("pay").n_unique())
    assert smallest.get_column("pay").min() == 3
    manifest["claims"][0]["parameters"] |= parameters
    sample.declare(manifest)
    assert_violated(sample.verdict(original=False), "ke-anonymity")


def test_a_claim_that_is_not_about_all_quasi_identifiers(sample):
    manifest = sample.manifest
    manifest["claims"][0]["columns"] = ["age"]
    sample.declare(manifest)
    assert_violated(sample.verdict(original=False), "ke-anonymity")


def test_no_claim(sample):
    manifest = sample.manifest
    manifest["claims"] = []
    sample.declare(manifest)
    assert_violated(sample.verdict(original=False), "claims")


def test_an_unknown_claim_is_not_checked(sample):
    manifest = sample.manifest
    manifest["claims"][0]["claim"] = "k-anonymity"
    sample.declare(manifest)
    verdict = sample.verdict(original=False)
    assert {f.status for f in verdict.findings if f.claim == "k-anonymity"} == {Status.NOT_CHECKED}
    assert verdict.status is Status.VIOLATED


def test_the_sensitive_column_beside_its_people(sample):
    people = sample.table("staff").with_columns(pay=pl.Series(range(20)))
    manifest = sample.manifest
    manifest["tables"][0]["columns"].append(manifest["tables"][1]["columns"][1])
    sample.declare(manifest)
    sample.rewrite(staff=people)
    assert_violated(sample.verdict(original=False), "layout")


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_table_that_is_not_there(sample, number):
    manifest = sample.manifest
    del manifest["tables"][number]
    sample.declare(manifest)
    assert not sample.verdict(original=False).holds


def test_a_table_of_another_name(sample):
    manifest = sample.manifest
    manifest["tables"][2]["name"] = "other"
    for file in manifest["files"]:
        file["table"] = "other" if file["table"] == "staff_help" else file["table"]
    sample.declare(manifest)
    assert_violated(sample.verdict(original=False), "layout")


def test_rows_said_to_be_left_out(sample):
    manifest = sample.manifest
    manifest["tables"][0]["left_out_at_most"] = 0.5
    sample.declare(manifest)
    assert_violated(sample.verdict(original=False), "layout")


def test_groups_with_gaps_in_their_numbers(sample):
    names = ("staff", "staff_values", "staff_help")
    tables = {n: sample.table(n).with_columns(pl.col("group") * 2) for n in names}
    sample.rewrite(**tables)
    assert_violated(sample.verdict(original=False), "groups")


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_values_that_are_no_numbers(tmp_path, odd):
    sample = permuted_sample(tmp_path, kind=float, nulls=False)
    values = sample.table("staff_values")
    sample.rewrite(staff_values=with_cell(values, 0, "pay", odd))
    assert_violated(sample.verdict(original=False), "cells of staff_values", "pay")


def test_another_original(sample):
    changed = sample.frame.with_columns(pl.col("pay").fill_null(0))
    wrong = type(sample)(sample.directory, sample.policy, changed)
    assert_violated(wrong.verdict(), "truthfulness")
    shuffled = sample.frame.with_columns(pl.col("pay").shuffle(seed=1))
    assert_violated(
        type(sample)(sample.directory, sample.policy, shuffled).verdict(), "truthfulness"
    )
