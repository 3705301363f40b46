"""Passwords of databases: in memory, for as long as the server runs, and nowhere else."""

from __future__ import annotations

from papilio.web.project import Project

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
