"""Every key of a policy, in every family, is refused or changes something that can be seen."""

from __future__ import annotations

import copy
from dataclasses import asdict

import pytest

from papilio.data.roles import Role
from papilio.errors import PapilioError, PolicyError
from papilio.methods.relational import miracle
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.workflow.publish import publish_to
from seven_families import BY_NAME, FAMILIES, policy_of, write_family

#: A value of each key that is not its default, for families that do not have it.
VALUES = {
    "source": "people.csv",
    "columns": {"age": "quasi"},
    "graph": policy_of("graph")["graph"],
    "tables": policy_of("linked")["tables"],
    "person": "student",
    "database": "x.db",
    "pairing": "local",
    "skeleton": "divide",
    "recipients": {"one": ["age", "town"]},
    "generalise": "mondrian",
    "wings": "hybrid",
    "minimise": "groups",
    "plan": "greedy",
    "metric": "dm",
    "objective": "balance",
    "improve": {"steps": 50},
    "cells": "text",
}
DEMANDS = {
    "k": 4,
    "l": 2,
    "t": 0.5,
    "suppress": 0.2,
    "collusion_k": 2,
    "e": 3,
    "association_loss": 0.5,
    "exposure": 0.5,
    "generalisation_loss": 0.5,
    "target": {"pay": "uniform"},
    "shift": 0.3,
    "fakes": 0.3,
    "personal": "wish",
}
COLUMN = {
    "type": "category",
    "hierarchy": "automatic",
    "domain": ["C", "B", "A"],
    "harmless": ["none"],
    "values": "several",
}
#: Keys that are about a family as a whole: without them it is another one.
ITS_OWN = {"papilio", "source", "columns", "graph", "tables", "person", "database", "privacy"}
#: What else a change needs to be possible, and where another value shows more.
BESIDE = {
    ("one-table", "metric"): {"method": "hybrid"},
    ("one-table", "objective"): {"method": "hybrid"},
    ("one-table", "suppress"): {"method": "incognito"},
    ("recipients", "metric"): {"generalise": "hybrid", "method": "union"},
    ("recipients", "objective"): {"generalise": "hybrid", "method": "union"},
    ("recipients", "suppress"): {"generalise": "incognito", "method": "union"},
    ("recipients", "generalise"): {"method": "union"},
    ("recipients", "improve"): {"method": "union"},
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
    ("linked", "l"): {"takes.grade": 2},
    ("linked", "k"): 3,
    ("graph", "k"): 3,
    ("graph", "l"): 3,
    ("linked", "suppress"): 0.9,
    ("permutation", "e"): 5,
    ("disguise", "target"): {"pay": "zipf"},
}
#: What makes a policy one of the family whatever else it says.
NAMED = {
    "one-table": {"method": "mondrian"},
    "disguise": {"method": "disguise"},
    "projections": {"method": "projections"},
}
#: Families with one method only, and keys whose default is the only other value.
ONE_CHOICE = {"projections", "permutation", "disguise", "linked", "graph"}


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
    return "published", repr((frames, asdict(release.manifest), dict(release.hierarchies)))


def _cases():
    for family in FAMILIES:
        yield from ((family, "keys", key) for key in Policy.model_fields if key not in ITS_OWN)
        yield from ((family, "demands", key) for key in PrivacyPolicy.model_fields)


@pytest.mark.parametrize(("family", "level", "key"), list(_cases()))
def test_a_key_is_refused_or_counts(family, level, key, tmp_path, monkeypatch):
    # So that a few people are enough to be cut into groups.
    monkeypatch.setattr(miracle, "_TIMES_K", 2)
    allowed = getattr(BY_NAME[family], level)
    if key not in allowed:
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
    assert changed != _outcome(tmp_path / "b", family, {**policy_of(family), **beside})


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


#: Family, column, what the column says and what else has to be so -> it must change the outcome.
COLUMN_CASES = [
    *((family, "town", {"role": "quasi", "hierarchy": "automatic"}, {})
      for family in ("one-table", "recipients", "projections")),
    *((family, "town", {"role": "quasi", "domain": ["C", "A", "B", "D", "E"]}, {})
      for family in ("one-table", "projections")),
    ("recipients", "town", {"role": "quasi", "domain": ["C", "A", "B", "D", "E"]},
     {"recipients": {"one": ["age", "town"]}, "method": "union"}),
    *((family, "age", {"role": "quasi", "type": "category"}, {})
      for family in ("one-table", "recipients", "permutation", "disguise", "projections")),
    *((family, "ill", {"role": "sensitive", "hierarchy": "automatic"},
       {"privacy": {"k": 3, "t": 0.4}}) for family in ("one-table", "recipients")),
    ("projections", "drug", {"role": "sensitive", "hierarchy": "automatic"}, {}),
    ("disguise", "pay", {"role": "sensitive", "hierarchy": {"intervals": [4]}}, {}),
    ("disguise", "pay", {"role": "sensitive", "domain": list(range(1, 17))}, {}),
    ("projections", "signs",
     {"role": "sensitive", "values": "several", "domain": ["x", "y", "z"]}, {}),
    ("projections", "signs", {"role": "sensitive", "values": "several", "separator": ","}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("family", "column", "said", "beside"), COLUMN_CASES)
def test_what_a_column_says_counts(family, column, said, beside, tmp_path):
    base = {**policy_of(family), **beside}
    changed = {**base, "columns": {**base["columns"], column: said}}
    first = _outcome(tmp_path / "a", family, changed)
    assert first[0] != "refused", first
    assert first != _outcome(tmp_path / "b", family, base)


@pytest.mark.parametrize("key", ["target", "shift", "fakes", "personal"])
def test_linked_tables_refuse_what_is_about_a_target(key):
    with pytest.raises(PolicyError) as caught:
        Policy(**_with("linked", "demands", key, DEMANDS[key], {}))
    (fault,) = caught.value.faults
    assert fault.where == f"privacy.{key}"
    assert "k, l and suppress are accepted" in fault.message
