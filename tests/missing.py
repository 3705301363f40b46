"""Programs that tests need and a machine may lack."""

import os

import pytest


def missing(what):
    """Skip the test and say what is missing; where changes are judged, that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(f"{what}; where changes are judged, no test may be left out")
    pytest.skip(what)
