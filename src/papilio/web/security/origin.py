"""Only the workbench's own pages may act."""

from __future__ import annotations

from papilio.web.security.asked import Asked
from papilio.web.security.refusal import Refusal

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
