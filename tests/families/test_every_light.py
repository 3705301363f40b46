"""The three lights of every family: right where something is certain, and where nothing is."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import inspect
import re

import pytest

import papilio as pp
from papilio.attack.lights import Colour
from papilio.families import families
from papilio.policy.policy import Policy
from seven_families import FAMILIES, POLICIES, policy_of, write_family
from sizes import some

#: Family -> change of its order after which somebody's value is certain, or somebody is alone.
OPEN = {
    "one-table": {"k": 1},
    "recipients": {"k": 1},
    "projections": {"k": 1, "t": 1, "exposure": 1},
    "permutation": {"k": 1, "e": 0},
    "disguise": {"target": {"pay": {"distribution": "same", "by": ["age"]}}},
    "linked": {"k": 1},
    "divided": {"k": 1},
    "graph": {"k": 1, "l": 2},
}
#: Links of half of the entities. Somebody without links is no cover for somebody with one.
HALF = "a,b\n" + "".join(f"{row},{row}\n" for row in range(0, 12, 2))
#: Family -> change after which nobody learns anything by what they may know.
CLOSED = {
    "one-table": {"k": 3, "l": {"ill": 2}},
    "permutation": {"k": 3, "e": 2},
    "disguise": {"target": {"pay": "uniform"}},
    "linked": {"k": 3, "l": {"takes.grade": 2, "student.gpa": 2}},
    "graph": {"k": 2, "l": 2},
}
#: Family -> other keys that it takes as well.
BESIDE = {"one-table": {"cells": "safe"}}


def _published(folder, family, privacy, edges=None, **beside):
    said = {**policy_of(family), **beside}
    said["privacy"] = privacy
    if edges is not None:
        said["graph"]["order"] = "random"
    file, _ = write_family(folder, family, said)
    if edges is not None:
        (folder / "edges.csv").write_text(edges, encoding="utf-8")
    order = Policy.load(file)
    return order, pp.publish(None, order, seed=3)


def _open(folder, family):
    """A release after which something is certain; of a graph, to who knows numbers of links."""
    return _published(folder, family, OPEN[family], HALF if family == "graph" else None)


@pytest.mark.parametrize("family", some(FAMILIES, first=4))
def test_every_family_has_three_lights_and_they_tell_open_from_closed(family, tmp_path):
    (tmp_path / "open").mkdir()
    order, release = _open(tmp_path / "open", family)
    found = release.lights
    assert [light.name for light in found] == ["claims", "secret", "alone"]
    assert found.claims.colour is Colour.GREEN
    assert found.exposing, [light.sentence for light in found]
    later = pp.lights(release, original=order)
    assert (found.secret, found.alone) == (later.secret, later.alone)
    if family not in CLOSED:
        return
    (tmp_path / "closed").mkdir()
    closed = _published(tmp_path / "closed", family, CLOSED[family], **BESIDE.get(family, {}))[
        1
    ].lights
    assert not [w.line for light in closed for w in light.findings if not w.beyond]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_remedy_is_a_policy(family, tmp_path):
    order, release = _open(tmp_path, family)
    for light in release.lights:
        for remedy in light.remedies:
            assert order.varied(remedy.changes) != order, remedy.line
            assert remedy.why.endswith(".")
            assert remedy.line
        for found in light.findings:
            assert (found.remedy is None) != (not found.otherwise), found.line


@pytest.mark.parametrize("family", FAMILIES)
def test_thresholds_are_taken_by_every_family(family):
    said = copy.deepcopy(POLICIES[family])
    said["lights"] = {"amber": "1%", "red": "5%"}
    assert (Policy(**said).lights.amber, Policy(**said).lights.red) == (0.01, 0.05)


def test_everybody_who_tries_something_is_for_one_of_two_lights():
    for family in families():
        for attack in family.attacks:
            assert attack.light in ("secret", "alone"), (family.name, attack.name)


def _source(function):
    return "" if function is None else inspect.getsource(function)


def test_whoever_can_turn_a_light_amber_says_what_helps():
    """No amber or red light leaves its owner without a line of the policy or a sentence."""
    for family in families():
        for attack in family.attacks:
            own = f"papilio.attack.{attack.name}"
            known = [attack.module] if attack.module else []
            known += [own] if importlib.util.find_spec(own) else []
            modules = [importlib.import_module(name) for name in known]
            # A family may call an attack with what it knows of its own methods.
            for wrapper in [getattr(module, attack.name, None) for module in modules]:
                called = re.findall(r"from (papilio\.attack\.\w+) import", _source(wrapper))
                modules += [importlib.import_module(name) for name in called]
            names = ("Exposed", "exposed_among")
            counts = any(hasattr(module, name) for module in modules for name in names)
            assert bool(attack.otherwise) == (counts and not attack.again), attack.name
