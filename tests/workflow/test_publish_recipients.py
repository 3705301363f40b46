"""Publishing for several recipients: from policy to verified release."""

import json

import numpy as np
import polars as pl
import pytest

from papilio import Policy, publish
from papilio.errors import InfeasibleError
from papilio.policy.recipients import ALL_RECIPIENTS
from sizes import some, spread

RANDOM = np.random.default_rng(17)
ROWS = 300
FRAME = pl.DataFrame(
    {
        "job": RANDOM.choice(["baker", "clerk", "nurse"], ROWS),
        "age": RANDOM.integers(20, 60, ROWS),
        "car": RANDOM.choice(["red", "blue", "green", "black"], ROWS),
        "zip": RANDOM.choice(["1010", "1011", "1100", "2000", "2001"], ROWS),
        "pay": np.where(RANDOM.random(ROWS) < 0.1, np.nan, RANDOM.integers(0, 50, ROWS)),
        "ill": RANDOM.choice(["flu", "cold", "none"], ROWS),
    }
).with_columns(pl.col("pay").fill_nan(None))
COLUMNS = {
    "job": "quasi",
    "age": "quasi",
    "car": "quasi",
    "zip": {"role": "quasi", "hierarchy": {"prefix": [3, 2]}},
    "pay": "quasi",
    "ill": "sensitive",
}
BOTH = {"insurer": ["age", "car", "zip"], "personnel": ["age", "job", "pay"]}
THREE = {**BOTH, "shop": ["car", "job", "zip"]}


def order(recipients=None, **more):
    said = {"columns": COLUMNS, "recipients": recipients or BOTH, "privacy": {"k": 8}}
    return Policy(**{**said, **more})


def least_class(release, columns):
    published = release.manifest.table("table")
    cells = [c for each in published.columns if each.name in columns for c in each.published]
    return release.frames["table"].group_by(cells).len().get_column("len").min()


@pytest.mark.parametrize("recipients", some([BOTH, THREE], THREE))
@pytest.mark.parametrize(
    "privacy", [{"k": 8}, {"k": 8, "collusion_k": 2}, {"k": 6, "collusion_k": 5}]
)
@pytest.mark.parametrize("more", [{}, {"method": "union"}, {"cells": "text", "wings": "hybrid"}])
def test_each_claim_holds(recipients, privacy, more):
    release = publish(FRAME, order(recipients, privacy=privacy, **more))
    assert release.verify().holds
    claims = {claim.recipient: claim for claim in release.manifest.claims}
    for name, columns in recipients.items():
        assert set(claims[name].columns) == set(columns)
        assert least_class(release, columns) >= privacy["k"]
    together = privacy.get("collusion_k")
    assert (ALL_RECIPIENTS in claims) == (together is not None)
    if together:
        assert least_class(release, FRAME.columns[:-1]) >= together


@pytest.mark.parametrize("generalise", ["hybrid", "relaxed-mondrian", "bottom-up"])
def test_it_builds_on_any_generalising_method(generalise):
    for method in ("union", "butterfly"):
        policy = order(method=method, generalise=generalise, privacy={"k": 8, "collusion_k": 2})
        assert publish(FRAME, policy).verify().holds


def test_diversity_and_closeness_hold_for_each_recipient():
    privacy = {"k": 5, "l": {"ill": 3}, "t": {"ill": 0.35}, "collusion_k": 2}
    release = publish(FRAME, order(privacy=privacy))
    verdict = release.verify()
    assert verdict.holds
    found = {(each.claim, each.recipient) for each in verdict.findings}
    for name in BOTH:
        assert {("distinct-l-diversity", name), ("t-closeness", name)} <= found
    # Nothing but the size is claimed for all of them together, because nothing else holds.
    assert [c.claim for c in release.manifest.claims if c.recipient == ALL_RECIPIENTS] == [
        "k-anonymity"
    ]


def test_diversity_for_each_is_none_for_all_together():
    """Two rows of one class for the one and of one class for the other may be a single row."""
    frame = pl.DataFrame(
        {
            "left": [1, 1, 2, 2, 3, 3],
            "right": [1, 2, 1, 3, 2, 3],
            "ill": ["a", "b", "b", "a", "a", "b"],
        }
    )
    policy = Policy(
        columns={"left": "quasi", "right": "quasi", "ill": "sensitive"},
        recipients={"one": ["left"], "other": ["right"]},
        privacy={"k": 2, "l": {"ill": 2}},
    )
    release = publish(frame, policy)
    assert release.verify().holds
    assert least_class(release, ["left"]) == least_class(release, ["right"]) == 2
    assert least_class(release, ["left", "right"]) == 1


