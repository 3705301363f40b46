"""Policies for linked tables that cannot be."""

import pytest

from papilio.errors import PolicyError
from papilio.policy.policy import Policy

STUDENT = {"source": "student.csv", "key": "sid", "columns": {"gpa": "sensitive"}}
TAKES = {
    "source": "takes.csv",
    "key": "scid",
    "parent": {"student": "sid"},
    "columns": {"course": "quasi", "grade": "sensitive"},
}


def make(student=None, takes=None, **more):
    said = {"tables": {"student": STUDENT | (student or {}), "takes": TAKES | (takes or {})}}
    said |= {"person": "student", "privacy": {"k": 2}}
    return Policy(**said | more)


def test_a_good_one():
    policy = make()
    assert policy.requirements[0].k == 2
    assert policy.tables["takes"].above == "student"


@pytest.mark.parametrize(("said", "message"), [
    ({"person": "pupil"}, "tables has no such table"),
    ({"person": None}, "say which of the tables"),
    ({"student": {"parent": {"takes": "x"}}}, "the person table hangs off no other"),
    ({"takes": {"parent": {"pupil": "sid"}}}, "tables has no such table"),
    ({"takes": {"parent": None}}, "say which table it hangs off"),
    ({"student": {"key": None}}, "it needs a key"),
    ({"takes": {"key": ["a", "b"]}}, "a key is one column"),
    ({"takes": {"parent": {"student": ["a", "b"]}}}, "a key is one column"),
    ({"takes": {"parent": {"student": "sid", "x": "y"}}}, "exactly one other"),
    ({"takes": {"columns": {"sid": "quasi", "course": "quasi"}}}, "a key cannot be quasi"),
    ({"takes": {"columns": {"scid": "sensitive", "course": "quasi"}}}, "a key cannot be sensitive"),
    ({"takes": {"key": "sid"}}, "cannot be the column that refers"),
    ({"takes": {"columns": {"grade": "sensitive"}}}, "no column of any table is quasi"),
    ({"takes": {"columns": {"a": "quasi", "a_min": "sensitive"}}}, "published under this name"),
    ({"takes": {"columns": {"a": "quasi", "b": {"role": "sensitive", "values": "several"}}}},
     "it goes with projections"),
    ({"takes": {"at_most": 0}}, "must be at least 1"),
    ({"student": {"at_most": 3}}, "for tables that hang off another"),
    ({"source": "x.csv"}, "does not go with tables"),
    ({"columns": {"a": "quasi"}}, "does not go with tables"),
    ({"metric": "dm"}, "does not go with tables"),
    ({"method": "mondrian"}, "name miracle, or none"),
    ({"privacy": {"l": {"grade": 2}}}, "linked tables need k"),
    ({"privacy": {"k": 2, "t": 0.2}}, "does not go with tables"),
    ({"privacy": {"k": 2, "l": 2}}, "name the column"),
    ({"privacy": {"k": 2, "l": {"course": 2}}}, "no table has such a sensitive column"),
])  # fmt: skip
def test_bad_ones(said, message):
    with pytest.raises(PolicyError, match=message):
        make(**said)


def test_an_ambiguous_column_needs_its_table():
    more = {"columns": {"course": "quasi", "gpa": "sensitive"}}
    with pytest.raises(PolicyError, match=r"write table\.column"):
        make(takes=more, privacy={"k": 2, "l": {"gpa": 2}})
    policy = make(takes=more, privacy={"k": 2, "l": {"takes.gpa": 2}})
    assert policy.requirements[1].table == "takes"


def test_names_must_make_files():
    with pytest.raises(PolicyError, match="letters from A to Z"):
        Policy(
            tables={"a b": STUDENT | {"columns": {"x": "quasi"}}}, person="a b", privacy={"k": 2}
        )


def test_options_of_miracle_are_for_tables():
    with pytest.raises(PolicyError, match="goes with tables"):
        Policy(columns={"a": "quasi"}, privacy={"k": 2}, pairing="local")
    with pytest.raises(PolicyError, match=r"miracle is for tables.* give the key tables"):
        Policy(columns={"a": "quasi"}, privacy={"k": 2}, method="miracle")


def test_tables_in_a_circle():
    from papilio.data.link import in_order
    from papilio.errors import DataError

    with pytest.raises(DataError, match="in a circle"):
        in_order({"a": None, "b": "c", "c": "b"})
    assert in_order({"c": "b", "b": "a", "a": None}) == ("a", "b", "c")
