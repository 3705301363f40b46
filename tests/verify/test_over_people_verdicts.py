"""Claims over people: what a stranger can say of them, and what the original shows."""

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import papilio as pp
from oracles import diversity
from oracles import people as oracle
from papilio.errors import InfeasibleError, VerificationError
from papilio.families.classes import Classes
from papilio.families.generalising import grouping
from papilio.privacy.requirement import over_people
from papilio.verify import people as judging
from papilio.verify.opened import WORK, OpenedHere
from papilio.verify.verdict import Status
from sizes import some, spread

SIX = pl.DataFrame(
    {
        "pid": ["a", "a", "a", "b", "b", "b"],
        "age": [30, 31, 32, 50, 51, 52],
        "ill": ["x", "y", "z", "x", "y", "z"],
    }
)

COLUMNS = {"pid": "identifier", "age": "quasi", "ill": "sensitive"}
METHODS = ["mondrian", "relaxed-mondrian", "hybrid", "bottom-up", "rising", "incognito"]


def policy(privacy, **more):
    return pp.Policy(columns=more.pop("columns", COLUMNS), privacy=privacy, person="pid", **more)


def visits(seed=3, rows=300, people=110):
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "pid": [f"p{each}" for each in chance.integers(0, people, rows)],
            "age": chance.integers(20, 60, rows),
            "town": chance.choice(list("ABCDE"), rows),
            "ill": chance.choice(["x", "y", "z", "w"], rows),
        }
    )


WIDE = {"pid": "identifier", "age": "quasi", "town": "quasi", "ill": "sensitive"}


def by_claim(verdict, claim):
    return {found.status for found in verdict.findings if found.claim == claim}


def claiming_people(release):
    """The same release, which claims everything over people."""
    claims = tuple(
        replace(claim, parameters={**claim.parameters, "unit": "people"})
        for claim in release.manifest.claims
    )
    return replace(release, manifest=replace(release.manifest, claims=claims))


@pytest.mark.parametrize("method", METHODS)
def test_six_visits_of_two_people(method):
    with pytest.raises(InfeasibleError) as caught:
        pp.publish(SIX, policy(pp.K(3), method=method), name="six")
    assert caught.value.nearest == "a k of at most 2 is accepted"
    release = pp.publish(SIX, policy(pp.K(2), method=method), name="six")
    assert release.frames["six"].drop("ill").n_unique() == 1
    assert "pid" not in str(release.manifest)


def test_what_a_stranger_is_told():
    release = pp.publish(SIX, policy(pp.K(2)), name="six")
    verdict = release.verify()
    assert verdict.holds
    (found,) = (each for each in verdict.findings if each.claim == "k-anonymity")
    assert "stated by the publisher, can be checked with the original" in found.measured


@pytest.mark.parametrize("method", spread([*METHODS, "union", "butterfly"], 2))
def test_what_is_published_holds_beside_the_original(method):
    several = method in ("union", "butterfly")
    demanded = [pp.K(4), pp.L("ill", 2), pp.T("ill", 0.6), *[pp.CollusionK(2)] * several]
    recipients = {"recipients": {"one": ["age"], "two": ["town"]}} if several else {}
    order = policy(demanded, columns=WIDE, method=method, **recipients)
    data = visits()
    verdict = pp.verify(pp.publish(data, order, name="v"), original=order, data=data)
    assert verdict.holds, [f for f in verdict.findings if f.status is not Status.HOLDS]
    for claim in ("k-anonymity", "distinct-l-diversity", "t-closeness"):
        assert by_claim(verdict, f"{claim} over people") == {Status.HOLDS}


def test_classes_without_somebody_are_written_a_part_at_a_time(monkeypatch):
    """All of them at once are many times the table, and need not fit into memory."""
    data, demanded = visits(), [pp.K(4), pp.L("ill", 2), pp.T("ill", 0.6)]
    order = policy(demanded, columns=WIDE, method="mondrian")
    release = pp.publish(data, order, name="v")
    whole = pp.verify(release, original=order, data=data)
    monkeypatch.setattr(judging, "LINES", 1)
    keep, written = OpenedHere.keep, []

    def kept(opened, name, query):
        keep(opened, name, query)
        if name == "people_values":
            written.append(opened.row(f"SELECT count(*) FROM {WORK}.{name}")[0])

    monkeypatch.setattr(OpenedHere, "keep", kept)
    parts = pp.verify(release, original=order, data=data)
    assert max(written) <= 2 * data.height < sum(written)
    assert [(f.claim, f.status) for f in parts.findings] == [
        (f.claim, f.status) for f in whole.findings
    ]
    (found,) = (f for f in parts.findings if f.claim == "t-closeness over people")
    assert "parts of all classes without one of their people" in found.measured


