"""Access ends when nobody uses it, and in the end in any case."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from asking import finished

from papilio.web.security.access import WHOLE, Access
from papilio.web.security.guard import Guard

PORT = 4000
IDLE = 60.0


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def hello(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An application behind the guard; a websocket echoes until it is told to end."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"hello"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": message["text"]})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access(clock: Clock) -> Access:
    return Access(PORT, IDLE, clock)


def get(access: Access) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=Guard(hello, access, 1000))
        async with httpx.AsyncClient(
            transport=transport,
            base_url=f"http://127.0.0.1:{PORT}",
            cookies={access.cookie: access.session},
        ) as client:
            return await client.get("/")

    return finished(ask())


def test_it_ends_when_idle_and_stays_ended(access: Access, clock: Clock) -> None:
    clock.now = IDLE
    assert get(access).text == "hello"
    clock.now = 2 * IDLE + 1
    answer = get(access)
    assert answer.status_code == 401
    assert "Access has expired" in answer.text
    clock.now = 0.0
    assert get(access).status_code == 401


def test_use_keeps_it_alive_but_not_for_ever(access: Access, clock: Clock) -> None:
    while clock.now <= WHOLE * IDLE:
        assert get(access).text == "hello"
        clock.now += IDLE / 2
    assert get(access).status_code == 401


def test_the_token_does_not_bring_it_back(access: Access, clock: Clock) -> None:
    clock.now = IDLE + 1

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=Guard(hello, access, 1000))
        base = f"http://127.0.0.1:{PORT}"
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            return await client.get("/", params={"token": access.token})

    answer = finished(ask())
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def talk(access: Access, clock: Clock, said: list[tuple[float, str]]) -> list[str]:
    """Open a websocket and say things at times; gives what was echoed before it ended."""
    heard: list[str] = []
    coming = iter(said)

    async def receive() -> dict[str, Any]:
        if not heard and clock.now == 0.0:
            clock.now = 1.0
            return {"type": "websocket.connect"}
        for when, text in coming:
            clock.now = when
            return {"type": "websocket.receive", "text": text}
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            heard.append(message["text"])

    headers = [
        (b"host", f"127.0.0.1:{PORT}".encode()),
        (b"origin", f"http://127.0.0.1:{PORT}".encode()),
        (b"cookie", f"{access.cookie}={access.session}".encode()),
    ]
    scope = {"type": "websocket", "path": "/_nicegui_ws/", "headers": headers, "query_string": b""}
    finished(Guard(hello, access, 1000)(scope, receive, send))
    return heard


def test_an_open_page_that_nobody_touches_is_cut_off(access: Access, clock: Clock) -> None:
    pongs = [(5.0 * turn, "3") for turn in range(1, 30)]
    assert len(talk(access, clock, pongs)) == IDLE / 5


def test_a_page_that_is_used_stays_open(access: Access, clock: Clock) -> None:
    clicks = [(30.0 * turn, '42["event",{}]') for turn in range(1, 20)]
    assert len(talk(access, clock, clicks)) == 19
