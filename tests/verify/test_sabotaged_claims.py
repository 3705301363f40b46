"""Claims that promise too much, too little, or nothing."""

import pytest
from damage import KINDS, assert_holds, assert_violated, status_of

from papilio.verify.verdict import Status


def claim_changed(sample, **changes):
    manifest = sample.manifest
    manifest["claims"][0].update(changes)
    return sample.declare(manifest)


def test_claim_of_a_greater_k(damaged):
    sample = damaged()
    least = min(map(len, sample.classes().values()))
    assert_holds(claim_changed(sample, parameters={"k": least}).verdict())
    assert_violated(claim_changed(sample, parameters={"k": least + 1}).verdict(), "k-anonymity")


@pytest.mark.parametrize("k", [0, -3, True, "3", None, 2.5])
def test_claim_without_a_sensible_k(damaged, k):
    assert_violated(claim_changed(damaged(), parameters={"k": k}).verdict(), "k-anonymity")


def test_claim_without_parameters(damaged):
    assert_violated(claim_changed(damaged(), parameters={}).verdict(), "k-anonymity")


def test_claim_that_leaves_out_a_quasi_identifier(damaged):
    verdict = claim_changed(damaged(), columns=["age"]).verdict()
    assert_violated(verdict, "claims about people")


def test_claim_about_no_columns(damaged):
    # Of no columns the whole table is one class; but then nothing is promised about any column.
    verdict = claim_changed(damaged(), columns=[]).verdict()
    assert_violated(verdict, "claims about people")
    assert status_of(verdict, "k-anonymity") == {Status.HOLDS}


def test_claim_about_columns_that_are_not_there(damaged):
    assert_violated(
        claim_changed(damaged(), columns=["age", "pay", "name"]).verdict(), "k-anonymity"
    )


def test_claim_about_another_table(damaged):
    verdict = claim_changed(damaged(), table="others").verdict()
    assert_violated(verdict, "k-anonymity")
    assert_violated(verdict, "claims about people")


def test_no_claims(damaged):
    sample = damaged()
    verdict = sample.declare({**sample.manifest, "claims": []}).verdict()
    assert_violated(verdict, "claims")
    assert_violated(verdict, "claims about people")


def test_unknown_claim(damaged):
    sample = damaged()
    manifest = sample.manifest
    manifest["claims"].append({**manifest["claims"][0], "claim": "z-secrecy"})
    verdict = sample.declare(manifest).verdict()
    assert status_of(verdict, "z-secrecy") == {Status.NOT_CHECKED}
    assert status_of(verdict, "k-anonymity") == {Status.HOLDS}
    assert verdict.status is Status.NOT_CHECKED
    assert not verdict.holds


@pytest.mark.parametrize("kind", KINDS)
def test_quasi_identifier_called_plain(damaged, kind):
    sample = damaged(kind)
    manifest = sample.manifest
    column = manifest["tables"][0]["columns"][0]
    column["role"] = "plain"
    assert_violated(sample.declare(manifest).verdict(), "k-anonymity")
    manifest["claims"][0]["columns"].remove(column["name"])
    verdict = sample.declare(manifest).verdict()
    assert_violated(verdict, "claims about people")
