"""``papilio compare`` where the policy names recipients."""

import random

import polars as pl
import pytest

from papilio.errors import PapilioError
from papilio.policy.policy import Policy
from papilio.workflow.compare import compare, compare_to

DRAW = random.Random(4)
FRAME = pl.DataFrame(
    {
        "body": [DRAW.randrange(40) for _ in range(120)],
        "left": [DRAW.randrange(60) for _ in range(120)],
        "right": [DRAW.randrange(60) for _ in range(120)],
        "ill": [DRAW.choice(["flu", "none"]) for _ in range(120)],
    }
)
COLUMNS = {"body": "quasi", "left": "quasi", "right": "quasi", "ill": "sensitive"}
RECIPIENTS = {"one": ["body", "left"], "two": ["body", "right"]}
POLICY = Policy(columns=COLUMNS, recipients=RECIPIENTS, privacy={"k": 4})


def test_union_and_butterfly_are_compared_if_nobody_says():
    comparison = compare(POLICY, data=FRAME, k=[4, 8])
    assert [(each.method, each.values["k"]) for each in comparison.trials] == [
        ("union", 4),
        ("union", 8),
        ("butterfly", 4),
        ("butterfly", 8),
    ]
    loss = {(each.method, each.values["k"]): each.outcome.loss for each in comparison.trials}
    for k in (4, 8):
        assert loss["butterfly", k] < loss["union", k]
    # Classes of each recipient count, not those that all of them see.
    assert all(each.outcome.more["smallest"] >= each.values["k"] for each in comparison.trials)
    assert all(each.outcome.more["average_class_size"] >= 1 for each in comparison.trials)
    assert all(
        each.outcome.more["discernibility"] >= 120 * each.values["k"] for each in comparison.trials
    )


def test_what_is_demanded_of_all_together_is_kept():
    policy = Policy(
        columns=COLUMNS, recipients=RECIPIENTS, privacy={"k": 6, "collusion_k": 3, "l": 2}
    )
    comparison = compare(policy, data=FRAME, k=[6])
    assert all(each.outcome is not None for each in comparison.trials)
    assert "collusion_k = 3" in comparison.beside


def test_methods_for_one_recipient_can_stand_beside_them(tmp_path):
    methods = ["mondrian", "butterfly", "butterfly+improve"]
    path = tmp_path / "compare.html"
    policy = POLICY.varied([(("improve",), {"steps": 200})])
    comparison = compare_to(path, policy, data=FRAME, methods=methods, k=[4])
    plain, butterfly, improved = comparison.trials
    assert plain.outcome.loss > butterfly.outcome.loss
    assert improved.outcome is not None
    assert dict(improved.changes)["improve",] == {"steps": 200}
    page = path.read_text(encoding="utf-8")
    assert "Each recipient sees other classes" in page


def test_without_recipients_they_say_why_not():
    alone = Policy(columns=COLUMNS, privacy={"k": 4})
    (trial,) = compare(alone, data=FRAME, methods=["butterfly"], k=[4]).trials
    assert trial.why_not == "butterfly is for several recipients; the policy names none"


def test_misspelt_methods_are_told_of_them():
    with pytest.raises(PapilioError, match="did you mean 'butterfly'"):
        compare(POLICY, data=FRAME, methods=["buterfly"])


def test_a_policy_that_is_improved_is_compared_as_it_is():
    policy = POLICY.varied([(("improve",), {"steps": 200})])
    comparison = compare(policy, data=FRAME, k=[4])
    names = [trial.method for trial in comparison.trials]
    assert names == ["union", "union+improve", "butterfly", "butterfly+improve"]
    assert comparison.improve == "200 steps"
