"""The one door: every request and every websocket passes all checks before a page sees it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from papilio.web.quiet import tell, words_for
from papilio.web.security.access import Access, check_expiry, check_token
from papilio.web.security.asked import Asked, Scope, asked
from papilio.web.security.headers import with_headers
from papilio.web.security.host import check_host
from papilio.web.security.limit import (
    Receive,
    TooLargeError,
    check_size,
    counted,
    limit_of,
    too_large,
)
from papilio.web.security.origin import check_origin
from papilio.web.security.path import check_path
from papilio.web.security.refusal import Refusal, Send, answer, page_of, refuse

App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: How messages begin that a person caused; others keep the connection alive by themselves.
_ACTED = '42["event"'


class Guard:
    """An ASGI application around another one.

    Parameters
    ----------
    app
        What answers those who are let in. The server looks for it under this name.
    access
        Who is let in.
    uploads
        Largest upload in bytes.
    """

    def __init__(self, app: App, access: Access, uploads: int) -> None:
        self.app = app
        self._access = access
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = asked(scope)
        host = request.headers.get("host", "")
        send = with_headers(send, request.path, host)
        refusal = self._refusal(request)
        if refusal is not None:
            await refuse(request.kind, refusal, send)
        elif request.path == "/" and "token" in request.query:
            await self._let_in(send)
        elif request.kind == "websocket":
            await self.app(scope, self._while_open(receive), send)
        else:
            self._access.use()
            await self._answer(scope, request, receive, send)

    def _refusal(self, request: Asked) -> Refusal | None:
        limit = limit_of(request, self._uploads)
        return (
            check_host(request, self._access.port)
            or check_origin(request)
            or check_path(request)
            or check_expiry(self._access)
            or check_token(request, self._access)
            or check_size(request, limit)
        )

    async def _let_in(self, send: Send) -> None:
        """Trade the token for the cookie, and leave the address with the token in it.

        The browser goes on from a page of ours, not by a redirect: after a redirect it would
        still count as coming from where the link was, and hold the cookie back.
        """
        self._access.use()
        cookie = f"{self._access.cookie}={self._access.session}; Path=/; HttpOnly; SameSite=Strict"
        body = page_of(
            "Opening the workbench …", "", '<meta http-equiv="refresh" content="0; url=/">'
        )
        await answer(send, 200, body, ((b"set-cookie", cookie.encode()),))

    def _while_open(self, receive: Receive) -> Receive:
        async def next_message() -> MutableMapping[str, Any]:
            message = await receive()
            text = message.get("text") or ""
            if text.startswith(_ACTED):
                self._access.use()
            if self._access.expired:
                return {"type": "websocket.disconnect", "code": 1008}
            return message

        return next_message

    async def _answer(self, scope: Scope, request: Asked, receive: Receive, send: Send) -> None:
        limit = limit_of(request, self._uploads)
        over = started = False

        async def receive_counted() -> MutableMapping[str, Any]:
            nonlocal over
            try:
                return await parts()
            except TooLargeError:
                over = True
                raise

        async def send_unless_over(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            if not over or started:
                started = True
                await send(message)

        parts = counted(receive, limit)
        try:
            await self.app(scope, receive_counted, send_unless_over)
        except Exception as error:  # noqa: BLE001 - what was not foreseen may hold cells
            if not over:
                tell(error)
            if not over and not started:
                await refuse("http", Refusal(500, "This failed", words_for(error)), send)
        if over and not started:
            await refuse("http", too_large(limit), send)
