"""The one door: every request and every websocket passes all checks before a page sees it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from papilio.web.quiet import tell, words_for
from papilio.web.security.access import (
    Access,
    Asked,
    Receive,
    Refusal,
    Scope,
    Send,
    TooLargeError,
    answer,
    asked,
    check_expiry,
    check_size,
    check_token,
    counted,
    limit_of,
    page_of,
    refuse,
    too_large,
)

#: Names under which a browser on this machine reaches the server.
NAMES = ("127.0.0.1", "localhost")


def check_host(asked: Asked, port: int) -> Refusal | None:
    """Refuse a foreign ``Host``.

    A web site whose name is made to point at this machine (DNS rebinding) would otherwise be
    of the same origin as the workbench.
    """
    if asked.headers.get("host", "").lower() in {f"{name}:{port}" for name in NAMES}:
        return None
    return Refusal(
        421,
        "This is not the address of the workbench",
        "The workbench answers only under the address that papilio serve printed.",
    )


_READING = ("GET", "HEAD")


def check_origin(asked: Asked) -> Refusal | None:
    """Refuse what another page asks for.

    A websocket, and every request that may change something, must name the workbench as its
    origin. Reading is refused too if the browser says that another page asks for it, unless the
    reader goes there with the whole window.
    """
    origin = asked.headers.get("origin")
    own = f"http://{asked.headers.get('host', '')}".lower()
    acts = asked.kind == "websocket" or asked.method not in _READING
    if (acts or origin is not None) and (origin or "").lower() != own:
        return _REFUSAL
    site = asked.headers.get("sec-fetch-site", "none")
    visits = asked.headers.get("sec-fetch-mode") == "navigate" and not acts
    framed = asked.headers.get("sec-fetch-dest") in ("iframe", "frame", "object", "embed")
    if site not in ("same-origin", "none") and (not visits or framed):
        return _REFUSAL
    return None


_REFUSAL = Refusal(
    403,
    "Another page asked for this",
    "Only pages of the workbench itself may use it. If you followed a link, open the address "
    "that papilio serve printed instead.",
)
#: Pages talk to the server over websockets only; this is where.
SOCKET = "/_nicegui_ws/"


def check_path(asked: Asked) -> Refusal | None:
    """Refuse a path that leads upwards or hides something.

    Names of projects and files are checked once more where they are used
    (:mod:`papilio.web.safe_name`).
    """
    parts = asked.path.split("/")
    upwards = any(part in (".", "..") for part in parts)
    strange = "\\" in asked.path or not asked.path.isprintable() or "%2f" in asked.raw.lower()
    if upwards or strange or not asked.path.startswith("/"):
        return Refusal(
            400,
            "This address is not valid",
            "It holds a name that could lead out of the workspace. Names have no .., / or \\ in "
            "them.",
        )
    if asked.kind == "http" and asked.path.startswith(SOCKET):
        return Refusal(403, "This is no page", "Pages use this address by themselves.")
    return None


#: Files of the libraries hold nothing private and have their version in the path.
_LIBRARIES = "/_nicegui/"
# The page library compiles templates in the browser and sets styles, so it needs 'unsafe-eval'
# and 'unsafe-inline'; scripts of other hosts stay out, and nothing can be sent to one.
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' ws://{host}",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-src 'self'",
        "frame-ancestors 'self'",
    )
)
_ALWAYS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
}


def with_headers(send: Send, path: str, host: str) -> Send:
    """Send as before, with these headers on every answer."""

    async def send_more(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message["headers"]}
            wanted = dict(_ALWAYS)
            wanted[b"content-security-policy"] = _POLICY.format(host=host).encode()
            kept = list(message["headers"])
            if not path.startswith(_LIBRARIES):
                kept = [each for each in kept if each[0].lower() != b"cache-control"]
                kept.append((b"cache-control", b"no-store"))
            message["headers"] = kept + [each for each in wanted.items() if each[0] not in present]
        await send(message)

    return send_more


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
