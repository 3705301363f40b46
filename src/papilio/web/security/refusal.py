"""A request that is refused gets a page that says why and what to do."""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

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