@pytest.mark.parametrize(
    "recipients",
    spread(
        [
            {"only": ["job", "age", "car", "zip", "pay"]},
            {"all": ["job", "age", "car", "zip", "pay"], "some": ["age", "job"]},
            {"one": ["age", "car", "zip"], "other": ["job", "pay"]},
        ],
        2,
    ),
)
@pytest.mark.parametrize("k", [1, 4])
def test_special_cases(recipients, k):
    release = publish(FRAME, order(recipients, privacy={"k": k}))
    assert release.verify().holds
    for columns in recipients.values():
        assert least_class(release, columns) >= k


def test_a_recipient_who_knows_nothing_sees_one_class():
    recipients = {"all": ["job", "age", "car", "zip", "pay"], "none": []}
    release = publish(FRAME, order(recipients))
    verdict = release.verify()
    assert verdict.holds
    assert [claim.columns for claim in release.manifest.claims if claim.recipient == "none"] == [()]


def test_too_large_a_collusion_k_is_refused():
    with pytest.raises(
        InfeasibleError, match="collusion_k is 301, but the table has only 300 rows"
    ):
        publish(FRAME, order(privacy={"k": 2, "collusion_k": 301}))


def test_nothing_private_is_in_the_manifest():
    release = publish(FRAME, order(privacy={"k": 8, "collusion_k": 2}))
    content = json.loads(release.manifest.to_json())
    assert set(content) <= {
        "format",
        "kind",
        "method",
        "claims",
        "tables",
        "files",
        "seeded",
        "papilio",
    }


def test_rows_with_equal_cells_stand_together_and_chance_orders_them():
    policy = order(privacy={"k": 8, "collusion_k": 3})
    once, again = (publish(FRAME, policy, seed=seed).frames["table"] for seed in (1, 2))
    cells = [name for name in once.columns if name != "ill"]
    runs = once.select(pl.struct(cells).rle_id().max() + 1).item()
    assert runs == once.select(cells).n_unique()
    assert not once.equals(again)


@pytest.mark.parametrize("seed", spread(range(4), 2))
def test_wings_first_where_all_together_need_only_small_classes(seed, monkeypatch):
    """With k' at most k / 10, wings are built freely and small groups moved afterwards."""
    from papilio.families.recipients.methods import build

    outcomes = []

    def watched(setting, rows, wings):
        changed = join_wings(setting, rows, wings)
        outcomes.append(changed is not None)
        for part in changed or ():
            assert sorted(part.classes.rows.tolist()) == sorted(rows.tolist())
            assert part.classes.sizes.min() >= 20
        if changed is not None:
            labels = pl.DataFrame(
                {str(place): _label_of_row(part) for place, part in enumerate(changed)}
            )
            inside = labels[rows.tolist()]
            assert inside.group_by(pl.all()).len()["len"].min() >= 2
        return changed

    join_wings = build.join_wings
    monkeypatch.setattr(build, "join_wings", watched)
    random = np.random.default_rng(seed)
    rows = 600
    frame = pl.DataFrame(
        {
            "age": random.integers(20, 22, rows),
            # Eight by eight classes of about five rows: some have fewer than two and are moved.
            "car": random.integers(0, 8, rows),
            "job": random.integers(0, 8, rows),
            "ill": random.choice(["flu", "cold"], rows),
        }
    )
    policy = Policy(
        columns={"age": "quasi", "car": "quasi", "job": "quasi", "ill": "sensitive"},
        recipients={"insurer": ["age", "car"], "personnel": ["age", "job"]},
        privacy={"k": 20, "collusion_k": 2},
    )
    release = publish(frame, policy)
    assert release.verify(original=policy, data=frame).holds
    assert least_class(release, ["age", "car", "job"]) >= 2
    assert any(outcomes)


def _label_of_row(part):
    labels = np.zeros(int(part.classes.rows.max()) + 1, np.int64)
    labels[part.classes.rows] = part.classes.class_of_position
    return np.resize(np.concatenate([labels, np.full(600 - len(labels), -1)]), 600)
