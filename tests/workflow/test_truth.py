"""The true answer beside the bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from papilio.errors import PapilioError
from papilio.policy.policy import Policy
from papilio.web.verbs.ask import answer_pictures
from papilio.workflow.ask import ask, truth
from papilio.workflow.publish import publish

EXAMPLES = Path(__file__).parents[2] / "examples"
PEOPLE = """person,age,town,pay
1,30,a,10
2,40,a,20
3,50,b,30
4,60,b,
"""
POLICY = """papilio: 1
source: people.csv
columns: {age: quasi, town: quasi, pay: {role: sensitive, type: numeric}}
privacy: {k: 2}
"""


@pytest.fixture
def policy(tmp_path):
    (tmp_path / "people.csv").write_text(PEOPLE)
    return Policy.parse(POLICY, base=tmp_path)


def test_groups_and_aggregates_are_those_of_the_original(policy):
    sql = "SELECT town, avg(pay) AS mean, count(*) FROM anything GROUP BY town ORDER BY 1 LIMIT 1"
    assert truth(sql, original=policy) == {
        ("a",): {"mean": 15.0, "count(*)": 2},
        ("b",): {"mean": 30.0, "count(*)": 2},
    }


def test_conditions_hold_and_having_does_not(policy):
    sql = "SELECT town, count(*) FROM people WHERE age > 40 GROUP BY town HAVING count(*) > 99"
    assert truth(sql, original=policy) == {("b",): {"count(*)": 2}}


def test_without_groups_there_is_one_row(policy):
    assert truth("SELECT sum(pay), max(age) FROM people", original=policy) == {
        (): {"sum(pay)": 60, "max(age)": 60}
    }


def test_only_a_plain_question_is_run(policy):
    with pytest.raises(PapilioError):
        truth("SELECT count(*) FROM read_csv('people.csv')", original=policy)
    with pytest.raises(PapilioError):
        truth("SELECT nothing FROM people", original=policy)


def test_several_tables_are_refused():
    graph = Policy.load(EXAMPLES / "graph" / "policy.yaml")
    with pytest.raises(PapilioError, match="one table"):
        truth("SELECT count(*) FROM bought", original=graph)


def test_the_truth_lies_between_the_bounds_and_is_drawn():
    policy = Policy.load(EXAMPLES / "permutation" / "policy.yaml")
    release = publish(None, policy, seed=1)
    sql = "SELECT gender, sum(salary) FROM staff WHERE age > 40 GROUP BY gender"
    answer, true = ask(release, sql), truth(sql, original=policy)
    for row in answer.rows:
        bounds = row.answers["sum(salary)"]
        assert bounds.lo <= true[tuple(row.group.values())]["sum(salary)"] <= bounds.hi
    with_truth = answer_pictures(answer, true)["sum(salary)"]
    assert with_truth.count("#b3541e") == len(answer.rows)
    assert "#b3541e" not in answer_pictures(answer)["sum(salary)"]


def test_what_is_no_number_or_exact_is_not_drawn(policy):
    release = publish(None, policy)
    answer = ask(release, "SELECT min(town), count(*), max(age) FROM people")
    assert answer.rows[0].answers["count(*)"].exact
    assert [*answer_pictures(answer)] == ["max(age)"]
