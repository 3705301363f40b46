"""A project with a table of a database; its password stays in memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from papilio.data.source import PostgresSource, parse_source
from papilio.errors import DataError
from papilio.web.draft import load_draft, save_draft
from papilio.web.passwords import known, remember
from papilio.web.project import Project
from papilio.web.workspace import Workspace

# Up to the last @: what is not encoded as it should be may still be the password.
_IN_USER = re.compile(r"^([a-z]+://[^:@/?#]*):(.*)@")
_OPTIONS = re.compile(r"\?([^#]*)")
_SECRET = ("password=", "sslpassword=")


@dataclass(frozen=True)
class Address:
    """An address of a table without its password, and the password."""

    bare: str
    password: str | None


def open_database(workspace: Workspace, text: str, password: str = "") -> Project:
    """Make a project whose policy names a table of a PostgreSQL server.

    The password, typed beside the address or within it, is kept in memory until the server ends
    and is handed to the process that reads the table. It is written nowhere.

    Raises
    ------
    DataError
        If it is not the address of a table of a PostgreSQL server.
    """
    address = split_password(text.strip())
    source = parse_source(address.bare, workspace.folder)
    if not isinstance(source, PostgresSource):
        raise DataError(
            "this is no address of a database; postgresql://user@host/database#table is accepted",
            reason="unknown-source",
        )
    project = workspace.create(source.name)
    save_draft(project, load_draft(project).with_value(("source",), address.bare))
    secret = password or address.password
    if secret:
        remember(project, secret)
    return project


def needs_password(project: Project) -> bool:
    """Whether the policy names a database whose password was not given to this server."""
    tree = load_draft(project).tree
    said = [tree.get("source"), tree.get("database")]
    named = [each.get("postgresql") if isinstance(each, dict) else each for each in said]
    return any("://" in str(each) for each in named if each) and not known(project)


def split_password(text: str) -> Address:
    """Take the password out of an address."""
    user = _IN_USER.match(text)
    found = None if user is None else unquote(user[2])
    bare = _IN_USER.sub(r"\1@", text)
    options = _OPTIONS.search(bare)
    if options is None:
        return Address(bare, found)
    given = options[1].split("&")
    kept = "&".join(each for each in given if not each.startswith(_SECRET))
    for each in given:
        if each.startswith(_SECRET[0]):
            found = unquote(each.removeprefix(_SECRET[0]))
    return Address(bare.replace(options[0], f"?{kept}" if kept else "", 1), found)
