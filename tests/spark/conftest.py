"""One embedded server for all tests of a process, and sessions with it."""

import pytest

from papilio.engines.spark.embedded import embedded_server
from papilio.engines.spark.session import spark_session

pytest.register_assert_rewrite("parity")


@pytest.fixture(scope="session")
def embedded():
    """Address of an embedded server."""
    with embedded_server() as address:
        yield address


@pytest.fixture(scope="module")
def session(embedded):
    """A session with the embedded server."""
    with spark_session(embedded) as session:
        yield session
