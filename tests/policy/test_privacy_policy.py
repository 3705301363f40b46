"""The privacy part of a policy: what it means, and what is said when it is wrong."""

from fractions import Fraction

import pytest

from papilio import K, L, Policy, T
from papilio.errors import PolicyError
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.t_closeness import TCloseness

COLUMNS = """\
papilio: 1
columns:
  age: quasi
  disease: sensitive
  illness: {role: sensitive, hierarchy: {prefix: [2, 1]}}
  salary: {role: sensitive, type: numeric}
privacy:
"""


def policy(privacy):
    return Policy.parse(COLUMNS + "".join(f"  {line}\n" for line in privacy.splitlines()))


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("k: 5", [KAnonymity(5)]),
        ("l: {disease: 3}", [DistinctDiversity("disease", 3)]),
        ("l: {disease: {distinct: 3}}", [L("disease", 3)]),
        ("l: {disease: {entropy: 2.5}}", [EntropyDiversity("disease", "2.5")]),
        ("l: {disease: {recursive: [0.5, 3]}}", [RecursiveDiversity("disease", "0.5", 3)]),
        ("t: {disease: 0.2}", [TCloseness("disease", Fraction(1, 5))]),
        ("t: {salary: {t: 1, distance: equal}}", [T("salary", 1, "equal")]),
        (
            "k: 2\nl:\n  disease: [3, {entropy: 2}]\n  salary: 2\nt: {salary: [0.1, {t: 0.3, "
            "distance: equal}]}",
            [
                K(2),
                L("disease", 3),
                L("disease", entropy=2),
                L("salary", 2),
                T("salary", 0.1),
                T("salary", 0.3, "equal"),
            ],
        ),
    ],
)
def test_text_and_objects_say_the_same(text, objects):
    written = policy(text)
    assert list(written.requirements) == objects
    columns = dict(written.columns)
    assert Policy(columns=columns, privacy=objects) == written
    if len(objects) == 1:
        assert Policy(columns=columns, privacy=objects[0]) == written


def test_of_several_k_the_largest_counts():
    made = Policy(columns={"age": "quasi"}, privacy=[K(2), K(7), K(3)])
    assert made.requirements == (K(7),)


def test_numbers_are_decimal():
    (requirement,) = policy("t: {disease: 0.1}").requirements
    assert requirement.t == Fraction(1, 10)
    assert requirement.parameters() == {"column": "disease", "t": 0.1}


