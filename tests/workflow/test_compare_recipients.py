"""``papilio compare`` where the policy names recipients."""

import random

import polars as pl
import pytest

from papilio.errors import PapilioError
from papilio.policy.policy import Policy
from papilio.workflow.compare import compare, compare_to
from papilio.workflow.contender import contenders

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
    assert [(each.method, each.k) for each in comparison.trials] == [
        ("union", 4),
        ("union", 8),
        ("butterfly", 4),
        ("butterfly", 8),
    ]
    loss = {(each.method, each.k): each.outcome.ncp for each in comparison.trials}
    for k in (4, 8):
        assert loss["butterfly", k] < loss["union", k]
    # Classes of each recipient count, not those that all of them see.
    assert all(each.outcome.smallest >= each.k for each in comparison.trials)
    assert all(each.outcome.average_class_size >= 1 for each in comparison.trials)
    assert all(each.outcome.discernibility >= 120 * each.k for each in comparison.trials)
    assert comparison.to_dict()["recipients"] == ["one", "two"]


def test_what_is_demanded_of_all_together_is_kept():
    policy = Policy(
        columns=COLUMNS, recipients=RECIPIENTS, privacy={"k": 6, "collusion_k": 3, "l": 2}
    )
    comparison = compare(policy, data=FRAME, k=[6])
    assert all(each.outcome is not None for each in comparison.trials)
    assert comparison.beside_k[0] == "at least 3 rows for all recipients together"


def test_methods_for_one_recipient_can_stand_beside_them(tmp_path):
    methods = ["mondrian", "butterfly", "butterfly+improve"]
    path = tmp_path / "compare.html"
    comparison = compare_to(path, POLICY, data=FRAME, methods=methods, k=[4])
    plain, butterfly, improved = comparison.trials
    assert plain.outcome.ncp > butterfly.outcome.ncp
    assert "cannot be improved" in improved.why_not
    page = path.read_text(encoding="utf-8")
    assert "Each of one, two sees other classes." in page


def test_without_recipients_they_say_why_not():
    alone = Policy(columns=COLUMNS, privacy={"k": 4})
    (trial,) = compare(alone, data=FRAME, methods=["butterfly"], k=[4]).trials
    assert trial.why_not == "butterfly is for several recipients; the policy names none"


def test_misspelt_methods_are_told_of_them():
    with pytest.raises(PapilioError, match="did you mean 'butterfly'"):
        contenders(["buterfly"])
