"""One PostgreSQL server for all tests of reading."""

import pytest

from postgres_server import postgres_server


@pytest.fixture(scope="session")
def postgres_uri():
    with postgres_server() as uri:
        yield uri
