"""The verifier against its plain twin, on releases that are right and on damaged ones."""

import json
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_releases import damages, releases

from oracles import verification as oracle
from papilio.release.release import Release
from papilio.verify import fitting
from papilio.verify.judge import judge
from papilio.verify.opened import open_directory, open_frames
from sizes import tries


def examples(count, **more):
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=count, deadline=None, suppress_health_check=slow, **more)


def verdict_of(release, made, form):
    """The verdict on a release in memory, or in a directory of a format."""
    original = made.frame.to_arrow()
    if form == "memory":
        frames = {name: frame.to_arrow() for name, frame in release.frames.items()}
        with open_frames(release.manifest, frames, release.hierarchies) as opened:
            opened.connection.register("papilio original", original)
            return judge(opened, original="papilio original")
    with tempfile.TemporaryDirectory() as folder:
        release.save(Path(folder) / "release", format=form)
        with open_directory(Path(folder) / "release") as opened:
            opened.connection.register("papilio original", original)
            return judge(opened, original="papilio original")


def expected_of(release, made, k):
    """What the plain twin finds: status by claim and column."""
    (table,) = json.loads(release.manifest.to_json())["tables"]
    (frame,) = release.frames.values()
    rows, columns, files = frame.to_dicts(), table["columns"], release.hierarchies
    quasi = [c for c in columns if c["role"] == "quasi"]
    expected = {
        ("cells of people", c["name"]): all(oracle.is_well_formed(c, row, files) for row in rows)
        for c in quasi
    }
    expected["k-anonymity", None] = oracle.least_class(quasi, rows) >= k
    expected["truthfulness", None] = oracle.is_true(columns, rows, made.frame.to_dicts(), files)
    return expected


def found_in(verdict, expected):
    return {
        (f.claim, f.column): f.status == "holds"
        for f in verdict.findings
        if (f.claim, f.column) in expected
    }


@pytest.mark.searches
def test_releases_hold_and_the_twin_agrees(tmp_path):
    @examples(tries(15, 80))
    @given(releases(tmp_path), st.sampled_from(["memory", "parquet", "csv"]))
    def check(released, form):
        made, release = released
        expected = expected_of(release, made, 2)
        assert all(expected.values())
        verdict = verdict_of(release, made, form)
        assert verdict.holds, verdict.findings
        assert found_in(verdict, expected) == expected

    check()


@pytest.mark.searches
def test_damaged_releases_get_the_verdict_of_the_twin(tmp_path):
    """In both directions: what is no longer true is found, what is still true left alone."""
    seen = Counter()

    @examples(tries(50, 200))
    @given(releases(tmp_path), st.sampled_from(["memory", "parquet"]), st.data())
    def check(released, form, data):
        made, release = released
        (table,) = release.manifest.tables
        frame = data.draw(damages(release.frames["people"], table.columns))
        manifest = replace(release.manifest, tables=(replace(table, rows=frame.height),))
        damaged = Release(manifest, {"people": frame}, release.hierarchies)
        expected = expected_of(damaged, made, 2)
        assert found_in(verdict_of(damaged, made, form), expected) == expected
        seen.update((claim, holds) for (claim, _), holds in expected.items())

    check()
    for claim in ("cells of people", "k-anonymity", "truthfulness"):
        for holds in (True, False):
            assert seen[claim, holds] >= tries(1, 5), seen


@pytest.mark.searches
def test_overlapping_classes_need_the_flow(tmp_path, monkeypatch):
    """Sensitive values exchanged within and between overlapping classes."""
    flows = Counter()
    search = fitting._flow

    def counted(pairs, supply, demand):
        served = search(pairs, supply, demand)
        flows[int(served.sum()) == supply.sum()] += 1
        return served

    monkeypatch.setattr(fitting, "_flow", counted)

    @examples(tries(30, 150), derandomize=True)  # so that the counts below do not depend on luck
    @given(releases(tmp_path, overlapping=True), st.randoms(use_true_random=False))
    def check(released, random):
        made, release = released
        frame = release.frames["people"]
        diseases = frame["disease"].to_list()
        random.shuffle(diseases)
        shuffled = frame.with_columns(disease=pl.Series(diseases, dtype=pl.String))
        damaged = Release(release.manifest, {"people": shuffled}, release.hierarchies)
        expected = expected_of(damaged, made, 2)
        assert found_in(verdict_of(damaged, made, "memory"), expected) == expected

    check()
    assert flows[True] >= tries(2, 10)
    assert flows[False] >= tries(1, 10)
