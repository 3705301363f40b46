"""Published cells of other packages are read back correctly, and all are measured alike."""

import polars as pl
import pytest

from adult_table import adult_table, encoded, release_of
from papilio import samples
from papilio.families.generalising.hybrid import hybrid
from papilio.kernels.demand import Demand
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from peer_cells import QUASI, outcome, read_nodes, read_release, read_text

NEUTRAL = {name: ["a", "a", "b", "b"] for name in QUASI}
TABLE = pl.DataFrame({**NEUTRAL, "age": [20, 30, 40, 60], "education-num": [1, 1, 5, 5]})


def written(folder, columns):
    file = folder / "published.csv"
    pl.DataFrame(columns).write_csv(file)
    return file


def test_text_cells(tmp_path):
    cells = {name: ["a", "a,b", "a,b"] for name in QUASI}
    ages, years = ["20-30", "40-60", "40-60"], ["1", "5", "5"]
    file = written(tmp_path, {**cells, "age": ages, "education-num": years, "count": [2, 1, 1]})
    boxes = read_text(file, TABLE).sort("age")
    assert boxes["rows"].to_list() == [2, 2]
    assert boxes["age"].to_list() == [10, 20]
    assert boxes["sex"].to_list() == [1, 2]
    found = outcome(boxes, TABLE)
    # Ages lose 1/4 and 1/2, years nothing, the six labels 0 and 1.
    assert found.ncp == pytest.approx((2 * (1 / 4) + 2 * (1 / 2 + 6)) / (4 * 8))
    assert (found.classes, found.left_out) == (2, 0)


def test_rows_left_out_lose_everything(tmp_path):
    cells = {name: ["a"] for name in QUASI}
    file = written(tmp_path, {**cells, "age": ["20"], "education-num": ["1"], "count": [3]})
    found = outcome(read_text(file, TABLE), TABLE)
    assert (found.left_out, found.ncp) == (1, pytest.approx(1 / 4))


def test_papilio_is_measured_as_papilio_measures(tmp_path):
    table = adult_table(samples.adult().head(2000))
    codes = encoded(table)
    release = release_of(table, codes, hybrid(codes, Demand(20)), 20)
    (frame,) = release.frames.values()
    file = written(tmp_path, frame.drop("income"))
    published = published_classes(release, table)
    found = outcome(read_release(file, table.frame), table.frame)
    assert found.ncp == pytest.approx(ncp(published).overall)
    assert (found.classes, found.left_out) == (len(published.sizes), 0)


def hierarchies(folder):
    for name in QUASI:
        (folder / f"{name}.csv").write_text("a,*\nb,*\n")
    (folder / "age.csv").write_text("20,low,*\n30,low,*\n40,high,*\n60,high,*\n")
    (folder / "education-num.csv").write_text("1,*\n5,*\n")


def nodes(folder, **columns):
    cells = {name: ["*"] * 4 for name in QUASI}
    return written(folder, {**cells, **columns})


def test_nodes_are_measured_by_the_rows_below_them(tmp_path):
    hierarchies(tmp_path)
    file = nodes(tmp_path, age=["low", "low", "high", "high"])
    boxes = read_nodes(file, TABLE).sort("age")
    assert boxes["rows"].to_list() == [2, 2]
    assert boxes["age"].to_list() == [10, 20]
    # The node covers two labels, the rows of each class have one.
    assert boxes["sex"].to_list() == [1, 1]


def test_nodes_of_rows_left_out(tmp_path):
    hierarchies(tmp_path)
    cells = {name: ["*"] * 2 for name in QUASI}
    boxes = read_nodes(written(tmp_path, {**cells, "age": ["low", "low"]}), TABLE)
    assert outcome(boxes, TABLE).left_out == 2


def test_nodes_that_cannot_be_right_are_refused(tmp_path):
    hierarchies(tmp_path)
    with pytest.raises(ValueError, match="not those below"):
        read_nodes(nodes(tmp_path, age=["low", "low", "low", "high"]), TABLE)
    with pytest.raises(ValueError, match="on no level"):
        read_nodes(nodes(tmp_path, age=["low", "low", "high", "60"]), TABLE)
