"""Every key of a policy, in every family, is refused or changes something that can be seen."""

from __future__ import annotations

import copy
import re
from dataclasses import asdict
from operator import itemgetter

import pytest

from papilio.data.table import Role
from papilio.errors import PapilioError, PolicyError
from papilio.families.linked.methods import miracle
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.workflow.compare import demanded_beside
from papilio.workflow.publish import publish_to
from seven_families import BY_NAME, FAMILIES, policy_of, write_family
from sizes import in_turn

#: A value of each key that is not its default, for families that do not have it.
VALUES = {
    "source": "people.csv",
    "columns": {"age": "quasi"},
    "graph": policy_of("graph")["graph"],
    "tables": policy_of("linked")["tables"],
    "person": "student",
    "link": True,
    "database": "x.db",
    "pairing": "local",
    "skeleton": "divide",
    "recipients": {"one": ["age", "town"]},
    "depends": [["age"], "wish"],
    "generalise": "mondrian",
    "wings": "hybrid",
    "minimise": "groups",
    "plan": "greedy",
    "classes": "shared",
    "metric": "dm",
    "objective": "balance",
    "improve": {"steps": 50},
    "cells": "text",
    "lights": {"amber": 0.4, "red": 0.6},
}
DEMANDS = {
    "k": 4,
    "l": 2,
    "t": 0.5,
    "suppress": 0.2,
    "collusion_k": 2,
    "collusion": {"any_two": 2},
    "e": 3,
    "known": 1,
    "near": {"width": 2, "at_most": 0.5},
    "association_loss": 0.5,
    "exposure": 0.5,
    "generalisation_loss": 0.5,
    "target": {"pay": "uniform"},
    "shift": 0.3,
    "fakes": 0.3,
    "personal": "wish",
    "volunteers": "blind",
}
COLUMN = {
    "type": "category",
    "hierarchy": "automatic",
    "domain": ["C", "B", "A"],
    "harmless": ["none"],
    "bins": 3,
    "values": "several",
}
#: Keys that are about a family as a whole: without them it is another one.
ITS_OWN = {"papilio", "source", "columns", "graph", "tables", "person", "database", "privacy"}
#: Linked tables with a column that no attacker is said to know.
YEARS = policy_of("linked")["tables"]
YEARS["student"]["columns"]["gpa"] = "plain"
#: What else a change needs to be possible, and where another value shows more.
BESIDE = {
    ("one-table", "depends"): {"columns": {"age": "quasi", "town": "quasi", "wish": "plain"}},
    ("recipients", "depends"): {"columns": {"age": "quasi", "town": "quasi", "wish": "plain"}},
    ("divided", "depends"): {"columns": {"age": "quasi", "town": "quasi", "wish": "plain"}},
    ("linked", "depends"): {"tables": YEARS},
    ("one-table", "metric"): {"method": "hybrid"},
    ("one-table", "objective"): {"method": "hybrid"},
    ("one-table", "suppress"): {"method": "incognito"},
    ("recipients", "metric"): {"generalise": "hybrid", "method": "union"},
    ("recipients", "objective"): {"generalise": "hybrid", "method": "union"},
    ("recipients", "suppress"): {"generalise": "incognito", "method": "union"},
    ("recipients", "generalise"): {"method": "union"},
    ("graph", "suppress"): {"graph": {**policy_of("graph")["graph"], "order": "level"}},
    ("recipients", "improve"): {"method": "union"},
    ("disguise", "volunteers"): {"privacy": {"target": {"pay": "uniform"}, "personal": "wish"}},
    ("projections", "metric"): {"generalise": "hybrid"},
    ("projections", "objective"): {"generalise": "hybrid"},
    ("projections", "suppress"): {
        "generalise": "incognito",
        "privacy": {"k": 3, "exposure": 0.9},
        "columns": {"age": "quasi", "town": "quasi", "ill": "sensitive", "drug": "sensitive"},
    },
}
INSTEAD = {
    ("one-table", "method"): "mondrian",
    ("recipients", "method"): "union",
    ("recipients", "generalise"): "relaxed-mondrian",
    ("projections", "exposure"): 0.0,
    ("projections", "association_loss"): 0.0,
    ("projections", "generalisation_loss"): 0.01,
    ("linked", "depends"): [["year"], "gpa"],
    ("linked", "l"): {"takes.grade": 2},
    ("linked", "k"): 3,
    ("graph", "k"): 3,
    ("graph", "known"): "degree",
    ("graph", "l"): 3,
    ("linked", "suppress"): 0.9,
    ("divided", "l"): {"ill": 2},
    ("divided", "k"): 3,
    ("divided", "suppress"): 0.9,
    ("divided", "link"): False,
    ("permutation", "e"): 5,
    ("permutation", "known"): 1,
    ("disguise", "target"): {"pay": "zipf"},
}
#: What makes a policy one of the family whatever else it says.
NAMED = {
    "one-table": {"method": "mondrian"},
    "disguise": {"method": "disguise"},
    "projections": {"method": "projections"},
}
#: Families with one method only, and keys whose default is the only other value.
ONE_CHOICE = {"projections", "permutation", "disguise", "linked", "divided", "graph"}


