"""Rules that people know: what a policy says of them, and what follows for roles and recipients."""

import pytest

from papilio.data.table import Role
from papilio.errors import PolicyError
from papilio.policy.policy import Policy

COLUMNS = {"age": "quasi", "town": "quasi", "county": "plain", "state": "plain", "note": "plain"}


def policy(**said):
    return Policy(**{"columns": COLUMNS, "privacy": {"k": 3}, **said})


def faults(**said):
    with pytest.raises(PolicyError) as caught:
        policy(**said)
    return [(fault.where, fault.message) for fault in caught.value.faults]


@pytest.mark.parametrize(
    "said",
    [[["town"], "county"], ["town", "county"], [[["town"], "county"]], [["town", "county"]]],
)
def test_one_rule_or_several_are_read(said):
    found = policy(depends=said)
    assert found.depends == ((("town",), "county"),)
    assert found.quasi == ("age", "town", "county")


@pytest.mark.parametrize(
    "said", ["town", [], [["town"]], [["town"], "town"], [[], "county"], [[1], "county"], {"a": 1}]
)
def test_what_is_no_rule_is_refused(said):
    if said == []:
        assert policy(depends=said).quasi == ("age", "town")
        return
    ((where, _),) = faults(depends=said)
    assert where == "depends"


def test_rules_lead_on_and_back():
    rules = [[["town"], "county"], [["county", "age"], "state"], [["note"], "state"]]
    assert policy(depends=rules).quasi == ("age", "town", "county", "state", "note")
    assert policy(depends=rules[:1]).with_role(Role.PLAIN) == ("state", "note")


def test_whoever_knows_a_column_of_a_rule_knows_all():
    said = policy(depends=[[["town"], "county"]], recipients={"one": ["age"], "two": ["town"]})
    assert said.known == {"one": ("age",), "two": ("town", "county")}


def test_a_changed_policy_is_read_from_what_was_written():
    said = policy(depends=[[["town"], "county"]])
    without = said.varied([(("depends",), None)])
    assert without.quasi == ("age", "town")
    assert without == policy()
    assert said.varied([(("privacy", "k"), 4)]).quasi == said.quasi


@pytest.mark.parametrize(
    ("changes", "where", "says"),
    [
        ({"depends": [["town"], "shire"]}, "depends", "no column 'shire'"),
        ({"depends": [["county"], "state"]}, "depends", "no column of this rule is quasi"),
        (
            {"depends": [["town"], "ill"], "columns": {**COLUMNS, "ill": "sensitive"}},
            "depends",
            "cannot be kept secret",
        ),
        (
            {"depends": [["town"], "name"], "columns": {**COLUMNS, "name": "identifier"}},
            "depends",
            "not published",
        ),
        (
            {"columns": {**COLUMNS, "county": {"role": "plain", "follows": "shire"}}},
            "columns.county.follows",
            "no column 'shire'",
        ),
        (
            {"columns": {**COLUMNS, "county": {"role": "plain", "follows": "state"}}},
            "columns.county.follows",
            "not quasi",
        ),
        (
            {
                "columns": {
                    **COLUMNS,
                    "county": {"role": "plain", "follows": "town"},
                    "state": {"role": "plain", "follows": "county"},
                }
            },
            "columns.state.follows",
            "follows another column itself",
        ),
        (
            {
                "columns": {**COLUMNS, "county": {"role": "quasi", "follows": "town"}},
                "recipients": {"one": ["age", "county"], "two": ["town"]},
            },
            "recipients.one",
            "name 'town'",
        ),
        (
            {"columns": {**COLUMNS, "county": {"role": "sensitive", "follows": "town"}}},
            "columns.county",
            "only a quasi or plain column",
        ),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(changes, where, says):
    found = faults(**changes)
    assert len(found) == 1
    assert found[0][0] == where
    assert says in found[0][1]


def test_columns_of_linked_tables_are_named_with_their_table():
    tables = {
        "student": {"source": "s.csv", "key": "sid", "columns": {"town": "quasi", "year": "plain"}},
        "takes": {
            "source": "t.csv",
            "parent": {"student": "sid"},
            "columns": {"course": "quasi", "teacher": "plain", "year": "plain"},
        },
    }
    said = {"tables": tables, "person": "student", "privacy": {"k": 2}}
    found = Policy(**said, depends=[["course"], "teacher"])
    assert found.tables["takes"].with_role(Role.QUASI) == ("course", "teacher")
    assert Policy(**said, depends=[["takes.course"], "takes.year"]).tables["takes"].with_role(
        Role.QUASI
    ) == ("course", "year")
    with pytest.raises(PolicyError, match=r"write table\.column"):
        Policy(**said, depends=[["course"], "year"])
