"""Mistakes in what a policy says of recipients, and what it may say."""

import pytest

from papilio import Policy
from papilio.errors import PolicyError

COLUMNS = {"age": "quasi", "job": "quasi", "zip": "quasi", "ill": "sensitive", "name": "identifier"}
BOTH = {"insurer": ["age", "job"], "doctor": ["job", "zip"]}


def faults(**more):
    said = {"columns": COLUMNS, "recipients": BOTH, "privacy": {"k": 2}, **more}
    with pytest.raises(PolicyError) as caught:
        Policy(**said)
    return str(caught.value)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"recipients": {"a": ["age", "job", "zip", "town"]}}, "columns has no 'town'"),
        ({"recipients": {"a": ["age", "job", "zip", "ill"]}}, "'ill' is sensitive, not quasi"),
        ({"recipients": {"a": ["age", "job", "zip", "name"]}}, "'name' is identifier"),
        ({"recipients": {"a": ["age", "age", "job", "zip"]}}, "'age' is named twice"),
        ({"recipients": {"a": ["age"], "b": ["job"]}}, "'zip' is quasi, but no recipient"),
        ({"recipients": {"a": []}}, "no recipient may know it"),
        ({"method": "mondrian"}, "name butterfly or union, or none"),
        ({"method": "union", "wings": "hybrid"}, "only the method butterfly has wings"),
        ({"generalise": "incognito"}, "which only union can build on"),
        ({"privacy": {"k": 2, "suppress": "2%"}}, "leaves rows out for several recipients"),
        ({"objective": "balance"}, "name the method that has it under generalise"),
        ({"method": "butterfly", "objective": "balance"}, "only the method hybrid"),
        ({"recipients": {}, "method": "butterfly"}, "is for several recipients"),
        ({"recipients": {}, "privacy": {"k": 2, "collusion_k": 2}}, "it goes with recipients"),
        ({"recipients": {}, "wings": "hybrid"}, "it goes with recipients"),
        ({"recipients": {}, "generalise": "hybrid"}, "it goes with recipients or projections"),
    ],
)
def test_it_is_refused(more, message):
    assert message in faults(**more)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"method": "auto", "wings": "hybrid"},
        {"method": "butterfly", "generalise": "hybrid", "objective": "balance"},
        {"method": "union", "generalise": "incognito", "privacy": {"k": 2, "suppress": "2%"}},
        {"recipients": {"a": ["age", "job", "zip"], "b": [], "c": ["age"]}},
        {"privacy": {"k": 3, "collusion_k": 2, "l": {"ill": 2}}},
        {"privacy": {"l": {"ill": 2}, "collusion_k": 4}},
        {"method": "union", "improve": "1s"},
    ],
)
def test_it_is_accepted(more):
    Policy(**{"columns": COLUMNS, "recipients": BOTH, "privacy": {"k": 2}, **more})


@pytest.mark.parametrize("name", ["all recipients together", "All recipients together ", ""])
def test_a_name_that_stands_for_all_recipients_is_refused(name):
    with pytest.raises(PolicyError, match="choose another name"):
        Policy(
            columns={"a": "quasi", "b": "quasi"},
            recipients={name: ["a"], "clinic": ["a", "b"]},
            privacy={"k": 2},
        )
