"""Releases for several recipients: each claim is judged by itself, and damage comes out."""

import itertools
import random
from dataclasses import replace

import polars as pl
import pytest

from papilio.policy.policy import Policy
from papilio.policy.recipients import ALL_RECIPIENTS
from papilio.release.release import Release
from papilio.verify.verdict import Status
from shared_releases import shared_release
from sizes import some

#: One body; left wings of rows 0-3 and 4-7, right wings of rows 0, 1, 4, 5 and 2, 3, 6, 7.
FRAME = pl.DataFrame(
    {
        "body": [1, 2, 1, 2, 1, 2, 1, 2],
        "left": [0, 0, 1, 1, 5, 5, 6, 6],
        "right": ["p", "q", "r", "s", "q", "p", "s", "r"],
        "ill": ["flu", "cold", "flu", "cold", "none", "flu", "none", "flu"],
    }
)
BLOCKS = {
    "body": [0] * 8,
    "left": [0, 0, 0, 0, 1, 1, 1, 1],
    "right": [0, 0, 1, 1, 0, 0, 1, 1],
}
RECIPIENTS = {"insurer": ("body", "left"), "personnel": ("body", "right")}
DIVERSE = [("distinct-l-diversity", {"column": "ill", "l": 2})]


def made(recipients=None, **more):
    options = {"k": 4, "collusion_k": 2, "more": DIVERSE} | more
    return shared_release(FRAME, BLOCKS, recipients or RECIPIENTS, sensitive=("ill",), **options)


def changed(sample, rows, **cells):
    """Change cells of some rows of the original order; published rows stand in reverse."""
    frame = sample.release.frames["people"].reverse()
    for name, cell in cells.items():
        values = frame[name].to_list()
        for row in rows:
            values[row] = cell
        frame = frame.with_columns(pl.Series(name, values, dtype=frame[name].dtype))
    return replace(sample, release=Release(sample.release.manifest, {"people": frame.reverse()}))


def claimed(sample, change):
    """Change the claims."""
    manifest = sample.release.manifest
    claims = tuple(each for claim in manifest.claims for each in change(claim))
    return replace(
        sample, release=replace(sample.release, manifest=replace(manifest, claims=claims))
    )


def violated(verdict):
    return {
        (finding.claim, finding.recipient)
        for finding in verdict.findings
        if finding.status is not Status.HOLDS
    }


def test_a_valid_release_holds_for_everyone(tmp_path):
    sample = made()
    verdict = sample.verdict()
    assert violated(verdict) == set()
    measured = {f.recipient: f.measured for f in verdict.findings if f.claim == "k-anonymity"}
    assert measured == {
        "insurer": "k = 4 over 2 classes",
        "personnel": "k = 4 over 2 classes",
        ALL_RECIPIENTS: "k = 2 over 4 classes",
    }
    for form in ("csv", "parquet"):
        sample.release.save(tmp_path / form, format=form)
        assert Release.open(tmp_path / form).verify().holds


def test_a_wing_cell_moved_to_another_wing():
    verdict = changed(made(), [0], left_min=5, left_max=6).verdict()
    assert violated(verdict) == {
        ("k-anonymity", "insurer"),
        ("k-anonymity", ALL_RECIPIENTS),
        ("truthfulness", None),
    }


def test_wing_cells_exchanged_leave_every_class_as_large():
    moved = changed(changed(made(), [0], left_min=5, left_max=6), [4], left_min=0, left_max=1)
    assert moved.release.verify().holds
    assert violated(moved.verdict()) == {("truthfulness", None)}


def test_a_wing_shrunk_for_one_recipient_only():
    verdict = changed(made(), [2], right='["r"]').verdict()
    assert violated(verdict) == {("k-anonymity", "personnel"), ("k-anonymity", ALL_RECIPIENTS)} | {
        ("distinct-l-diversity", "personnel")
    }


def test_a_body_that_was_split():
    verdict = changed(made(), [0, 2], body_max=1).verdict(original=False)
    assert {recipient for claim, recipient in violated(verdict) if claim == "k-anonymity"} == {
        "insurer",
        "personnel",
        ALL_RECIPIENTS,
    }


def test_values_exchanged_between_wings_of_one_recipient():
    """Diversity is judged on each recipient's own classes."""
    moved = changed(changed(made(), [1, 3], ill="flu"), [4, 6], ill="cold")
    assert violated(moved.verdict(original=False)) == {("distinct-l-diversity", "insurer")}


def test_forged_columns_of_a_recipient():
    """A recipient is said to know less than they do."""

    def forget(claim):
        yield replace(claim, columns=("body",)) if claim.recipient == "insurer" else claim

    sample = made(collusion_k=None)
    assert violated(claimed(sample, forget).verdict(original=False)) == {
        ("claims about people", None)
    }
    # With a claim on both columns together, only the owner can tell that one is weaker.
    weaker = claimed(made(), forget)
    assert weaker.release.verify().holds
    assert violated(weaker.verdict()) == {("promised claims", None)}


