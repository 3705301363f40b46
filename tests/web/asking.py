"""Plain clients of a workbench: requests and websockets as anybody could send them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx
from running import Running
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

Result = TypeVar("Result")


def finished(work: Coroutine[Any, Any, Result]) -> Result:
    """Run something to its end in a thread: Playwright may have a loop of its own in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def client(server: Running, *, let_in: bool = True) -> httpx.Client:
    """A client that has traded the token for the cookie, or one that has not."""
    made = httpx.Client(base_url=server.base, timeout=120)
    if let_in:
        answer = made.get("/", params={"token": server.token})
        assert answer.status_code == 200
        assert made.cookies
    return made


def status_of_socket(server: Running, **headers: str) -> int:
    """Status with which the server answers a websocket; 101 if it opens."""
    address = f"ws://127.0.0.1:{server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    origin: Any = headers.pop("Origin", None)
    host = headers.pop("Host", None)
    more = list(headers.items())
    try:
        with connect(address if host is None else address.replace(f"127.0.0.1:{server.port}", host),
                     sock=_to(server) if host else None,
                     origin=origin, additional_headers=more, proxy=None):  # fmt: skip
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def _to(server: Running) -> Any:
    import socket

    return socket.create_connection(("127.0.0.1", server.port))
