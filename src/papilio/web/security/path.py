"""Only plain paths are looked at."""

from __future__ import annotations

from papilio.web.security.asked import Asked
from papilio.web.security.refusal import Refusal

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
