"""What a request says of itself, as far as the checks look at it."""

from __future__ import annotations

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

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
