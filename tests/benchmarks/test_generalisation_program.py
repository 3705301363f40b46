"""The pure parts of the benchmarks of the generalising methods."""

import re

import polars as pl
import pytest

import generalisation
import hybrid_recoding
from adult_table import adult_table, encoded
from generalisation import Line, full_domain_table
from papilio import samples
from papilio.data.encode import encode
from papilio.kernels.demand import Demand
from papilio.measure.usefulness import random_queries
from papilio.randomness import Randomness
from pictures import lines_over_k, save_picture


def test_a_number_at_its_bound_is_kept():
    assert Line("x", 1.0, 1.0).kept
    assert "OUT OF BOUNDS" not in Line("x", 1.0, 1.0).text
    assert "OUT OF BOUNDS" in Line("x", 1.1, 1.0, 2.0).text


@pytest.mark.parametrize("there", [True, False])
def test_full_domain_columns_have_hierarchies(monkeypatch, tmp_path, there):
    if not there:
        monkeypatch.setattr(generalisation, "HIERARCHIES", tmp_path / "nowhere")
    elif not generalisation.HIERARCHIES.is_dir():
        pytest.skip("no hierarchies beside the repository")
    table, origin = full_domain_table()
    assert origin == ("ARX format" if there else "own hierarchies")
    codes = encode(table, table.columns)
    assert len(codes.columns) == 8
    assert all(each.hierarchy is not None for each in codes.columns)


def test_education_and_its_number_tell_the_same():
    assert hybrid_recoding.same_education(samples.adult())
    other = pl.DataFrame({"education": ["a", "b"], "education-num": [1, 1]})
    assert not hybrid_recoding.same_education(other)


@pytest.fixture(scope="module")
def small():
    table = adult_table(samples.adult().head(600))
    return table, encoded(table)


@pytest.mark.parametrize("name", hybrid_recoding.ALGORITHMS)
def test_every_algorithm_is_measured(name, small, monkeypatch):
    monkeypatch.setattr(hybrid_recoding, "IMPROVE_SECONDS", 0.05)
    table, codes = small
    classes = hybrid_recoding.ALGORITHMS[name](codes, Demand(20))
    queries = random_queries(codes, Randomness(1), 50)
    found = hybrid_recoding.measure(table, codes, classes, 20, queries)
    assert set(found) == set(hybrid_recoding.FIGURES) - {"seconds"}
    assert 600 * 20 <= found["DM"] <= 600**2
    assert 1 < found["groups"] <= 600 // 20
    assert 0 < found["NCP"] < 1
    assert 0 <= found["CM"] < 0.5
    assert 0 < found["query ratio"] <= 1


def test_the_picture_has_a_plot_for_each_measure(tmp_path):
    rows = [
        {"measure": measure, "algorithm": "one", "k": k, "value": scale * k}
        for measure, scale in (("small", 0.01), ("large", 10_000))
        for k in (5, 200)
    ]
    picture = lines_over_k(rows, ["small", "large"], ["one"], dashed=["one"])
    save_picture(picture, tmp_path / "p.svg", "two plots")
    svg = (tmp_path / "p.svg").read_text()
    assert "small" in svg
    assert "large" in svg
    assert re.search(r">\d+M<", svg)
