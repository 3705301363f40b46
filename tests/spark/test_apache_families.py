"""Permutation, disguise and projections on Apache Spark itself, where there is Java."""

from __future__ import annotations

import pytest
from both_engines import check_same, publish_family
from test_parity_permutation import order as permutation_order
from test_parity_permutation import salaries, widths

from many_rows import TREE, order_of_patients, order_of_pay, patients, pay, ranges_of_pay
from papilio.families.permutation import spark as permuted_plan
from papilio.families.permutation import spark_ranges as permuted_ranges
from spark_server import spark_server

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def apache():
    with spark_server() as address:
        yield address


def test_permutation(tmp_path, apache):
    salaries(1500).write_parquet(tmp_path / "people.parquet", row_group_size=600)
    policy = permutation_order(tmp_path / "people.parquet", k=5, e=300)
    pair = publish_family(tmp_path, policy, apache)
    check_same(pair, policy)
    assert widths(pair.spark) == widths(pair.local)


def test_permutation_in_ranges(tmp_path, apache, monkeypatch):
    monkeypatch.setattr(permuted_plan, "MOST_VALUES", 50)
    monkeypatch.setattr(permuted_ranges, "RANGE_VALUES", 400)
    salaries(1500).write_parquet(tmp_path / "people.parquet", row_group_size=600)
    policy = permutation_order(tmp_path / "people.parquet", k=5, e=10)
    pair = publish_family(tmp_path, policy, apache)
    check_same(pair, policy)
    assert sum(widths(pair.spark)) == pytest.approx(sum(widths(pair.local)), rel=0.02)


@pytest.mark.parametrize(
    ("target", "privacy"),
    [
        ({"distribution": "same", "by": ["sex"], "tree": TREE}, {"personal": "level"}),
        ({"distribution": "uniform", "mode": "per-class", "tree": TREE}, {"fakes": 0.1}),
    ],
    ids=["personal", "classes"],
)
def test_disguise(tmp_path, apache, target, privacy):
    pay(600).write_parquet(tmp_path / "people.parquet", row_group_size=250)
    policy = order_of_pay(tmp_path / "people.parquet", target, **privacy)
    pair = publish_family(tmp_path, policy, apache)
    check_same(pair, policy)
    assert ranges_of_pay(pair.spark).equals(ranges_of_pay(pair.local))


def test_projections(tmp_path, apache):
    patients(800).write_parquet(tmp_path / "patients.parquet", row_group_size=300)
    policy = order_of_patients(tmp_path / "patients.parquet")
    pair = publish_family(tmp_path, policy, apache)
    check_same(pair, policy)
    assert pair.spark.notes == pair.local.notes
