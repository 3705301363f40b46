"""Who may come in: those with the token, for a time."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from papilio.web.project import Project
from papilio.web.security.asked import Asked, Refusal

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
