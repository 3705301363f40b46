"""A policy as a Python object and as a file: the same either way."""

import pickle
from pathlib import Path

import pytest
from pydantic import ValidationError

from papilio import K, Policy
from papilio.data.hierarchy.rules import IntervalsRule, PathsRule, PrefixRule
from papilio.data.source import FileSource, PostgresSource, SqlSource
from papilio.data.table import ColumnType, Role
from papilio.errors import PolicyError

TEXT = """\
papilio: 1
source: {file: people.csv, null: [NA]}
columns:
  name: identifier
  age: {role: quasi, type: numeric}
  zip: {role: quasi, hierarchy: {prefix: [3, 2]}}
  job: {role: quasi, hierarchy: lists/job.csv}
  pet: {role: quasi, domain: [cat, dog]}
  disease: sensitive
privacy: {k: 5}
method: mondrian
cells: text
"""
COLUMNS = {
    "name": "identifier",
    "age": {"role": "quasi", "type": "numeric"},
    "zip": {"role": "quasi", "hierarchy": {"prefix": [3, 2]}},
    "job": {"role": "quasi", "hierarchy": "lists/job.csv"},
    "pet": {"role": "quasi", "domain": ["cat", "dog"]},
    "disease": "sensitive",
}


def policy(**changes):
    given = {"columns": {"age": "quasi"}, "privacy": K(5)}
    return Policy(**{**given, **changes})


def faults(**changes):
    with pytest.raises(PolicyError) as caught:
        policy(**changes)
    return caught.value.faults


def test_object_equals_the_file(tmp_path):
    tmp_path.joinpath("policy.yaml").write_text(TEXT)
    made = Policy(
        source={"file": "people.csv", "null": ["NA"]},
        columns=COLUMNS,
        privacy=K(5),
        method="mondrian",
        cells="text",
    )
    assert made == Policy.parse(TEXT) == Policy.load(tmp_path / "policy.yaml")


@pytest.mark.parametrize("privacy", [K(5), [K(5)], (K(2), K(5)), {"k": 5}])
def test_ways_to_demand_k(privacy):
    assert policy(privacy=privacy) == policy()
    assert policy(privacy=privacy).requirements == (K(5),)


@pytest.mark.parametrize(
    "change",
    [
        {"privacy": K(6)},
        {"columns": {"age": "quasi", "job": "plain"}},
        {"cells": "text"},
        {"source": "people.csv"},
        {"method": "mondrian"},
    ],
)
def test_other_policies_differ(change):
    assert policy(**change) != policy()
    assert policy() != "policy"


def test_roles_may_be_given_as_roles():
    assert policy(columns={"age": Role.QUASI}) == policy()


def test_names_by_role():
    made = Policy.parse(TEXT)
    assert made.quasi == ("age", "zip", "job", "pet")
    assert made.published == ("age", "zip", "job", "pet", "disease")
    assert made.with_role(Role.IDENTIFIER) == ("name",)


def test_columns_become_what_the_data_needs():
    made = Policy.parse(TEXT, base=Path("folder"))
    columns = {
        name: made.columns[name].column(name, ColumnType.CATEGORY, made.base)
        for name in made.published
    }
    assert columns["zip"].hierarchy == PrefixRule((3, 2))
    assert columns["job"].hierarchy == PathsRule(Path("folder/lists/job.csv"))
    assert columns["pet"].domain == ("cat", "dog")
    assert columns["disease"].role is Role.SENSITIVE


def test_whole_widths_stay_whole():
    made = policy(columns={"age": {"role": "quasi", "hierarchy": {"intervals": [5, 20.0, 100]}}})
    rule = made.columns["age"].hierarchy.rule(Path())
    assert rule == IntervalsRule((5, 20, 100), 0)
    assert all(isinstance(width, int) for width in rule.widths)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a.csv", FileSource(Path("base/a.csv"))),
        ("/data/a.csv", FileSource(Path("/data/a.csv"))),
        ({"file": "a.csv", "null": ["NA", -9]}, FileSource(Path("base/a.csv"), ("NA", "-9"))),
        ({"sql": "SELECT 1"}, SqlSource("SELECT 1", Path("base"))),
        ("postgresql://u@h/d#t", PostgresSource("postgresql://u@h/d", "t")),
        ("postgres://u:p%23@h/d#s.%22a b%22", PostgresSource("postgres://u:p%23@h/d", 's."a b"')),
        (
            {"postgresql": "postgresql://h/d", "query": "SELECT 1"},
            PostgresSource("postgresql://h/d", None, "SELECT 1"),
        ),
    ],
)
def test_sources(source, expected):
    assert policy(source=source).source.source(Path("base")) == expected


