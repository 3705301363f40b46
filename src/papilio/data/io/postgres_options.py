"""Which options an address of PostgreSQL may have if a policy names it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from urllib.parse import unquote

from papilio.errors import DataError

#: Options of libpq that neither read a file nor name another place where options are.
ACCEPTED = frozenset({
    "application_name", "channel_binding", "client_encoding", "connect_timeout", "gssencmode",
    "host", "hostaddr", "keepalives", "keepalives_count", "keepalives_idle",
    "keepalives_interval", "krbsrvname", "load_balance_hosts", "options", "password", "port",
    "require_auth", "ssl_max_protocol_version", "ssl_min_protocol_version", "sslmode",
    "sslnegotiation", "sslsni", "target_session_attrs", "tcp_user_timeout", "user",
})  # fmt: skip


def check_options(uri: str, allowed: Collection[Path] | None) -> None:
    """Refuse options by which somebody else's policy would have files of its reader opened.

    ``passfile``, ``sslkey``, ``service`` and their like name files anywhere, whose contents may be
    sent to the server that the same address names.

    Parameters
    ----------
    uri
        The address.
    allowed
        ``None`` if the program's owner wrote it: then all options are accepted.

    Raises
    ------
    DataError
        If there is an option that is not in :data:`ACCEPTED`.

    Notes
    -----
    libpq finds the options behind one of the question marks, depending on where an ``@`` is. So
    what follows each of them is looked at as if it were that one.
    """
    if allowed is None:
        return
    said = [each for part in uri.split("?")[1:] for each in part.split("&")]
    if not {unquote(each.partition("=")[0]) for each in said} <= ACCEPTED:
        raise DataError(
            "the address of the database has an option that a policy may not set, such as one that "
            "names a file; sslmode, connect_timeout, application_name and others that name none "
            "are accepted, and libpq's environment variables for the rest",
            reason="not-allowed",
        )