@pytest.mark.parametrize(
    ("text", "line", "where", "says"),
    [
        ("l: {disease: 0}", 8, "privacy.l.disease.distinct", "at least 1"),
        ("l: {disease: 2.5}", 8, "privacy.l.disease.distinct", "whole number"),
        ("l: {disease: true}", 8, "privacy.l.disease.distinct", "whole number"),
        ("l:\n  disease:\n    entropy: 0.5", 10, "privacy.l.disease.entropy", "at least 1"),
        ("l: {disease: {entropy: '2'}}", 8, "privacy.l.disease.entropy", "must be a number"),
        ("l: {disease: {entropy: 2, distinct: 2}}", 8, "privacy.l.disease", "exactly one"),
        ("l: {disease: {}}", 8, "privacy.l.disease", "exactly one"),
        ("l: {disease: {recursive: [0, 2]}}", 8, "privacy.l.disease", "c must be greater than 0"),
        ("l: {disease: {recursive: [1, 0]}}", 8, "privacy.l.disease", "l must be a whole number"),
        ("l: {disease: {recursive: [1]}}", 8, "privacy.l.disease.recursive", "required"),
        ("l: {disease: {recursive: 3}}", 8, "privacy.l.disease.recursive", "must be a list"),
        ("l: {disease: {entropie: 2}}", 8, "privacy.l.disease.entropie", "did you mean 'entropy'"),
        ("l:\n  disease:\n    - 2\n    - {entropy: 0}", 11, "privacy.l.disease.1", "at least 1"),
        ("l: {disease: []}", 8, "privacy.l", "nothing is demanded of 'disease'"),
        ("l: three", 8, "privacy.l", "must be a mapping"),
        ("t: {disease: 1.5}", 8, "privacy.t.disease.t", "at most 1"),
        ("t: {disease: -0.1}", 8, "privacy.t.disease.t", "at least 0"),
        ("t: {disease: .nan}", 8, "privacy.t.disease.t", ""),
        ("t: {disease: a lot}", 8, "privacy.t.disease.t", "must be a number"),
        ("t: {disease: 0.12345678901}", 8, "privacy.t.disease", "9 digits"),
        ("t: {disease: {distance: equal}}", 8, "privacy.t.disease.t", "required"),
        (
            "t: {disease: {t: 1, distance: eqal}}",
            8,
            "privacy.t.disease.distance",
            "did you mean 'equal'",
        ),
        ("k: 2\nl: {age: 2}", 9, "privacy.l.age", "the column is quasi, not sensitive"),
        ("t: {age: 0.2}", 8, "privacy.t.age", "the column is quasi, not sensitive"),
        ("k: 2\n\nt: {nowhere: 0.2}", 10, "privacy.t.nowhere", "columns has no 'nowhere'"),
        (
            "t: {disease: {t: 0.2, distance: hierarchical}}",
            8,
            "privacy.t.disease",
            "needs a hierarchy",
        ),
        ("t: {disease: 0.2}\nsuppress: 2%", 7, "privacy", "suppress does not go with t"),
        ("l: {}", 7, "privacy", "at least one of k, l, t"),
    ],
)
def test_faults_have_a_place_and_say_what_is_accepted(text, line, where, says):
    with pytest.raises(PolicyError) as caught:
        policy(text)
    (fault,) = caught.value.faults
    assert fault.where.startswith(where)
    assert fault.line == line
    assert says in fault.message


def test_every_fault_is_told():
    with pytest.raises(PolicyError) as caught:
        policy("l: {age: 2, nowhere: 3}\nt: {age: 0.1}")
    assert [fault.where for fault in caught.value.faults] == [
        "privacy.l.age",
        "privacy.l.nowhere",
        "privacy.t.age",
    ]


def test_a_plain_column_has_no_hierarchy():
    with pytest.raises(PolicyError, match="only a quasi or sensitive column"):
        Policy(columns={"a": "quasi", "b": {"role": "plain", "hierarchy": "b.csv"}}, privacy=K(2))


@pytest.mark.parametrize(
    "make",
    [
        lambda: L("d"),
        lambda: L("d", 2, entropy=2),
        lambda: L("d", 0),
        lambda: L("d", True),
        lambda: L("d", 2.0),
        lambda: L("d", entropy=0.5),
        lambda: L("d", entropy="many"),
        lambda: L("d", recursive=(0, 2)),
        lambda: L("d", recursive=(1, 0)),
        lambda: L("d", recursive=(float("inf"), 1)),
        lambda: L("d", recursive=(10**9, 1)),
        lambda: T("d", 1.1),
        lambda: T("d", -1),
        lambda: T("d", float("nan")),
        lambda: T("d", True),
        lambda: T("d", Fraction(1, 3)),
        lambda: T("d", 0.5, "nearby"),
    ],
)
def test_requirements_check_themselves(make):
    with pytest.raises(ValueError):
        make()


def test_a_bare_number_is_about_every_sensitive_column():
    columns = {"age": "quasi", "disease": "sensitive", "salary": "sensitive"}
    policy = Policy(columns=columns, privacy={"l": 3, "t": 0.2})
    assert [(each.name, each.column) for each in policy.requirements] == [
        ("distinct-l-diversity", "disease"),
        ("distinct-l-diversity", "salary"),
        ("t-closeness", "disease"),
        ("t-closeness", "salary"),
    ]


@pytest.mark.parametrize("key", ["l", "t"])
def test_a_bare_number_about_nothing_is_refused(key):
    with pytest.raises(PolicyError, match="no column is sensitive"):
        Policy(columns={"age": "quasi"}, privacy={"k": 2, key: 1})
