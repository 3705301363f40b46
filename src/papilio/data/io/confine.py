"""Which files a policy may name: those of its own folder, and what the owner allows besides.

A policy may come from somebody else. The files it names are read with the owner's rights and can
end up in a release, so a name that leads out of the policy's folder, absolutely, through ``..`` or
through a symbolic link, is not followed unless the owner allowed that place.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from papilio.errors import DataError

_WILDCARDS = frozenset("*?[")


def confined(path: str | Path, base: Path, allowed: Collection[Path] | None) -> Path:
    """Real place of a file or folder that a policy names; it need not exist.

    Parameters
    ----------
    path
        The name, absolute or relative to ``base``.
    base
        Folder of the policy.
    allowed
        Further files and folders, with all they hold; ``None`` if any place is accepted, because
        the program's owner gave the name.

    Returns
    -------
    Path
        The absolute path without symbolic links: what should be opened.

    Raises
    ------
    DataError
        With reason ``not-allowed`` if the real place is outside of all of these; with reason
        ``bad-file-name`` if no file can have the name.

    Notes
    -----
    Does not protect against somebody who may write to the folder and swaps a file for a link
    between this call and the reading; whoever opens the path returned here leaves less room.
    """
    real = _real(base / path)
    if allowed is None or any(real.is_relative_to(_real(place)) for place in (base, *allowed)):
        return real
    raise DataError(
        f"{base / path} leads out of the policy's folder; files in that folder are accepted, and "
        "others once you allow it: with --allow FOLDER, in Python with allow=[FOLDER], in the "
        "workbench on the Data page",
        reason="not-allowed",
    )


def confined_matches(
    pattern: str | Path, base: Path, allowed: Collection[Path] | None
) -> tuple[Path, ...]:
    """Real places of all files that a name with the wildcards ``*``, ``?`` and ``[…]`` fits.

    A file of exactly this name goes first, as the signs may be part of it. The folder that is
    searched must be allowed as well as every file found there.

    Raises
    ------
    DataError
        As :func:`confined`. The result is empty if there is no such file.
    """
    path = (base / pattern).absolute()
    if _is_file(path):
        return (confined(path, base, allowed),)
    if not _has_wildcards(path):
        confined(path, base, allowed)
        return ()
    start = next(up for up in path.parents if not _has_wildcards(up))
    confined(start, base, allowed)
    matches = _matches(start, path.relative_to(start))
    return tuple(confined(match, base, allowed) for match in matches if match.is_file())


def _matches(start: Path, pattern: Path) -> list[Path]:
    try:
        # Up again from a folder that fits would be out of the one that was allowed.
        if ".." not in pattern.parts:
            return sorted(start.glob(str(pattern)))
    except (OSError, ValueError):
        # Two stars beside letters, for one.
        pass
    raise DataError(
        "a file's name has wildcards that cannot be followed; *, ? and […] are accepted in names, "
        "and ** for folders",
        reason="bad-file-name",
    )


def _real(path: Path) -> Path:
    try:
        # To resolve a name does not tell that it is too long for a file; to look for it does.
        path.exists()
        real = path.resolve()
    except (OSError, RuntimeError, ValueError):
        # A loop of links, a name that is too long, or a NUL in it.
        raise DataError(
            "a file's name cannot be followed; the name of a file or folder is accepted",
            reason="bad-file-name",
        ) from None
    return real


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except ValueError:
        return False


def _has_wildcards(path: Path) -> bool:
    return not _WILDCARDS.isdisjoint(str(path))
