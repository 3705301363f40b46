"""``person`` in every family: a column, the word ``rows``, or refused with what is accepted."""

from __future__ import annotations

import pytest
from test_every_key import NAMED, _outcome

from papilio.errors import DataError, PolicyError
from papilio.families.family import PIECES, SPARK, Choice
from papilio.policy.person import PersonColumn
from papilio.policy.policy import Policy
from papilio.privacy.k_anonymity import KAnonymity as K
from papilio.workflow.refuse import refused
from seven_families import FAMILIES, policy_of, write_family
from sizes import spread

#: Families that are about the rows of one table -> whether they count people.
ONE_SOURCE = {
    "one-table": True,
    "recipients": True,
    "permutation": False,
    "disguise": False,
    "projections": False,
}


def _faults(policy):
    with pytest.raises(PolicyError) as caught:
        Policy(**policy)
    return caught.value.faults


@pytest.mark.parametrize("family", [each for each in FAMILIES if each in ONE_SOURCE])
def test_a_column_counts_or_is_refused_with_a_reason(family, tmp_path):
    policy = policy_of(family) | {"person": "name"}
    if not ONE_SOURCE[family]:
        (fault,) = _faults(policy)
        assert fault.where == "person"
        assert "person: rows" in fault.message
        return
    changed = _outcome(tmp_path / "a", family, policy)
    assert changed[0] == "published"
    assert "'unit': 'people'" in changed[1]
    assert changed != _outcome(tmp_path / "b", family, policy_of(family))


@pytest.mark.parametrize("family", spread(each for each in FAMILIES if each in ONE_SOURCE))
def test_rows_says_what_is_meant_anyway(family, tmp_path):
    policy = policy_of(family)
    said = _outcome(tmp_path / "a", family, policy | {"person": "rows"})
    assert said == _outcome(tmp_path / "b", family, policy)
    assert said[0] == "published"


def test_a_graph_has_people_of_its_own():
    (fault,) = _faults(policy_of("graph") | NAMED.get("graph", {}) | {"person": "id"})
    assert fault.where == "person"


def test_linked_tables_name_a_table():
    assert Policy(**policy_of("linked")).person_column is None
    faults = _faults(policy_of("linked") | {"person": "rows"})
    assert any(f.where == "person" and "has no such table" in f.message for f in faults)


@pytest.mark.parametrize("role", ["quasi", "sensitive", "plain"])
def test_people_are_not_published(role):
    policy = policy_of("one-table")
    policy["columns"]["alias"] = role
    (fault,) = _faults(policy | {"person": "alias"})
    assert fault.where == "person"
    assert "make it an identifier" in fault.message


def test_the_column_need_not_be_listed(tmp_path):
    policy = policy_of("one-table") | {"person": "alias"}
    assert _outcome(tmp_path / "a", "one-table", policy)[0] == "published"


def test_a_column_called_as_the_word():
    policy = policy_of("one-table")
    assert Policy(**policy, person="rows").person_column is None
    named = Policy(**policy, person={"column": "rows"})
    assert named.person_column == "rows"
    assert isinstance(named.person, PersonColumn)
    assert named.varied([(("method",), "mondrian")]).person_column == "rows"
    policy["columns"]["rows"] = "identifier"
    (fault,) = _faults(policy | {"person": "rows"})
    assert "{column: rows}" in fault.message
    assert Policy(**policy, person={"column": "rows"}).person_column == "rows"


@pytest.mark.parametrize("said", [{}, {"row": "x"}, {"column": 3}, {"column": "a", "b": 1}, 3, []])
def test_anything_else_is_a_fault(said):
    assert [fault.where for fault in _faults(policy_of("one-table") | {"person": said})] == [
        "person"
    ]


def test_a_column_that_is_not_there(tmp_path):
    file, _ = write_family(tmp_path, "one-table", policy_of("one-table") | {"person": "nam"})
    policy = Policy.load(file)
    with pytest.raises(PolicyError, match="did you mean 'name'") as caught:
        policy.family.read(None, policy, None)
    assert caught.value.faults[0].where == "person"


def test_rows_of_nobody(tmp_path):
    file, _ = write_family(tmp_path, "one-table", policy_of("one-table") | {"person": "name"})
    people = tmp_path / "people.csv"
    people.write_text(people.read_text().replace("\nn3,", "\n,"))
    policy = Policy.load(file)
    with pytest.raises(DataError, match="1 of 24 rows") as caught:
        policy.family.read(None, policy, None)
    assert "person: rows" in str(caught.value)


@pytest.mark.parametrize("family", ["one-table", "recipients"])
@pytest.mark.parametrize("engine", [PIECES, SPARK])
def test_no_engine_refuses_it(family, engine):
    """Whether it counts people is tried in tests/out_of_core and tests/spark."""
    method = Choice("mondrian" if family == "one-table" else "union", "")
    for person in ("rows", "name"):
        assert not refused(Policy(**policy_of(family), person=person), method, engine)


def test_a_requirement_is_over_people_by_the_policy_alone():
    """It cannot be known from the requirement whose rows they are."""
    (fault,) = _faults({"columns": {"age": "quasi"}, "privacy": K(5, people=True)})
    assert "person" in fault.message
