"""What the workbench remembers: each release it made, and the last comparison of a project.

Of a release the policy, the method and a few figures; of a comparison names and figures only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from papilio.document.compare import Comparison, Outcome, Trial
from papilio.families.choices import Measure
from papilio.policy.named_files import named_files
from papilio.verify.verdict import Finding, Status
from papilio.web.draft import Draft, load_draft
from papilio.web.opening import ENDINGS
from papilio.web.project import Project
from papilio.web.transfers import replace_text

_FILE = "profiles.json"


@dataclass(frozen=True)
class TableProfile:
    """A profile of one table.

    Attributes
    ----------
    name
        Name of the table.
    source
        What the policy says, or would say, to read it.
    profile
        :meth:`papilio.Profile.to_dict`.
    """

    name: str
    source: Any
    profile: Mapping[str, Any]


def load_profiles(project: Project) -> tuple[TableProfile, ...]:
    """Profiles of the last time; none if they were not made yet."""
    try:
        text = (project.state / _FILE).read_text(encoding="utf-8")
        return tuple(TableProfile(**each) for each in json.loads(text))
    except (OSError, ValueError, TypeError):
        return ()


def save_profiles(project: Project, profiles: Sequence[TableProfile]) -> None:
    """Keep profiles, whole or not at all."""
    text = json.dumps([asdict(each) for each in profiles])
    replace_text(project.state / _FILE, text, "profile")


def sources_of(project: Project) -> list[dict[str, Any]]:
    """Name and source of every table at hand: those of the policy, then other uploaded files."""
    draft = load_draft(project)
    found = _of_policy(draft)
    named = {each.name for each in named_files(draft.tree)}
    for path in sorted(project.data.iterdir()):
        name = f"data/{path.name}"
        if path.name.lower().endswith(ENDINGS) and name not in named:
            found.append({"name": None, "source": name})
    return found


def _of_policy(draft: Draft) -> list[dict[str, Any]]:
    found = []
    if draft.get(("source",)) is not None:
        found.append({"name": None, "source": draft.get(("source",))})
    for part in ("tables", "graph"):
        for name, said in (draft.get((part,)) or {}).items():
            if isinstance(said, Mapping) and said.get("source") is not None:
                found.append({"name": name, "source": said["source"]})
    return found


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
    lights
        The three lights as plain data (:meth:`papilio.attack.lights.Lights.to_dict`), if known.
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
    lights: Mapping[str, Any] | None = None


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


_COMPARISON = "compare.json"


def save_comparison(folder: Path, comparison: Comparison) -> None:
    """Keep a comparison in the folder of a project, whole or not at all."""
    text = json.dumps(asdict(comparison), ensure_ascii=False, default=date.isoformat)
    replace_text(folder / "state" / _COMPARISON, text, "comparison")


def load_comparison(project: Project) -> Comparison | None:
    """Comparison of the last time; ``None`` if nothing was compared yet."""
    try:
        said = json.loads((project.state / _COMPARISON).read_text(encoding="utf-8"))
        return _comparison(said)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _comparison(said: dict[str, Any]) -> Comparison:
    lists = {name: tuple(said[name]) for name in ("varied", "demands", "beside")}
    parts = {
        "loss": Measure(**said["loss"]),
        "risk": Measure(**said["risk"]),
        "measures": tuple(Measure(**each) for each in said["measures"]),
        "trials": tuple(_trial(each) for each in said["trials"]),
        "made": date.fromisoformat(said["made"]),
    }
    return Comparison(**{**said, **lists, **parts})


def _trial(said: dict[str, Any]) -> Trial:
    changes = tuple((tuple(path), value) for path, value in said["changes"])
    found = said["outcome"]
    # Comparisons that an earlier version stored have no reasons.
    reasons = tuple((found or {}).get("reasons", ()))
    outcome = None if found is None else Outcome(**{**found, "reasons": reasons})
    return Trial(**{**said, "changes": changes, "outcome": outcome})
