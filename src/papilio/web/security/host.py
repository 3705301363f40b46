"""Only requests that name this machine as their host are answered."""

from __future__ import annotations

from papilio.web.security.asked import Asked
from papilio.web.security.refusal import Refusal

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
