"""No request may be larger than its limit, counted while it comes in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from papilio.data.size_text import size_text
from papilio.web.security.asked import Asked
from papilio.web.security.refusal import Refusal

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
