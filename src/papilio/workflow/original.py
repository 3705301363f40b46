"""What is to be published, read once: for making a release and for judging it."""

from __future__ import annotations

from typing import Any

from papilio.data.types import as_text
from papilio.families.family import Original
from papilio.policy.policy import Policy
from papilio.verify.opened import OpenedHere
from papilio.verify.witness.originals import ORIGINAL

#: Name of the view of the original; a blank in it keeps it apart from published tables.
VIEW = "papilio original"


def read_original(policy: Policy, data: Any = None, name: str | None = None) -> Original:
    """Apply a policy to its own source, or to frames.

    Parameters
    ----------
    policy
        The order.
    data
        A frame, or a mapping of frames for linked tables and graphs; ``None`` reads the source.
    name
        Name of a frame; ``None`` if it has none.
    """
    return policy.family.read(data, policy, name)


def show_original(opened: OpenedHere, original: Original) -> None:
    """Let a connection see the original: as :data:`VIEW`, or as views whose names begin so."""
    for name, frame in original.frames().items():
        view = VIEW if name == ORIGINAL else f"{VIEW} {name}"
        opened.connection.register(view, as_text(frame).to_arrow())
