"""An interrupt between any two steps of making a folder leaves nothing behind."""

from __future__ import annotations

import sys

from papilio.release import locked_folder as module
from papilio.release.locked_folder import HIDDEN, locked_folder


class Interrupt:
    """Raises KeyboardInterrupt at one of the events of a module's lines and calls."""

    def __init__(self, at):
        self.left = at

    def __call__(self, frame, event, argument):
        if frame.f_code.co_filename != module.__file__ or frame.f_code.co_name == "_remove":
            return None
        if event not in ("call", "line"):
            return self
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return self


def interrupted(folder, at):
    """Whether a folder that is made was interrupted at a moment."""
    sys.settrace(Interrupt(at))
    try:
        with locked_folder(folder, HIDDEN):
            sys.settrace(None)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def test_at_any_moment(tmp_path):
    moments = 0
    while interrupted(tmp_path, moments + 1):
        moments += 1
        assert list(tmp_path.iterdir()) == [], f"moment {moments}"
    # Making the folder, its lock, and what the lock file says.
    assert moments > 12
    assert list(tmp_path.iterdir()) == []