def _with(family, level, key, value, beside):
    policy = copy.deepcopy({**policy_of(family), **beside})
    place = policy if level == "keys" else policy["privacy"]
    place[key] = value
    return policy


def _outcome(folder, family, policy, seed=3):
    """What a publication comes to: cells, claims and files, or why there is none."""
    folder.mkdir()
    file, _ = write_family(folder, family, policy)
    try:
        done = publish_to(folder / "out", Policy.load(file), seed=seed)
    except PolicyError as error:
        return "refused", str([fault.where for fault in error.faults])
    except PapilioError as error:
        return "failed", error.reason
    release = done.release
    frames = {name: frame.rows() for name, frame in release.frames.items()}
    told = frames, asdict(release.manifest), dict(release.hierarchies), done.lights.to_dict()
    return "published", repr(told)


#: Outcomes of policies that several keys are compared with.
_KNOWN = {}


def _unchanged(folder, family, policy):
    """What comes of a policy without the key, made once."""
    key = family, repr(policy)
    if key not in _KNOWN:
        _KNOWN[key] = _outcome(folder, family, policy)
    return _KNOWN[key]


def _allowed(family, level):
    known = BY_NAME[family]
    return known.keys_of(Policy(**policy_of(family))) if level == "keys" else known.demands


def _line(case):
    """What is refused at once is tried with every family, a publication of each key with one."""
    family, level, key = case
    return case if key not in _allowed(family, level) else (level, key)


def _cases():
    keys = [("keys", key) for key in Policy.model_fields if key not in ITS_OWN]
    keys += [("demands", key) for key in PrivacyPolicy.model_fields]
    return in_turn([(family, *key) for family in FAMILIES for key in keys], _line)


@pytest.mark.parametrize(("family", "level", "key"), _cases())
def test_a_key_is_refused_or_counts(family, level, key, tmp_path, monkeypatch):
    # So that a few people are enough to be cut into groups.
    monkeypatch.setattr(miracle, "_TIMES_K", 2)
    if key not in _allowed(family, level):
        value = (VALUES if level == "keys" else DEMANDS)[key]
        with pytest.raises(PolicyError) as caught:
            Policy(**_with(family, level, key, value, NAMED.get(family, {})))
        where = key if level == "keys" else f"privacy.{key}"
        # Of a method and a key that asks for another family, the method is the mistake.
        places = [fault.where for fault in caught.value.faults]
        assert where in places or "method" in places
        return
    if key == "method" and family in ONE_CHOICE:
        assert len(BY_NAME[family].methods) == 1
        return
    beside = BESIDE.get((family, key), {})
    usual = VALUES if level == "keys" else DEMANDS
    value = INSTEAD[family, key] if (family, key) in INSTEAD else usual[key]
    changed = _outcome(tmp_path / "a", family, _with(family, level, key, value, beside))
    assert changed[0] != "refused", changed
    assert changed != _unchanged(tmp_path / "b", family, {**policy_of(family), **beside})


