"""What every answer tells the browser: load nothing from elsewhere, keep nothing, tell nobody."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from papilio.web.security.refusal import Send

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
