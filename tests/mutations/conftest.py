"""One release of every order, published once."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from orders import ORDERS


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """Folder and policy of an order by its name."""
    known = {}

    def publish(name):
        if name not in known:
            folder = tmp_path_factory.mktemp("order") / "owner"
            known[name] = folder, ORDERS[name].publish(folder)
        return known[name]

    return publish
