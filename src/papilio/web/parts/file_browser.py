"""Pick a file of this machine, in the user's folder or where the server was started."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from nicegui import ui

from papilio.web.parts.section import heading

#: Most entries of one folder that are shown.
MOST = 300


def roots() -> dict[str, Path]:
    """Folders that can be looked into, by what they are called."""
    found = {"Home folder": Path.home(), "Where papilio was started": Path.cwd()}
    return {name: path.resolve() for name, path in found.items()}


def listed(folder: Path, endings: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """Folders and files of a folder, as far as they can be picked.

    Hidden ones, and links that lead out of the roots, are left out.
    """
    inside = [path for path in roots().values() if folder.resolve().is_relative_to(path)]
    if not inside:
        return [], []
    folders, files = [], []
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name.lower())
    except OSError:
        return [], []
    for path in entries:
        if path.name.startswith(".") or not _within(path, inside):
            continue
        if path.is_dir():
            folders.append(path)
        elif path.name.lower().endswith(tuple(endings)):
            files.append(path)
    return folders[:MOST], files[:MOST]


def _within(path: Path, folders: Sequence[Path]) -> bool:
    try:
        real = path.resolve()
    except OSError:
        return False
    return any(real.is_relative_to(folder) for folder in folders)


def pick_file(endings: Sequence[str], on_pick: Callable[[str], None]) -> None:
    """Open a dialogue that lists folders and files; calls back with the path picked."""
    with (
        ui.dialog().props('aria-label="Pick a file"') as dialog,
        ui.card().classes("browser"),
    ):
        heading("Pick a file", 2)
        body = ui.element("div").classes("browser-body")
        ui.button("Cancel", on_click=dialog.close).classes("secondary")

    def pick(path: Path) -> None:
        dialog.close()
        on_pick(str(path))

    def show(folder: Path | None) -> None:
        body.clear()
        with body:
            _rows(folder, endings, show, pick)

    show(None)
    dialog.open()


def _rows(
    folder: Path | None,
    endings: Sequence[str],
    show: Callable[[Path | None], None],
    pick: Callable[[Path], None],
) -> None:
    if folder is None:
        for name, path in roots().items():
            _row(name, "folder", lambda path=path: show(path))  # type: ignore[misc]
        return
    ui.label(str(folder)).classes("hint")
    above = None if folder in roots().values() else folder.parent
    _row("Up", "arrow_upward", lambda: show(above))
    folders, files = listed(folder, endings)
    for path in folders:
        _row(path.name, "folder", lambda path=path: show(path))  # type: ignore[misc]
    for path in files:
        _row(path.name, "description", lambda path=path: pick(path))  # type: ignore[misc]
    if not files:
        ui.label(f"No file here ends in {', '.join(endings)}.").classes("hint")


def _row(text: str, icon: str, on_click: Callable[[], None]) -> None:
    ui.button(text, icon=icon, on_click=on_click, color=None).props("flat no-caps align=left")
