"""A release of every family, beside its policy and data."""

from __future__ import annotations

import pytest

from papilio.cli.app import run
from seven_families import FAMILIES, write_family


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """Family -> folder with ``release``, policy file, and a file of its data."""
    made = {}
    for family in FAMILIES:
        folder = tmp_path_factory.mktemp(family)
        policy, data = write_family(folder, family)
        assert run(["publish", str(policy), "-o", str(folder / "release")]) == 0
        made[family] = folder, policy, data
    return made
