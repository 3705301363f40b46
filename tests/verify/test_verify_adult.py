"""A table of usual size: right when it is, wrong when one of 30 162 rows is."""

import polars as pl
import pytest

from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.samples import FOLDER, adult
from papilio.workflow.publish import publish
from papilio.workflow.verify import verify


@pytest.fixture(scope="module")
def published():
    policy = Policy.load(FOLDER / "policy.yaml")
    return publish(adult(), policy, name="adult"), policy


def truthfulness(release, policy):
    verdict = verify(release, original=policy, data=adult())
    (found,) = [f for f in verdict.findings if f.claim == "truthfulness"]
    return verdict, found


@pytest.mark.long
def test_adult_is_true(published):
    verdict, found = truthfulness(*published)
    assert verdict.holds, verdict.findings
    assert found.measured == "30162 of 30162 rows can be matched"


def test_one_wrong_row_of_adult_is_found(published):
    release, policy = published
    frame = release.frames["adult"].with_row_index()
    flipped = (
        pl.when(pl.col("index") == 4711)
        .then(pl.when(pl.col("income") == ">50K").then(pl.lit("<=50K")).otherwise(pl.lit(">50K")))
        .otherwise(pl.col("income"))
    )
    wrong = frame.with_columns(flipped.alias("income")).drop("index")
    verdict, found = truthfulness(
        Release(release.manifest, {"adult": wrong}, release.hierarchies), policy
    )
    assert not verdict.holds
    assert found.measured == "30161 of 30162 rows can be matched"