def test_policy_without_a_source():
    assert policy().where() is None


def test_passwords_are_not_shown():
    made = policy(source="postgresql://u:SECRET@h/d#t")
    assert "SECRET" not in repr(made) + str(made)


# Immutable.


def test_parts_cannot_be_set():
    made = Policy.parse(TEXT)
    with pytest.raises(ValidationError):
        made.method = None
    with pytest.raises(ValidationError):
        made.privacy.k = 2
    with pytest.raises(ValidationError):
        made.columns["age"].role = Role.PLAIN
    with pytest.raises(ValidationError):
        made.columns["zip"].hierarchy.prefix = (1,)


def test_what_the_user_passed_in_is_neither_changed_nor_kept():
    columns = {"age": {"role": "quasi", "domain": ["a", "b"]}, "job": "plain"}
    made = policy(columns=columns)
    assert columns == {"age": {"role": "quasi", "domain": ["a", "b"]}, "job": "plain"}
    columns["age"]["domain"].append("c")
    columns["new"] = "plain"
    assert made.columns["age"].domain == ("a", "b")
    assert list(made.columns) == ["age", "job"]


def test_policies_can_be_sent_to_other_processes():
    made = Policy.parse(TEXT)
    assert pickle.loads(pickle.dumps(made)) == made


# Faults of an object say where, but have neither file nor line.


@pytest.mark.parametrize(
    ("change", "where", "what"),
    [
        ({"columns": {"age": "quasy"}}, "columns.age.role", "did you mean 'quasi'?"),
        ({"columns": {}}, "columns", "no column is quasi"),
        ({"columns": {"age": "plain"}}, "columns", "no column is quasi"),
        ({"columns": None}, "columns", "must be a mapping"),
        ({"privacy": {}}, "privacy", "no requirement"),
        ({"privacy": []}, "privacy", "no requirement"),
        ({"privacy": None}, "privacy", "must be a mapping"),
        ({"privacy": {"k": True}}, "privacy.k", "whole number"),
        ({"methd": "x"}, "methd", "did you mean 'method'?"),
        ({"columns": {"a": "quasi", "a_max": "plain"}}, "columns.a_max", "published under this"),
        ({"columns": {"a": "quasi", "a_null": "plain"}}, "columns.a_null", "published under"),
    ],
)
def test_faults_of_an_object(change, where, what):
    (fault,) = faults(**change)
    assert fault.where == where
    assert what in fault.message
    assert (fault.file, fault.line) == (None, None)
    assert str(fault).startswith(f"policy: {where}: ")


def test_names_collide_only_where_both_are_published():
    columns = {"a": "quasi", "a_min": "identifier"}
    assert policy(columns=columns).published == ("a",)
    columns = {"a": {"role": "quasi", "hierarchy": "automatic"}, "a_min": "plain"}
    assert policy(columns=columns).published == ("a", "a_min")


def test_all_faults_at_once():
    found = faults(columns={"a": "x", "b": "y"}, cells="z")
    assert {fault.where for fault in found} == {"columns.a.role", "columns.b.role", "cells"}


def test_message_has_one_line_per_fault():
    with pytest.raises(PolicyError) as caught:
        policy(columns={"a": "x", "b": "y"})
    assert len(str(caught.value).splitlines()) == 2
    assert caught.value.reason == "bad-policy"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("k", [0, -1, True, 2.5, "5"])
def test_requirement_with_a_bad_k(k):
    with pytest.raises(ValueError, match="whole number of at least 1"):
        K(k)


@pytest.mark.parametrize("name", ["a\x00b", "a\nb", "\x1b[31m", "\u202eab", "a\x85b"])
def test_names_with_control_characters(name):
    with pytest.raises(PolicyError, match="control character") as caught:
        Policy(columns={name: "quasi", "b": "sensitive"}, privacy={"k": 2})
    assert name not in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    Policy(columns={"a\u00a0b \u200d é": "quasi", "b": "sensitive"}, privacy={"k": 2})
