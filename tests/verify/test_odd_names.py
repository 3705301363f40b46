"""Names of tables, columns and folders that mean something in SQL or to the verifier."""

import numpy as np
import polars as pl
import pytest
from damage import assert_holds, assert_violated, release_of

from papilio.families.classes import Classes
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.workflow.verify import verify

COLUMNS = ["cell", "VARCHAR", "n", 'quo"te', "it's", "select", "supply", "number", "a b, c", "é"]
TABLES = ["supply", "demand", "values0", "verifying", "select", 'quo"te', "it's [1]", "release"]


def released(values, policies, name="people"):
    frame = pl.DataFrame({**values, "s": ["x", "y", "x", "x"]})
    policy = Policy(columns={**policies, "s": "sensitive"}, privacy={"k": 2})
    classes = Classes(np.arange(4, dtype=np.int32), np.array([0, 2, 4]))
    release = release_of(frame, policy, classes)
    (table,) = release.manifest.tables
    (claim,) = release.manifest.claims
    manifest = type(release.manifest)(
        "generalised",
        "by hand",
        (type(claim)(**{**vars(claim), "table": name}),),
        (type(table)(**{**vars(table), "name": name}),),
    )
    frames = {name: release.frames["people"]}
    return Release(manifest, frames, release.hierarchies), policy, frame


def check(directory, policy, frame):
    assert_holds(verify(directory, original=policy, data=frame))
    wrong = frame.with_columns(s=pl.Series(["x", "x", "y", "x"]))
    assert_violated(verify(directory, original=policy, data=wrong), "truthfulness")


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_columns(tmp_path, form):
    values = {name: list("abcd") if n % 2 else [1, 2, 3, 4] for n, name in enumerate(COLUMNS)}
    release, policy, frame = released(values, dict.fromkeys(COLUMNS, "quasi"))
    release.save(tmp_path / "release", format=form)
    check(tmp_path / "release", policy, frame)


@pytest.mark.parametrize("name", TABLES)
def test_tables(tmp_path, name):
    release, policy, frame = released({"q": list("abcd")}, {"q": "quasi"}, name)
    release.save(tmp_path / "release")
    check(tmp_path / "release", policy, frame)


@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.parametrize("folder", ["a[1]", "it's", "all*", "{x,y}", "ü 😀"])
def test_folders(tmp_path, folder, form):
    release, policy, frame = released({"q": [1, 2, 3, 4]}, {"q": "quasi"})
    release.save(tmp_path / folder, format=form)
    assert_holds(verify(tmp_path / folder, original=policy, data=frame))
