"""What the workbench remembers of each release it made: the policy, the method, a few figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from papilio.verify.verdict import Finding, Status
from papilio.web.project import Project
from papilio.web.replaced_file import replace_text


@dataclass(frozen=True)
class Record:
    """How a release came about; no cell of the data but those the policy itself names.

    Attributes
    ----------
    number
        Number of the release.
    text
        The policy it was made with, as it was written.
    kind
        Kind of the release.
    method, why
        The method and the reason for it.
    k
        Least class size the policy demands, if any.
    left_out
        Columns of the source that the policy does not mention.
    notes
        What else the owner should know.
    seconds
        How long it took.
    made
        When, as ISO text.
    rows
        Rows of all published tables.
    findings
        What the verifier found before the release was written.
    loss
        Share of the detail that is lost, once it is known and if there is one number for it.
    """

    number: int
    text: str
    kind: str
    method: str
    why: str
    k: int | None
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    seconds: float
    made: str
    rows: int = 0
    findings: tuple[Finding, ...] = ()
    loss: float | None = None


def save_record(folder: Path, record: Record) -> None:
    """Write a record into the folder of a project, whole or not at all."""
    text = json.dumps(asdict(record), ensure_ascii=False, indent=1)
    replace_text(_path(folder, record.number), text, "record")


def load_record(project: Project, number: int) -> Record | None:
    """Read a record; ``None`` if there is none that can be read."""
    try:
        said = json.loads(_path(project.folder, number).read_text(encoding="utf-8"))
        lists = {name: tuple(said[name]) for name in ("left_out", "notes")}
        return Record(**{**said, **lists, "findings": tuple(map(_finding, said["findings"]))})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def records(project: Project) -> Iterator[Record]:
    """Records of all finished releases of a project, the latest first."""
    for number in reversed(project.release_numbers()):
        record = load_record(project, number)
        if record is not None:
            yield record


def with_loss(folder: Path, record: Record, loss: float | None) -> None:
    """Remember the loss of a release."""
    if record.loss != loss:
        save_record(folder, replace(record, loss=loss))


def _finding(said: dict[str, Any]) -> Finding:
    return Finding(**{**said, "status": Status(said["status"])})


def _path(folder: Path, number: int) -> Path:
    return folder / "state" / f"release-{number}.json"