@pytest.mark.parametrize("lines", [1, 1 << 16])
def test_somebody_in_any_part_is_found_out(lines, monkeypatch):
    """One class of forty is diverse by one person alone."""
    monkeypatch.setattr(judging, "LINES", lines)
    data = pl.DataFrame(
        {
            "pid": [f"{row % 80}" for row in range(160)],
            "age": [row // 4 for row in range(160)],
            "ill": [*"xyzw" * 40],
        }
    )
    order = policy([pp.K(2), pp.L("ill", 2)], method="mondrian")
    release = pp.publish(data, order, name="v")
    assert release.verify(original=order, data=data).holds
    for place in (0, 79, 156):
        lied = data.with_columns(
            pl.when(pl.int_range(pl.len()).is_between(place // 4 * 4, place // 4 * 4 + 2))
            .then(pl.lit("0"))
            .otherwise("pid")
            .alias("pid")
        )
        verdict = release.verify(original=order, data=lied)
        assert by_claim(verdict, "distinct-l-diversity over people") == {Status.VIOLATED}


def test_classes_of_rows_that_claim_people_are_found_out():
    """Six visits in two classes of three rows, each of one person."""
    rows = pp.Policy(columns=COLUMNS, privacy=pp.K(3), person="rows", method="mondrian")
    release = pp.publish(SIX, rows, name="six")
    assert release.frames["six"].drop("ill").n_unique() == 2
    forged = claiming_people(release)
    assert forged.verify().holds
    verdict = pp.verify(forged, original=policy(pp.K(2)), data=SIX)
    assert by_claim(verdict, "k-anonymity over people") == {Status.VIOLATED}


def test_a_claim_of_rows_does_not_keep_a_promise_about_people():
    rows = pp.Policy(columns=COLUMNS, privacy=pp.K(2), person="rows")
    release = pp.publish(SIX, rows, name="six")
    verdict = pp.verify(release, original=policy(pp.K(2)), data=SIX)
    assert by_claim(verdict, "promised claims") == {Status.VIOLATED}


def test_a_claim_of_people_keeps_a_promise_about_rows():
    release = pp.publish(SIX, policy(pp.K(2)), name="six")
    rows = pp.Policy(columns=COLUMNS, privacy=pp.K(2), person="rows")
    assert pp.verify(release, original=rows, data=SIX).holds


@pytest.mark.parametrize("unit", ["rows", "", None, True, "person"])
def test_no_other_unit_is_known(unit):
    release = pp.publish(SIX, policy(pp.K(2)), name="six")
    (claim,) = release.manifest.claims
    claim = replace(claim, parameters={**claim.parameters, "unit": unit})
    forged = replace(release, manifest=replace(release.manifest, claims=(claim,)))
    assert not forged.verify().holds


DEMANDS = {
    "k": [pp.K(3)],
    "distinct": [pp.K(2), pp.L("ill", 2)],
    "entropy": [pp.K(2), pp.L("ill", entropy="1.9")],
    "recursive": [pp.K(2), pp.L("ill", recursive=(2, 2))],
    "equal": [pp.K(2), pp.T("ill", 0.35)],
    "ordered": [pp.K(2), pp.T("dose", 0.2, "ordered")],
    "hierarchical": [pp.K(2), pp.T("dose", 0.25, "hierarchical")],
    "large": [pp.K(2), pp.T("ill", 0.35, n=10)],
}
CLAIM = {
    "k": "k-anonymity",
    "distinct": "distinct-l-diversity",
    "entropy": "entropy-l-diversity",
    "recursive": "recursive-l-diversity",
    "equal": "t-closeness",
    "ordered": "t-closeness",
    "hierarchical": "t-closeness",
    "large": "nt-closeness",
}
DOSES = {
    "pid": "identifier",
    "age": "quasi",
    "ill": "sensitive",
    "dose": {"role": "sensitive", "hierarchy": {"intervals": [2]}},
}


def _moved(monkeypatch, meets_rows_only):
    """Let a method move one row so that classes are good for rows and not for people."""
    made = grouping.group_rows

    def lie(table, demand, method, policy, randomness):
        found = made(table, demand, method, policy, randomness)
        return meets_rows_only(found)

    monkeypatch.setattr(grouping, "group_rows", lie)


@pytest.mark.parametrize("name", sorted(DEMANDS))
def test_a_method_that_forgets_people_is_found_out(name, monkeypatch):
    """Classes of four rows, of which three are one person's with different values."""
    data = pl.DataFrame(
        {
            "pid": [*"aaab", *"cccd", *"efgh", *"ijkl"],
            "age": [*[10] * 4, *[20] * 4, *[30] * 4, *[40] * 4],
            "ill": [*"xyzx", *"yzxy", *"xyzx", *"zyxz"],
            "dose": [1, 2, 3, 1, 2, 3, 1, 2, 1, 2, 3, 1, 3, 2, 1, 3],
        }
    )
    order = policy(DEMANDS[name], columns=DOSES, method="mondrian")

    def classes(found):
        return Classes(np.arange(16, dtype=np.int32), np.arange(0, 17, 4))

    _moved(monkeypatch, classes)
    with pytest.raises(VerificationError, match=f"{CLAIM[name]} over people"):
        pp.publish(data, order, name="v")


def test_a_row_moved_into_an_overlapping_class_is_found_out(monkeypatch):
    """Nobody could see it from outside: cells and values fit both classes."""
    data = pl.DataFrame({"pid": [*"aaabcdef"], "age": [1, 4, 5, 8, 2, 4, 5, 7], "ill": ["x"] * 8})
    order = policy([pp.K(2)], method="mondrian")
    fair, unfair = [[0, 3, 5, 6], [1, 2, 4, 7]], [[0, 3, 1, 2], [5, 6, 4, 7]]
    for parts in (fair, unfair):

        def classes(found, parts=parts):
            return Classes(np.array(parts, np.int32).ravel(), np.array([0, 4, 8]))

        with monkeypatch.context() as patch:
            _moved(patch, classes)
            if parts is fair:
                release = pp.publish(data, order, name="v")
            else:
                with pytest.raises(VerificationError, match="k-anonymity over people"):
                    pp.publish(data, order, name="v")
    assert pp.verify(release, original=order, data=data).holds


def test_rows_are_exchanged_until_nobody_owns_too_much():
    """Equal rows of one person stand next to each other in the original."""
    data = pl.DataFrame(
        {
            "pid": [*"aabbccdd"],
            "age": [1, 1, 1, 1, 1, 1, 1, 1],
            "ill": ["x"] * 8,
        }
    )
    order = policy([pp.K(4)])
    release = pp.publish(data, order, name="v")
    assert pp.verify(release, original=order, data=data).holds


def test_columns_may_be_called_as_those_of_the_checks():
    data = visits().rename({"age": "line", "town": "person", "ill": "value"})
    columns = {"pid": "identifier", "line": "quasi", "person": "quasi", "value": "sensitive"}
    order = policy([pp.K(3), pp.L("value", 2)], columns=columns)
    release = pp.publish(data, order, name="whose")
    assert pp.verify(release, original=order, data=data).holds


def test_over_people_is_asked_of_every_requirement():
    assert all(each.people for each in over_people((pp.K(2), pp.L("ill", 2), pp.T("ill", 0.2))))


RULES = {
    "k": (pp.K(2), lambda values: True),
    "distinct": (pp.L("ill", 2), lambda values: diversity.distinct(values, 2)),
    "recursive": (
        pp.L("ill", recursive=(5, 2)),
        lambda values: diversity.recursive(values, 5, 2),
    ),
}


@pytest.mark.parametrize("name", some(sorted(RULES), "k", "distinct"))
def test_people_are_counted_as_they_should_be(name, monkeypatch):
    """Random classes are published exactly if plain counting says that they may."""
    demanded, holds = RULES[name]
    order = policy([pp.K(2), demanded], method="mondrian")
    seen = Counter()
    for seed in range(40):
        chance = np.random.default_rng(seed)
        cut = int(chance.integers(2, 7))
        data = pl.DataFrame(
            {
                "pid": [str(each) for each in chance.integers(0, 5, 9)],
                "age": range(9),
                "ill": chance.choice(["x", "y", "z"], 9),
            }
        )
        every = list(zip(data["pid"], data["ill"], strict=True))
        parts = [every[:cut], every[cut:]]
        expected = all(
            oracle.k_over_people(part, 2) and oracle.over_people(part, every, holds)
            for part in parts
        )

        def classes(_, cut=cut):
            return Classes(np.arange(9, dtype=np.int32), np.array([0, cut, 9]))

        with monkeypatch.context() as patch:
            _moved(patch, classes)
            seen[expected] += 1
            try:
                release = pp.publish(data, order, name="v")
            except InfeasibleError:
                assert not expected
                continue
            except VerificationError:
                assert not expected
                continue
            assert expected, seed
        verdict = pp.verify(release, original=order, data=data)
        assert verdict.holds
    assert min(seen[True], seen[False]) >= 5, seen
