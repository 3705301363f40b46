"""The report on linked tables says what was lost and shows one person before and after."""

from pathlib import Path

import polars as pl
import pytest

from papilio.families.linked.document import entity_tree
from papilio.families.linked.example import Node, example_entity
from papilio.policy.apply_tables import linked_order
from papilio.policy.policy import Policy
from papilio.verify.verdict import Status
from papilio.workflow.publish import publish
from papilio.workflow.report import report

EXAMPLE = Path(__file__).parents[2] / "examples" / "linked-tables" / "policy.yaml"


@pytest.fixture(scope="module")
def policy():
    return Policy.load(EXAMPLE)


@pytest.fixture(scope="module")
def release(policy):
    return publish(None, policy, seed=1)


def test_the_page_has_all_numbers(policy, release, tmp_path):
    page = report(release, tmp_path / "report.html", original=policy).read_text(encoding="utf-8")
    for text in ("9.09%", "27.3%", "random numbers", "One person before and after", "4 people"):
        assert text in page
    assert page.count("<svg") >= 5


def test_the_example_is_that_of_the_paper(policy, release):
    found = example_entity(release, linked_order(policy).snowflake)
    assert found.before.count == 8
    assert found.after.count == 7
    gone = [
        (child.table, child.cells)
        for course in found.before.children
        for child in course.children
        if not child.kept
    ]
    assert gone == [("book", (("book", "Calculus"),))]


def test_text_of_the_data_is_escaped():
    picture = entity_tree(
        Node("a<b", (("x", "<script>"),), True, (Node("c", (("y", "&"),), False, ()),)),
        title="t",
        width=300,
    )
    assert "<script>" not in picture
    assert "line-through" in picture
    assert "removed" in picture


def test_the_policy_of_another_release_is_a_violation(release, tmp_path):
    other = Policy(
        tables={"student": {"key": "sid", "columns": {"gpa": "quasi"}}},
        person="student",
        privacy={"k": 2},
        database=str(tmp_path / "none.duckdb"),
    )
    verdict = release.verify(original=other, data={"student": _frame()})
    assert "promised tables" in {f.claim for f in verdict.findings if f.status is Status.VIOLATED}


def _frame():
    return pl.DataFrame({"sid": [1, 2], "gpa": [1.0, 2.0]})


def test_the_policy_of_one_table_is_a_violation(release):
    one = Policy(columns={"gpa": "quasi"}, privacy={"k": 2})
    verdict = release.verify(original=one, data=pl.DataFrame({"gpa": [1.0, 2.0]}))
    assert "promised kind" in {f.claim for f in verdict.findings if f.status is Status.VIOLATED}
