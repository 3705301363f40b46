"""Addresses of Spark Connect servers, and their forms that may be shown."""

from __future__ import annotations

import re
import socket

from papilio.errors import EngineError

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
