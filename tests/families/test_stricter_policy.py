"""A release is not what a stricter policy promises: for every demand of every family."""

from __future__ import annotations

import copy

import pytest

from papilio.policy.policy import Policy
from papilio.verify.verdict import Status
from papilio.workflow.publish import publish_to
from papilio.workflow.verify import verify
from seven_families import BY_NAME, policy_of, write_family
from sizes import in_turn

DEMANDS = [(name, demand) for name, family in BY_NAME.items() for demand in sorted(family.demands)]

#: By family and demand: what the published policy says in place of its own, and what the stricter
#: one says. A demand that is not there is added by the stricter policy as in ``ADDED``.
CHANGED = {
    ("one-table", "suppress"): ({"method": "incognito", "suppress": 0.2}, {"suppress": 0.1}),
    ("recipients", "suppress"): (
        {"method": "union", "generalise": "incognito", "suppress": 0.2},
        {"suppress": 0.1},
    ),
    ("projections", "suppress"): (
        {"generalise": "incognito", "suppress": 0.2, "t": None, "ill": "sensitive", "signs": None},
        {"suppress": 0.1},
    ),
    ("projections", "t"): ({}, {"t": 0.1}),
    ("projections", "exposure"): ({}, {"exposure": 0}),
    ("disguise", "target"): ({}, {"target": {"pay": "zipf"}}),
    ("disguise", "shift"): ({"shift": 0.3}, {"shift": 0.1}),
    ("disguise", "fakes"): ({"fakes": 0.3}, {"fakes": 0.1}),
    ("disguise", "volunteers"): (
        {"personal": "wish"},
        {"personal": "wish", "volunteers": "blind"},
    ),
    ("linked", "l"): ({}, {"l": {"grade": 2}}),
    ("linked", "suppress"): ({"suppress": 0.2}, {"suppress": 0.1}),
    ("divided", "l"): ({}, {"l": {"ill": 2}}),
    ("divided", "suppress"): ({"suppress": 0.5}, {"suppress": 0.1}),
    ("graph", "l"): ({}, {"l": 3}),
    ("graph", "known"): ({}, {"known": "degree"}),
    ("permutation", "known"): ({}, {"known": 1}),
    ("graph", "suppress"): (
        {"graph": {**policy_of("graph")["graph"], "order": "level"}, "suppress": 0.2},
        {"suppress": 0.1},
    ),
}
ADDED = {
    "k": 4, "l": 2, "t": 0.5, "collusion_k": 2, "e": 3, "known": 2,
    "near": {"width": 2, "at_most": 0.5}, "association_loss": 0,
    "generalisation_loss": 0, "personal": "wish", "volunteers": "blind",
    "collusion": {"any_two": 2},
}  # fmt: skip


def changed(policy, changes):
    """A policy with other demands, methods and columns; ``None`` takes one away."""
    policy = copy.deepcopy(policy)
    for key, value in changes.items():
        inside = policy
        if key in ADDED or key in ("suppress", "exposure", "target", "shift", "fakes"):
            inside = policy["privacy"]
        elif key in policy.get("columns", {}):
            inside = policy["columns"]
        inside[key] = value
        if value is None:
            del inside[key]
    return policy


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """``sound(family, policy)``: a folder with a release that is what the policy promises."""
    known = {}

    def make(family, policy):
        key = family, repr(policy)
        if key not in known:
            folder = tmp_path_factory.mktemp(family)
            file, _ = write_family(folder, family, policy)
            publish_to(folder / "release", Policy.load(file), seed=3)
            assert verify(folder / "release", original=Policy.load(file)).holds
            known[key] = folder
        return known[key]

    return make


@pytest.mark.parametrize(("family", "demand"), in_turn(DEMANDS, most=2))
def test_a_stricter_policy_is_violated(family, demand, sound, tmp_path):
    base, strict = CHANGED.get((family, demand), ({}, {demand: ADDED.get(demand)}))
    loose = changed(policy_of(family), base)
    file, _ = write_family(tmp_path, family, changed(loose, strict))
    verdict = verify(sound(family, loose) / "release", original=Policy.load(file))
    assert verdict.status is Status.VIOLATED
