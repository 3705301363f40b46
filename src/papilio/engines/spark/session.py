"""A session with a Spark Connect server, and its failures in one line each."""

from __future__ import annotations

import logging
import re
import socket
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, cast

from papilio.engines.spark.embedded import check_installed, embedded_server
from papilio.engines.spark.worker import unpacked
from papilio.errors import EngineError, PapilioError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_ADDRESS = re.compile(
    r"sc://(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?/?(?:;[^/]*)?"
)
_PORT = 15002
_LARGEST_PORT = 65535
#: Seconds to wait for a server to answer at all.
_PATIENCE = 10.0


def check_address(remote: str) -> None:
    """Refuse what is not the address of a server.

    Raises
    ------
    EngineError
        The message does not repeat the address, which may hold a token anywhere.
    """
    match = _ADDRESS.fullmatch(remote)
    if match is None or int(match["port"] or _PORT) > _LARGEST_PORT:
        raise EngineError(
            "the address of a Spark Connect server is written sc://host:port, with options such "
            "as ;use_ssl=true;token=… behind it",
            reason="bad-remote",
        )


def shown(remote: str) -> str:
    """Return an address for messages: host and port, nothing else of it."""
    host, port = _place(remote)
    return f"sc://{host}:{port}"


def check_reachable(remote: str) -> None:
    """Refuse a server that does not answer, without the client's minutes of trying again.

    Raises
    ------
    EngineError
        If no connection can be made.
    """
    host, port = _place(remote)
    try:
        with socket.create_connection((host.strip("[]"), port), _PATIENCE):
            return
    except OSError:
        raise EngineError(
            f"no Spark Connect server answers at {shown(remote)}; check the address, and that the "
            "server runs",
            reason="unreachable",
        ) from None


def _place(remote: str) -> tuple[str, int]:
    match = _ADDRESS.fullmatch(remote)
    assert match is not None  # noqa: S101 - addresses are checked first
    return match["host"], int(match["port"] or _PORT)


#: A server is asked for a sign of life after so much silence. More often would make Apache Spark
#: end the connection.
_CHANNEL = [
    ("grpc.keepalive_time_ms", 310_000),
    ("grpc.keepalive_timeout_ms", 30_000),
    ("grpc.keepalive_permit_without_calls", 0),
    ("grpc.http2.max_pings_without_data", 0),
]
#: A hiccup of the network of some two seconds is waited out.
_RETRIES, _FIRST_WAIT = 3, 100
#: How Apache Spark begins what it says of work that failed.
_JOB_FAILED = "Job aborted"


@contextmanager
def spark_session(remote: str | None = None) -> Iterator[SparkSession]:
    """Connect to a server, or to an embedded one that is started for this block.

    Parameters
    ----------
    remote
        ``sc://host:port``, with options behind it, such as ``;use_ssl=true;token=…``; ``None``
        starts the embedded server. Options are never part of a message.

    Raises
    ------
    EngineError
        If there is no connection, it is lost, or the engine gives up on the work: one line
        without text of the engine, which may hold cells. Errors that functions of Papilio raise in
        workers come through as what they are.

    Notes
    -----
    When the block is left by an error, what still runs in the server is told to stop first.
    """
    check_installed(embedded=remote is None)
    if remote is not None:
        check_address(remote)
    with (
        _quiet(),
        embedded_server() if remote is None else nullcontext(remote) as address,
        _one_line(remote),
    ):
        check_reachable(address)
        session = _connect(address)
        try:
            yield session
        except BaseException:
            # A server that has gone is not waited for again.
            session.client.set_retry_policies([])
            if remote is not None:
                _interrupt(session)
            raise
        finally:
            session.stop()


def _connect(address: str) -> SparkSession:
    with _named_program():
        from pyspark.sql.connect.client import DefaultChannelBuilder
        from pyspark.sql.connect.client.retries import DefaultPolicy
        from pyspark.sql.connect.session import SparkSession as ConnectSession

    session = ConnectSession.builder.channelBuilder(
        DefaultChannelBuilder(address, _CHANNEL)
    ).create()
    session.client.set_retry_policies(
        [DefaultPolicy(max_retries=_RETRIES, initial_backoff=_FIRST_WAIT)]
    )
    # Times with a zone are held in UTC, as everywhere in Papilio.
    session.conf.set("spark.sql.session.timeZone", "UTC")
    return cast("SparkSession", session)


@contextmanager
def _named_program() -> Iterator[None]:
    """Give the running program a file name: the client takes ``python -c`` for a test of its own.

    It would end the process then.
    """
    main = sys.modules["__main__"]
    if hasattr(main, "__file__"):
        yield
        return
    main.__file__ = "papilio"
    try:
        yield
    finally:
        del main.__file__


def _interrupt(session: SparkSession) -> None:
    try:
        session.interruptAll()
    except _engine_errors():
        # The server has gone, or cannot do it: nothing is left that could be told.
        return


@contextmanager
def _one_line(remote: str | None) -> Iterator[None]:
    try:
        yield
    except _engine_errors() as error:
        raise _said(error, remote) from None


def _engine_errors() -> tuple[type[Exception], ...]:
    from grpc import RpcError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    return RpcError, PySparkException


def _said(error: Exception, remote: str | None) -> PapilioError:
    told = unpacked(str(error))
    if told is not None:
        return told
    where = "the embedded Spark server" if remote is None else f"the server {shown(remote)}"
    if _is_lost(error):
        return EngineError(
            f"the connection to {where} was lost, so nothing was published; run the command again",
            reason="connection-lost",
        )
    return EngineError(
        f"{where} gave up on the work ({type(error).__name__}), so nothing was published; its own "
        "log says why",
        reason="engine-failed",
    )


def _is_lost(error: Exception) -> bool:
    text = str(error)
    if text.startswith(_JOB_FAILED):
        # The server is there; its trace may speak of connections to a worker that died.
        return False
    signs = ("UNAVAILABLE", "CANCELLED", "Connection", "DEADLINE_EXCEEDED", "SESSION_NOT_FOUND")
    return any(sign in text for sign in (*signs, "SESSION_CLOSED", "Socket closed"))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the client's own warnings and log lines, which may hold anything, from the user."""
    logger = logging.getLogger("pyspark")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    # Threads of the client say this even after the session has ended, so it stays unheard.
    warnings.filterwarnings("ignore", message=r"\[RETRIES_EXCEEDED\]")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"pyspark(\..*)?")
        try:
            yield
        finally:
            logger.setLevel(before)
