"""A piece of a disguise with one group per class: its files against the rows it is made of."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from disguise_releases import PAPER, release_of
from papilio.verify.target_tree import read_tree
from papilio.verify.verdict import Status
from papilio.verify.witness.group_pieces import Came, check_classes

ROWS = PAPER.drop("level")


@pytest.fixture
def check(tmp_path):
    """Write people and values, perhaps changed, and check them against the rows."""
    release, _ = release_of("classes")
    shown = [name for name in ROWS.columns if name != "salary"]
    people, values = (release.frames[name] for name in ("people", "people_values"))
    # People of one description are in one group, so that either of them may be a line's.
    rows = [ROWS.select(shown).rows().index(line) for line in people.select(shown).iter_rows()]
    seen = np.array([row + rows[:place].count(row) for place, row in enumerate(rows)])
    tree = read_tree(release.hierarchies["target_tree.csv"], numeric=True)

    def run(people=people, values=values, original=ROWS):
        files = {"people": tmp_path / "p.parquet", "people_values": tmp_path / "v.parquet"}
        people.write_parquet(files["people"])
        values.write_parquet(files["people_values"])
        came = Came(original, np.arange(original.height))
        return check_classes(files, release.manifest, release.hierarchies, tree, came, seen)

    run.values = values
    return run


def test_the_truth(check):
    found = check()
    assert found.found.status is Status.HOLDS
    assert found.fits.status is Status.HOLDS
    assert found.order.status is Status.HOLDS


def test_a_value_that_no_subdomain_of_its_group_holds(check):
    other = ROWS.with_columns(pl.col("salary").reverse())
    assert check(original=other).found.status is Status.HOLDS
    assert check(original=other).fits.status is Status.VIOLATED


def test_a_subdomain_that_is_none_of_the_tree(check):
    strange = check.values.with_columns(pl.col("salary_max") + 1)
    found = check(values=strange)
    assert found.fits.status is Status.VIOLATED
    assert "other ones" in found.fits.measured


def test_a_subdomain_is_missing(check):
    assert check(values=check.values[1:]).fits.status is Status.VIOLATED


def test_a_file_that_cannot_be_read(check, tmp_path):
    check()
    (tmp_path / "p.parquet").write_bytes(b"PAR1")

    class Left:
        def write_parquet(self, _):
            """Leave the file as it is."""

    assert check(people=Left()).found.status is Status.VIOLATED
