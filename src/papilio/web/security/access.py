"""Who may come in: those with the token, for a time.

And what a request says of itself, as far as the checks look at it.
"""

from __future__ import annotations

import html
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from papilio.data.wording import size_text
from papilio.web.project import Project

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title} – Papilio</title>
<meta name="viewport" content="width=device-width, initial-scale=1">{head}
<style>
body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f6f7f9;
  color: #16202c; font: 1rem/1.6 system-ui, sans-serif; }}
main {{ max-width: 32rem; margin: 1rem; padding: 2rem; background: #fff; border-radius: 1rem;
  border: 1px solid #e2e6eb; }}
h1 {{ margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.3; }} p {{ margin: 0; color: #48566a; }}
</style></head><body><main><h1>{title}</h1><p>{text}</p></main></body></html>"""
#: Papilio's own pages need no script at all.
_PLAIN = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


@dataclass(frozen=True)
class Refusal:
    """Why a request is not answered.

    Attributes
    ----------
    status
        The HTTP status.
    title, text
        What the page says.
    """

    status: int
    title: str
    text: str


def page_of(title: str, text: str, head: str = "") -> bytes:
    """A self-contained page without scripts."""
    return _PAGE.format(title=html.escape(title), text=html.escape(text), head=head).encode()


async def refuse(kind: str, refusal: Refusal, send: Send) -> None:
    """Answer with the page; a websocket is closed before it opens."""
    if kind == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.title})
        return
    await answer(send, refusal.status, page_of(refusal.title, refusal.text))


async def answer(
    send: Send, status: int, body: bytes, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> None:
    """Send one whole answer that nobody keeps; the connection ends with it."""
    head = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"content-security-policy", _PLAIN.encode()),
        (b"connection", b"close"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})


Scope = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """One request or websocket handshake.

    Attributes
    ----------
    kind
        ``"http"`` or ``"websocket"``.
    method
        ``GET`` for a websocket.
    path
        Path after percent-decoding.
    raw
        Path before percent-decoding.
    headers
        Lower-case names; of a header sent twice both, joined by a comma.
    query
        First value of each query parameter.
    cookies
        By name.
    """

    kind: str
    method: str
    path: str
    raw: str
    headers: dict[str, str]
    query: dict[str, str]
    cookies: dict[str, str]


def asked(scope: Scope) -> Asked:
    """Read a request from what the server says about it."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return Asked(
        scope["type"],
        scope.get("method", "GET"),
        scope["path"],
        scope.get("raw_path", b"").decode("latin-1"),
        headers,
        {key: values[0] for key, values in query.items()},
        _cookies(headers.get("cookie", "")),
    )


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
#: What a request may hold that is no upload, in bytes.
OTHERWISE = 64 * 1024
#: Path of uploads.
UPLOADS = "/upload/"


class TooLargeError(Exception):
    """More came than is allowed."""


def limit_of(asked: Asked, uploads: int) -> int:
    """How many bytes a request may send."""
    return uploads if asked.path.startswith(UPLOADS) else OTHERWISE


def check_size(asked: Asked, limit: int) -> Refusal | None:
    """Refuse a request that says beforehand that it is too large, or lies about its size."""
    length = asked.headers.get("content-length")
    if length is None:
        return None
    if not (length.isascii() and length.isdigit()) or int(length) > limit:
        return too_large(limit)
    return None


def counted(receive: Receive, limit: int) -> Receive:
    """Receive as before, until there is more than the limit.

    Raises
    ------
    TooLargeError
        From the returned function, as soon as the limit is passed.
    """
    seen = 0

    async def next_part() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body") or b"")
        if seen > limit:
            raise TooLargeError
        return message

    return next_part


def too_large(limit: int) -> Refusal:
    """The refusal of what is larger than the limit."""
    return Refusal(
        413,
        "This is larger than the limit",
        f"At most {size_text(limit)} are accepted at once. Start papilio serve with a larger "
        "--limit, or open the file by its path on this machine.",
    )


_PASSWORDS: dict[str, str] = {}


def remember(project: Project, password: str) -> None:
    """Keep the password of a project's database until the server ends."""
    _PASSWORDS[str(project.folder)] = password


def known(project: Project) -> bool:
    """Whether a password was given since the server started."""
    return str(project.folder) in _PASSWORDS


def environment(project: Project) -> dict[str, str]:
    """What the process that reads the data finds in its environment."""
    password = _PASSWORDS.get(str(project.folder))
    return {} if password is None else {"PGPASSWORD": password}


#: However busy, access ends after this many times the idle time.
WHOLE = 12


@dataclass
class Access:
    """The secrets of one server, and how long they are good for.

    It is the one thing here that changes: it remembers when it was last used.

    Attributes
    ----------
    port
        Port of the server; part of the cookie's name, as browsers share cookies between ports.
    idle
        Seconds without a request after which access ends.
    clock
        Seconds that only go forward.
    token
        Stands in the printed address.
    session
        What a browser gets for the token, as a cookie that scripts cannot read.
    """

    port: int
    idle: float
    clock: Callable[[], float] = time.monotonic
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    _began: float = 0.0
    _used: float = 0.0

    def __post_init__(self) -> None:
        self._began = self._used = self.clock()

    @property
    def cookie(self) -> str:
        """Name of the cookie."""
        return f"papilio-{self.port}"

    @property
    def expired(self) -> bool:
        """Whether it has ended; once it has, it stays so."""
        now = self.clock()
        if now - self._used > self.idle or now - self._began > WHOLE * self.idle:
            self._used = float("-inf")
            return True
        return False

    def use(self) -> None:
        """Note that somebody is there."""
        if not self.expired:
            self._used = self.clock()


def check_expiry(access: Access) -> Refusal | None:
    """Refuse everything once access has ended."""
    if not access.expired:
        return None
    return Refusal(
        401,
        "Access has expired",
        "Nobody used the workbench for a while, so it is closed. Your projects are kept: end "
        "papilio serve with Ctrl-C and start it again.",
    )


def check_token(asked: Asked, access: Access) -> Refusal | None:
    """Refuse a token that is wrong, and whoever has neither the token nor the cookie."""
    given = asked.query.get("token")
    if given is not None and asked.path == "/":
        if secrets.compare_digest(given.encode(), access.token.encode()):
            return None
        return _WRONG
    cookie = asked.cookies.get(access.cookie, "")
    return None if secrets.compare_digest(cookie.encode(), access.session.encode()) else _NONE


_WRONG = Refusal(
    403,
    "This address is not valid",
    "Its token belongs to another run of papilio serve, or is not complete. Open the address "
    "that the running one printed.",
)
_NONE = Refusal(
    401,
    "This page needs the token",
    "Open the address that papilio serve printed; it ends in a token that lets your browser in.",
)
