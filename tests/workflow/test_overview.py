"""A release at a glance: every kind, and that nothing of it needs more than plain data."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.report.overview.loss_of import LOSS_WORDS
from papilio.workflow.ask import ask
from papilio.workflow.example_questions import example_questions
from papilio.workflow.overview import overview
from papilio.workflow.publish import publish

EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = {
    "one-table": "generalised",
    "recipients": "generalised",
    "permutation": "permuted",
    "disguise": "disguised",
    "projections": "projected",
    "linked-tables": "linked",
    "graph": "graph",
}


@pytest.fixture(scope="module", params=KINDS)
def example(request) -> tuple[str, Policy, Release]:
    policy = Policy.load(EXAMPLES / request.param / "policy.yaml")
    return request.param, policy, publish(None, policy, seed=1)


def test_every_kind_has_an_overview(example):
    name, policy, release = example
    told = []
    found = overview(release, original=policy, progress=lambda stage, share: told.append(share))
    assert found.kind == KINDS[name]
    assert found.verdict.holds
    assert found.seeded
    assert 0 <= found.loss <= 1
    assert found.kind in LOSS_WORDS
    assert len(found.tiles) >= 2
    assert all(part.title and part.text for part in found.parts)
    pictures = [each for part in found.parts for each in part.pictures]
    assert len(pictures) >= 2
    assert all(str(each.svg).startswith("<svg") for each in pictures)
    assert told == sorted(told)
    assert pickle.loads(pickle.dumps(found)) == found


def test_tables_of_numbers_have_as_many_cells_as_names(example):
    _, policy, release = example
    parts = overview(release, original=policy).parts
    tables = [part.numbers for part in parts] + [p.numbers for x in parts for p in x.pictures]
    for table in filter(None, tables):
        assert {len(row) for row in table.rows} <= {len(table.head)}


def test_rows_of_one_table_stand_before_and_after():
    policy = Policy.load(EXAMPLES / "one-table" / "policy.yaml")
    found = overview(publish(None, policy, seed=1), original=policy)
    assert len(found.examples) == 5
    assert {*found.examples[0].before} == {"age", "sex", "postcode", "job", "diagnosis", "days"}


def test_every_kind_has_questions_that_it_answers(example):
    _, _, release = example
    questions = example_questions(release)
    assert len(questions) >= 2
    for sql in questions:
        assert ask(release, sql).rows


def test_questions_about_ranges_are_in_doubt():
    policy = Policy.load(EXAMPLES / "one-table" / "policy.yaml")
    release = publish(None, policy, seed=1)
    sql = next(each for each in example_questions(release) if re.search(r"count.*WHERE age", each))
    bounds = ask(release, sql).rows[0].answers["count(*)"]
    assert bounds.lo < bounds.hi