@pytest.mark.parametrize("family", FAMILIES)
def test_a_comparison_names_every_demand_that_does_not_vary(family):
    for key in sorted(_allowed(family, "demands")):
        value = INSTEAD.get((family, key), DEMANDS[key])
        beside = BESIDE.get((family, key), {})
        policy = Policy(**_with(family, "demands", key, value, beside))
        told = tuple(demanded_beside(policy, ()))
        assert any(re.search(rf"(^|\(){key} (=|of|as)", line) for line in told), (key, told)


@pytest.mark.parametrize("family", [each for each in FAMILIES if each != "graph"])
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("key", sorted(set(ColumnPolicy.model_fields) - {"role"}))
def test_a_key_of_a_column_is_refused_where_it_would_not_count(family, role, key):
    allowed = BY_NAME[family].columns[role]
    if key in allowed or key not in COLUMN:
        return
    policy = {**policy_of(family), **NAMED.get(family, {})}
    columns = policy["tables"]["student"]["columns"] if family == "linked" else policy["columns"]
    columns["extra"] = {"role": role.value, key: COLUMN[key]}
    with pytest.raises(PolicyError) as caught:
        Policy(**policy)
    assert any("columns.extra" in fault.where for fault in caught.value.faults)


@pytest.mark.parametrize("family", [each for each in FAMILIES if each != "graph"])
def test_every_role_is_declared(family):
    assert set(BY_NAME[family].columns) == set(Role)


TOGETHER = {"recipients": {"one": ["age", "town"]}, "method": "union"}
ORDERED = {"privacy": {"k": 3, "t": {"ill": {"t": 0.3, "distance": "ordered"}}}}
LINKED_SIGNS = {"values": "several", "source": "signs.csv", "key": "name", "value": "sign"}
#: Role and key, of all families or of one -> a column, what it says before and after, and what else
#: the policy says. The outcome must not be the same.
COLUMN_CASES = {
    ("quasi", "type"): ("age", {}, {"type": "category"}, {}),
    ("quasi", "hierarchy"): ("town", {}, {"hierarchy": "automatic"}, {}),
    ("quasi", "domain"): ("town", {}, {"domain": ["C", "A", "B", "D", "E"]}, {}),
    ("quasi", "domain", "recipients"): ("town", {}, {"domain": [*"CABDE"]}, TOGETHER),
    ("sensitive", "type"): ("pay", {}, {"type": "category"}, {}),
    ("sensitive", "hierarchy"): ("ill", {}, {"hierarchy": "automatic"},
                                 {"privacy": {"k": 3, "t": 0.4}}),
    ("sensitive", "hierarchy", "projections"): ("drug", {}, {"hierarchy": "automatic"}, {}),
    ("sensitive", "hierarchy", "disguise"): ("pay", {}, {"hierarchy": {"intervals": [4]}}, {}),
    ("sensitive", "domain"): ("ill", {"domain": ["flu", "hiv", "none"]},
                              {"domain": ["hiv", "none", "flu"]}, ORDERED),
    ("sensitive", "domain", "projections"): ("signs", {"values": "several"},
                                             {"values": "several", "domain": [*"xyz"]}, {}),
    ("sensitive", "domain", "disguise"): ("pay", {}, {"domain": list(range(1, 17))}, {}),
    ("sensitive", "harmless"): ("ill", {}, {"harmless": ["flu", "none"]},
                                {"privacy": {"k": 3, "exposure": 0.05}}),
    ("sensitive", "bins"): ("pay", {}, {"bins": 2}, {"privacy": {"k": 3, "association_loss": 0.1}}),
    ("sensitive", "values"): ("signs", {}, {"values": "several"}, {}),
    ("sensitive", "separator"): ("signs", {"values": "several"},
                                 {"values": "several", "separator": ","}, {}),
    ("sensitive", "source"): ("signs", {"values": "several"}, LINKED_SIGNS, {}),
    ("sensitive", "key"): ("signs", LINKED_SIGNS, {**LINKED_SIGNS, "key": "alias"}, {}),
    ("sensitive", "value"): ("signs", LINKED_SIGNS, {**LINKED_SIGNS, "value": "mark"}, {}),
    ("plain", "type"): ("wish", {}, {"type": "category"}, {}),
    ("plain", "follows"): ("wish", {}, {"follows": "age"}, {}),
    ("quasi", "follows"): ("wish", {}, {"follows": "age"}, {}),
    ("quasi", "follows", "recipients"): ("wish", {}, {"follows": "age"},
                                         {"recipients": {"one": ["age", "wish"], "two": ["town"]}}),
    ("plain", "follows", "linked"): ("student.gpa", {}, {"follows": "year"}, {}),
    ("quasi", "follows", "linked"): ("student.gpa", {}, {"follows": "year"}, {}),
    ("quasi", "type", "linked"): ("student.year", {}, {"type": "category"}, {}),
    ("quasi", "hierarchy", "linked"): ("takes.course", {}, {"hierarchy": "automatic"}, {}),
    ("quasi", "domain", "linked"): ("takes.course", {}, {"domain": [*"dcbaxyz"]}, {}),
    ("sensitive", "type", "linked"): ("student.gpa", {}, {"type": "category"}, {}),
    ("plain", "type", "linked"): ("student.gpa", {}, {"type": "category"}, {}),
}  # fmt: skip
#: Family, role and key -> the one value it may have, which says what is found anyway, and another.
SAYS_WHAT_IS_FOUND = {("permutation", "sensitive", "type"): ("pay", "numeric", "category")}
ROLES = [
    (family, role.value, key)
    for family, known in BY_NAME.items()
    for role, allowed in known.columns.items()
    for key in sorted(allowed - {"role"})
]


