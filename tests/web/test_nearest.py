"""What can be met instead, from the messages that verbs really give."""

from __future__ import annotations

import polars as pl
import pytest

from papilio.errors import PapilioError
from papilio.policy.policy import Policy
from papilio.web.draft import Draft
from papilio.web.jobs.worker import Failure, failure_of
from papilio.web.pages.run import nearest
from papilio.workflow.publish import publish

FRAME = pl.DataFrame(
    {
        "age": [20, 30, 40, 50, 60, 70],
        "disease": ["a", "a", "a", "b", "b", "c"],
        "pay": [1, 2, 3, 4, 5, 6],
    }
)
COLUMNS = "papilio: 1\ncolumns: {age: quasi, disease: sensitive}\n"
PAY = "papilio: 1\ncolumns: {age: quasi, pay: {role: sensitive, type: numeric}}\n"


def failure(text: str) -> Failure:
    with pytest.raises(PapilioError) as raised:
        publish(FRAME, Policy.parse(text))
    return failure_of(raised.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (COLUMNS + "privacy: {k: 100}\n", "k = 6"),
        (COLUMNS + "privacy: {k: 2, l: {disease: 5}}\n", "l of disease = 3"),
        (COLUMNS + "privacy: {k: 2, l: 5}\n", "l of disease = 3"),
        (COLUMNS + "privacy: {k: 2, l: {disease: {entropy: 3}}}\n", "l of disease = 2.749"),
        (COLUMNS + "privacy: {k: 2, l: {disease: {recursive: [4, 9]}}}\n", "l of disease = 3"),
        (COLUMNS + "privacy: {k: 2, l: {disease: {recursive: [2, 3]}}}\n", "c of disease = 3.0001"),
        (PAY + "privacy: {k: 9, e: 2}\n", "k = 6"),
        (PAY + "privacy: {k: 3, e: 90}\n", "e = 5"),
    ],
)
def test_the_change_that_is_named_can_be_met(text, words):
    found = nearest(failure(text), Draft(text))
    assert found.words == words
    assert publish(FRAME, found.draft.policy()).verify().holds


@pytest.mark.parametrize(
    ("message", "path", "value"),
    [
        ("x; the largest l that was found to work is 3", ("privacy", "l"), 3),
        ("x; classes of up to 7 rows can be met", ("privacy", "k"), 7),
        ("x; a suppress of 12% is met", ("privacy", "suppress"), "12%"),
        ("x; an association_loss of 0.3 is accepted", ("privacy", "association_loss"), 0.3),
    ],
)
def test_other_sentences_are_understood(message, path, value):
    found = nearest(Failure(message, "reason"), Draft(COLUMNS))
    assert found.draft.get(path) == value


def test_a_failure_that_names_nothing_offers_nothing():
    assert nearest(Failure("the disk is full", "disk-full"), Draft(COLUMNS)) is None
