"""Make the helpers beside the tests importable, and tell hypothesis how to work."""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

# Numba notices that a kernel's own file changed, but not that of a kernel it calls: a cache per
# state of all kernels keeps tests from running machine code of yesterday.
SOURCES = sorted((HERE.parent / "src/papilio/kernels").glob("*.py"))
STATE = hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()[:16]
os.environ.setdefault("NUMBA_CACHE_DIR", str(HERE.parent / ".numba_cache" / STATE))

# Temporary files of the tests stay away from those of the user.
SCRATCH = tempfile.TemporaryDirectory(prefix="papilio-tests-")
os.environ["PAPILIO_SCRATCH"] = SCRATCH.name


@pytest.fixture(scope="module", autouse=True)
def _scratch_of_its_own():
    """Commands do not find, and tell, what those of other files left behind when killed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPILIO_SCRATCH", tempfile.mkdtemp(dir=SCRATCH.name))
        yield


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
