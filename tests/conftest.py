"""Make the helpers beside the tests importable, and tell hypothesis how to work."""

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings

sys.path.insert(0, str(Path(__file__).parent))

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
