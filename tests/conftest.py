"""Make the helpers beside the tests importable, and tell hypothesis how to work."""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from machine_code import share_machine_code  # noqa: E402 - found beside this file
from postgres_server import new_database, postgres_server  # noqa: E402
from sizes import usual  # noqa: E402

share_machine_code()

# Temporary files of the tests stay away from those of the user.
SCRATCH = tempfile.TemporaryDirectory(prefix="papilio-tests-")
os.environ["PAPILIO_SCRATCH"] = SCRATCH.name


@pytest.fixture(scope="module", autouse=True)
def _scratch_of_its_own():
    """Commands do not find, and tell, what those of other files left behind when killed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPILIO_SCRATCH", tempfile.mkdtemp(dir=SCRATCH.name))
        yield


@pytest.fixture(scope="session")
def postgres_address():
    """Address of a PostgreSQL server that is started once."""
    with postgres_server() as address:
        yield address


@pytest.fixture(scope="module")
def postgres(postgres_address):
    """Address of an empty database for the tests of a file."""
    return new_database(postgres_address)


# Kernels compile on first use and releases are verified, so single examples may be slow.
settings.register_profile(
    "suite",
    deadline=None,
    # Where a change is judged, the same examples are tried every time; elsewhere new ones are.
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
settings.register_profile("quick", parent=settings.get_profile("suite"), phases=[Phase.generate])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_itemcollected(item):
    """Mark property tests, which try more in ``make test-all``, and let them try less before."""
    test = getattr(item, "obj", None)
    if not getattr(test, "is_hypothesis_test", False):
        return
    item.add_marker("searches")
    whole = getattr(test, "_hypothesis_internal_use_settings", settings.default)
    if not hasattr(test, "whole"):
        getattr(test, "__func__", test).whole = whole
        fewer = settings(whole, max_examples=usual(whole.max_examples))
        getattr(test, "__func__", test)._hypothesis_internal_use_settings = fewer
