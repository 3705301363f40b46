"""Whatever a forger or a faulty method changes about a release, the owner's verdict is negative.

All mutations are hashed anew, so that only a look at what the release says and holds can notice.
"""

import json
from pathlib import Path

import pytest
from forged import Forged
from orders import ORDERS

from mutations import mutations_of
from papilio.errors import ReleaseError, VerificationError
from papilio.workflow import publish as publishing
from papilio.workflow.publish import publish_to
from papilio.workflow.verify import read_original, verify
from sizes import some, spread, tries

#: Verdict on the release alone where it depends on the data; as it was when looked at one by one.
ALONE = json.loads((Path(__file__).parent / "alone.json").read_text(encoding="utf-8"))

#: Mutations that an owner cannot object to: the policy lets such rows be left out.
ALLOWED = {("rows left out", "patients without its first line")}

#: The first demand of every order now; tests/families tries all of them.
WEAKER = [
    each
    for name, order in ORDERS.items()
    for each in some([(name, demand) for demand in order.weaker])
]


def holds(directory, **beside):
    """Whether the verdict is positive; what cannot even be read does not hold."""
    try:
        return verify(directory, **beside).holds
    except ReleaseError:
        return False


@pytest.mark.parametrize("name", spread(ORDERS, 2))
def test_what_was_ordered_holds(published, name):
    folder, policy = published(name)
    assert holds(folder / "release")
    assert holds(folder / "release", original=policy)


@pytest.mark.searches
@pytest.mark.parametrize("name", spread(ORDERS, 2))
def test_no_mutation_holds_beside_the_original(published, name, tmp_path):
    folder, policy = published(name)
    mutations = list(mutations_of(Forged.copy(folder / "release", tmp_path / "as it was")))
    assert len(mutations) > 40
    wrong = []
    for number, mutation in enumerate(mutations[:: tries(25, 1)]):
        forged = Forged.copy(folder / "release", tmp_path / str(number))
        mutation.change(forged)
        forged.seal()
        expected = ALONE[name].get(mutation.name) if mutation.alone is None else mutation.alone
        if holds(forged.directory) is not expected:
            wrong.append(f"{mutation.name}: alone not as expected, {expected}")
        if holds(forged.directory, original=policy) and (name, mutation.name) not in ALLOWED:
            wrong.append(f"{mutation.name}: holds beside the original")
    assert wrong == []


@pytest.mark.parametrize(("name", "demand"), spread(WEAKER, 2))
def test_a_release_of_a_weaker_policy_is_a_violation(published, name, demand, tmp_path):
    """It keeps what it claims, and claims less than the owner demands."""
    _, policy = published(name)
    order = ORDERS[name]
    order.publish(tmp_path / "weaker", order.weakened(demand))
    assert holds(tmp_path / "weaker" / "release")
    assert not holds(tmp_path / "weaker" / "release", original=policy)


@pytest.mark.parametrize(("name", "demand"), spread(WEAKER, 2))
def test_a_method_that_forgets_a_demand_publishes_nothing(name, demand, tmp_path, monkeypatch):
    order = ORDERS[name]
    strict = order.write(tmp_path / "owner")
    lax = order.write(tmp_path / "method", order.weakened(demand))
    make = publishing.run_method

    def forgetful(original, randomness, tell):
        return make(read_original(lax), randomness, tell)

    monkeypatch.setattr(publishing, "run_method", forgetful)
    with pytest.raises(VerificationError, match="not written"):
        publish_to(tmp_path / "release", strict)
    assert not (tmp_path / "release").exists()