def _with_column(policy, column, role, said):
    policy = copy.deepcopy(policy)
    table, dot, name = column.rpartition(".")
    columns = policy["tables"][table]["columns"] if dot else policy["columns"]
    columns[name] = {"role": role, **said}
    return policy


@pytest.mark.parametrize(("family", "role", "key"), in_turn(ROLES, itemgetter(1, 2)))
def test_every_key_of_a_column_counts(family, role, key, tmp_path):
    base = policy_of(family)
    if (family, role, key) in SAYS_WHAT_IS_FOUND:
        column, found, other = SAYS_WHAT_IS_FOUND[family, role, key]
        plain, same, changed = (
            _outcome(tmp_path / str(place), family, _with_column(base, column, role, said))
            for place, said in enumerate(({}, {key: found}, {key: other}))
        )
        assert plain == same
        assert changed[0] == "refused"
        return
    case = COLUMN_CASES.get((role, key, family)) or COLUMN_CASES[role, key]
    column, before, after, beside = case
    if family == "projections" and key in ("key", "value", "source"):
        base["columns"]["alias"] = "identifier"
    base |= beside
    first, second = (
        make(tmp_path / make.__name__, family, _with_column(base, column, role, said))
        for make, said in ((_unchanged, before), (_outcome, after))
    )
    assert "refused" not in (first[0], second[0]), (first, second)
    assert first != second


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_column_of_a_graph_has_the_type_it_declares(side, tmp_path):
    policy = policy_of("graph")
    (column,) = policy["graph"][side]["columns"]
    policy["graph"][side]["columns"][column] = {"role": "plain", "type": "boolean"}
    assert _outcome(tmp_path / "a", "graph", policy) == ("failed", "not-a-boolean")


@pytest.mark.parametrize("key", ["target", "shift", "fakes", "personal"])
def test_linked_tables_refuse_what_is_about_a_target(key):
    with pytest.raises(PolicyError) as caught:
        Policy(**_with("linked", "demands", key, DEMANDS[key], {}))
    (fault,) = caught.value.faults
    assert fault.where == f"privacy.{key}"
    assert "k, l and suppress are accepted" in fault.message
