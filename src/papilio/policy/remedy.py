"""A change of a policy that would close what an attack found open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from papilio.policy.edit import KeyPath, dump


@dataclass(frozen=True)
class Remedy:
    """What to write into a policy, and what that does.

    Attributes
    ----------
    changes
        Keys from the top and what is to stand there, as
        :meth:`papilio.policy.policy.Policy.varied` takes them; ``None`` takes a key away.
    why
        What it does, in a sentence that is true of any data: ``Every class then has at least 2
        different values of salary.``
    """

    changes: tuple[tuple[KeyPath, Any], ...]
    why: str

    @property
    def line(self) -> str:
        """What to write, as a policy file has it: ``privacy: {l: {salary: 2}}``."""
        return "; ".join(_line(path, value) for path, value in self.changes)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        changes = [{"path": list(path), "value": value} for path, value in self.changes]
        return {"changes": changes, "line": self.line, "why": self.why}


def _line(path: KeyPath, value: Any) -> str:
    if value is None:
        return f"without {'.'.join(path)}"
    for key in reversed(path[1:]):
        value = {key: value}
    if isinstance(value, dict):
        inner = dump({"_": {"_": value}}).split("\n")[1].removeprefix("  _: ")
        return f"{path[0]}: {inner}"
    return dump({path[0]: value}).rstrip("\n")