def test_columns_that_are_no_quasi_identifiers():
    def forge(claim):
        yield replace(claim, columns=("body", "ill"))

    found = violated(claimed(made(), forge).verdict(original=False))
    assert ("k-anonymity", "insurer") in found
    assert ("distinct-l-diversity", "personnel") in found


@pytest.mark.parametrize("dropped", ["insurer", "personnel", ALL_RECIPIENTS])
def test_a_dropped_claim_is_a_weaker_release(dropped):
    def drop(claim):
        if claim.recipient != dropped or claim.claim != "k-anonymity":
            yield claim

    weaker = claimed(made(), drop)
    assert weaker.release.verify().holds
    verdict = weaker.verdict()
    assert violated(verdict) == {("promised claims", None)}
    assert verdict.findings[-1].measured == f"no such k-anonymity of people for {dropped}"


@pytest.mark.parametrize(
    ("k", "alone", "with_policy"), [(1, set(), {("promised claims", None)}), (2, set(), set())]
)
def test_a_collusion_claim_of_another_size(k, alone, with_policy):
    def resize(claim):
        whole = claim.recipient == ALL_RECIPIENTS
        yield replace(claim, parameters={"k": k}) if whole else claim

    sample = claimed(made(), resize)
    assert violated(sample.verdict(original=False)) == alone
    assert violated(sample.verdict()) == with_policy


def test_a_collusion_claim_that_is_too_large():
    def resize(claim):
        whole = claim.recipient == ALL_RECIPIENTS
        yield replace(claim, parameters={"k": 3}) if whole else claim

    assert violated(claimed(made(), resize).verdict()) == {("k-anonymity", ALL_RECIPIENTS)}


def test_more_than_the_policy_demands_is_enough():
    sample = made(k=4)
    policy = Policy(
        columns=dict(sample.policy.columns),
        privacy={"k": 3, "collusion_k": 1},
        recipients={"insurer": ("left",), "personnel": ("body", "right")},
    )
    assert violated(replace(sample, policy=policy).verdict()) == set()


@pytest.mark.parametrize(("k", "holds"), [(8, True), (9, False)])
def test_to_a_recipient_without_columns_the_table_is_one_class(k, holds):
    blocks = {name: [0] * 8 for name in BLOCKS}
    sample = shared_release(
        FRAME, blocks, {"insurer": ("body", "left", "right"), "auditor": ()}, k=k,
        sensitive=("ill",), more=DIVERSE,
    )  # fmt: skip
    verdict = sample.release.verify()
    assert verdict.holds is holds
    (found,) = [f for f in verdict.findings if (f.claim, f.recipient) == ("k-anonymity", "auditor")]
    assert found.measured.startswith("k = 8 over 1 classes")


def test_a_quasi_identifier_that_no_claim_is_about():
    def forget(claim):
        yield replace(claim, columns=tuple(name for name in claim.columns if name != "right"))

    verdict = claimed(made(), forget).release.verify()
    (found,) = [f for f in verdict.findings if f.claim == "claims about people"]
    assert found.measured == "no claim about 'right'"
    assert found.status is Status.VIOLATED


@pytest.mark.parametrize("seed", some(range(25), first=6))
def test_truthfulness_where_cells_vary_by_column(seed):
    """A matching exists exactly if trying all of them finds one."""
    draw = random.Random(seed)
    rows = draw.randrange(2, 6)
    frame = pl.DataFrame(
        {
            "body": [draw.randrange(3) for _ in range(rows)],
            "left": [draw.randrange(4) for _ in range(rows)],
            "right": [draw.choice("pqr") for _ in range(rows)],
            "ill": [draw.choice(["flu", "none"]) for _ in range(rows)],
        }
    )
    blocks = {name: [draw.randrange(2) for _ in range(rows)] for name in BLOCKS}
    sample = shared_release(frame, blocks, RECIPIENTS, sensitive=("ill",))
    (verdict,) = [f for f in sample.verdict().findings if f.claim == "truthfulness"]
    assert verdict.status is Status.HOLDS
    # Exchange the cells of one column between two rows.
    one, other = draw.sample(range(rows), 2)
    name = draw.choice(["left", "right", "ill"])
    published = sample.release.frames["people"]
    names = ("left_min", "left_max") if name == "left" else (name,)
    order = list(range(rows))
    order[one], order[other] = order[other], order[one]
    moved = published.with_columns(published[each][order] for each in names)
    cells = [dict(row) for row in sample.cells]
    cells[one][name], cells[other][name] = cells[other][name], cells[one][name]
    damaged = replace(sample, release=Release(sample.release.manifest, {"people": moved}))
    (verdict,) = [f for f in damaged.verdict().findings if f.claim == "truthfulness"]
    assert (verdict.status is Status.HOLDS) == _can_be_matched(frame.to_dicts(), cells)


def _can_be_matched(people, cells):
    fits = [
        [p["ill"] == c["ill"] and all(p[n] in c[n] for n in BLOCKS) for c in cells] for p in people
    ]
    return any(
        all(fits[person][row] for person, row in enumerate(order))
        for order in itertools.permutations(range(len(people)))
    )
