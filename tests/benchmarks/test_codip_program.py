"""The pure parts of the benchmark on disjoint projections."""

import numpy as np
import polars as pl
import pytest

import census_income
import codip
from full_domain_lattice import lattice
from oracles import closeness
from papilio.families.projections.methods.codip import codip as search
from papilio.families.projections.methods.plan import Limits, weigh


def test_lattice_is_measured_as_defined():
    frame = pl.DataFrame({"age": [1, 2, 6, 7], "s": ["a", "b", "a", "a"], "t": [1, 1, 2, None]})
    levels = {"age": [pl.col("age"), pl.col("age") // 5, pl.lit("*")]}
    found = lattice(frame, levels, ["s", "t"])
    assert found.vectors == ((0,), (1,), (2,))
    assert found.smallest.tolist() == [1, 2, 4]
    assert found.discernibility.tolist() == [4, 8, 16]
    table = closeness.shares(frame["s"].to_list(), ["a", "b"])
    worst = max(
        closeness.equal(closeness.shares(part, ["a", "b"]), table)
        for part in (["a", "b"], ["a", "a"])
    )
    assert found.closeness[1] == pytest.approx([float(worst), 0.5])
    assert found.best([[0], [1]], 2, 8) == pytest.approx(0.5)
    assert found.best([[0]], 2, 8) == pytest.approx(float(worst))
    assert found.best([[0]], 5, 100) is None
    assert [found.count(k) for k in (1, 2, 3, 5)] == [3, 2, 1, 0]


def test_as_printed_stops_before_the_first_failure():
    pairs = np.triu(np.random.default_rng(1).random((6, 6)), 1)
    path = search(weigh(pairs + pairs.T, pairs + pairs.T), Limits())
    for beta in (0.0, 0.2, 0.6, 1.0):
        point = codip.as_printed(path, beta)
        place = path.index(point)
        assert point.exposure <= beta + 1e-12
        assert all(later.exposure > beta for later in path[place + 1 :])


def test_invented_rows_have_the_columns_of_the_real_ones(monkeypatch, tmp_path):
    monkeypatch.setattr(census_income, "DATA", tmp_path)
    frame, origin = census_income.census_income(300)
    assert frame.height == 300
    assert "invented" in origin
    names = {*census_income.QUASI, *census_income.CATEGORIES, *census_income.NUMBERS, "household"}
    assert set(frame.columns) == names
    order, _ = codip.order_of(frame, codip.policy(exposure=1.0), "census")
    assert len(codip.dependencies_of(order, codip.policy(exposure=1.0)).names) == 15


def test_household_status_says_four_things():
    status = pl.DataFrame(
        {
            "s": [
                "Spouse of householder",
                "Child <18 never marr not in subfamily",
                "Grandchild 18+ ever marr RP of subfamily",
                "Householder",
            ]
        }
    )
    told = status.select(census_income._household(pl.col("s"))).to_series().to_list()
    assert told == ["married", "under_18;descendant", "married;descendant;subfamily", ""]
