"""What child processes can do; nothing else can be ordered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    """A piece of work.

    Attributes
    ----------
    path
        Its function, as ``module:name``. It is called with the folder of the project, a function
        to be told of each stage, and the arguments of the order, and returns plain data.
    alone
        Whether only one such piece of work may be under way per project, because it writes or
        takes all the machine has.
    """

    path: str
    alone: bool = False


def _verb(name: str, *, alone: bool = False) -> tuple[str, Verb]:
    return name, Verb(f"papilio.web.verbs.{name}:{name}", alone)


VERBS = dict(
    [
        _verb("profile"),
        _verb("publish", alone=True),
        _verb("value_counts"),
        _verb("hierarchy_preview"),
        _verb("target_preview"),
        _verb("document"),
        _verb("risk"),
        _verb("report", alone=True),
        _verb("compare", alone=True),
        _verb("ask"),
        _verb("examples"),
    ]
)
